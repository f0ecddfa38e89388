/** Each registration of an oracle, with the last height of the life that it began: `oracles` has only the last one. */
import { ListKind } from '../../chain/derive.js';
import type { Operation, OracleOperation } from '../../chain/operations.js';
import { applyOracle } from '../../chain/protocol/oracles.js';
import type { OracleRecord } from '../../chain/protocol/oracles.js';
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { operationsOn, pagesOf, rebuildObjects, replaceObjects } from './objects.js';
import { onOracles, recomputedLives, recordOf } from './oracle-records.js';
import type { StoredRecord } from './oracle-records.js';
import type { Afterwards, Objects, Projection, Removed } from './projection.js';

const NAME = 'oracle-lives';
const TABLE = 'oracle_lives';

async function append(db: Queryable, operations: readonly Placed<Operation>[]): Promise<void> {
  const ops = onOracles(operations);
  if (ops.length === 0) return;
  const { rows } = await db.query<StoredRecord>({
    name: 'oracle_lives.last',
    text: `
      SELECT l.* FROM unnest($1::text[]) AS o (id)
      CROSS JOIN LATERAL (
        SELECT l.id, l.position, l.expires_at FROM ${TABLE} AS l WHERE l.id = o.id ORDER BY l.position DESC LIMIT 1
      ) AS l`,
    values: [[...new Set(ops.map(({ op }) => op.id))]],
  });
  await save(db, livesOf(rows.map(recordOf), ops));
}

/** The lives that operations begin or extend. `stored`: the last one of each of their oracles. */
function livesOf(stored: readonly OracleRecord[], ops: readonly Placed<OracleOperation>[]): OracleRecord[] {
  const last = new Map(stored.map((life) => [life.id, life]));
  const lives = new Map<bigint, OracleRecord>();
  for (const placed of ops) {
    const life = applyOracle(last.get(placed.op.id), placed.op, placed);
    if (life === undefined) continue;
    last.set(life.id, life);
    lives.set(life.position, life);
  }
  return [...lives.values()];
}

async function save(db: Queryable, lives: readonly OracleRecord[]): Promise<void> {
  if (lives.length === 0) return;
  await db.query({
    name: 'oracle_lives.save',
    text: `
      INSERT INTO ${TABLE} AS l (position, id, expires_at) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])
      ON CONFLICT (position) DO UPDATE SET id = EXCLUDED.id, expires_at = EXCLUDED.expires_at
      WHERE (l.id, l.expires_at) IS DISTINCT FROM (EXCLUDED.id, EXCLUDED.expires_at)`,
    values: [lives.map((life) => life.position), lives.map((life) => life.id), lives.map((life) => life.expiresAt)],
  });
}

/** Computes the lives of oracles again from all their operations; equal rows are not written. */
async function rebuild(db: Queryable, ids: readonly string[], operations: readonly Placed<Operation>[]): Promise<void> {
  const lives = livesOf([], onOracles(operations));
  await db.query({
    name: 'oracle_lives.clear',
    text: `DELETE FROM ${TABLE} WHERE id = ANY ($1::text[]) AND position <> ALL ($2::bigint[])`,
    values: [ids, lives.map(({ position }) => position)],
  });
  await save(db, lives);
}

const OBJECTS = { kind: ListKind.oracleLife, on: 'oracle', append, rebuild } as const;

/** Without reading what is below: an oracle may have been extended very often. What extended a life that stays is before all registrations that go. */
async function undo(tx: DbTransaction, { range, touched }: Removed): Promise<Afterwards> {
  const ids = touched(OBJECTS.kind);
  const extended = new Map<string, number>();
  const registered = new Set<string>();
  for (const { op } of onOracles(await operationsOn(tx, OBJECTS, ids, range.from))) {
    if (op.op === 'register') registered.add(op.id);
    else if (!registered.has(op.id)) extended.set(op.id, (extended.get(op.id) ?? 0) + op.by);
  }
  return async () => {
    if (ids.length === 0) return;
    await tx.query({
      name: 'oracle_lives.undo',
      text: `DELETE FROM ${TABLE} WHERE id = ANY ($1::text[]) AND position >= $2`,
      values: [ids, range.from],
    });
    await tx.query({
      name: 'oracle_lives.undo-extensions',
      text: `
        UPDATE ${TABLE} AS l SET expires_at = l.expires_at - w.by
        FROM unnest($1::text[], $2::bigint[]) AS w (id, by)
        WHERE l.position = (SELECT max(o.position) FROM ${TABLE} AS o WHERE o.id = w.id)`,
      values: [[...extended.keys()], [...extended.values()]],
    });
  };
}

/** Oracles whose lives one part of a backfill computes. */
const PART = 200;

/** Goes over all lists by their keys. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ key: string; id: string }>({
    name: 'oracle_lives.part',
    text: `SELECT key, id FROM lists WHERE kind = ${OBJECTS.kind} AND key > $1::bigint ORDER BY key LIMIT ${PART}`,
    values: [after],
  });
  await rebuildObjects(
    tx,
    OBJECTS,
    rows.map(({ id }) => id),
  );
  return rows.length < PART ? null : BigInt(rows.at(-1)!.key);
}

async function verify(db: Queryable, ids: readonly string[]): Promise<Difference[]> {
  const lives = await recomputedLives(db, ids);
  const { rows } = await db.query<StoredRecord>({
    name: 'verify.oracle-lives',
    text: `SELECT position, id, expires_at FROM ${TABLE} WHERE id = ANY ($1::text[])`,
    values: [ids],
  });
  return compareAll(
    TABLE,
    ([position]) => heightOfPosition(position!),
    lives.map(({ id, position, expires }) => [[position], { id, expires_at: expires }]),
    rows.map((row) => [[row.position], row]),
  );
}

const objects: Objects = { kind: OBJECTS.kind, table: TABLE, id: 'id', positions: ['position'] };

export const oracleLives: Projection = {
  name: NAME,
  written: 'in the commit of the block',
  tables: [{ name: TABLE, rows: `SELECT * FROM ${TABLE} ORDER BY position`, at: 'position' }],
  objects,
  writes: {
    append: (tx, { operations }) => append(tx, operations),
    undo,
    replace: (tx, replaced) => Promise.resolve(() => replaceObjects(tx, OBJECTS, replaced)),
  },
  backfill,
  checks: async (db, heights) =>
    (await readBackfill(db, NAME)) === undefined
      ? (await pagesOf(db, objects, heights)).map((ids) => (on: Queryable) => verify(on, ids))
      : [],
};
