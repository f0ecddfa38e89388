/** How many rows lists of the compatible API have. */
import { MAX_HEIGHT } from '../../../chain/position.js';
import type { Answer } from '../answer.js';

/** So many rows are counted one by one where the number of rows is not stored. */
export const MAX_COUNTED = 10_000;

/** The part of a list of which it is seen whether there are more rows. */
export const COUNTED = { ascending: true, from: undefined, inclusive: true, take: MAX_COUNTED + 1 } as const;

export interface Total {
  /** Null: it is not stored, and there are more rows than are counted. */
  count: string | null;
}

/** The length of a list of which so many rows were read. */
export const counted = (rows: number): Total => ({ count: rows > MAX_COUNTED ? null : String(rows) });

/** SELECT of the number of rows of a SELECT; null if there are more than are counted. */
export const numberOf = (rows: string): string => `
  SELECT CASE WHEN count(*) <= ${MAX_COUNTED} THEN count(*) END AS count
  FROM (${rows} LIMIT ${MAX_COUNTED + 1}) AS counted`;

/** The length of a list that has the rows of several ones. It has no head unless all are of one. */
export function sumOf(all: readonly Answer<Total>[]): Answer<Total> {
  const counts = all.map(({ row }) => (row === null ? '0' : row.count));
  const [head = null] = all.map((one) => one.head);
  return {
    row: { count: counts.includes(null) ? null : String(counts.reduce((sum, count) => sum + BigInt(count!), 0n)) },
    head: all.every((one) => one.head?.hash === head?.hash) ? head : null,
  };
}

/** Whether a range has all heights. */
export const isEveryHeight = ({ low, high }: { low: bigint; high: bigint }): boolean =>
  low === 0n && high === BigInt(MAX_HEIGHT);
