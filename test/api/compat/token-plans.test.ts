import { expect } from 'chai';
import { eventHash } from '../../../src/chain/event-names.js';
import type { Database, Queryable } from '../../../src/store/connection/database.js';
import { logRows, logTotal } from '../../../src/store/queries/contract-logs.js';
import * as queries from '../../../src/store/queries/compat/tokens.js';
import {
  compatPairs,
  compatPairsOfToken,
  compatTokenMetas,
  SWAP_TOKENS,
} from '../../../src/store/queries/compat/dex.js';
import { countsIn } from '../../../src/store/queries/compat/series.js';
import { supplyChanges } from '../../../src/store/queries/token-supply.js';
import { tokenAllowances } from '../../../src/store/queries/token-allowances.js';
import {
  compatMoves,
  compatMoveTotal,
  compatTransferTotal,
  compatTransfers,
} from '../../../src/store/queries/compat/token-transfers.js';
import { explained } from '../../support/plans.js';
import { tamper } from '../../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../../support/seed.js';
import type { SeededDatabase } from '../../support/seed.js';

const GENERATIONS = 120;
const MICRO_BLOCKS = 5;
const PER_MICRO_BLOCK = 10;
/** Rows of a page and one more. */
const TAKE = 11;
const TRANSFER = eventHash('Transfer');

/** Of the hot token and the hot collection: each transaction moves some, among a thousand accounts. */
const HOT = 'ct_hot';
const HOT_COLLECTION = 'ct_collection';
const ALL = { low: 0n, high: 2n ** 62n };
/** One generation. */
const SOME = { low: 60n << 33n, high: 61n << 33n };

describe('the plans of lists of tokens, over tens of thousands of events', () => {
  let seeded: SeededDatabase;
  let database: Database;

  before(async () => {
    seeded = await emptyDatabase();
    ({ database } = seeded);
    const transactions = Array.from({ length: PER_MICRO_BLOCK }, () => ({ sender: madeHash('ak', 'sender') }));
    const generation = { microBlocks: Array.from({ length: MICRO_BLOCKS }, () => transactions) };
    await append(database, null, madeBlocks(Array.from({ length: GENERATIONS }, () => generation)));
    const first = '(SELECT min(position) FROM transactions)';
    await tamper(database, [
      `INSERT INTO tokens (contract_id, position, created, kind, name_key, symbol_key)
      SELECT 'ct_' || i, ${first} + i % ${PER_MICRO_BLOCK}, true, CASE WHEN i % 5 = 0 THEN 141 ELSE 9 END, 'name ' || i % 700, 'S' || i % 90
      FROM generate_series(1, 5000) AS i
      UNION ALL SELECT '${HOT}', ${first}, true, 9, 'hot', 'hot' UNION ALL SELECT '${HOT_COLLECTION}', ${first}, true, 141, 'hot', 'hot'`,
      `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT t.position, i,
        CASE WHEN i < 3 THEN '${HOT}' WHEN i = 3 THEN '${HOT_COLLECTION}' ELSE 'ct_' || 1 + (t.position / 65536 + t.position + i) % 5000 END,
        ARRAY[${TRANSFER}, (t.position * 7 + i) % 1000, (t.position * 11 + i) % 1000, CASE WHEN i = 3 THEN (t.position >> 33) * 50 + (t.position >> 16) % 5 * 10 + t.position % 65536 ELSE 1 END]::numeric[],
        'cb_Xfbg4g=='
      FROM transactions AS t CROSS JOIN generate_series(0, 5) AS i`,
      `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT t.position, i, 'ct_pair' || (t.position + i) % 3, ARRAY[${eventHash('SwapTokens')}, t.position % 1000, t.position * 13 % 1000]::numeric[], 'cb_Xfbg4g=='
      FROM transactions AS t CROSS JOIN generate_series(6, 7) AS i`,
      `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT t.position, 8, 'ct_factory', ARRAY[${eventHash('PairCreated')}, 50000 + t.position % 1000, 77, 100000 + t.position / 65536 % 2000]::numeric[], 'cb_Xfbg4g=='
      FROM transactions AS t WHERE t.position % 5 = 0`,
      `INSERT INTO token_allowances (contract_id, owner, spender, amount, position, log_index)
      SELECT '${HOT}', i % 1000, i / 1000, 1, ${first}, 0 FROM generate_series(0, 19999) AS i
      UNION ALL SELECT 'ct_' || i, 77, 900 + i % 3, 1, ${first}, 0 FROM generate_series(1, 5000) AS i WHERE i % 5 > 0
      UNION ALL SELECT 'ct_' || i, 900 + i % 3, 77, 1, ${first}, 0 FROM generate_series(1, 5000) AS i WHERE i % 5 > 0`,
      `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT t.position, i, CASE WHEN i = 9 THEN '${HOT}' ELSE 'ct_' || t.position % 5000 END, ARRAY[${eventHash('Mint')}, t.position % 1000, 1]::numeric[], 'cb_Xfbg4g=='
      FROM transactions AS t CROSS JOIN generate_series(9, 10) AS i`,
      'ANALYZE',
    ]);
  });
  after(() => seeded.drop());

  const MOVES = { account: 77n, kinds: [9, 141], sent: false, low: 0n, high: 1n << 60n } as const;

  /** Generations are a minute long. */
  const HOURS = { times: [60n, 61n, 62n].map((minutes) => minutes * 60_000n + 5_000n), fromBeginning: false };

  const part = (ascending: boolean) => ({ ascending, from: undefined, inclusive: true, take: TAKE });

  const reads: [string, (db: Queryable, ascending: boolean) => Promise<unknown>][] = [
    ...(['name', 'symbol', 'creation'] as const).flatMap((by): (typeof reads)[number][] => [
      [`tokens by ${by}`, (db, up) => queries.compatTokens(db, { kind: 9, by, prefix: null, exact: null }, part(up))],
      [
        `tokens by ${by} from the middle on`,
        (db, up) =>
          queries.compatTokens(
            db,
            { kind: 141, by, prefix: null, exact: null },
            { ...part(up), from: { key: by === 'creation' ? String(50n << 33n) : 'name 4', contract: 'ct_44' } },
          ),
      ],
    ]),
    [
      'tokens whose name begins so',
      (db, up) => queries.compatTokens(db, { kind: 9, by: 'name', prefix: 'Name 6', exact: null }, part(up)),
    ],
    ['changes of the supply', (db) => supplyChanges(db, HOT, TAKE)],
    ['one token', (db) => queries.compatToken(db, [9, 141], HOT)],
    ['balances by account', (db, up) => queries.compatBalances(db, HOT, 'pubkey', part(up))],
    [
      'balances by account from the middle on',
      (db, up) => queries.compatBalances(db, HOT, 'pubkey', { ...part(up), from: { amount: '0', account: '500' } }),
    ],
    ['the number of balances', (db) => queries.compatBalanceTotal(db, HOT)],
    ['balances by amount', (db, up) => queries.compatBalances(db, HOT, 'amount', part(up))],
    [
      'balances by amount from the middle on',
      (db, up) => queries.compatBalances(db, HOT, 'amount', { ...part(up), from: { amount: '2', account: '500' } }),
    ],
    [
      'the history of a balance',
      (db, up) =>
        queries.compatBalanceHistory(
          db,
          { contract: HOT, account: 77n, low: 0n, high: 1n << 30n },
          { ...part(up), from: 5n },
        ),
    ],
    ['a balance', (db) => queries.compatBalance(db, HOT, 77n)],
    ['holdings of an account', (db, up) => queries.compatHoldings(db, 77n, part(up))],
    ['what an account holds', (db, up) => queries.compatHoldings(db, 77n, part(up), null)],
    ['allowances of a token', (db, up) => tokenAllowances(db, { contract: HOT }, { ...part(up), from: ['77', '500'] })],
    ...(['owner', 'spender'] as const).flatMap((as): (typeof reads)[number][] => [
      [
        as === 'owner' ? 'allowances of an account' : 'allowances that an account has',
        (db, up) => tokenAllowances(db, { as, account: 77n, contract: undefined }, { ...part(up), from: [HOT, '500'] }),
      ],
      [
        `allowances of a token by its ${as}`,
        (db, up) => tokenAllowances(db, { as, account: 77n, contract: HOT }, part(up)),
      ],
    ]),
    [
      'the length of the history of a balance',
      (db) => queries.compatBalanceHistoryTotal(db, { contract: HOT, account: 77n, low: 0n, high: 1n << 30n }),
    ],
    ['the number of holdings', (db) => queries.compatHoldingTotal(db, 77n)],
    ['the number of single tokens of an account', (db) => queries.compatOwnedTotal(db, 77n, null)],
    ['the number of single tokens of an account in a collection', (db) => queries.compatOwnedTotal(db, 77n, HOT)],
    ['the number of single tokens', (db) => queries.compatSingleTotal(db, 'ct_5')],
    [
      'the number of transfers of an account',
      (db) => compatTransferTotal(db, { kind: 9, account: 77n, contract: HOT }),
    ],
    [
      'the number of transfers from one account to another',
      (db) => compatTransferTotal(db, { kind: 9, sender: 77n, recipient: 121n }),
    ],
    ['the number of moves of tokens, of some generations', (db) => compatMoveTotal(db, { ...MOVES, ...SOME })],
    ['the number of logs, of some generations', (db) => logTotal(db, SOME, false)],
    ['the number of rows of an event, of some generations', (db) => logTotal(db, { ...SOME, event: TRANSFER }, true)],
    ['the number of logs of a contract, of some generations', (db) => logTotal(db, { ...SOME, involved: HOT }, false)],
    ['single tokens', (db, up) => queries.compatSingles(db, HOT_COLLECTION, { ...part(up), from: '300' })],
    ['single tokens of an account', (db, up) => queries.compatOwned(db, 77n, null, part(up))],
    ['transfers of a collection', (db, up) => compatTransfers(db, { kind: 141, contract: HOT_COLLECTION }, part(up))],
    [
      'transfers of a collection from the middle on',
      (db, up) =>
        compatTransfers(
          db,
          { kind: 141, contract: HOT_COLLECTION },
          { ...part(up), from: { position: 50n << 33n, index: 0n } },
        ),
    ],
    ['moves of an account', (db, up) => compatMoves(db, MOVES, part(up))],
    [
      'moves of an account from the middle on',
      (db, up) => compatMoves(db, MOVES, { ...part(up), from: { position: 50n << 33n, index: 0n } }),
    ],
    ['moves from an account', (db, up) => compatMoves(db, { ...MOVES, sent: true }, part(up))],
    ['moves of an account and a token', (db, up) => compatMoves(db, { ...MOVES, contract: HOT }, part(up))],
    ['pairs', (db) => compatPairs(db, [100_001n, 100_002n, 7n])],
    ['pairs of a token', (db) => compatPairsOfToken(db, 50_005n)],
    [
      'swaps of a pair',
      (db, up) =>
        logRows(db, { contract: 'ct_pair0', event: SWAP_TOKENS, ...ALL }, { forward: up, after: null, take: TAKE }),
    ],
    [
      'swaps of an account',
      (db, up) =>
        logRows(
          db,
          { event: SWAP_TOKENS, topics: new Map([[1, 77n]]), ...ALL },
          { forward: up, after: null, take: TAKE },
        ),
    ],
    ['swaps', (db, up) => logRows(db, { event: SWAP_TOKENS, ...ALL }, { forward: up, after: null, take: TAKE })],
    ['intervals with transfers of tokens', (db) => countsIn(db, 'aex9_transfers', HOURS)],
    ['what tokens say', (db) => compatTokenMetas(db, [HOT, HOT_COLLECTION])],
    ['transfers of an account', (db, up) => compatTransfers(db, { kind: 9, account: 77n }, part(up))],
    ['transfers that an account sent', (db, up) => compatTransfers(db, { kind: 9, sender: 77n }, part(up))],
    [
      'transfers that an account sent or received of a token',
      (db, up) => compatTransfers(db, { kind: 9, contract: HOT, account: 77n }, part(up)),
    ],
  ];

  it('count the accounts of a token whose balance is below zero, as they are listed', async () => {
    const { row } = await queries.compatBalanceTotal(database, HOT);
    const { rows } = await queries.compatBalances(database, HOT, 'pubkey', { ...part(true), take: 2_000 });
    expect(Number(row?.count)).to.equal(rows.length);
    expect(rows.some(({ amount }) => amount.startsWith('-'))).to.equal(true);
  });

  for (const [what, read] of reads) {
    it(`read a page of ${what} and little else, in both directions`, async () => {
      for (const ascending of [true, false]) {
        for (const { name, touched, scanned } of await explained(database, (db) => read(db, ascending))) {
          // Few blocks have all these events.
          const growing = scanned.filter((table) => !['contracts', 'micro_blocks', 'generations'].includes(table));
          expect(growing, name).to.deep.equal([]);
          expect(touched, name).to.be.below(1_500);
        }
      }
    });
  }
});
