import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { CUT, KEY_BLOCK_MEMBERS, MICRO_BLOCK_MEMBERS, PICKED, range } from './generations.js';
import type { GenerationsRow } from './generations.js';
import { inGeneration, inMicroBlock } from '../positions.js';
import { rawRecord } from './raw-record.js';
import type { Page } from './paging/slice.js';

const TRANSACTIONS = `
  SELECT string_agg(${rawRecord('t')}, ',' ORDER BY t.position)
  FROM transactions AS t
  WHERE ${inMicroBlock('t.position', 'm.position')}`;

const MICRO_BLOCKS = `
  SELECT string_agg(
    '{"micro_block":{' || (${MICRO_BLOCK_MEMBERS}) || '},"transactions":[' || COALESCE((${TRANSACTIONS}), '') || ']}',
    ',' ORDER BY m.position
  )
  FROM micro_blocks AS m
  WHERE ${inGeneration('m.position', 'k.height')}`;

/** `[{"key_block", "micro_blocks": [{"micro_block", "transactions"}]}]`: the same generations as `generations`, with raw records. */
export function rawGenerations(
  db: Queryable,
  from: number,
  to: number,
  slice: Page,
  maxTransactions: number,
): Promise<Answer<GenerationsRow>> {
  return answer<GenerationsRow>(db, {
    name: 'generations.raw_between',
    text: `
      WITH ${PICKED}, answered AS (
        SELECT
          '{"key_block":{' || (${KEY_BLOCK_MEMBERS}) || '},"micro_blocks":[' || COALESCE((${MICRO_BLOCKS}), '') || ']}' AS body
        FROM picked AS k
        ORDER BY k.height DESC
      )
      SELECT '[' || COALESCE(string_agg(answered.body, ','), '') || ']' AS body, ${CUT} AS cut
      FROM answered`,
    values: range(from, to, slice, maxTransactions),
  });
}
