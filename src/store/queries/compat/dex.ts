/** Pairs of exchanges and their swaps, from the logs of their contracts. A pair is the contract that the first event `PairCreated` with it names. */
import { eventHash } from '../../../chain/event-names.js';
import type { Queryable } from '../../connection/database.js';
import { answers } from '../answer.js';
import type { Answers } from '../answer.js';
import { ofTopic, unestimated } from '../contract-logs.js';

const PAIR_CREATED = eventHash('PairCreated');
export const SWAP_TOKENS = eventHash('SwapTokens');

/** Contracts by the integers of their 32 bytes, as decimal digits. */
interface PairRow {
  pair: string;
  token0: string;
  token1: string;
}

const IS_CREATION = `l.topics[1] = ${PAIR_CREATED}::numeric AND cardinality(l.topics) = 4`;

/** Which of some contracts are pairs. */
export function compatPairs(db: Queryable, words: readonly bigint[]): Promise<Answers<PairRow>> {
  return answers<PairRow>(db, {
    name: 'compat.dex_pairs',
    text: `
      SELECT w.word::text AS pair, c.token0::text AS token0, c.token1::text AS token1
      FROM unnest($1::numeric[]) AS w (word)
      CROSS JOIN LATERAL (
        SELECT l.topics[2] AS token0, l.topics[3] AS token1 FROM contract_logs AS l
        WHERE ${ofTopic('l.topics[4]', 'w.word')} AND ${unestimated(`l.topics[4] = w.word AND ${IS_CREATION}`)}
        ORDER BY l.position, l.log_index LIMIT 1
      ) AS c`,
    values: [words],
  });
}

/** Pairs of a token that are looked up. */
const MAX_PAIRS = 200;

/** Contracts that events name as pairs of a token, those that were named first; others may have named them with other tokens before. */
export function compatPairsOfToken(db: Queryable, token: bigint): Promise<Answers<{ pair: string }>> {
  const withToken = (topic: string): string => `
    (SELECT l.topics[4] AS pair, l.position, l.log_index FROM contract_logs AS l
    WHERE ${ofTopic(topic, '$1::numeric')} AND ${unestimated(`${topic} = $1::numeric AND ${IS_CREATION}`)}
    ORDER BY l.position, l.log_index LIMIT ${MAX_PAIRS})`;
  return answers(db, {
    name: 'compat.dex_pairs_of_token',
    text: `
      SELECT DISTINCT u.pair::text AS pair FROM (
        SELECT * FROM (${withToken('l.topics[2]')} UNION ALL ${withToken('l.topics[3]')}) AS f ORDER BY f.position, f.log_index LIMIT ${MAX_PAIRS}
      ) AS u`,
    values: [token],
  });
}

/** What tokens say of themselves. */
export function compatTokenMetas(
  db: Queryable,
  contracts: readonly string[],
): Promise<Answers<{ contract_id: string; meta: string | null; meta_state: string }>> {
  return answers(db, {
    name: 'compat.token_metas',
    text: 'SELECT contract_id, meta, meta_state FROM tokens WHERE contract_id = ANY ($1::text[]) AND kind = 9',
    values: [contracts],
  });
}
