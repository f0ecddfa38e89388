/** The roles of `mdw grants` on the databases of the suites: programs under test have no more rights than they need. */
import pg from 'pg';
import { createLogger } from '../../src/observe/logger.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { grants } from '../../src/store/schema/grants.js';
import { migrate } from '../../src/store/schema/migrate.js';

const ROLES = { migrate: 'mdw_migrate', populate: 'mdw_populate', serve: 'mdw_serve', reader: 'mdw_reader' };
type Role = keyof typeof ROLES;

/** Made once with the server, so that suites that run at a time do not make them at once. */
export const CREATE_ROLES = Object.values(ROLES)
  .map((role) => `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
  .join('; ');

/** The URL of a database for one of the roles, from that for its administrator. */
export const asRole = (url: string, role: Role): string =>
  Object.assign(new URL(url), { username: ROLES[role], password: 'secret' }).href;

/** Runs statements as the administrator: for setting up, and for what no program may do. */
export async function administer(url: string, sql: string, schema = 'public'): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path="${schema}"` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Makes a copy as an administrator does: the roles and their rights, the migration by its own role, the rights once more. */
export async function migrateCopy(url: string, schema = 'mdw'): Promise<void> {
  const rights = grants(schema, ROLES);
  await administer(url, rights);
  const database = openAs(asRole(url, 'migrate'), schema);
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  await administer(url, rights);
}

/** A copy as the user of the URL has it. */
export const openAs = (url: string, schema = 'mdw'): Database =>
  createDatabase({ url, schema, poolSize: 4, statementTimeoutMs: 60_000, logger: createLogger({ level: 'silent' }) });

/** URL for the administrator of each copy that was opened here. */
const opened = new WeakMap<Database, string>();

/** A migrated, empty copy in a schema of its own, as the populator has it; `url` is that for the administrator. */
export async function emptyCopy(url: string, schema = 'mdw'): Promise<Database> {
  await migrateCopy(url, schema);
  const database = openAs(asRole(url, 'populate'), schema);
  opened.set(database, url);
  return database;
}

/** The same copy as a server has it; undefined if it was not opened here. */
export function asServed(database: Database): Database | undefined {
  const url = opened.get(database);
  return url === undefined ? undefined : openAs(asRole(url, 'serve'), database.schema);
}

/** Statements by the administrator, for spoiling what is stored, and for what only the owner of the tables may do. */
export async function tamper(database: Database, sql: string): Promise<void> {
  const url = opened.get(database);
  if (url === undefined) throw new Error('the copy was not opened by emptyCopy');
  await administer(url, sql, database.schema);
}
