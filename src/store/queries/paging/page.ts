import { skipOf } from './slice.js';
import type { Slice } from './slice.js';

/** A page of rows that no ordinals number. */
export interface PageRow {
  /** JSON array. */
  body: string;
  /** Rows from the beginning of the page on; one more than the page may hold if the list goes on. */
  count: string;
}

/** Length of the list as far as it was looked at: enough to know whether the cap cut the page. */
export const seen = (slice: Slice, row: PageRow): bigint => skipOf(slice) + BigInt(row.count);
