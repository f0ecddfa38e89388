import { skipOf } from './slice.js';
import type { Slice } from './slice.js';

/** A page of rows that have no ordinals. */
export interface PageRow {
  /** JSON array. */
  body: string;
  /** Rows from the beginning of the page on; one more than `take` if the list continues after the page. */
  count: string;
}

/** Length of the list as far as it was read: enough to decide whether the cap cut the page. */
export const seen = (slice: Slice, row: PageRow): bigint => skipOf(slice) + BigInt(row.count);
