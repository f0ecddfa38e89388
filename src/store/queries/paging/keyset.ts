import type { KeysetPage, Page } from './slice.js';

/** SQL fragments for keyset pages of lists of transactions. */

/** Text of the `Cursor` of a row `t` of `transactions`. */
export const cursorText = (t: string): string => `${t}.hash || '-' || ${t}.position`;

/** Parameters of the slice: two for a page by number, three for a keyset page. */
export const sliceValues = (slice: Page | KeysetPage): unknown[] =>
  slice.by === 'number' ? [slice.take, slice.skip] : [slice.take, slice.after.hash, slice.after.position];

/** Types of `sliceValues`. */
export const sliceTypes = ({ by }: Page | KeysetPage): string[] => [
  'bigint',
  ...(by === 'number' ? ['bigint'] : ['text', 'bigint']),
];

/** Position after which the page begins; `hash` and `position` are the parameters of the cursor. */
export const cursorPosition = (hash: string, position: string): string =>
  `COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = ${hash}), ${position}::bigint)`;

/**
 * SELECT of `count`: how many entries of a list are before (`<`) or up to (`<=`) a position. No index has both list and position,
 * so this is a binary search: ordinals have no gaps and grow with the positions.
 */
export function entriesBefore(position: string, comparison: '<' | '<=', ordinal: string, entries: string): string {
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
    SELECT low AS count FROM search WHERE low = high LIMIT 1`;
}
