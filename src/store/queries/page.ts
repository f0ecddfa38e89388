import type { Slice } from './slice.js';

/** A page of rows that no ordinals number. */
export interface PageRow {
  /** JSON array. */
  body: string;
  /** Rows from the beginning of the page on; one more than the page may hold if the list goes on. */
  count: string;
}

/** The current height: null while nothing is stored. */
export const TOP_HEIGHT = '(SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1)';

export interface Page {
  /** SELECT of the rows' `position`, and nothing else, in their order: an index should give it without reading rows. */
  positions: string;
  /** `table AS alias` that holds the rows, one a position. */
  from: string;
  /** Its column of that position. */
  at: string;
  /** JSON text of a row. */
  item: string;
  /** Parameters of the slice: rows to leave out, most rows to give. */
  skip: string;
  take: string;
}

/**
 * SELECT of one `PageRow`. The places of the rows are counted off in an index, and only the page's own rows are read. What
 * was skipped is still walked over, entry by entry of the index: these lists have no ordinals.
 */
export function page({ positions, from, at, item, skip, take }: Page): string {
  return `
    SELECT
      '[' || COALESCE(string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= ${take}::bigint), '')
      || ']' AS body,
      count(*) AS count
    FROM (
      SELECT picked.number, ${item} AS body
      FROM (
        SELECT row_number() OVER () AS number, listed.position
        FROM (${positions} LIMIT ${take}::bigint + 1 OFFSET ${skip}::bigint) AS listed
      ) AS picked
      JOIN ${from} ON ${at} = picked.position
    ) AS item`;
}

/** Length of the list as far as it was looked at: enough to tell whether the cap cut the page. */
export const seen = (slice: Slice, row: PageRow): bigint => slice.skip + BigInt(row.count);
