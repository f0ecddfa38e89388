import { expect } from 'chai';
import { ListKind } from '../../src/chain/derive.js';
import type { Queryable, Statement } from '../../src/store/connection/database.js';
import { joining } from '../../src/store/connection/joined.js';
import { filteredTransactions } from '../../src/store/queries/compat/transaction-lists.js';
import { balanceAt, ledgerPage } from '../../src/store/queries/ledger.js';
import { listCount } from '../../src/store/queries/lists.js';
import { generationAt, keyBlockAt, transaction } from '../../src/store/queries/node-cache.js';
import { names } from '../../src/store/queries/names.js';
import { intervalTransactions } from '../../src/store/queries/paging/interval.js';
import { listTransactionsWithTime } from '../../src/store/queries/paging/list-pages.js';
import { sizeUpTo } from '../../src/store/queries/sums.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { skipFor } from '../support/skip.js';

describe('joined statements', () => {
  let seeded: SeededDatabase;
  let sent: string[];
  let counted: Queryable;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks(Array.from({ length: 50 }, () => ({ microBlocks: [[{}, {}]] }))));
    await seeded.database.query({
      name: 'test.names',
      text: `
        INSERT INTO names (
          position, name, name_hash, tx_hash, created_at_height, auction_end_height, owner, expires_at, pointer_ids, bid_position
        )
        SELECT n, 'name' || n, 'nm_', 'th_', n, n, 'ak_', n, '{}', n FROM generate_series(1, 100) AS n`,
    });
    await seeded.database.query({
      name: 'test.payer',
      text: `
        WITH payer AS (INSERT INTO ledger_ids (id) VALUES ('payer') RETURNING key)
        INSERT INTO movement_rows (position, account, counterparty, index, kind, amount, balance)
        SELECT n::bigint << 33, payer.key, NULL, 0, 2, 5, 5 * n FROM payer, generate_series(0, 49) AS n`,
    });
    counted = {
      query<Row extends object>(statement: Statement) {
        sent.push(statement.name);
        return seeded.database.query<Row>(statement);
      },
    };
  });
  beforeEach(() => (sent = []));
  after(() => seeded.drop());

  const account = (id: string) => ({ kind: ListKind.account, id: madeHash('ak', id), type: null });
  const page = (skip: number) => ({ by: 'number' as const, skip: BigInt(skip), take: 3, wanted: 3n });
  const ledger = (i: number) => ({
    account: i % 5 === 0 ? 'nobody' : 'payer',
    kinds: null,
    low: 0n,
    high: BigInt(i) << 33n,
  });
  const queries: ((db: Queryable, i: number) => Promise<{ row: object | null; head: unknown }>)[] = [
    (db, i) => transaction(db, madeHash('th', `${i}/0/1`)),
    (db, i) => keyBlockAt(db, i),
    (db, i) => generationAt(db, i),
    (db, i) => sizeUpTo(db, i),
    (db, i) => listCount(db, account(i % 2 === 0 ? 'alice' : `nobody ${i}`)),
    (db, i) => listTransactionsWithTime(db, account('alice'), page(i)),
    (db, i) => names(db, { owner: null, active: false, reverse: false }, page(i * 2)),
    (db, i) =>
      listTransactionsWithTime(db, account('alice'), {
        by: 'cursor',
        take: 3,
        wanted: 3n,
        after: { hash: madeHash('th', `${i}/0/1`), position: BigInt(i) << 33n },
      }),
    (db, i) => intervalTransactions(db, i - 10, i, null, page(i % 7)),
    (db, i) => ledgerPage(db, ledger(i), { forward: false, after: null, take: 3 }),
    (db, i) =>
      ledgerPage(db, ledger(i), { forward: true, after: { position: BigInt(i - 40) << 33n, index: 0 }, take: 3 }),
    (db, i) => balanceAt(db, ledger(i).account, { height: i }),
  ];

  /** Without the number of the request in its statement, and what marks an answer. */
  const answerOf = ({ row, head }: { row: object | null; head: unknown }): unknown[] => {
    const { asked: _asked, ...rest } = (row ?? {}) as { asked?: number };
    return [rest, head];
  };

  it('return the same rows as separate statements, also for objects that are not stored', async () => {
    for (const ask of queries) {
      const alone = [];
      for (let i = 30; i < 60; i += 1) alone.push(await ask(seeded.database, i));
      const db = joining(counted);

      const joined = await Promise.all(alone.map((_, i) => ask(db, 30 + i)));

      expect(joined.map(answerOf)).to.deep.equal(alone.map(answerOf));
    }
    expect(sent).to.deep.equal([
      'node_cache.transaction.joined',
      'node_cache.key_block_at.joined',
      'node_cache.generation.joined',
      'sums.size.joined',
      'lists.count.joined',
      'lists.transactions_with_time.joined',
      'lists.transactions_with_time.joined',
      'names.list.joined',
      'names.list.joined',
      'lists.transactions_with_time.after.joined',
      'lists.transactions_with_time.after.joined',
      'interval.transactions.joined',
      'interval.transactions.joined',
      'ledger.page.joined',
      'ledger.page.joined',
      'ledger.page.oldest.joined',
      'ledger.page.oldest.joined',
      'ledger.balance.height.joined',
    ]);
  });

  it('return all rows of a list, in its order', async () => {
    const part = (i: number) => ({ ascending: i % 2 === 0, take: 1 + (i % 5) });
    const range = { low: 0n, high: 1n << 60n };
    const of = (i: number) => ({
      mentions: [{ lists: [account(i % 3 === 0 ? 'nobody' : 'alice')] }],
      types: i % 4 < 2 ? null : ['SpendTx'],
      texts: [],
      ...range,
      low: BigInt(i) << 33n,
    });
    const ask = (db: Queryable, i: number) => filteredTransactions(db, of(i), part(i));
    const alone = [];
    for (let i = 0; i < 48; i += 1) alone.push(await ask(seeded.database, i));
    const db = joining(counted);

    const joined = await Promise.all(alone.map((_, i) => ask(db, i)));

    const withoutNumber = ({ rows, head }: Awaited<ReturnType<typeof ask>>) => ({
      head,
      rows: rows.map((row) => ({ ...row, asked: undefined })),
    });
    expect(joined.map(withoutNumber)).to.deep.equal(alone.map(withoutNumber));
    expect(alone.map(({ rows }) => rows.length)).to.include.members([0, 1, 5]);
    expect([...new Set(sent)]).to.have.members(
      ['', '.typed'].flatMap((typed) =>
        ['ASC', 'DESC'].map((order) => `compat.transactions.named_lists${typed}.${order}.joined`),
      ),
    );
  });

  it('plan a page of an interval once, not for each set of values', async function () {
    if (process.env.POSTGRES === '11') skipFor('PostgreSQL counts plans from version 14 on', this);
    for (let i = 0; i < 12; i += 1) await intervalTransactions(seeded.database, i, i + 20, null, page(i));
    const { rows } = await seeded.database.query<{ planned: number; executed: number }>({
      name: 'test.planned',
      text: `
        SELECT custom_plans::int AS planned, (custom_plans + generic_plans)::int AS executed
        FROM pg_prepared_statements WHERE name = 'interval.transactions'`,
    });
    // The first five are always planned for their values.
    expect(rows[0]).to.include({ planned: 5 });
    expect(rows[0]?.executed).to.be.at.least(12);
  });

  it('join at most 32 statements of the same name and the same turn of the event loop', async () => {
    const db = joining(counted);

    await Promise.all([...Array.from({ length: 40 }, (_, i) => keyBlockAt(db, i)), sizeUpTo(db, 3)]);
    await keyBlockAt(db, 3);

    expect(sent).to.have.members([
      'node_cache.key_block_at.joined',
      'node_cache.key_block_at.joined',
      'sums.size',
      'node_cache.key_block_at',
    ]);
  });

  it('divide more than four pages into at least two statements of equal size', async () => {
    const sizes: number[] = [];
    const db = joining({
      query<Row extends object>(statement: Statement) {
        const [first] = statement.values ?? [];
        sizes.push(Array.isArray(first) ? first.length : 1);
        return seeded.database.query<Row>(statement);
      },
    });
    const ask = (pages: number): Promise<unknown> =>
      Promise.all(Array.from({ length: pages }, (_, i) => listTransactionsWithTime(db, account('alice'), page(i))));

    for (const pages of [2, 16, 40]) await ask(pages);

    expect(sizes).to.deep.equal([2, 8, 8, 14, 14, 12]);
  });

  it('do not fail when one of them fails', async () => {
    const db = joining(counted);
    const divide = (by: number) =>
      db.query<{ result: number }>({
        name: 'test.divide',
        text: 'SELECT 6 / $1::int AS result',
        values: [by],
        joined:
          'SELECT (number - 1)::int AS asked, 6 / by AS result FROM unnest($1::int[]) WITH ORDINALITY AS a (by, number)',
      });

    const results = await Promise.allSettled([divide(1), divide(0), divide(3)]);

    expect(results.map((one) => (one.status === 'fulfilled' ? one.value.rows[0]!.result : one.status))).to.deep.equal([
      6,
      'rejected',
      2,
    ]);
    expect(sent).to.deep.equal(['test.divide.joined', 'test.divide', 'test.divide', 'test.divide']);
  });
});
