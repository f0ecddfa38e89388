/** What requests for lists cost the database. A far page costs no more than the first one. */
import type { Slice } from '../store/queries/paging/slice.js';
import type { Cost } from './endpoint.js';

/** Rows and heights up to which a list is light. */
const FEW_ROWS = 100n;
const FEW_HEIGHTS = 20;

export const byRows = ({ query: { slice } }: { query: { slice: Slice } }): Cost =>
  slice.wanted === null || slice.wanted > FEW_ROWS ? 'heavy' : 'light';

export const byHeights = (request: { params: { from: number; to: number }; query: { slice: Slice } }): Cost =>
  request.params.to - request.params.from <= FEW_HEIGHTS ? 'light' : byRows(request);
