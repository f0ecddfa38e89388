/** Transactions by their hashes and positions, with everything that their rows show. */
import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../connection/database.js';
import { inMicroBlock, microBlockOf } from '../../positions.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';

/** One transaction with everything that its row shows. */
export interface CompatTransactionRow {
  position: string;
  /** Exact text of the node. */
  body: string;
  /** Time of its micro block, ms. */
  micro_time: string;
  /** Number of its micro block in the generation, from 0. */
  micro_index: number;
  /** Exact text of the call information; null if it has none, or it is not stored. */
  info: string | null;
  /** JSON text of a decoded call: `{function, arguments}`; null if it is none, or is not decoded. */
  call: string | null;
  /** Whether the creation of a contract failed; null if it is none, or that is not known. */
  creation_failed: boolean | null;
  /** Standard of the token that it creates or calls; null if that is none. */
  token_kind: 9 | 141 | null;
  /** Text of the name that it uses or changes. */
  name: string | null;
  /** The account that the name of a payment points to. */
  paid: string | null;
  /** Exact text of the transaction that created the channel. */
  channel_creation: string | null;
  /** Number of the transaction on the chain, from 0; only where it was asked for. */
  tx_index: string | null;
}

/** SQL expression: number of a row `t` of transactions on the chain: those of the generations, micro blocks and positions before it. */
export const transactionIndex = (t: string): string => `
  (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = ${t}.position >> 33) +
  COALESCE((
    SELECT sum(b.tx_count) FROM micro_blocks AS b
    WHERE b.position > (${t}.position >> 33) << 33 AND b.position < ${microBlockOf(`${t}.position`)}
  ), 0) + (${t}.position & 65535)`;

/** Joins the transaction `x` at a position and its micro block `m`. The limits keep PostgreSQL from reading whole tables to join a few rows. */
export const placeOf = (position: string): string => `
  CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = ${position} LIMIT 1) AS x
  CROSS JOIN LATERAL (
    SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ${microBlockOf(`(${position})`)} LIMIT 1
  ) AS m`;

/** Most transactions name no such object, and looking for a text is faster than for an expression. */
const IF_NAMED = (prefix: string, then: string): string =>
  `CASE WHEN strpos(t.body, '"${prefix}_') > 0 THEN (${then}) END`;

/** What rows of transactions show. `positions`: SELECT of `position`. The limits keep PostgreSQL from reading whole tables to join a few rows. */
export const shown = (positions: string, withIndex: boolean): string => `
  SELECT t.position, t.body, m.time AS micro_time, ((t.position >> 16) & 131071)::int - 1 AS micro_index, i.body AS info, c.arguments AS call,
    CASE WHEN k.outcome_known THEN k.failed END AS creation_failed, (
      SELECT o.kind FROM tokens AS o
      WHERE o.contract_id = COALESCE(c.contract_id, CASE WHEN NOT k.failed THEN k.id END) AND o.kind > 0
    ) AS token_kind,
    ${IF_NAMED(
      'nm',
      `
      SELECT n.name FROM names AS n WHERE n.name_hash = substring(t.body FROM '"(?:name_id|recipient_id)"\\s*:\\s*"(nm_\\w+)"')
      ORDER BY n.position DESC LIMIT 1`,
    )} AS name,
    ${IF_NAMED(
      'nm',
      `
      SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
      WHERE e.position = t.position AND l.kind = ${ListKind.account} AND l.id LIKE 'ak\\_%' AND t.body ~ '"recipient_id"\\s*:\\s*"nm_'
      ORDER BY strpos(t.body, l.id) LIMIT 1`,
    )} AS paid,
    ${IF_NAMED(
      'ch',
      `
      SELECT o.body FROM channels AS h JOIN transactions AS o ON o.position = h.position
      WHERE h.id = substring(t.body FROM '"channel_id"\\s*:\\s*"(ch_\\w+)"')`,
    )} AS channel_creation,
    ${withIndex ? transactionIndex('t') : 'NULL'} AS tx_index
  FROM (${positions}) AS p
  CROSS JOIN LATERAL (SELECT o.position, o.body FROM transactions AS o WHERE o.position = p.position LIMIT 1) AS t
  CROSS JOIN LATERAL (SELECT o.time FROM micro_blocks AS o WHERE o.position = ${microBlockOf('p.position')} LIMIT 1) AS m
  LEFT JOIN LATERAL (SELECT o.body FROM infos AS o WHERE o.position = p.position LIMIT 1) AS i ON true
  LEFT JOIN LATERAL (
    SELECT o.contract_id, CASE o.state WHEN 'done' THEN o.arguments END AS arguments FROM contract_calls AS o WHERE o.position = p.position LIMIT 1
  ) AS c ON true
  LEFT JOIN LATERAL (SELECT o.id, o.failed, o.outcome_known FROM contracts AS o WHERE o.position = p.position LIMIT 1) AS k ON true`;

export function compatTransaction(
  db: Queryable,
  hash: string,
  withIndex: boolean,
): Promise<Answer<CompatTransactionRow>> {
  return answer<CompatTransactionRow>(db, {
    name: `compat.transaction${withIndex ? '.with_index' : ''}`,
    text: shown('SELECT h.position FROM transactions_by_hash AS h WHERE h.hash = $1', withIndex),
    values: [hash],
    types: ['text'],
  });
}

/** Transactions at these positions; those that are not stored are left out. */
export function compatTransactionsAt(
  db: Queryable,
  positions: readonly bigint[],
  withIndex = false,
): Promise<Answers<CompatTransactionRow>> {
  return answers<CompatTransactionRow>(db, {
    name: `compat.transactions_at${withIndex ? '.with_index' : ''}`,
    text: shown('SELECT a.position FROM unnest($1::bigint[]) AS a (position)', withIndex),
    values: [positions],
  });
}

/** Body and call information of the transactions of micro blocks. */
export function compatBodiesOf(
  db: Queryable,
  microBlocks: readonly bigint[],
): Promise<Answers<{ micro_block: string; body: string; info: string | null }>> {
  return answers(db, {
    name: 'compat.bodies',
    text: `
      SELECT b.position AS micro_block, t.body, i.body AS info
      FROM unnest($1::bigint[]) AS b (position)
      CROSS JOIN LATERAL (
        SELECT position, body FROM transactions WHERE ${inMicroBlock('position', 'b.position')} ORDER BY position LIMIT 65536
      ) AS t
      LEFT JOIN infos AS i ON i.position = t.position`,
    values: [microBlocks],
  });
}
