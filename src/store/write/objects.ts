import { applyOracle } from '../../chain/oracles.js';
import type { OracleRecord } from '../../chain/oracles.js';
import type { Operation, OracleOperation } from '../../chain/operations.js';
import type { Queryable } from '../database.js';

/** An operation and where it stands; lists of them are in chain order. */
export interface Placed<Op> {
  op: Op;
  position: bigint;
  height: number;
}

const of = <On extends Operation['on']>(ops: readonly Placed<Operation>[], on: On): Placed<Operation & { on: On }>[] =>
  ops.filter((placed): placed is Placed<Operation & { on: On }> => placed.op.on === on);

/** Applies operations above everything stored to oracles, their queries, channels and contracts. */
export async function applyObjects(
  db: Queryable,
  ops: readonly Placed<Operation>[],
  calls: readonly Call[],
): Promise<void> {
  await extendOracles(db, of(ops, 'oracle'));
  await upsertQueries(db, of(ops, 'query'));
  await upsertChannels(db, of(ops, 'channel'));
  await insertContracts(db, of(ops, 'contract'));
  await insertCalls(db, calls);
}

async function extendOracles(db: Queryable, ops: readonly Placed<OracleOperation>[]): Promise<void> {
  if (ops.length === 0) return;
  const { rows } = await db.query<{ id: string; position: string; expires_at: string }>({
    name: 'oracles.some',
    text: 'SELECT id, position, expires_at FROM oracles WHERE id = ANY ($1::text[])',
    values: [[...new Set(ops.map(({ op }) => op.id))]],
  });
  const stored = rows.map((row) => ({ id: row.id, position: BigInt(row.position), expiresAt: Number(row.expires_at) }));
  await saveOracles(db, foldOracles(stored, ops));
}

function foldOracles(stored: readonly OracleRecord[], ops: readonly Placed<OracleOperation>[]): OracleRecord[] {
  const records = new Map(stored.map((record) => [record.id, record]));
  for (const placed of ops) {
    const record = applyOracle(records.get(placed.op.id), placed.op, placed);
    if (record !== undefined) records.set(record.id, record);
  }
  return [...records.values()];
}

async function saveOracles(db: Queryable, records: readonly OracleRecord[]): Promise<void> {
  if (records.length === 0) return;
  await db.query({
    name: 'oracles.save',
    text: `
      INSERT INTO oracles (id, position, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, expires_at = EXCLUDED.expires_at`,
    values: [records.map((r) => r.id), records.map((r) => r.position), records.map((r) => r.expiresAt)],
  });
}

/** Makes the oracles anew from all their operations. */
export async function rebuildOracles(
  db: Queryable,
  ids: readonly string[],
  ops: readonly Placed<Operation>[],
): Promise<void> {
  await db.query({ name: 'oracles.clear', text: 'DELETE FROM oracles WHERE id = ANY ($1::text[])', values: [ids] });
  await saveOracles(
    db,
    foldOracles(
      [],
      of(ops, 'oracle').filter(({ op }) => ids.includes(op.id)),
    ),
  );
}

async function upsertQueries(db: Queryable, ops: readonly Placed<Operation & { on: 'query' }>[]): Promise<void> {
  const rows = merged(
    ops.map(({ op, position }) => ({
      id: op.id,
      made: op.op === 'ask' ? position : null,
      ended: op.op === 'respond' ? position : null,
    })),
  );
  if (rows.length === 0) return;
  await db.query({
    name: 'oracle_queries.upsert',
    text: `
      INSERT INTO oracle_queries AS q (id, position, response_position) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE
      SET position = COALESCE(EXCLUDED.position, q.position),
        response_position = LEAST(q.response_position, EXCLUDED.response_position)`,
    values: columns(rows),
  });
}

async function upsertChannels(db: Queryable, ops: readonly Placed<Operation & { on: 'channel' }>[]): Promise<void> {
  const rows = merged(
    ops.map(({ op, position }) => ({
      id: op.id,
      made: op.op === 'create' ? position : null,
      ended: op.op === 'close' ? position : null,
    })),
  );
  if (rows.length === 0) return;
  await db.query({
    name: 'channels.upsert',
    text: `
      INSERT INTO channels AS c (id, position, closed_position) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE
      SET position = COALESCE(EXCLUDED.position, c.position),
        closed_position = LEAST(c.closed_position, EXCLUDED.closed_position)`,
    values: columns(rows),
  });
}

interface Ends {
  id: string;
  made: bigint | null;
  ended: bigint | null;
}

/** One row an id: the last creation and the first end. */
function merged(rows: readonly Ends[]): Ends[] {
  const byId = new Map<string, Ends>();
  for (const row of rows) {
    const known = byId.get(row.id);
    byId.set(
      row.id,
      known === undefined ? row : { id: row.id, made: row.made ?? known.made, ended: known.ended ?? row.ended },
    );
  }
  return [...byId.values()];
}

const columns = (rows: readonly Ends[]): unknown[] => [
  rows.map((r) => r.id),
  rows.map((r) => r.made),
  rows.map((r) => r.ended),
];

/** Makes the channels anew from all their operations. */
export async function rebuildChannels(
  db: Queryable,
  ids: readonly string[],
  ops: readonly Placed<Operation>[],
): Promise<void> {
  await db.query({ name: 'channels.clear', text: 'DELETE FROM channels WHERE id = ANY ($1::text[])', values: [ids] });
  await upsertChannels(
    db,
    of(ops, 'channel').filter(({ op }) => ids.includes(op.id)),
  );
}

async function insertContracts(db: Queryable, ops: readonly Placed<Operation & { on: 'contract' }>[]): Promise<void> {
  const created = new Map(ops.flatMap(({ op, position }) => (op.op === 'create' ? [[op.id, position] as const] : [])));
  if (created.size === 0) return;
  const ids = [...created.keys()];
  await db.query({
    name: 'contracts.insert',
    text: `
      INSERT INTO contracts (id, position) SELECT * FROM unnest($1::text[], $2::bigint[])
      ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position`,
    values: [ids, [...created.values()]],
  });
  await db.query({
    name: 'contract_calls.known',
    text: `UPDATE contract_calls SET state = 'pending', due_at = now() WHERE contract_id = ANY ($1::text[]) AND state = 'unknown'`,
    values: [ids],
  });
}

/** A call whose arguments are to be decoded. */
export interface Call {
  position: bigint;
  contractId: string;
}

async function insertCalls(db: Queryable, calls: readonly Call[]): Promise<void> {
  if (calls.length === 0) return;
  await db.query({
    name: 'contract_calls.insert',
    text: `
      INSERT INTO contract_calls (position, contract_id, state)
      SELECT c.position, c.contract_id, CASE WHEN k.id IS NULL THEN 'unknown' ELSE 'pending' END
      FROM unnest($1::bigint[], $2::text[]) AS c (position, contract_id)
      LEFT JOIN contracts k ON k.id = c.contract_id
      ON CONFLICT (position) DO NOTHING`,
    values: [calls.map((call) => call.position), calls.map((call) => call.contractId)],
  });
}

/** Takes back what the transactions of a range did to queries and contracts. */
export async function forgetObjects(db: Queryable, range: { from: bigint; to: bigint }): Promise<void> {
  const values = [range.from, range.to];
  await db.query({
    name: 'oracle_queries.forget-question',
    text: 'UPDATE oracle_queries SET position = NULL WHERE position >= $1 AND position < $2',
    values,
  });
  await db.query({
    name: 'oracle_queries.forget-response',
    text: 'UPDATE oracle_queries SET response_position = NULL WHERE response_position >= $1 AND response_position < $2',
    values,
  });
  await db.query({
    name: 'oracle_queries.forget',
    text: 'DELETE FROM oracle_queries WHERE position IS NULL AND response_position IS NULL',
  });
  await db.query({
    name: 'contract_calls.forget-code',
    text: `
      UPDATE contract_calls SET state = 'unknown', arguments = NULL, result = NULL
      WHERE contract_id IN (SELECT id FROM contracts WHERE position >= $1 AND position < $2)`,
    values,
  });
  await db.query({
    name: 'contracts.forget',
    text: 'DELETE FROM contracts WHERE position >= $1 AND position < $2',
    values,
  });
  await db.query({
    name: 'contract_calls.forget',
    text: 'DELETE FROM contract_calls WHERE position >= $1 AND position < $2',
    values,
  });
}

/** Has the calls of a range decoded again; what was decoded before stays until then. */
export async function decodeAgain(db: Queryable, range: { from: bigint; to: bigint }): Promise<void> {
  await db.query({
    name: 'contract_calls.again',
    text: `
      UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
      WHERE position >= $1 AND position < $2 AND state <> 'unknown'`,
    values: [range.from, range.to],
  });
}
