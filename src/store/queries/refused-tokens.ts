/** Contracts that emit events as tokens do, and are none by their code. */
import { eventHash } from '../../chain/event-names.js';
import type { Queryable } from '../connection/database.js';
import { microHeight } from '../micro-height.js';
import { microBlockOf } from '../positions.js';
import { answers } from './answer.js';
import type { Answers } from './answer.js';
import { ofContractAndEvent } from './contract-logs.js';

export interface RefusedRow {
  contract_id: string;
  /** Of the transaction that created it, or of the first one in which it was seen. */
  hash: string;
  height: string;
  /** Exact text of the transaction that created it; null if a contract did. */
  creation: string | null;
  /** Its code where a node told it. */
  code: string | null;
}

/** Events that move tokens, with the number of their topics. */
const EVENTS = [
  ['Transfer', 4],
  ['Mint', 3],
  ['Burn', 3],
] as const;

/** A page of them, by their ids after one. Contracts whose code is not known yet are none of them. */
export function refusedTokens(db: Queryable, after: string, take: number): Promise<Answers<RefusedRow>> {
  // Not EXISTS: PostgreSQL may read all logs for it.
  const emitted = EVENTS.map(
    ([event, size]) => `
      (
        SELECT true FROM contract_logs AS l
        WHERE ${ofContractAndEvent('l', 'c.id', `${eventHash(event)}::numeric`)}
          AND l.contract_id = c.id AND l.topics[1] = ${eventHash(event)}::numeric AND cardinality(l.topics) = ${size} LIMIT 1
      )`,
  ).join();
  return answers<RefusedRow>(db, {
    name: 'tokens.refused',
    text: `
      SELECT c.id AS contract_id, t.hash, ${microHeight('m')} AS height, CASE WHEN c.created THEN t.body END AS creation, o.code
      FROM (
        SELECT c.id, c.position, c.created FROM (
          (SELECT id, position, true AS created FROM contracts AS k
          WHERE NOT k.failed AND k.id > $1::text AND NOT EXISTS (SELECT FROM tokens AS t WHERE t.contract_id = k.id AND t.kind > 0))
          UNION ALL
          (SELECT contract_id, position, false FROM tokens WHERE kind = 0 AND contract_id > $1::text)
        ) AS c
        WHERE COALESCE(${emitted})
        ORDER BY c.id LIMIT $2::bigint
      ) AS c
      JOIN transactions AS t ON t.position = c.position
      JOIN micro_blocks AS m ON m.position = ${microBlockOf('c.position')}
      LEFT JOIN contract_codes AS o ON o.contract_id = c.id
      ORDER BY c.id`,
    values: [after, take],
  });
}
