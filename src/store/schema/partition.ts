import type pg from 'pg';
import { MiddlewareError } from '../../observe/errors.js';
import type { Database } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { PROJECTIONS } from '../projections/list.js';
import { partitionedLayout } from './migrations.js';

/** Tables that are divided. */
const PARTITIONED = [
  ...['transactions', 'infos'],
  ...PROJECTIONS.flatMap(({ tables }) => tables.flatMap(({ name, isPartitioned }) => (isPartitioned ? [name] : []))),
];
/** Tables whose rows show that the copy is not empty. */
const TABLES = ['key_blocks', ...PARTITIONED];

/** Sizes of the layout. */
interface Layout {
  /** Generations of a partition of the tables that are divided by position. */
  generations: number;
  /** How many partitions have this size; one more holds all heights above. */
  ranges: number;
  /** Partitions of `entries`, by the hash of the list. */
  lists: number;
}

/** For heights up to 3,200,000. What each number costs is measured in docs/decisions/0004. */
const LAYOUT: Layout = { generations: 200_000, ranges: 16, lists: 4 };

/**
 * Divides the large tables of an empty copy into partitions, as one database transaction. Does nothing in a copy that has them. Throws
 * `copy_not_empty` where rows are stored: they would have to be copied.
 *
 * @returns whether the layout was changed
 */
export async function partition(database: Database, layout = LAYOUT): Promise<boolean> {
  const client = await database.connect();
  try {
    // The lock of the migrations: one process at a time changes the schema.
    await client.query(`SELECT pg_advisory_lock(hashtextextended('mdw migrate ' || $1, 0))`, [database.schema]);
    if (await isPartitioned(client)) return false;
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = 0; LOCK TABLE ${TABLES.join(', ')} IN ACCESS EXCLUSIVE MODE`,
    );
    await refuseRows(client, database.schema);
    await client.query(
      `SELECT set_config('mdw.partition_generations', $1, true), set_config('mdw.partition_ranges', $2, true),
        set_config('mdw.partition_lists', $3, true), set_config('mdw.partition_tables', $4, true)`,
      [layout.generations, layout.ranges, layout.lists, PARTITIONED.join()],
    );
    await client.query(await partitionedLayout());
    await client.query('COMMIT');
    return true;
  } catch (error) {
    throw asFault(error, 'partition');
  } finally {
    await client.end();
  }
}

/** Throws `copy_not_empty` where `partition` would, before the migrations change anything. */
export async function refuseUnpartitionable(database: Database): Promise<void> {
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ made: boolean }>(
      `SELECT count(to_regclass(name)) = count(*) AS made FROM unnest($1::text[]) AS t (name)`,
      [TABLES],
    );
    if (rows[0]?.made === true && !(await isPartitioned(client))) await refuseRows(client, database.schema);
  } catch (error) {
    throw asFault(error, 'partition');
  } finally {
    await client.end();
  }
}

async function isPartitioned(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('transactions') AND relkind = 'p'`);
  return rows.length > 0;
}

async function refuseRows(client: pg.Client, schema: string): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new MiddlewareError(
      'copy_not_empty',
      `The schema ${schema} holds a chain in tables without partitions (${table} has rows): load a second copy into a partitioned schema`,
    );
  }
}
