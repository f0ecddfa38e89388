import type { Page, Walk } from './slice.js';

/** Pieces of SQL for lists of transactions that are walked page by page, each page from where the last one ended. */

/** Text that names a row of `transactions`, for `Cursor`. */
export const cursorText = (t: string): string => `${t}.hash || '-' || ${t}.position`;

/** The slice's parameters: two, or three behind a cursor. */
export const walkValues = (slice: Page | Walk): unknown[] =>
  slice.by === 'number' ? [slice.take, slice.skip] : [slice.take, slice.after.hash, slice.after.position];

export const walkTypes = ({ by }: Page | Walk): string[] => [
  'bigint',
  ...(by === 'number' ? ['bigint'] : ['text', 'bigint']),
];

/** Position behind which the walk goes on; `hash` and `position` are parameters. */
export const resumedAt = (hash: string, position: string): string =>
  `COALESCE((SELECT t.position FROM transactions AS t WHERE t.hash = ${hash}), ${position}::bigint)`;

/**
 * SELECT of `place`: how many entries of a list stand before (`<`) or up to (`<=`) a position. Entries are numbered
 * densely in the order of their positions, so halving finds it: no index has both list and position.
 */
export function placeOf(position: string, comparison: '<' | '<=', ordinal: string, entries: string): string {
  const isBefore = `e.position ${comparison} ${position}`;
  return `
    WITH RECURSIVE search AS (
      SELECT 0::bigint AS low, c.total AS high
      UNION ALL
      SELECT
        CASE WHEN ${isBefore} THEN half.way ELSE s.low END,
        CASE WHEN ${isBefore} THEN s.high ELSE half.way - 1 END
      FROM search AS s
      CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
      CROSS JOIN LATERAL (SELECT e.position ${entries} AND ${ordinal} = half.way LIMIT 1) AS e
      WHERE s.low < s.high
    )
    SELECT low AS place FROM search WHERE low = high LIMIT 1`;
}
