import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { inGeneration, inMicroBlock } from '../positions.js';
import type { Page } from './paging/slice.js';

export interface GenerationsRow {
  /** `{"total_transactions", "total_micro_blocks", "data": {height: key block}}`, newest first. */
  body: string;
  /** Which limit left out generations that were asked for: the cap on generations or `maxTransactions`; null if none are missing. */
  cut: 'generations' | 'transactions' | null;
}

/** Text of the newest key block. */
export const NEWEST_KEY_BLOCK = '(SELECT body FROM key_block_texts ORDER BY height DESC LIMIT 1)';

/** Members of the node's key block. `nonce` and `pow` become text, and get a default where the node leaves them out (genesis). */
export const KEY_BLOCK_MEMBERS = `
  SELECT
    string_agg(
      to_json(member.key)::text || ':' ||
      CASE member.key
        WHEN 'nonce' THEN to_json(member.value #>> '{}')::text
        WHEN 'pow' THEN to_json(replace(regexp_replace(member.value::text, '\\s', '', 'g'), ',', ', '))::text
        ELSE member.value::text
      END, ','
    ) ||
    CASE WHEN bool_or(member.key = 'nonce') THEN '' ELSE ',"nonce":"0"' END ||
    CASE WHEN bool_or(member.key = 'pow') THEN '' ELSE ',"pow":"[0]"' END
  FROM json_each(k.body::json) AS member`;

/** Members of the node's micro block header without the height, which the enclosing generation has. */
export const MICRO_BLOCK_MEMBERS = `
  SELECT string_agg(to_json(member.key)::text || ':' || member.value::text, ',')
  FROM json_each(m.body::json) AS member
  WHERE member.key <> 'height'`;

const TRANSACTIONS = `
  SELECT string_agg(to_json(t.hash)::text || ':' || t.body, ',' ORDER BY t.position)
  FROM transactions AS t
  WHERE ${inMicroBlock('t.position', 'm.position')}`;

const MICRO_BLOCKS = `
  SELECT
    string_agg(
      to_json(m.hash)::text || ':{' || (${MICRO_BLOCK_MEMBERS}) ||
      ',"transactions":{' || COALESCE((${TRANSACTIONS}), '') || '}}', ',' ORDER BY m.position
    ) AS body,
    count(*) AS count,
    COALESCE(sum(m.tx_count), 0) AS transactions
  FROM micro_blocks AS m
  WHERE ${inGeneration('m.position', 'k.height')}`;

/** CTE `picked`: heights and bodies of the key blocks of the answer; the parameters are those of `range`. */
export const PICKED = `
  start AS (
    SELECT LEAST($2::bigint, (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1)) - $3::bigint AS height
  ), first AS (
    SELECT height, (SELECT g.tx_total FROM generations AS g WHERE g.height = key_blocks.height) AS tx_total
    FROM key_blocks
    WHERE height <= (SELECT height FROM start) AND height >= $1::bigint
    ORDER BY height DESC
    LIMIT 1
  ), picked AS (
    SELECT k.height, k.body
    FROM first
    CROSS JOIN LATERAL (
      SELECT height, body
      FROM key_block_texts
      WHERE
        height <= first.height
        AND height >= $1::bigint
        AND height > (SELECT height FROM start) - $4::bigint
      ORDER BY height DESC
      LIMIT $4::bigint
    ) AS k
    WHERE k.height = first.height OR $6::bigint >= first.tx_total -
      (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = k.height)
  )`;

/** SQL expression for `GenerationsRow.cut`. */
export const CUT = `
  CASE WHEN EXISTS (
    SELECT 1
    FROM key_blocks
    WHERE
      height < (SELECT min(height) FROM picked)
      AND height >= $1::bigint
      AND height > (SELECT height FROM start) - $5::bigint
  ) THEN CASE WHEN (SELECT count(*) FROM picked) < $4::bigint THEN 'transactions' ELSE 'generations' END END`;

export const range = (from: number, to: number, slice: Page, maxTransactions: number): unknown[] => [
  from,
  to,
  slice.skip,
  slice.take,
  slice.wanted ?? 2 ** 31,
  maxTransactions,
];

/**
 * The whole generations from height `from` to `to` (0 <= both <= MAX_HEIGHT). The slice counts heights down from the
 * highest one. An answer ends before it has more than `maxTransactions`, but has at least one generation.
 */
export function generations(
  db: Queryable,
  from: number,
  to: number,
  slice: Page,
  maxTransactions: number,
): Promise<Answer<GenerationsRow>> {
  return answer<GenerationsRow>(db, {
    name: 'generations.between',
    text: `
      WITH ${PICKED}, answered AS (
        SELECT
          '"' || k.height || '":{' || (${KEY_BLOCK_MEMBERS}) || ',"micro_blocks":{' || COALESCE(m.body, '') || '}}' AS body,
          m.count,
          m.transactions
        FROM picked AS k
        CROSS JOIN LATERAL (${MICRO_BLOCKS}) AS m
        ORDER BY k.height DESC
      )
      SELECT
        '{"total_transactions":' || COALESCE(sum(answered.transactions), 0) ||
        ',"total_micro_blocks":' || COALESCE(sum(answered.count), 0) ||
        ',"data":{' || COALESCE(string_agg(answered.body, ','), '') || '}}' AS body,
        ${CUT} AS cut
      FROM answered`,
    values: range(from, to, slice, maxTransactions),
  });
}
