import type { Queryable } from '../../connection/database.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';
import { WITH_OUTCOME } from '../outcome.js';
import { inGeneration } from '../../positions.js';
import type { KeysetPage, Page } from './slice.js';
import { TYPE_CODE } from '../transaction-types.js';
import { cursorPosition, cursorText, sliceTypes, sliceValues } from './keyset.js';

interface IntervalRow {
  /** `{"transactions": [...]}`, newest first. */
  body: string;
  /** Transactions in the whole interval. */
  total: string;
  /** Nothing was read: the interval is wide, has more transactions than the cap, and no limit was given. */
  refused: boolean;
  /** Cursor of the last row of the page if the list continues after it. */
  next: string | null;
}

/** An interval of fewer heights is cut at the cap if it has no `limit`; a wider one is refused. */
const WIDE = 1000;

/**
 * Transactions of the heights `from` to `to` (0 <= both <= MAX_HEIGHT), newest first, of one type or all (null).
 *
 * The totals per generation number all stored transactions from 1: `below` is the last number before the interval, `upto`
 * the last one in it. The first row of a page has number `upto - skip`. An index finds its generation, and the rows of that
 * generation are counted to find the row. So every page costs the same.
 */
export function intervalTransactions(
  db: Queryable,
  from: number,
  to: number,
  type: readonly string[] | null,
  slice: Page | KeysetPage,
): Promise<Answer<IntervalRow>> {
  const { name, types, sums, total, ofType } = type === null ? ALL : BY_TYPE;
  const totalAt = (heights: string): string =>
    `COALESCE((SELECT g.${total} ${sums} AND g.height ${heights} ORDER BY g.height DESC LIMIT 1), 0)`;
  const inInterval = `${ofType} t.position >= ($1::bigint << 33)`;
  const isKeyset = slice.by === 'cursor';
  return answer<IntervalRow>(db, {
    name: isKeyset ? `${name}.after` : name,
    text: `
      SELECT
        GREATEST(b.upto - b.below, 0) AS total,
        r.refused,
        '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
        CASE
          WHEN page.count = $4::bigint AND EXISTS (
            SELECT FROM transactions AS t WHERE ${inInterval} AND t.position < page.last
          ) THEN (SELECT ${cursorText('t')} FROM transactions AS t WHERE t.position = page.last)
        END AS next
      FROM (${types(isKeyset ? '$7' : '$6')}) AS types
      CROSS JOIN LATERAL (SELECT ${totalAt('< $1::bigint')} AS below, ${totalAt('<= $2::bigint')} AS upto LIMIT 1) AS b
      LEFT JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true
      CROSS JOIN LATERAL (
        SELECT
          $3::boolean AND b.upto - b.below > $4::bigint AND LEAST($2::bigint, head.height) - $1::bigint >= ${WIDE}
          AS refused
      ) AS r
      ${isKeyset ? AFTER_CURSOR : startOf(type === null ? ALL : BY_TYPE)}
      CROSS JOIN LATERAL (
        SELECT string_agg(item.body, ',') AS body, min(item.position) AS last, count(*) AS count
        FROM (
          SELECT ${WITH_OUTCOME} AS body, t.position
          FROM transactions AS t
          WHERE ${inInterval} AND t.position <= start.position AND NOT r.refused
          ORDER BY t.position DESC
          LIMIT $4::bigint
        ) AS item
      ) AS page`,
    values: [from, to, slice.wanted === null && !isKeyset, ...sliceValues(slice), ...(type === null ? [] : [type])],
    types: ['bigint', 'bigint', 'boolean', ...sliceTypes(slice), ...(type === null ? [] : ['text[]'])],
    plannedOnce: true,
    page: true,
  });
}

/** `start`: position of the first row of a page that begins after `$5` rows. */
const startOf = ({ sums, total, count, numbered, first }: typeof ALL): string => `
  LEFT JOIN LATERAL (
    SELECT g.height, b.upto - $5::bigint - (g.${total} - g.count) AS ordinal
    FROM (
      SELECT g.height, g.${total}, g.${count} AS count
      ${sums} AND g.${total} >= b.upto - $5::bigint AND b.upto - $5::bigint > b.below ${numbered}
      ORDER BY g.${total}
      LIMIT 1
    ) AS g
  ) AS g ON true
  LEFT JOIN LATERAL (${first}) AS start ON true`;

/** The same of a page that begins after a cursor, which may be above the interval. */
const AFTER_CURSOR = `
  CROSS JOIN LATERAL (
    SELECT LEAST(${cursorPosition('$5', '$6')} - 1, ($2::bigint << 33) + ((1::bigint << 33) - 1)) AS position LIMIT 1
  ) AS start`;

const ALL = {
  name: 'interval.transactions',
  types: (_names: string) => 'SELECT 1',
  sums: 'FROM generations AS g WHERE true',
  total: 'tx_total',
  count: 'tx_count',
  numbered: 'AND g.tx_count > 0',
  ofType: '',
  first: `
    SELECT m.position + (g.ordinal - (m.upto - m.tx_count)) - 1 AS position
    FROM (
      SELECT position, tx_count, sum(tx_count) OVER (ORDER BY position) AS upto
      FROM micro_blocks
      WHERE ${inGeneration('position', 'g.height')}
    ) AS m
    WHERE m.upto >= g.ordinal
    ORDER BY m.position
    LIMIT 1`,
};

const BY_TYPE = {
  name: 'interval.transactions_by_type',
  types: (names: string) => `SELECT ${TYPE_CODE(names)} AS type LIMIT 1`,
  sums: 'FROM generation_types AS g WHERE g.type = types.type',
  total: 'total',
  count: 'count',
  numbered: '',
  ofType: 't.type = types.type AND',
  first: `
    SELECT t.position
    FROM (
      SELECT position, row_number() OVER (ORDER BY position) AS ordinal
      FROM transactions
      WHERE type = types.type AND ${inGeneration('position', 'g.height')}
    ) AS t
    WHERE t.ordinal = g.ordinal`,
};
