import type pg from 'pg';
import type { Umzug } from 'umzug';
import { MiddlewareError } from '../../observe/errors.js';
import type { Database, Queryable } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { isExpansion, migrationNames, migrationText } from './migrations.js';
import { listed, objectsIn } from './ownership.js';
import { encodingFault, versionFault } from './server.js';

export interface SchemaState {
  applied: string[];
  pending: string[];
  /** Migrations in the database that this version does not know. */
  unknown: string[];
  /** Unknown migrations with which this version cannot work: it is too old for the schema. */
  breaking: string[];
}

/** Columns of the table of applied migrations. Other programs may have a table of the same name, with other columns. */
const COLUMNS = 'name text, applied_at timestamp with time zone';

/** Label of that table, which is created before the first migration. */
export const MIGRATIONS = 'table migrations';

/**
 * Compares the database with the migrations of this version; it only reads. Throws `schema_foreign` if the schema contains objects of
 * others, so that it is neither taken for a copy nor mixed with one.
 */
export async function schemaState(database: Queryable): Promise<SchemaState> {
  const known = await migrationNames();
  let applied = await appliedMigrations(database);
  if (applied.length === 0) {
    const others = (await objectsIn(database)).filter(({ label }) => label !== MIGRATIONS);
    // Another process may have migrated between the two statements.
    if (others.length > 0) applied = await appliedMigrations(database);
    if (applied.length === 0 && others.length > 0) throw schemaForeign(others.map(({ label }) => label));
  }
  // Every copy has the first migration, also one that a newer version created.
  if (applied.length > 0 && !applied.includes(known[0] ?? '')) throw schemaForeign([MIGRATIONS]);
  const pending = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  // If migrations are pending as well, the unknown ones expanded another schema than that of this version.
  const breaking = pending.length > 0 ? unknown : unknown.filter((name) => !isExpansion(name));
  return { applied, pending, unknown, breaking };
}

async function appliedMigrations(database: Queryable): Promise<string[]> {
  const { rows: tables } = await database.query<{ columns: string | null }>({
    name: 'migrations.columns',
    text: `
      SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS columns
      FROM pg_attribute
      WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped`,
  });
  const columns = tables[0]?.columns ?? null;
  if (columns === null) return [];
  if (columns !== COLUMNS) throw schemaForeign([MIGRATIONS]);
  const { rows } = await database.query<{ name: string }>({
    name: 'migrations.applied',
    text: 'SELECT name FROM migrations ORDER BY name',
  });
  return rows.map(({ name }) => name);
}

const schemaForeign = (labels: readonly string[]): MiddlewareError =>
  new MiddlewareError(
    'schema_foreign',
    `The schema contains other objects than a copy of the chain (${listed(labels)}): set DATABASE_SCHEMA to another schema`,
    { details: { objects: listed(labels) } },
  );

/** Applies the pending migrations, under a lock, so that several processes may start at the same time; returns their names. */
export async function migrate(database: Database): Promise<string[]> {
  await refuseUnfitServer(database);
  const before = await schemaState(database);
  refuseNewer(before.breaking);
  // A current schema needs no write, so a server can start on a read-only database.
  if (before.pending.length === 0) return [];
  const client = await database.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('mdw migrate ' || $1, 0))`, [database.schema]);
    const { rows } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [database.schema]);
    // CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even if this one exists.
    if (rows.length === 0) await client.query(`CREATE SCHEMA "${database.schema}"`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    refuseNewer((await schemaState(database)).breaking);
    const migrations = await umzug(client);
    const applied = await migrations.up();
    return applied.map((migration) => migration.name);
  } catch (error) {
    throw asFault(error instanceof Error && error.name === 'MigrationError' ? error.cause : error, 'migrate');
  } finally {
    await client.end();
  }
}

/** Throws `schema_newer` if there are any: a newer version made changes that this one does not know. */
export function refuseNewer(migrations: readonly string[]): void {
  if (migrations.length === 0) return;
  throw new MiddlewareError(
    'schema_newer',
    `The database was migrated by a newer version (it has migration ${migrations.join(', ')}): use that version or a newer one`,
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
  const { number, version, encoding } = rows[0]!;
  const old = versionFault(version, Number(number));
  if (old !== undefined) throw new MiddlewareError('server_too_old', old);
  const wrong = encodingFault(encoding);
  if (wrong !== undefined) throw new MiddlewareError('wrong_encoding', wrong);
}

async function umzug(client: pg.Client): Promise<Umzug<pg.Client>> {
  // Imported only when needed, because it is large: it has a command line of its own.
  const { Umzug } = await import('umzug');
  /** A migration and its record are one database transaction: after a crash between them it would run twice. */
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
  return new Umzug({
    context: client,
    logger: undefined,
    migrations: async () =>
      (await migrationNames()).map((name) => ({
        name,
        up: async () =>
          inTransaction(await migrationText(name, 'up'), 'INSERT INTO migrations (name) VALUES ($1)', name),
        down: async () =>
          inTransaction(await migrationText(name, 'down'), 'DELETE FROM migrations WHERE name = $1', name),
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
