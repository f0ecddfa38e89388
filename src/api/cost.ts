/** What a request for a list costs the database. The number of the page does not matter: a far page costs no more. */
import type { Slice } from '../store/queries/paging/slice.js';
import type { Cost } from './endpoint.js';

/** Max rows, or heights, of a list whose request is still light. */
const MAX_LIGHT_ROWS = 100n;
const MAX_LIGHT_HEIGHTS = 20;

/** Heavy without `limit`, or with a large one. */
export const byRows = ({ query: { slice } }: { query: { slice: Slice } }): Cost =>
  slice.wanted === null || slice.wanted > MAX_LIGHT_ROWS ? 'heavy' : 'light';

/** Heavy with a large page. */
export const byTake = ({ query: { slice } }: { query: { slice: { take: number } } }): Cost =>
  BigInt(slice.take) > MAX_LIGHT_ROWS ? 'heavy' : 'light';

/** Light also for a short range of heights. */
export const byHeights = (request: { params: { from: number; to: number }; query: { slice: Slice } }): Cost =>
  request.params.to - request.params.from <= MAX_LIGHT_HEIGHTS ? 'light' : byRows(request);
