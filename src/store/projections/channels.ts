import { ListKind } from '../../chain/derive.js';
import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';
import {
  appendLifetimes,
  columnsOf,
  emptyCheck,
  lifetimeDifferences,
  lifetimesOf,
  mendEmpty,
  upsertLifetimes,
} from './lifetimes.js';
import type { LifetimeTable } from './lifetimes.js';
import { rebuildObjects, replaceObjects } from './objects.js';
import type { Projection } from './projection.js';

const TABLE: LifetimeTable = { name: 'channels', on: 'channel', begin: 'create', end: 'closed_position' };

const append = (db: Queryable, operations: readonly Placed<Operation>[]): Promise<void> =>
  appendLifetimes(db, TABLE, operations);

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
  await upsertLifetimes(db, TABLE, rows);
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
