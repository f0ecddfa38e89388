import { applyOracle } from '../../chain/protocol/oracles.js';
import type { OracleRecord } from '../../chain/protocol/oracles.js';
import type { Operation, OracleOperation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';

const of = <On extends Operation['on']>(ops: readonly Placed<Operation>[], on: On): Placed<Operation & { on: On }>[] =>
  ops.filter((placed): placed is Placed<Operation & { on: On }> => placed.op.on === on);

/** Applies operations above the stored head to oracles, their queries, channels and contracts. */
export async function applyObjects(
  db: Queryable,
  ops: readonly Placed<Operation>[],
  calls: readonly Call[],
): Promise<void> {
  await extendOracles(db, of(ops, 'oracle'));
  await upsertQueries(db, of(ops, 'query'));
  await upsertChannels(db, channelLifetimes(of(ops, 'channel')));
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
      INSERT INTO oracles AS o (id, position, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, expires_at = EXCLUDED.expires_at
      WHERE (o.position, o.expires_at) IS DISTINCT FROM (EXCLUDED.position, EXCLUDED.expires_at)`,
    values: [records.map((r) => r.id), records.map((r) => r.position), records.map((r) => r.expiresAt)],
  });
}

/** Rebuilds oracles from all their operations; equal rows are not written. */
export async function rebuildOracles(
  db: Queryable,
  ids: readonly string[],
  ops: readonly Placed<Operation>[],
): Promise<void> {
  const wanted = new Set(ids);
  const records = foldOracles(
    [],
    of(ops, 'oracle').filter(({ op }) => wanted.has(op.id)),
  );
  await db.query({
    name: 'oracles.clear',
    text: 'DELETE FROM oracles WHERE id = ANY ($1::text[]) AND id <> ALL ($2::text[])',
    values: [ids, records.map(({ id }) => id)],
  });
  await saveOracles(db, records);
}

/**
 * Undoes removed operations on oracles, which are in chain order and have nothing after them, without reading older ones: an oracle may have been
 * extended very often. Returns the oracles of which a registration was removed: they have to be rebuilt.
 */
export async function undoExtensions(db: Queryable, removed: readonly Placed<Operation>[]): Promise<string[]> {
  const ops = of(removed, 'oracle').map(({ op }) => op);
  const registered = new Set(ops.flatMap((op) => (op.op === 'register' ? [op.id] : [])));
  const extended = new Map<string, number>();
  for (const op of ops) {
    if (op.op === 'extend' && !registered.has(op.id)) extended.set(op.id, (extended.get(op.id) ?? 0) + op.by);
  }
  if (extended.size > 0) {
    await db.query({
      name: 'oracles.undo-extensions',
      text: `
        UPDATE oracles AS o SET expires_at = o.expires_at - w.by
        FROM unnest($1::text[], $2::bigint[]) AS w (id, by) WHERE o.id = w.id`,
      values: [[...extended.keys()], [...extended.values()]],
    });
  }
  return [...registered];
}

async function upsertQueries(db: Queryable, ops: readonly Placed<Operation & { on: 'query' }>[]): Promise<void> {
  const rows = merged(
    ops.map(({ op, position }) => ({
      id: op.id,
      begun: op.op === 'ask' ? position : null,
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

const channelLifetimes = (ops: readonly Placed<Operation & { on: 'channel' }>[]): Lifetime[] =>
  merged(
    ops.map(({ op, position }) => ({
      id: op.id,
      begun: op.op === 'create' ? position : null,
      ended: op.op === 'close' ? position : null,
    })),
  );

async function upsertChannels(db: Queryable, rows: readonly Lifetime[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: 'channels.upsert',
    text: `
      INSERT INTO channels AS c (id, position, closed_position) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE
      SET position = COALESCE(EXCLUDED.position, c.position),
        closed_position = LEAST(c.closed_position, EXCLUDED.closed_position)
      WHERE c.* IS DISTINCT FROM EXCLUDED.*`,
    values: columns(rows),
  });
}

/** Positions of the transactions that began and ended an object; null if they are not among the operations. */
interface Lifetime {
  id: string;
  begun: bigint | null;
  ended: bigint | null;
}

/** One row for each id, with the last begin and the first end. */
function merged(rows: readonly Lifetime[]): Lifetime[] {
  const byId = new Map<string, Lifetime>();
  for (const row of rows) {
    const known = byId.get(row.id);
    byId.set(
      row.id,
      known === undefined ? row : { id: row.id, begun: row.begun ?? known.begun, ended: known.ended ?? row.ended },
    );
  }
  return [...byId.values()];
}

const columns = (rows: readonly Lifetime[]): unknown[] => [
  rows.map((r) => r.id),
  rows.map((r) => r.begun),
  rows.map((r) => r.ended),
];

/** Rebuilds channels from all their operations; equal rows are not written. */
export async function rebuildChannels(
  db: Queryable,
  ids: readonly string[],
  ops: readonly Placed<Operation>[],
): Promise<void> {
  const wanted = new Set(ids);
  const rows = channelLifetimes(of(ops, 'channel').filter(({ op }) => wanted.has(op.id)));
  await db.query({
    name: 'channels.clear',
    text: `
      DELETE FROM channels AS c WHERE id = ANY ($1::text[]) AND NOT EXISTS (
        SELECT FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS r (id, position, closed_position)
        WHERE (r.id, r.position, r.closed_position) IS NOT DISTINCT FROM (c.id, c.position, c.closed_position)
      )`,
    values: [ids, ...columns(rows)],
  });
  await upsertChannels(db, rows);
}

async function insertContracts(db: Queryable, ops: readonly Placed<Operation & { on: 'contract' }>[]): Promise<void> {
  const created = new Map(ops.flatMap(({ op, position }) => (op.op === 'create' ? [[op.id, position] as const] : [])));
  if (created.size === 0) return;
  const ids = [...created.keys()];
  await db.query({
    name: 'contracts.insert',
    text: `
      INSERT INTO contracts (id, position) SELECT * FROM unnest($1::text[], $2::bigint[])
      ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, outcome_known = false, attempts = 0, due_at = now(),
        failed = contracts.failed AND contracts.position = EXCLUDED.position`,
    values: [ids, [...created.values()]],
  });
  await db.query({
    name: 'contract_calls.known',
    text: `
      UPDATE contract_calls SET state = 'pending', due_at = now()
      WHERE position = ANY (ARRAY(
        SELECT c.position FROM unnest($1::text[]) AS w (id)
        CROSS JOIN LATERAL (SELECT position, state FROM contract_calls WHERE contract_id = w.id OFFSET 0) AS c
        WHERE c.state = 'unknown'
      ))`,
    values: [ids],
  });
  await db.query({
    name: 'contract_codes.created',
    text: 'DELETE FROM contract_codes WHERE contract_id = ANY ($1::text[])',
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
  const contracts = calls.map((call) => call.contractId);
  // No stored transaction created these contracts, so their code is read from the node.
  await db.query({
    name: 'contract_codes.insert',
    text: `
      INSERT INTO contract_codes (contract_id)
      SELECT DISTINCT c.id FROM unnest($1::text[]) AS c (id)
      WHERE (SELECT k.id FROM contracts k WHERE k.id = c.id) IS NULL
      ON CONFLICT (contract_id) DO NOTHING`,
    values: [contracts],
  });
  await db.query({
    name: 'contract_calls.insert',
    text: `
      INSERT INTO contract_calls (position, contract_id, state)
      SELECT c.position, c.contract_id, CASE
          WHEN (SELECT k.id FROM contracts k WHERE k.id = c.contract_id) IS NULL
            AND (SELECT o.code FROM contract_codes o WHERE o.contract_id = c.contract_id) IS NULL THEN 'unknown'
          ELSE 'pending'
        END
      FROM unnest($1::bigint[], $2::text[]) AS c (position, contract_id)
      ON CONFLICT (position) DO NOTHING`,
    values: [calls.map((call) => call.position), contracts],
  });
}

/** Undoes the effect of the transactions of a range on oracle queries and contracts. */
export async function undoObjects(db: Queryable, range: { from: bigint; to: bigint }): Promise<void> {
  const values = [range.from, range.to];
  await db.query({
    name: 'oracle_queries.undo-query',
    text: 'UPDATE oracle_queries SET position = NULL WHERE position >= $1 AND position < $2',
    values,
  });
  await db.query({
    name: 'oracle_queries.undo-response',
    text: 'UPDATE oracle_queries SET response_position = NULL WHERE response_position >= $1 AND response_position < $2',
    values,
  });
  await db.query({
    name: 'oracle_queries.delete-empty',
    text: 'DELETE FROM oracle_queries WHERE position IS NULL AND response_position IS NULL',
  });
  // Codes of contracts that a contract created and that only the range calls: another branch may have other code under the same id.
  await db.query({
    name: 'contract_codes.undo',
    text: `
      DELETE FROM contract_codes AS o
      WHERE o.contract_id IN (SELECT contract_id FROM contract_calls WHERE position >= $1 AND position < $2)
        AND NOT EXISTS (
          SELECT FROM contract_calls AS c WHERE c.contract_id = o.contract_id AND (c.position < $1 OR c.position >= $2)
        )`,
    values,
  });
  await db.query({
    name: 'contract_calls.undo',
    text: 'DELETE FROM contract_calls WHERE position >= $1 AND position < $2',
    values,
  });
  // Calls above the range of contracts that the range created.
  await db.query({
    name: 'contract_calls.undo-code',
    text: `
      UPDATE contract_calls SET state = 'unknown', arguments = NULL, result = NULL
      WHERE position = ANY (ARRAY(
        SELECT c.position FROM contracts k
        CROSS JOIN LATERAL (SELECT position FROM contract_calls WHERE contract_id = k.id OFFSET 0) AS c
        WHERE k.position >= $1 AND k.position < $2
      ))`,
    values,
  });
  await db.query({
    name: 'contracts.undo',
    text: 'DELETE FROM contracts WHERE position >= $1 AND position < $2',
    values,
  });
}

/** Schedules the calls and contracts of a range to be decoded again; their present values stay until then. */
export async function redecode(db: Queryable, range: { from: bigint; to: bigint }): Promise<void> {
  const values = [range.from, range.to];
  await db.query({
    name: 'contract_calls.redecode',
    text: `
      UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
      WHERE position >= $1 AND position < $2 AND state <> 'unknown'`,
    values,
  });
  await db.query({
    name: 'contract_codes.redecode',
    text: `
      UPDATE contract_codes SET code = NULL, code_at = NULL, attempts = 0, due_at = now()
      WHERE contract_id IN (SELECT contract_id FROM contract_calls WHERE position >= $1 AND position < $2)`,
    values,
  });
}
