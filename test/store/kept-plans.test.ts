/** Connections for clients plan each statement once: whatever the values are, and however much the copy grows later. */
import { expect } from 'chai';
import pg from 'pg';
import { ListKind } from '../../src/chain/lists.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database, Queryable } from '../../src/store/connection/database.js';
import { joining } from '../../src/store/connection/joined.js';
import { compatMoves } from '../../src/store/queries/compat/token-transfers.js';
import { filteredTransactions } from '../../src/store/queries/compat/transaction-lists.js';
import { compatTransfers } from '../../src/store/queries/compat/transfers.js';
import { contractLogs } from '../../src/store/queries/contract-logs.js';
import { ledgerPage } from '../../src/store/queries/ledger.js';
import { listTransactionsWithTime } from '../../src/store/queries/paging/list-pages.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { append, madeBlocks, madeHash, silent } from '../support/seed.js';
import { skipFor } from '../support/skip.js';

const GENERATIONS = 60;
const MICRO_BLOCKS = 4;
const PER_MICRO_BLOCK = 10;
const TAKE = 11;

const ACCOUNT = { kind: ListKind.account, id: madeHash('ak', 'sender 0') };
const RANGE = { low: 0n, high: (1n << 62n) - 1n };
const NEWEST = { ascending: false, from: undefined, inclusive: true, take: TAKE };

const PAGES: Record<string, (db: Queryable) => Promise<unknown>> = {
  'transactions of an account, with all that is known of them': (db) =>
    filteredTransactions(db, { mentions: [{ lists: [ACCOUNT] }], types: null, texts: [], ...RANGE }, NEWEST),
  'transactions of an account and a type': (db) =>
    filteredTransactions(db, { mentions: [{ lists: [ACCOUNT] }], types: ['SpendTx'], texts: [], ...RANGE }, NEWEST),
  'transactions of the list of an account': (db) =>
    listTransactionsWithTime(db, { ...ACCOUNT, type: null }, { by: 'number', skip: 0n, take: TAKE, wanted: 11n }),
  'payments that no transaction states': (db) =>
    compatTransfers(db, { account: ACCOUNT.id, kind: '', ...RANGE }, NEWEST),
  'moves of tokens': (db) =>
    compatMoves(db, { account: 7n, kinds: [9, 141], contract: undefined, sent: false, ...RANGE }, NEWEST),
  'logs of a contract': (db) =>
    contractLogs(
      db,
      { involved: madeHash('ok', 'any').replace('ok_', 'ct_'), ...RANGE },
      { forward: false, after: null, take: TAKE },
    ),
  'a ledger': (db) =>
    ledgerPage(db, { account: ACCOUNT.id, kinds: null, ...RANGE }, { forward: false, after: null, take: TAKE }),
};

/** Alone, and two requests of one turn of the event loop. */
async function askAll(db: Queryable, page: (db: Queryable) => Promise<unknown>): Promise<void> {
  await page(db);
  const together = joining(db);
  await Promise.all([page(together), page(together)]);
}

describe('connections for clients', () => {
  let server: TestDatabase;
  let copy: Database;
  let clients: Database;

  const open = (keepsPlans: boolean): Database =>
    createDatabase({
      ...{ url: server.url, schema: copy.schema, poolSize: 1, statementTimeoutMs: 60_000, logger: silent },
      ...(keepsPlans && { keepsPlans: true as const }),
    });
  const mode = async (database: Database): Promise<string | undefined> => {
    const { rows } = await database.query<{ mode: string }>({
      name: 'test.mode',
      text: `SELECT current_setting('plan_cache_mode') AS mode`,
    });
    return rows[0]?.mode;
  };

  before(async () => {
    server = await testDatabase();
    copy = await emptyCopy(server.url);
    clients = open(true);
  });
  after(async () => {
    await clients.close();
    await copy.close();
    await server.drop();
  });

  it('keep the plans that they made when the copy was empty and never analysed, and read no table from end to end with them', async () => {
    const { rows: tables } = await copy.query<{ table: string }>({
      name: 'test.tables',
      text: `SELECT relname AS table FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
    });
    await tamper(copy, tables.map(({ table }) => `ALTER TABLE ${table} SET (autovacuum_enabled = off)`).join(';'));
    for (const page of Object.values(PAGES)) await askAll(clients, page);
    const transactions = Array.from({ length: PER_MICRO_BLOCK }, (_, i) => ({
      sender: madeHash('ak', `sender ${i % 3}`),
    }));
    const microBlocks = Array.from({ length: MICRO_BLOCKS }, () => transactions);
    await append(copy, null, madeBlocks(Array.from({ length: GENERATIONS }, () => ({ microBlocks }))));

    for (const [what, page] of Object.entries(PAGES)) {
      const read = await clients.transaction(async (tx) => {
        await askAll(tx, page);
        const { rows } = await tx.query<{ table: string; rows: number }>({
          name: 'test.scanned',
          text: `
            SELECT relname AS table, seq_tup_read::int AS rows FROM pg_stat_xact_user_tables
            WHERE schemaname = current_schema() AND seq_tup_read > $1::int`,
          values: [2 * GENERATIONS],
        });
        return rows;
      });
      expect(read, what).to.deep.equal([]);
    }
  });

  it('plan no statement for its values', async function () {
    if (process.env.POSTGRES === '11') skipFor('PostgreSQL counts plans from version 14 on', this);
    for (const page of Object.values(PAGES)) await page(clients);
    const { rows } = await clients.query<{ planned: number; kept: number; joined: number }>({
      name: 'test.planned',
      text: `
        SELECT sum(custom_plans)::int AS planned, (sum(generic_plans) FILTER (WHERE name NOT LIKE '%.joined'))::int AS kept,
          (sum(generic_plans) FILTER (WHERE name LIKE '%.joined'))::int AS joined
        FROM pg_prepared_statements WHERE name NOT LIKE 'test.%'`,
    });
    const pages = Object.keys(PAGES).length;
    expect(rows[0]).to.deep.equal({ planned: 0, kept: 3 * pages, joined: 2 * pages });
  });

  it('leave the setting of an administrator, and other connections have none', async function () {
    if (process.env.POSTGRES === '11') skipFor('PostgreSQL has the setting from version 12 on', this);
    expect(await mode(clients)).to.equal('force_generic_plan');
    const other = open(false);
    expect(await mode(other)).to.equal('auto');
    await other.close();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    await client.query(`ALTER DATABASE ${rows[0]!.name} SET plan_cache_mode = 'force_custom_plan'`);
    await client.end();
    const set = open(true);
    expect(await mode(set)).to.equal('force_custom_plan');
    await set.close();
  });
});
