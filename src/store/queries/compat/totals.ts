/** How many rows lists of the compatible API have. */
import { MAX_HEIGHT } from '../../../chain/position.js';

/** So many rows are counted one by one where the number of rows is not stored. */
export const MAX_COUNTED = 10_000;

export interface Total {
  /** Null: it is not stored, and there are more rows than are counted. */
  count: string | null;
}

/** SELECT of the number of rows of a SELECT; null if there are more than are counted. */
export const numberOf = (rows: string): string => `
  SELECT CASE WHEN count(*) <= ${MAX_COUNTED} THEN count(*) END AS count
  FROM (${rows} LIMIT ${MAX_COUNTED + 1}) AS counted`;

/** Whether a range has all heights. */
export const isEveryHeight = ({ low, high }: { low: bigint; high: bigint }): boolean =>
  low === 0n && high === BigInt(MAX_HEIGHT);
