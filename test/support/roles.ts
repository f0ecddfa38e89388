/** The roles of `mdw grants` on the databases of the suites: programs under test have no more rights than they need. */
import pg from 'pg';
import { createLogger } from '../../src/observe/logger.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { grants } from '../../src/store/schema/grants.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { partition } from '../../src/store/schema/partition.js';
import { PASSWORD } from './secrets.js';

export const ROLES = { migrate: 'mdw_migrate', populate: 'mdw_populate', serve: 'mdw_serve', reader: 'mdw_reader' };
type Role = keyof typeof ROLES;

/** Created once together with the server, so that parallel suites do not create them at the same time. */
export const CREATE_ROLES = Object.values(ROLES)
  .map((role) => `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`)
  .join('; ');

/** The URL of a database for one of the roles, from that for its administrator. */
export const asRole = (url: string, role: Role): string =>
  Object.assign(new URL(url), { username: ROLES[role], password: PASSWORD }).href;

/** Runs statements as the administrator, one after the other, for setup and for actions that no program may do. */
export const administer = (url: string, sql: string | string[], schema = 'public'): Promise<void> =>
  withClient(url, schema, async (client) => {
    for (const each of [sql].flat()) await client.query(each);
  });

async function withClient<T>(url: string, schema: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path="${schema}"` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** `PARTITIONED=1` runs the suites on copies of the partitioned layout, of which even short chains fill several partitions. */
const PARTITIONED = process.env['PARTITIONED'] === '1';
const SMALL_PARTITIONS = { generations: 40, ranges: 4, lists: 4 };

/** Name of the schema that the template of all databases has: a copy that nobody has used yet. */
export const PREPARED = 'prepared_copy';

/** Makes a copy. Uses the prepared one if it is still there, which takes a tenth of the time. */
export async function migrateCopy(url: string, schema = 'mdw'): Promise<void> {
  if (!(await takePrepared(url, schema))) await migrateAll(url, schema);
}

const takePrepared = (url: string, schema: string): Promise<boolean> =>
  withClient(url, PREPARED, async (client) => {
    const name = pg.escapeIdentifier(schema);
    // Suites make several copies at the same time.
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('${PREPARED}'))`);
    const { rows } = await client.query<{ free: boolean }>(
      `SELECT to_regnamespace('${PREPARED}') IS NOT NULL AND to_regnamespace($1) IS NULL AS free`,
      [name],
    );
    if (rows[0]?.free !== true) return false;
    // As in the second migration: the mark is different from that of any other copy.
    await client.query(`
      UPDATE migrations SET applied_at = now();
      UPDATE marker SET id = md5(concat_ws(' ', random(), clock_timestamp(), pg_backend_pid()))::uuid, created_at = now();
      ALTER SCHEMA ${PREPARED} RENAME TO ${name};
      COMMIT`);
    return true;
  });

/** Does what an administrator does: creates roles and grants rights, migrates with the migration role, grants rights again. */
async function migrateAll(url: string, schema: string): Promise<void> {
  const rights = grants(schema, ROLES);
  await administer(url, rights);
  const database = openAs(asRole(url, 'migrate'), schema);
  try {
    await migrate(database);
    if (PARTITIONED) await partition(database, SMALL_PARTITIONS);
  } finally {
    await database.close();
  }
  await administer(url, rights);
}

/** A copy, opened as the user of the URL. */
export const openAs = (url: string, schema = 'mdw'): Database =>
  createDatabase({ url, schema, poolSize: 4, statementTimeoutMs: 60_000, logger: createLogger({ level: 'silent' }) });

/** URL for the administrator of each copy that was opened here. */
const opened = new WeakMap<Database, string>();

/** A migrated, empty copy in a new schema, opened as the populator. `url` is for the administrator. */
export async function emptyCopy(url: string, schema = 'mdw'): Promise<Database> {
  await migrateCopy(url, schema);
  return openCopy(url, schema);
}

/** A copy that is there already, opened as the populator. */
export function openCopy(url: string, schema = 'mdw'): Database {
  const database = openAs(asRole(url, 'populate'), schema);
  opened.set(database, url);
  return database;
}

/** The same copy, opened as a server; undefined if it was not opened here. */
export function asServed(database: Database): Database | undefined {
  const url = opened.get(database);
  return url === undefined ? undefined : openAs(asRole(url, 'serve'), database.schema);
}

/** Runs statements as the administrator, to damage stored data, and for actions that only the owner of the tables may do. */
export async function tamper(database: Database, sql: string | string[]): Promise<void> {
  const url = opened.get(database);
  if (url === undefined) throw new Error('the copy was not opened by emptyCopy');
  await administer(url, sql, database.schema);
}
