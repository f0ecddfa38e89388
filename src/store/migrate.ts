import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type pg from 'pg';
import type { Umzug } from 'umzug';
import { MiddlewareError } from '../observe/errors.js';
import type { Database, Queryable } from './database.js';
import { asFault } from './faults.js';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Oldest server this schema and its statements are made for: 11.2. */
const OLDEST_SERVER = 110_002;

export interface SchemaState {
  applied: string[];
  pending: string[];
  /** Migrations in the database that this version does not know: it is too old for the data. */
  unknown: string[];
}

/** Compares the database with the migrations of this version; needs no right but to read. */
export async function schemaState(database: Queryable): Promise<SchemaState> {
  const known = await migrationNames();
  const { rows: tables } = await database.query<{ found: boolean }>({
    name: 'migrations.found',
    text: `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  });
  const rows =
    tables[0]?.found === true
      ? (
          await database.query<{ name: string }>({
            name: 'migrations.applied',
            text: 'SELECT name FROM migrations ORDER BY name',
          })
        ).rows
      : [];
  const applied = rows.map((row) => row.name);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Brings the schema up to date, under a lock, so that processes may start together; returns what was applied. */
export async function migrate(database: Database): Promise<string[]> {
  await refuseUnfitServer(database);
  const before = await schemaState(database);
  refuseNewer(before);
  // A current schema needs no write: serving works on a read-only replica.
  if (before.pending.length === 0) return [];
  const client = await database.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('mdw migrate ' || $1, 0))`, [database.schema]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${database.schema}"`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    refuseNewer(await schemaState(database));
    const migrations = await umzug(client);
    const applied = await migrations.up();
    return applied.map((migration) => migration.name);
  } catch (error) {
    throw asFault(error instanceof Error && error.name === 'MigrationError' ? error.cause : error, 'migrate');
  } finally {
    await client.end();
  }
}

function refuseNewer(state: SchemaState): void {
  if (state.unknown.length === 0) return;
  throw new MiddlewareError(
    'conflict',
    'schema_newer',
    `The database was made by a newer version (it has migration ${state.unknown.join(', ')}); use that version or newer`,
  );
}

async function refuseUnfitServer(database: Database): Promise<void> {
  const { rows } = await database.query<{ number: string; version: string; encoding: string }>({
    name: 'server.version',
    text: `
      SELECT
        current_setting('server_version_num') AS number,
        current_setting('server_version') AS version,
        current_setting('server_encoding') AS encoding`,
  });
  if (Number(rows[0]?.number) < OLDEST_SERVER) {
    throw new MiddlewareError(
      'bad_request',
      'server_too_old',
      `PostgreSQL ${rows[0]?.version} is too old: 11.2 or newer is needed`,
    );
  }
  // Others cannot hold every text of the chain, or count bytes where characters are meant.
  if (rows[0]?.encoding !== 'UTF8') {
    throw new MiddlewareError(
      'bad_request',
      'wrong_encoding',
      `The database is in ${rows[0]?.encoding}: make it with ENCODING 'UTF8'`,
    );
  }
}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith('.up.sql'))
    .map((file) => file.slice(0, -'.up.sql'.length))
    .sort();
}

async function umzug(client: pg.Client): Promise<Umzug<pg.Client>> {
  // It brings a command line of its own: not for each start, then.
  const { Umzug } = await import('umzug');
  /** The step and its record belong to one transaction: a crash between them must not run it twice. */
  const inTransaction = async (sql: string, record: string, name: string): Promise<void> => {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = 0;\n${sql}`);
      await client.query(record, [name]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  };
  const text = (name: string, way: 'up' | 'down'): Promise<string> =>
    readFile(join(FOLDER, `${name}.${way}.sql`), 'utf8');
  return new Umzug({
    context: client,
    logger: undefined,
    migrations: async () =>
      (await migrationNames()).map((name) => ({
        name,
        up: async () => inTransaction(await text(name, 'up'), 'INSERT INTO migrations (name) VALUES ($1)', name),
        down: async () => inTransaction(await text(name, 'down'), 'DELETE FROM migrations WHERE name = $1', name),
      })),
    storage: {
      async executed() {
        const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
        return rows.map((row) => row.name);
      },
      logMigration: () => Promise.resolve(),
      unlogMigration: () => Promise.resolve(),
    },
  });
}
