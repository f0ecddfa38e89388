import { expect } from 'chai';
import { ListKind } from '../../src/chain/derive.js';
import { nameHash } from '../../src/chain/protocol/ids.js';
import type { Queryable } from '../../src/store/connection/database.js';
import {
  auctionBids,
  auctionInfo,
  bidsOfAccount,
  runningAuctionCount,
  runningAuctions,
} from '../../src/store/queries/auctions.js';
import { contractLogs } from '../../src/store/queries/contract-logs.js';
import { widenedBatch, widenedTransactions } from '../../src/store/queries/account-transactions.js';
import { balanceAt, ledgerPage } from '../../src/store/queries/ledger.js';
import { ledgerStatement } from '../../src/store/queries/ledger-statement.js';
import { positionsOfTimes } from '../../src/store/queries/moments.js';
import { LAST_POSITION } from '../../src/chain/position.js';
import { openChannels } from '../../src/store/queries/channels.js';
import {
  callOfTransaction,
  contractCalls,
  contractCreation,
  contractCreationText,
  contracts,
} from '../../src/store/queries/contracts.js';
import { listTransactions, listTransactionsWithTime } from '../../src/store/queries/paging/list-pages.js';
import { nameOfEach, nameOfHash, names, namesPointingTo, searchNames } from '../../src/store/queries/names.js';
import { activeOracles, oracleQueries } from '../../src/store/queries/oracles.js';
import { RankKind } from '../../src/store/queries/paging/ranks.js';
import { spendRate } from '../../src/store/queries/rates.js';
import type { Page, RankedKeysetPage } from '../../src/store/queries/paging/slice.js';
import { explained } from '../support/plans.js';
import { tamper } from '../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

/** Rows of every table. Enough to make a sequential scan more expensive than an index. */
const ROWS = 6000;
const TOP = ROWS;

const page = (number: number, take = 10) => ({
  by: 'number' as const,
  skip: BigInt((number - 1) * take),
  take,
  wanted: BigInt(take),
});
const all = { owner: null, active: false, reverse: false };

/** Number of the page in the middle of a list, with ten rows a page. */
const FAR_PAGE = 120;

/** A far page of lists with sampled counts. The first page is also tested. */
const ranked: Record<string, (db: Queryable, slice: Page) => Promise<unknown>> = {
  'a far page of names': (db, slice) => names(db, all, slice),
  'a far page of names of an owner': (db, slice) => names(db, { ...all, owner: 'owner' }, slice),
  'a far page of active names': (db, slice) => names(db, { ...all, active: true }, slice),
  'a far page of active names, oldest first': (db, slice) => names(db, { ...all, active: true, reverse: true }, slice),
  'a far page of active names of an owner': (db, slice) => names(db, { ...all, active: true, owner: 'owner' }, slice),
  'a far page of names that point to an account': (db, slice) => namesPointingTo(db, 'target', slice),
  'a far page of active oracles': activeOracles,
  'a far page of contracts': contracts,
  'a far page of decoded calls': (db, slice) => contractCalls(db, 'contract 1', slice),
};

/** The page after a cursor in the middle of a list. */
const afterCursor = (key: number): RankedKeysetPage => ({
  by: 'rank',
  take: 10,
  wanted: 10n,
  after: { key: BigInt(key), label: '', position: BigInt(ROWS / 2) << 33n },
});

const HEIGHTS = { low: 0n, high: 2n ** 62n };
/** A page in the middle of a list of logs. */
const LOG_PAGE = { forward: false, after: { position: BigInt(ROWS / 2) << 33n, index: 0 }, take: 10 };

const MIDDLE = { hash: '', position: BigInt(ROWS / 2) << 33n };

const LEDGER = { account: 'account', kinds: null };

/** Running auctions: all of them are read. */
const AUCTIONS = 100;

/** Rows read in a sorted set: sampled counts of each level, and about 32 members after the last one. */
const MAX_SORTED_SET_ROWS = 130;

/** Max rows that a plan may touch. */
const queries: Record<string, [query: (db: Queryable) => Promise<unknown>, maxRows: number, statements?: number]> = {
  ...Object.fromEntries(
    Object.entries(ranked).flatMap(([what, read]) => [
      [what.replace('a far', 'the first'), [(db: Queryable) => read(db, page(1)), MAX_SORTED_SET_ROWS]],
      [what, [(db: Queryable) => read(db, page(FAR_PAGE)), MAX_SORTED_SET_ROWS]],
    ]),
  ),
  'the names of many accounts': [
    (db) => nameOfEach(db, ['target', ...Array.from({ length: 9 }, (_, i) => `target ${4 * i}`)]),
    600,
  ],
  'names after a cursor': [(db) => names(db, all, afterCursor(-ROWS / 2)), 100],
  'active names after a cursor, oldest first': [
    (db) => names(db, { ...all, active: true, reverse: true }, afterCursor(-ROWS / 2)),
    100,
  ],
  'contracts after a cursor': [(db) => contracts(db, afterCursor(0)), 100],
  'decoded calls after a cursor': [(db) => contractCalls(db, 'contract 1', afterCursor(0)), 150],
  'a search that finds at once': [(db) => searchNames(db, 'name', page(1)), 60],
  'a search after a cursor': [(db) => searchNames(db, 'name', afterCursor(TOP + ROWS / 2)), 60],
  'a search that finds nothing': [(db) => searchNames(db, 'no such', page(1), undefined, 10), 30, 2],
  'a search for a name in another spelling': [(db) => searchNames(db, 'xn--strae-oqa', page(1), undefined, 10), 35, 2],
  'a search that finds little, after a cursor': [
    (db) => searchNames(db, 'name 4321', afterCursor(TOP + ROWS), undefined, 10),
    60,
    2,
  ],
  'a search that finds little, for a large page': [(db) => searchNames(db, 'name 4321', page(1, 150)), 4_100, 2],
  'a search for a common text, for a large page': [
    (db) => searchNames(db, 'e 4', page(1, 120), undefined, 1_100),
    4_000,
    2,
  ],
  'a name by its hash': [(db) => nameOfHash(db, 'hash 7'), 10],
  'the running auctions': [
    (db) => runningAuctions(db, { sort: 'expiration', reverse: false, length: null }, page(1)),
    AUCTIONS + 30,
  ],
  'a far page of the highest running auctions': [
    (db) => runningAuctions(db, { sort: 'max_bid', reverse: true, length: null }, page(9)),
    AUCTIONS + 30,
  ],
  'the number of running auctions': [(db) => runningAuctionCount(db, 12n), AUCTIONS + 30],
  'an auction with its bids': [(db) => auctionInfo(db, 'hash 7', page(1)), 200],
  'a far page of bids': [(db) => auctionBids(db, 'hash 7', page(3)), 200],
  'the first page of bids of an account': [(db) => bidsOfAccount(db, 'bidder', page(1)), 250],
  'the last page of bids of an account': [(db) => bidsOfAccount(db, 'bidder', page(ROWS / 10)), 250],
  'the first page of questions': [(db) => oracleQueries(db, 'oracle', page(1)), 250],
  'the last page of questions': [(db) => oracleQueries(db, 'oracle', page(ROWS / 10)), 250],
  'the open channels': [(db) => openChannels(db, 10), 30],
  'the decoded call of a transaction': [(db) => callOfTransaction(db, madeHash('th', '7/0/0')), 20],
  'all logs': [(db) => contractLogs(db, HEIGHTS, LOG_PAGE), 150],
  'the logs of a contract': [(db) => contractLogs(db, { ...HEIGHTS, contract: 'contract 1' }, LOG_PAGE), 150],
  'the logs of a contract and its calls': [
    (db) => contractLogs(db, { ...HEIGHTS, involved: 'contract 1' }, { ...LOG_PAGE, forward: true }),
    200,
  ],
  'the logs of the calls of a contract': [
    (db) => contractLogs(db, { ...HEIGHTS, called: 'contract 9' }, LOG_PAGE),
    200,
  ],
  'the logs of an event': [(db) => contractLogs(db, { ...HEIGHTS, event: 3n }, LOG_PAGE), 150],
  'the logs of an event of a contract': [
    (db) => contractLogs(db, { ...HEIGHTS, contract: 'contract 1', event: 3n }, LOG_PAGE),
    150,
  ],
  // Of so short a list all rows are read and sorted.
  'the logs with an argument': [(db) => contractLogs(db, { ...HEIGHTS, topics: new Map([[2, 5n]]) }, LOG_PAGE), 300],
  'the ledger of an account': [(db) => ledgerPage(db, { ...HEIGHTS, ...LEDGER }, LOG_PAGE), 120],
  'the ledger of an account, oldest first': [
    (db) => ledgerPage(db, { ...HEIGHTS, ...LEDGER }, { ...LOG_PAGE, forward: true }),
    120,
  ],
  // None is of this kind: so many are looked at.
  'some kinds of the ledger of an account': [
    (db) => ledgerPage(db, { ...HEIGHTS, account: 'account', kinds: ['lock'] }, LOG_PAGE),
    2_100,
  ],
  // From the middle of the chain: the search for the place in each list, and a page of each.
  'the transactions of an account and what it signed': [
    (db) => widenedTransactions(db, 'account', ['inner', 'signed'], { after: MIDDLE, take: 10 }),
    400,
  ],
  'an export of the transactions of an account and what it signed': [
    (db) => widenedBatch(db, 'account', ['signed'], BigInt(ROWS / 2) << 33n, null),
    5_000,
  ],
  'a balance at a height': [(db) => balanceAt(db, 'account', { height: ROWS / 2 }), 20],
  'the balance at the head': [(db) => balanceAt(db, 'account', { upTo: LAST_POSITION }), 20],
  'a balance at a block': [(db) => balanceAt(db, 'account', { block: madeHash('mh', '7/0') }), 20],
  // All movements of the period are read.
  'the statement of an account': [
    (db) => ledgerStatement(db, { account: 'account', low: 1000n << 33n, high: 1100n << 33n }),
    250,
  ],
  'the positions of times': [(db) => positionsOfTimes(db, [0n, 1_000_000n]), 40],
  'the creation of a contract': [(db) => contractCreation(db, 'contract 7'), 20],
  'the text of the creation of a contract': [(db) => contractCreationText(db, 'contract 7'), 20],
  'the last page of a contract': [
    (db) =>
      listTransactions(db, { kind: ListKind.contract, id: 'contract', type: null }, 'oldest first', page(ROWS / 10)),
    60,
  ],
  'the first page of a channel': [
    (db) => listTransactions(db, { kind: ListKind.channel, id: 'channel', type: null }, 'oldest first', page(1)),
    60,
  ],
  'the last page of a channel': [
    (db) =>
      listTransactions(db, { kind: ListKind.channel, id: 'channel', type: null }, 'oldest first', page(ROWS / 10)),
    60,
  ],
  'the last page of a name': [
    (db) => listTransactionsWithTime(db, { kind: ListKind.name, id: 'name', type: null }, page(ROWS / 10)),
    100,
  ],
  'the last page of a pair': [
    (db) =>
      listTransactions(db, { kind: ListKind.pair, id: 'pair', type: ['nameclaimtx'] }, 'newest first', page(ROWS / 10)),
    60,
  ],
  'the rate of some days': [(db) => spendRate(db, '2000-01-01', '2000-01-10'), 20],
};

/** One row of each kind at each height. Only the plans matter, not the contents of the rows. */
const FILL = `
  INSERT INTO names (position, name, name_hash, tx_hash, created_at_height, auction_end_height, owner, expires_at, revoked_at,
    pointers, pointer_ids, winning_bid, winning_bidder, bid_position)
  SELECT (n::bigint << 33) + 65536, 'name ' || n, 'hash ' || n, 'th', n, n + CASE WHEN n > ${TOP - AUCTIONS} THEN ${TOP} ELSE 0 END,
    CASE WHEN n % 4 = 0 THEN 'owner ' || n % 200 ELSE 'owner' END,
    ${TOP} + n, CASE WHEN n % 10 = 0 THEN n END, '[]', ARRAY[CASE WHEN n % 4 = 0 THEN 'target ' || n % 200 ELSE 'target' END], n, 'bidder',
    (n::bigint << 33) + 65536
  FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO oracles (id, position, expires_at) SELECT 'oracle ' || n, (n::bigint << 33) + 65536, ${TOP} + n FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO oracle_queries SELECT 'query ' || n, (n::bigint << 33) + 65536, (n::bigint << 33) + 65536 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO channels SELECT 'channel ' || n, (n::bigint << 33) + 65536, CASE WHEN n % 100 > 0 THEN 1 END FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO contracts SELECT 'contract ' || n, (n::bigint << 33) + 65536 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO contract_calls (position, contract_id, state, arguments)
  SELECT (n::bigint << 33) + 65536, 'contract ' || n % 2, 'pending', '{}' FROM generate_series(1, ${ROWS}) AS n;
  UPDATE contract_calls SET state = CASE WHEN position % 7 = 0 THEN 'failed' ELSE 'done' END;
  SELECT settle();
  UPDATE names SET name = 'straße.chain', name_hash = '${nameHash('straße.chain')}' WHERE name = 'name 1234';
  INSERT INTO rankings (kind, id) SELECT ${RankKind.calls}, 'empty ' || n FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO milestones SELECT 1000000 + n, 0, '', 0, 1 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO sampled_counts SELECT 1000000 + n % (${ROWS} / 8), 1, n, '', n, 1 FROM generate_series(1, ${2 * ROWS}) AS n;
  INSERT INTO contract_logs (position, log_index, contract_id, called_id, topics, data)
  SELECT (n::bigint << 33) + 65536, 0, 'contract ' || n % 3, CASE WHEN n % 2 = 0 THEN 'contract 9' END, ARRAY[n % 7, n % 11, n % 13, n % 17], 'cb_Xfbg4g=='
  FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO ledger (position, network_id) VALUES (${BigInt(ROWS) << 33n}, 'ae_dev');
  INSERT INTO ledger_ids (id) VALUES ('account');
  INSERT INTO ledger_ids (id) SELECT 'account ' || n FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO movement_rows (position, account, counterparty, index, kind, amount, balance)
  SELECT (n::bigint << 33) + 65536 * (n % 2), i.key, i.key + 1, 0, 1 + n % 2, 1, n
  FROM ledger_ids AS i CROSS JOIN generate_series(1, ${ROWS}) AS n WHERE i.id IN ('account', 'account 1');
  INSERT INTO ledger_gaps SELECT (n::bigint << 33) + 65536, 1 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO infos SELECT position, '{}' FROM contract_calls;
  INSERT INTO days SELECT date '1990-01-01' + n, 1, 1 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO lists (kind, id) VALUES (${ListKind.channel}, 'channel'), (${ListKind.contract}, 'contract'), (${ListKind.pair}, 'pair'), (${ListKind.bid}, 'bidder'), (${ListKind.oracle}, 'oracle'), (${ListKind.name}, 'name'), (${ListKind.account}, 'account'), (${ListKind.wrapped}, 'account');
  INSERT INTO lists (kind, id) SELECT ${ListKind.name}, 'hash ' || n FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO entries (list, position, ordinal, type_ordinal, type)
  SELECT l.key, (n::bigint << 33) + 65536, n, n, t.code
  FROM lists AS l CROSS JOIN generate_series(1, ${ROWS}) AS n CROSS JOIN types AS t
  WHERE t.name = 'NameClaimTx' AND l.id IN ('channel', 'contract', 'pair', 'bidder', 'oracle', 'name', 'account');
  INSERT INTO entries (list, position, ordinal, type_ordinal, type)
  SELECT l.key, (substr(l.id, 6)::bigint << 33) + 65536, 1, 1, t.code FROM lists AS l CROSS JOIN types AS t
  WHERE t.name = 'NameClaimTx' AND l.kind = ${ListKind.name} AND l.id LIKE 'hash %';`;

const TABLES = [
  'names',
  'oracles',
  'oracle_queries',
  'channels',
  'contracts',
  'contract_calls',
  'contract_logs',
  'ledger_ids',
  'movement_rows',
  'ledger_gaps',
  'days',
  'lists',
  'entries',
  'key_blocks',
  'micro_blocks',
  'transactions',
  'types',
  'infos',
  'rankings',
  'ranks',
  'milestones',
  'sampled_counts',
];

describe('query plans of names and other objects', () => {
  let seeded: SeededDatabase;

  before(async () => {
    seeded = await emptyDatabase();
    const chain = Array.from({ length: TOP + 1 }, () => ({ microBlocks: [[{ type: 'NameClaimTx' }]] }));
    await append(seeded.database, null, madeBlocks(chain));
    const client = await seeded.database.connect();
    await client.query(FILL);
    await client.end();
    await tamper(seeded.database, `VACUUM ANALYZE ${TABLES.join(', ')}`);
  });
  after(() => seeded.drop());

  it('lead from page to page of a ledger without a movement of the kind, to its end', async () => {
    for (const forward of [true, false]) {
      let after: { position: bigint; index: number } | null = null;
      const ends: string[] = [];
      do {
        const slice = { forward, after, take: 10 };
        const { row } = await ledgerPage(seeded.database, { ...HEIGHTS, account: 'account', kinds: ['lock'] }, slice);
        expect(row!.body).to.match(/^"rows":\[\],/);
        ends.push(row!.next ?? 'end');
        const [position, index] = row!.next?.split('.') ?? [];
        after = position === undefined ? null : { position: BigInt(position), index: Number(index) };
      } while (after !== null && ends.length < 10);
      const placeOf = (n: number): string => `${(BigInt(n) << 33n) + BigInt(65536 * (n % 2))}.0`;
      // The last row of a page is looked at again by the next one.
      const looked = [1_000, 1_999, 2_998, 3_997, 4_996, 5_995];
      expect(ends).to.deep.equal([...looked.map((n) => placeOf(forward ? n : ROWS + 1 - n)), 'end']);
    }
  });

  for (const [what, [query, maxRows, count = 1]] of Object.entries(queries)) {
    it(`use an index and read few rows for ${what}`, async () => {
      const statements = await seeded.database.transaction(async (tx) => {
        const [{ number } = { number: 0 }] = (
          await tx.query<{ number: number }>({
            name: 'test.version',
            text: `SELECT current_setting('server_version_num')::int AS number`,
          })
        ).rows;
        if (number >= 120_000) await tx.run(`SET LOCAL plan_cache_mode = 'force_generic_plan'`);
        return explained(tx, query);
      });

      expect(statements).to.have.length(count);
      expect(statements.flatMap(({ scanned }) => scanned)).to.deep.equal([]);
      expect(statements.reduce((sum, { touched }) => sum + touched, 0)).to.be.below(maxRows);
    });
  }
});
