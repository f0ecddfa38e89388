import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Placed, Range } from '../facts/blocks.js';
import { appendLifetimes, emptyCheck, lifetimeDifferences, mendEmpty } from './lifetimes.js';
import type { LifetimeTable } from './lifetimes.js';
import { isStray, strayValues } from './strays.js';
import type { Projection } from './projection.js';

const TABLE: LifetimeTable = { name: 'oracle_queries', on: 'query', begin: 'ask', end: 'response_position' };

async function undo(db: Queryable, range: Range): Promise<void> {
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
  await deleteEmpty(db);
}

/** Undoes the positions in the range at which no operation has the query. */
async function deleteStrays(db: Queryable, range: Range, operations: readonly Placed<Operation>[]): Promise<void> {
  const placesOf = (does: 'ask' | 'respond'): [string, bigint][] =>
    operations.flatMap(({ op, position }) => (op.on === 'query' && op.op === does ? [[op.id, position]] : []));
  await db.query({
    name: 'oracle_queries.strays',
    text: `UPDATE oracle_queries AS s SET position = NULL WHERE ${isStray('id', 'position')}`,
    values: strayValues(range, placesOf('ask')),
  });
  await db.query({
    name: 'oracle_queries.stray-responses',
    text: `UPDATE oracle_queries AS s SET response_position = NULL WHERE ${isStray('id', 'response_position')}`,
    values: strayValues(range, placesOf('respond')),
  });
  await deleteEmpty(db);
}

async function deleteEmpty(db: Queryable): Promise<void> {
  await db.query({
    name: 'oracle_queries.delete-empty',
    text: 'DELETE FROM oracle_queries WHERE position IS NULL AND response_position IS NULL',
  });
}

export const oracleQueries: Projection = {
  name: 'oracle-queries',
  written: 'in the commit of the block',
  tables: [{ name: 'oracle_queries', rows: 'SELECT * FROM oracle_queries ORDER BY id' }],
  writes: {
    append: (tx, { operations }) => appendLifetimes(tx, TABLE, operations),
    undo: async (tx, { range }) => {
      await undo(tx, range);
      return undefined;
    },
    replace: async (tx, { range, added: { operations }, isUnchanged }) => {
      await (isUnchanged ? deleteStrays(tx, range, operations) : undo(tx, range));
      return () => appendLifetimes(tx, TABLE, operations);
    },
  },
  window: (db, window) => lifetimeDifferences(db, TABLE, window),
  wholeChecks: [emptyCheck(TABLE)],
  mend: (write, wrong) => mendEmpty(write, TABLE, wrong),
};
