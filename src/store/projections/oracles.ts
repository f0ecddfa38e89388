import { ListKind } from '../../chain/derive.js';
import type { Operation, OracleOperation } from '../../chain/operations.js';
import { applyOracle } from '../../chain/protocol/oracles.js';
import type { OracleRecord } from '../../chain/protocol/oracles.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { headOf } from './listed.js';
import { operationsOn, pagesOf, rebuildObjects, replaceObjects } from './objects.js';
import { onOracles, recomputedLives, recordOf } from './oracle-records.js';
import type { StoredRecord } from './oracle-records.js';
import type { Afterwards, Objects, Projection, Removed } from './projection.js';

async function append(db: Queryable, operations: readonly Placed<Operation>[]): Promise<void> {
  const ops = onOracles(operations);
  if (ops.length === 0) return;
  const { rows } = await db.query<StoredRecord>({
    name: 'oracles.some',
    text: 'SELECT id, position, expires_at FROM oracles WHERE id = ANY ($1::text[])',
    values: [[...new Set(ops.map(({ op }) => op.id))]],
  });
  await save(db, fold(rows.map(recordOf), ops));
}

function fold(stored: readonly OracleRecord[], ops: readonly Placed<OracleOperation>[]): OracleRecord[] {
  const records = new Map(stored.map((record) => [record.id, record]));
  for (const placed of ops) {
    const record = applyOracle(records.get(placed.op.id), placed.op, placed);
    if (record !== undefined) records.set(record.id, record);
  }
  return [...records.values()];
}

async function save(db: Queryable, records: readonly OracleRecord[]): Promise<void> {
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
async function rebuild(db: Queryable, ids: readonly string[], operations: readonly Placed<Operation>[]): Promise<void> {
  const records = fold([], onOracles(operations));
  await db.query({
    name: 'oracles.clear',
    text: 'DELETE FROM oracles WHERE id = ANY ($1::text[]) AND id <> ALL ($2::text[])',
    values: [ids, records.map(({ id }) => id)],
  });
  await save(db, records);
}

const OBJECTS = { kind: ListKind.oracleLife, on: 'oracle', append, rebuild } as const;

/**
 * Undoes extensions without reading the older ones: an oracle may have been extended very often. Oracles of which a registration is removed are
 * rebuilt.
 */
async function undo(tx: DbTransaction, { range, touched }: Removed): Promise<Afterwards> {
  const removed = await operationsOn(tx, OBJECTS, touched(OBJECTS.kind), range.from);
  const ops = onOracles(removed).map(({ op }) => op);
  const registered = new Set(ops.flatMap((op) => (op.op === 'register' ? [op.id] : [])));
  const extended = new Map<string, number>();
  for (const op of ops) {
    if (op.op === 'extend' && !registered.has(op.id)) extended.set(op.id, (extended.get(op.id) ?? 0) + op.by);
  }
  return async () => {
    await undoExtensions(tx, extended);
    await rebuildObjects(tx, OBJECTS, [...registered]);
  };
}

/** `extended`: by how many generations each oracle was extended. */
async function undoExtensions(db: Queryable, extended: ReadonlyMap<string, number>): Promise<void> {
  if (extended.size === 0) return;
  await db.query({
    name: 'oracles.undo-extensions',
    text: `
      UPDATE oracles AS o SET expires_at = o.expires_at - w.by
      FROM unnest($1::text[], $2::bigint[]) AS w (id, by) WHERE o.id = w.id`,
    values: [[...extended.keys()], [...extended.values()]],
  });
}

async function verify(db: Queryable, ids: readonly string[]): Promise<Difference[]> {
  const head = await headOf(db);
  const last = new Map((await recomputedLives(db, ids)).map((life) => [life.id, life]));
  const { rows } = await db.query<{ id: string; position: string }>({
    name: 'verify.oracles',
    text: 'SELECT * FROM oracles WHERE id = ANY ($1::text[])',
    values: [ids],
  });
  const stored = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const oracle = last.get(id);
    const expected = oracle && {
      position: oracle.position,
      expires_at: oracle.expires,
      active: oracle.expires >= head,
    };
    const position = oracle?.position ?? stored.get(id)?.position;
    const height = position === undefined ? null : heightOfPosition(position);
    return compareRows({ table: 'oracles', key: [id], height }, expected, stored.get(id));
  });
}

const objects: Objects = { kind: OBJECTS.kind, table: 'oracles', id: 'id', positions: ['position'] };

export const oracles: Projection = {
  name: 'oracles',
  written: 'in the commit of the block; the flag `active` follows the height, by the function `settle`',
  tables: [{ name: 'oracles', rows: 'SELECT * FROM oracles ORDER BY id', at: 'position' }],
  objects,
  writes: {
    append: (tx, { operations }) => append(tx, operations),
    undo,
    replace: (tx, replaced) => Promise.resolve(() => replaceObjects(tx, OBJECTS, replaced)),
  },
  checks: async (db, heights) => (await pagesOf(db, objects, heights)).map((ids) => (on: Queryable) => verify(on, ids)),
};
