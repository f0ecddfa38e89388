/** Calls that nodes are to be asked to replay, and what the replays showed. A row of progress says up to which position calls were put into the queue. */
import type { InternalCall } from '../chain/internal-calls.js';
import { LAST_POSITION } from '../chain/position.js';
import type { DbTransaction, Queryable } from './connection/database.js';
import type { Range } from './facts/blocks.js';
import { inMicroBlock, microBlockOf } from './positions.js';
import { postponed } from './postponed.js';

/** Types of transactions that may run a contract on the chain. */
const TYPES = ['ContractCreateTx', 'ContractCallTx', 'GAAttachTx', 'GAMetaTx', 'PayingForTx'];
/** Transactions of such types that are looked at together. */
const PART = 1_000;

/** Condition: the call information `i` says somewhere that something succeeded. Whether that is a call is looked at before it is replayed. */
const SUCCEEDED = `i.body ~ '"return_type"\\s*:\\s*"ok"'`;

/** SQL expression: the first transaction above the progress `p` whose call information is still to be read. Earlier releases leave rows of blocks that are gone. */
const FIRST_DUE = `
  COALESCE((
    SELECT d.position FROM due_infos AS d
    WHERE d.position > p.position AND EXISTS (SELECT FROM transactions AS t WHERE t.position = d.position)
    ORDER BY d.position LIMIT 1
  ), ${LAST_POSITION})`;

/** Whether transactions are to be looked at for calls. */
export async function mayQueueReplays(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ may: boolean }>({
    name: 'call_replays.may_queue',
    text: `
      SELECT NOT EXISTS (SELECT FROM call_replay_progress) OR EXISTS (
        SELECT FROM call_replay_progress AS p
        CROSS JOIN LATERAL (SELECT t.position FROM transactions AS t WHERE t.position > p.position ORDER BY t.position LIMIT 1) AS t
        WHERE t.position < ${FIRST_DUE}
      ) AS may`,
  });
  return rows[0]!.may;
}

/** Puts the calls of the next transactions into the queue. */
export async function queueReplays(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'call_replays.begin',
    text: 'INSERT INTO call_replay_progress (position) VALUES (-1) ON CONFLICT DO NOTHING',
  });
  await tx.query({
    name: 'call_replays.queue',
    text: `
      WITH bounds AS (
        SELECT p.position AS after,
          LEAST(${FIRST_DUE} - 1, (SELECT t.position FROM transactions AS t ORDER BY t.position DESC LIMIT 1)) AS upto
        FROM call_replay_progress AS p
      ),
      part AS (
        SELECT t.position
        FROM bounds AS b CROSS JOIN types AS y
        CROSS JOIN LATERAL (
          SELECT o.position FROM transactions AS o
          WHERE o.type = y.code AND o.position > b.after AND o.position <= b.upto ORDER BY o.position LIMIT $2
        ) AS t
        WHERE y.name = ANY ($1::text[])
        ORDER BY t.position LIMIT $2
      ),
      moved AS (
        UPDATE call_replay_progress AS p
        SET position = CASE WHEN (SELECT count(*) FROM part) < $2 THEN GREATEST(b.after, b.upto) ELSE (SELECT max(position) FROM part) END
        FROM bounds AS b
      )
      INSERT INTO call_replays (position)
      SELECT q.position FROM part AS q CROSS JOIN LATERAL (SELECT i.body FROM infos AS i WHERE i.position = q.position LIMIT 1) AS i
      WHERE ${SUCCEEDED}
      ON CONFLICT (position) DO NOTHING`,
    values: [TYPES, PART],
  });
}

/** Puts calls into the queue again, or for the first time where their call information came after the progress. */
export async function queueAgain(tx: DbTransaction, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await tx.query({
    name: 'call_replays.queue_again',
    text: `
      INSERT INTO call_replays (position)
      SELECT DISTINCT a.position
      FROM call_replay_progress AS p
      CROSS JOIN unnest($1::bigint[]) AS a (position)
      CROSS JOIN LATERAL (SELECT i.body FROM infos AS i WHERE i.position = a.position LIMIT 1) AS i
      WHERE a.position <= p.position AND ${SUCCEEDED}
      ON CONFLICT (position) DO UPDATE SET state = 'due', attempts = 0, due_at = now()`,
    values: [positions],
  });
}

/** Deletes calls with their parties. */
const forgetting = (which: string): string => `
  WITH gone AS (DELETE FROM internal_calls WHERE ${which} RETURNING position, index, tx)
  DELETE FROM internal_call_parties AS p USING gone AS c CROSS JOIN LATERAL internal_call_ids(c.tx) AS i
  WHERE p.id = i.id AND p.position = c.position AND p.index = c.index`;

/** Removes what is known of single calls; the queue stays. */
export async function forgetCalls(tx: DbTransaction, positions: readonly bigint[]): Promise<void> {
  await tx.query({
    name: 'internal_calls.forget',
    text: forgetting('position = ANY ($1::bigint[])'),
    values: [positions],
  });
}

/** Removes what is known of calls in a range. */
export async function forgetReplays(tx: DbTransaction, { from, to }: Range): Promise<void> {
  const values = [from, to];
  await tx.query({
    name: 'internal_calls.undo',
    text: forgetting('position >= $1 AND position < $2'),
    values,
  });
  await tx.query({
    name: 'call_replays.undo',
    text: 'DELETE FROM call_replays WHERE position >= $1 AND position < $2',
    values,
  });
}

/** The transactions from a position on are gone: those that come there are to be looked at. */
export async function lowerProgress(tx: DbTransaction, from: bigint): Promise<void> {
  await tx.query({
    name: 'call_replay_progress.undo',
    text: 'UPDATE call_replay_progress SET position = $1::bigint - 1 WHERE position >= $1::bigint',
    values: [from],
  });
}

/** A call that a node is to be asked about. */
export interface DueReplay {
  position: bigint;
  hash: string;
  /** Exact texts of the transaction and of its call information; null if that is not stored any more. */
  body: string;
  info: string | null;
  /** Hashes of the micro block, and of the block before it. */
  block: string;
  prevHash: string;
  /** Of the generation. */
  height: number;
  version: number;
  /** What a node said of what changed balances in the generation; null if that is not known. */
  operations: string | null;
}

export async function dueReplays(db: Queryable, limit: number): Promise<DueReplay[]> {
  const { rows } = await db.query<DueReplay & { position: string }>({
    name: 'call_replays.due',
    text: `
      SELECT d.position, t.hash, t.body, i.body AS info, b.hash AS block, b.prev_hash AS "prevHash", (d.position >> 33)::int AS height,
        k.version, m.operations
      FROM (
        SELECT position, due_at FROM call_replays WHERE state = 'due' AND due_at <= now() ORDER BY due_at, position LIMIT $1
      ) AS d
      JOIN transactions AS t ON t.position = d.position
      JOIN micro_blocks AS b ON b.position = ${microBlockOf('d.position')}
      JOIN key_blocks AS k ON k.height = d.position >> 33
      LEFT JOIN infos AS i ON i.position = d.position
      LEFT JOIN LATERAL (
        SELECT m.operations FROM node_money AS m JOIN key_blocks AS n ON n.height = m.height + 1 AND n.hash = m.next_hash
        WHERE m.height = d.position >> 33
      ) AS m ON true
      ORDER BY d.due_at, d.position`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Exact texts of the transactions before a call in its micro block, in their order. */
export async function bodiesBefore(db: Queryable, position: bigint): Promise<string[]> {
  const { rows } = await db.query<{ body: string }>({
    name: 'call_replays.before',
    text: `
      SELECT body FROM transactions
      WHERE ${inMicroBlock('position', microBlockOf('$1::bigint'))} AND position < $1::bigint ORDER BY position`,
    values: [position],
  });
  return rows.map(({ body }) => body);
}

/** `none`: the transaction is no call that succeeded. The others say why there is no replay. */
export type ReplayState = 'ok' | 'none' | 'differs' | 'refused' | 'no_state' | 'too_much_gas' | 'unsupported';

export interface ReplayAnswer extends Pick<DueReplay, 'position' | 'hash' | 'block'> {
  state: ReplayState;
  /** The contract that the transaction called or created, and what was done inside. Empty unless the state is `ok`. */
  contract: string;
  calls: readonly InternalCall[];
}

/** SQL expression: the checksum of all rows `c` of the transaction `t`. */
export const CHECKSUM = `md5(t.hash || string_agg(ROW (c.index, c.function, c.contract_id, c.tx)::text, '' ORDER BY c.index))`;

/** Stores the answers about calls that are still in the chain. Returns their states. */
export async function saveReplays(tx: DbTransaction, answers: readonly ReplayAnswer[]): Promise<ReplayState[]> {
  if (answers.length === 0) return [];
  const { rows } = await tx.query<{ position: string }>({
    name: 'call_replays.answered',
    text: `
      SELECT d.position
      FROM unnest($1::bigint[], $2::text[], $3::text[]) AS d (position, hash, block)
      CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = d.position AND t.hash = d.hash LIMIT 1) AS t
      CROSS JOIN LATERAL (
        SELECT FROM micro_blocks AS b WHERE b.position = ${microBlockOf('d.position')} AND b.hash = d.block LIMIT 1
      ) AS b`,
    values: [
      answers.map(({ position }) => position),
      answers.map(({ hash }) => hash),
      answers.map(({ block }) => block),
    ],
  });
  const stored = new Set(rows.map(({ position }) => BigInt(position)));
  const known = answers.filter(({ position }) => stored.has(position));
  await forgetCalls(
    tx,
    known.map(({ position }) => position),
  );
  await settle(tx, known);
  await insertCalls(
    tx,
    known.filter(({ calls }) => calls.length > 0),
  );
  return known.map(({ state }) => state);
}

/** Removes from the queue what is known now, and notes why the others are not. */
async function settle(tx: DbTransaction, answers: readonly ReplayAnswer[]): Promise<void> {
  const isDone = ({ state }: ReplayAnswer): boolean => state === 'ok' || state === 'none';
  const left = answers.filter((answer) => !isDone(answer));
  await tx.query({
    name: 'call_replays.done',
    text: 'DELETE FROM call_replays WHERE position = ANY ($1::bigint[])',
    values: [answers.filter(isDone).map(({ position }) => position)],
  });
  await tx.query({
    name: 'call_replays.left',
    text: `
      UPDATE call_replays AS r SET state = d.state FROM unnest($1::bigint[], $2::text[]) AS d (position, state) WHERE r.position = d.position`,
    values: [left.map(({ position }) => position), left.map(({ state }) => state)],
  });
}

async function insertCalls(tx: DbTransaction, answers: readonly ReplayAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.flatMap(({ position, contract, calls }) =>
    calls.map(({ function: name, tx: body }, index) => ({ position, index, name, contract, body })),
  );
  await tx.query({
    name: 'internal_calls.insert',
    text: `
      WITH come AS (
        SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[]) AS c (position, index, function, contract_id, tx)
      ),
      checked AS (
        SELECT c.position, ${CHECKSUM} AS answer
        FROM come AS c CROSS JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = c.position LIMIT 1) AS t
        GROUP BY c.position, t.hash
      ),
      inserted AS (
        INSERT INTO internal_calls (position, index, function, contract_id, tx, answer)
        SELECT c.*, k.answer FROM come AS c JOIN checked AS k ON k.position = c.position
        RETURNING position, index, tx
      )
      INSERT INTO internal_call_parties (id, position, index)
      SELECT i.id, c.position, c.index FROM inserted AS c CROSS JOIN LATERAL internal_call_ids(c.tx) AS i`,
    values: [
      rows.map(({ position }) => position),
      rows.map(({ index }) => index),
      rows.map(({ name }) => name),
      rows.map(({ contract }) => contract),
      rows.map(({ body }) => body),
    ],
  });
}

/** Postpones calls about which no node answered; the pauses grow to an hour, and never end. */
export async function postponeReplays(db: Queryable, due: readonly DueReplay[]): Promise<void> {
  if (due.length === 0) return;
  await db.query({
    name: 'call_replays.postpone',
    text: `UPDATE call_replays SET ${postponed(1, 3600)} WHERE position = ANY ($1::bigint[]) AND state = 'due'`,
    values: [due.map(({ position }) => position)],
  });
}

/** Calls in the queue by their states. */
export async function countReplays(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ state: string; count: string }>({
    name: 'call_replays.count',
    text: 'SELECT state, count(*) AS count FROM call_replays GROUP BY state',
  });
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}
