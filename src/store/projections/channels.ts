import { ListKind } from '../../chain/derive.js';
import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';
import { columnsOf, emptyCheck, lifetimeDifferences, lifetimesOf, mendEmpty } from './lifetimes.js';
import type { Lifetime, LifetimeTable } from './lifetimes.js';
import { rebuildObjects, replaceObjects } from './objects.js';
import type { Projection } from './projection.js';

const TABLE: LifetimeTable = { name: 'channels', on: 'channel', begin: 'create', end: 'closed_position' };

const append = (db: Queryable, operations: readonly Placed<Operation>[]): Promise<void> =>
  upsert(db, lifetimesOf(TABLE, operations));

async function upsert(db: Queryable, rows: readonly Lifetime[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: 'channels.upsert',
    text: `
      INSERT INTO channels AS c (id, position, closed_position) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE
      SET position = COALESCE(EXCLUDED.position, c.position),
        closed_position = LEAST(c.closed_position, EXCLUDED.closed_position)
      WHERE c.* IS DISTINCT FROM EXCLUDED.*`,
    values: columnsOf(rows),
  });
}

/** Rebuilds channels from all their operations; equal rows are not written. */
async function rebuild(db: Queryable, ids: readonly string[], operations: readonly Placed<Operation>[]): Promise<void> {
  const rows = lifetimesOf(TABLE, operations);
  await db.query({
    name: 'channels.clear',
    text: `
      DELETE FROM channels AS c WHERE id = ANY ($1::text[]) AND NOT EXISTS (
        SELECT FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS r (id, position, closed_position)
        WHERE (r.id, r.position, r.closed_position) IS NOT DISTINCT FROM (c.id, c.position, c.closed_position)
      )`,
    values: [ids, ...columnsOf(rows)],
  });
  await upsert(db, rows);
}

const OBJECTS = { kind: ListKind.channel, on: 'channel', append, rebuild } as const;

export const channels: Projection = {
  name: 'channels',
  written: 'in the commit of the block',
  tables: [{ name: 'channels', rows: 'SELECT * FROM channels ORDER BY id', at: 'position' }],
  objects: { kind: ListKind.channel, table: 'channels', id: 'id', positions: ['position', 'closed_position'] },
  writes: {
    append: (tx, { operations }) => append(tx, operations),
    undo: (tx, { touched }) => Promise.resolve(() => rebuildObjects(tx, OBJECTS, touched(ListKind.channel))),
    replace: (tx, replaced) => Promise.resolve(() => replaceObjects(tx, OBJECTS, replaced)),
  },
  window: (db, window) => lifetimeDifferences(db, TABLE, window),
  wholeChecks: [emptyCheck(TABLE)],
  mend: (write, wrong) => mendEmpty(write, TABLE, wrong),
};
