import { expect } from 'chai';
import { ListKind } from '../../src/chain/derive.js';
import type { Queryable } from '../../src/store/connection/database.js';
import { joining } from '../../src/store/connection/joined.js';
import { intervalBatch, listBatch } from '../../src/store/queries/export-transactions.js';
import { generations } from '../../src/store/queries/generations.js';
import { rawGenerations } from '../../src/store/queries/raw-generations.js';
import { heightAt, heightBefore } from '../../src/store/queries/heights.js';
import { intervalTransactions } from '../../src/store/queries/paging/interval.js';
import { listTransactionsWithTime } from '../../src/store/queries/paging/list-pages.js';
import { figuresByTime, figuresOfGenerations } from '../../src/store/queries/figures.js';
import { listCount } from '../../src/store/queries/lists.js';
import * as cache from '../../src/store/queries/node-cache.js';
import { recordedNetwork } from '../../src/store/queries/network.js';
import { rewardFacts } from '../../src/store/queries/rewards.js';
import { healthFacts, statusFacts } from '../../src/store/queries/status.js';
import { countUpTo, sizeUpTo } from '../../src/store/queries/sums.js';
import { ask, testApi } from '../support/api.js';
import { explained } from '../support/plans.js';
import { tamper } from '../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash, setChain } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const HEIGHTS = 1500;
const PER_BLOCK = 6;
const alice = madeHash('ak', 'alice');
const page = (number: number, take = 10) => ({
  by: 'number' as const,
  skip: BigInt((number - 1) * take),
  take,
  wanted: BigInt(take),
});
const spends = ['spendtx'];
const last = (HEIGHTS * PER_BLOCK) / 10;

const queries: Record<string, (db: Queryable) => Promise<unknown>> = {
  'the current generation': (db) => cache.currentGeneration(db),
  'a generation': (db) => cache.generationAt(db, 700),
  'the current height': (db) => cache.currentHeight(db),
  'a key block by height': (db) => cache.keyBlockAt(db, 700),
  'a key block by hash': (db) => cache.keyBlock(db, madeHash('kh', '700 at 42000000')),
  'a micro block header': (db) => cache.microBlockHeader(db, madeHash('mh', '700/0')),
  'the transactions of a micro block': (db) => cache.microBlockTransactions(db, madeHash('mh', '700/0')),
  'the number of transactions of a micro block': (db) => cache.microBlockTransactionCount(db, madeHash('mh', '700/0')),
  'a transaction': (db) => cache.transaction(db, madeHash('th', '700/0/3')),
  'the first page of an account': (db) =>
    listTransactionsWithTime(db, { kind: ListKind.account, id: alice, type: null }, page(1)),
  'the last page of an account': (db) =>
    listTransactionsWithTime(db, { kind: ListKind.account, id: alice, type: null }, page(last)),
  'the first page of one type of an account': (db) =>
    listTransactionsWithTime(db, { kind: ListKind.account, id: alice, type: spends }, page(1)),
  'the last page of one type of an account': (db) =>
    listTransactionsWithTime(db, { kind: ListKind.account, id: alice, type: spends }, page(last / 2)),
  'the length of an account': (db) => listCount(db, { kind: ListKind.account, id: alice, type: null }),
  'the length of an account by type': (db) => listCount(db, { kind: ListKind.account, id: alice, type: spends }),
  'the first page of an interval': (db) => intervalTransactions(db, 10, HEIGHTS, null, page(1)),
  'the last page of an interval': (db) => intervalTransactions(db, 0, HEIGHTS, null, page(last)),
  'the first page of one type of an interval': (db) => intervalTransactions(db, 10, HEIGHTS, spends, page(1)),
  'the last page of one type of an interval': (db) => intervalTransactions(db, 0, HEIGHTS, spends, page(last / 2)),
  'one generation with everything': (db) => generations(db, 700, 700, page(1), 1000),
  'a far page of generations': (db) => generations(db, 0, HEIGHTS, page(140, 1), 1000),
  'a far page of generations with records': (db) => rawGenerations(db, 0, HEIGHTS, page(140, 1), 1000),
  'a height by time': (db) => heightAt(db, 42_000_000n),
  'the height before a time below the head': (db) => heightBefore(db, HEIGHTS - 1, 3_600_000),
  'a reward': (db) => rewardFacts(db, 700),
  'the figures of some days': (db) => figuresByTime(db, '1970-01-02', '1970-01-02', 'hour'),
  'the figures of some generations': (db) => figuresOfGenerations(db, 700, 701),
  'the size': (db) => sizeUpTo(db, 700),
  'the count': (db) => countUpTo(db, HEIGHTS),
  'the status': (db) => statusFacts(db),
  'the network': (db) => recordedNetwork(db),
  'the health': (db) => healthFacts(db),
};

/** Statements that run for many parameters at once. */
const JOINED = [
  'a generation',
  'a key block by height',
  'a key block by hash',
  'a micro block header',
  'the transactions of a micro block',
  'the number of transactions of a micro block',
  'a transaction',
  'the first page of an account',
  'the last page of an account',
  'the length of an account',
  'the size',
  'the count',
];

const LENGTH = BigInt(HEIGHTS * PER_BLOCK);

/** Batches of exports, of 200 rows each. */
const batches: typeof queries = {
  'a batch of an exported account': (db) =>
    listBatch(db, { kind: ListKind.account, id: alice, type: null }, LENGTH, null),
  'a batch of an exported account by type': (db) =>
    listBatch(db, { kind: ListKind.account, id: alice, type: spends }, LENGTH / 2n, null),
  'a batch of an exported interval': (db) => intervalBatch(db, 0, null, BigInt(HEIGHTS) << 33n, null),
};

describe('query plans', () => {
  let seeded: SeededDatabase;

  before(async () => {
    seeded = await emptyDatabase();
    const chain = Array.from({ length: HEIGHTS }, (_, height) => ({
      microBlocks: [
        Array.from({ length: PER_BLOCK }, (_, n) => ({
          type: n % 2 === 0 ? 'SpendTx' : 'NameUpdateTx',
          recipient: madeHash('ak', `one of ${height}`),
        })),
      ],
    }));
    await append(seeded.database, null, madeBlocks(chain));
    // Generated transactions lack members of their types.
    await seeded.database.query({ name: 'test.valid', text: 'UPDATE transactions SET valid = true' });
    await setChain(seeded.database, 'live = true');
    for (const table of [
      'key_blocks',
      'micro_blocks',
      'transactions',
      'generations',
      'generation_types',
      'lists',
      'entries',
    ]) {
      await tamper(seeded.database, `ANALYZE ${table}`);
    }
  });
  after(() => seeded.drop());

  const threeTimes = (query: (db: Queryable) => Promise<unknown>) => (db: Queryable) => {
    const joined = joining(db);
    return Promise.all([query(joined), query(joined), query(joined)]);
  };
  const together = Object.fromEntries(
    JOINED.map((what) => [`${what}, three times at once`, threeTimes(queries[what]!)]),
  );

  for (const [what, query] of Object.entries({ ...queries, ...batches, ...together })) {
    it(`use an index and read few rows for ${what}`, async () => {
      // One connection, so that the plan for any parameters is forced where the statement runs.
      const statements = await seeded.database.transaction(async (tx) => {
        const [{ number } = { number: 0 }] = (
          await tx.query<{ number: number }>({
            name: 'test.version',
            text: `SELECT current_setting('server_version_num')::int AS number`,
          })
        ).rows;
        if (number >= 120_000)
          await tx.query({ name: 'test.generic', text: `SET LOCAL plan_cache_mode = 'force_generic_plan'` });
        return explained(tx, query);
      });

      expect(statements).to.have.length(1);
      expect(statements[0]?.scanned).to.deep.equal([]);
      expect(statements[0]?.touched).to.be.below(what in batches ? 1200 : what in together ? 360 : 120);
    });
  }

  it('use an index and read few rows for probes and scrapes during the first load', async () => {
    await setChain(seeded.database, 'live = false');
    const statements = await explained(seeded.database, async (db) => {
      const api = await testApi({ ...seeded.database, query: (statement) => db.query(statement) });
      expect(await api.json('/readyz')).to.include({ ready: true, loading: true, height: HEIGHTS - 1 });
      expect((await ask(api.metricsPort, '/metrics')).body).to.contain(`mdw_database_height ${HEIGHTS - 1}`);
      await api.close();
    });

    expect(statements.map(({ name }) => name)).to.include('status.health');
    for (const { name, scanned, touched } of statements) {
      expect(scanned, name).to.deep.equal([]);
      expect(touched, name).to.be.below(120);
    }
  });
});
