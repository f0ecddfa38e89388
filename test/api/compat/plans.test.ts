import { expect } from 'chai';
import { LAST_POSITION } from '../../../src/chain/position.js';
import { ListKind } from '../../../src/chain/lists.js';
import type { Database, Queryable } from '../../../src/store/connection/database.js';
import {
  compatKeyBlocks,
  compatKeyBlockTotal,
  compatMicroBlockTotal,
} from '../../../src/store/queries/compat/blocks.js';
import { generationChangesOf, generationTotals } from '../../../src/store/queries/compat/generation-changes.js';
import { compatNames, compatUpdated } from '../../../src/store/queries/compat/names.js';
import {
  compatChannels,
  compatContractTotal,
  compatContracts,
  compatOracles,
  compatResponseTotal,
} from '../../../src/store/queries/compat/objects.js';
import * as series from '../../../src/store/queries/compat/series.js';
import { transactionTotal } from '../../../src/store/queries/compat/transaction-totals.js';
import { filteredTransactions } from '../../../src/store/queries/compat/transaction-lists.js';
import type { TransactionFilter } from '../../../src/store/queries/compat/transaction-lists.js';
import { compatTransactionsAt } from '../../../src/store/queries/compat/transactions.js';
import { coinHolders, richest } from '../../../src/store/queries/holders.js';
import { compatTransferTotal, compatTransfers } from '../../../src/store/queries/compat/transfers.js';
import { explained } from '../../support/plans.js';
import { tamper } from '../../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../../support/seed.js';
import type { SeededDatabase } from '../../support/seed.js';

const GENERATIONS = 120;
const MICRO_BLOCKS = 5;
const PER_MICRO_BLOCK = 10;
/** Rows of a page and one more. */
const TAKE = 11;

/** Movements of each kind of two accounts at each height, most of them payments, and what the chain keeps. */
const MONEY = `
  INSERT INTO ledger (position, network_id) VALUES (1::bigint << 60, 'ae_dev');
  INSERT INTO ledger_ids (id) SELECT 'account ' || n FROM generate_series(1, 5000) AS n;
  INSERT INTO movement_rows (position, account, counterparty, index, kind, amount, balance)
  SELECT (n::bigint << 33) + 65536 * (n % 2), a.key, a.key + 1, n % 3, CASE WHEN n % 10 = 0 THEN 7 + n / 10 % 14 ELSE 1 END, 1, n
  FROM ledger_ids AS a CROSS JOIN generate_series(1, 6000) AS n WHERE a.id IN ('account 1', 'account 2');
  INSERT INTO held (kind, id, position, amount, account, released)
  SELECT 1 + n % 3, 'account ' || n, (n::bigint << 33) + 65536, 1, 'account 1', n::bigint << 33 FROM generate_series(1, 5000) AS n;
  INSERT INTO ledger_gaps SELECT n::bigint << 33, 1 FROM generate_series(1, 6000) AS n`;

describe('the plans of lists of the compatible API, over thousands of rows', () => {
  let seeded: SeededDatabase;
  let database: Database;

  before(async () => {
    seeded = await emptyDatabase();
    ({ database } = seeded);
    const transactions = Array.from({ length: PER_MICRO_BLOCK }, (_, i) => ({
      sender: madeHash('ak', `sender ${i % 3}`),
    }));
    const generation = { microBlocks: Array.from({ length: MICRO_BLOCKS }, () => transactions) };
    await append(database, null, madeBlocks(Array.from({ length: GENERATIONS }, () => generation)));
    await tamper(database, MONEY);
    await tamper(database, 'ANALYZE');
  });
  after(() => seeded.drop());

  const ALL: TransactionFilter = { mentions: [], types: null, texts: [], low: 0n, high: (1n << 62n) - 1n };
  const mention = { lists: [{ kind: ListKind.account, id: madeHash('ak', 'sender 0') }] };
  const middle = BigInt(GENERATIONS / 2) << 33n;
  const range = { low: 0n, high: 1n << 40n };
  const some = { low: middle, high: middle + (2n << 33n) };

  /** Generations are a minute long. */
  const HOURS = { times: [60n, 62n, 64n].map((minutes) => minutes * 60_000n + 5_000n), fromBeginning: false };

  const reads: [string, (db: Queryable, ascending: boolean) => Promise<unknown>][] = [
    [
      'all transactions',
      (db, ascending) => filteredTransactions(db, { ...ALL, high: middle }, { ascending, take: TAKE }),
    ],
    [
      'transactions of a type',
      (db, ascending) =>
        filteredTransactions(db, { ...ALL, types: ['SpendTx'], low: middle }, { ascending, take: TAKE }),
    ],
    [
      'transactions of an account',
      (db, ascending) =>
        filteredTransactions(db, { ...ALL, mentions: [mention], high: middle }, { ascending, take: TAKE }),
    ],
    [
      'transactions of an account and a type, from the middle on',
      (db, ascending) =>
        filteredTransactions(
          db,
          { ...ALL, mentions: [mention], types: ['SpendTx'], low: middle },
          { ascending, take: TAKE },
        ),
    ],
    [
      'transactions of an account that have a member',
      (db, ascending) =>
        filteredTransactions(
          db,
          { ...ALL, mentions: [mention], texts: [`"sender_id"\\s*:\\s*"${madeHash('ak', 'sender 0')}"`] },
          { ascending, take: TAKE },
        ),
    ],
    ...(
      [
        ['transactions', {}],
        ['transactions of a type', { types: ['SpendTx'] }],
        ['transactions of an account', { mentions: [mention] }],
        ['transactions of an account and a type', { mentions: [mention], types: ['SpendTx'] }],
      ] as const
    ).map(([what, filter]): (typeof reads)[number] => [
      `the number of ${what}, from the middle on`,
      (db) => transactionTotal(db, { ...ALL, low: middle, ...filter }),
    ]),
    [
      'the number of transactions of an account that have a member, of some generations',
      (db) => transactionTotal(db, { ...ALL, ...some, mentions: [mention], texts: ['"sender_id"'] }),
    ],
    [
      'the number of transactions of two accounts, of some generations',
      (db) => transactionTotal(db, { ...ALL, ...some, mentions: [mention, mention] }),
    ],
    [
      'the number of transfers, of some generations',
      (db) => compatTransferTotal(db, { account: null, kind: '', ...some }),
    ],
    [
      'the number of transfers of an account, of some generations',
      (db) => compatTransferTotal(db, { account: 'account 1', kind: 'reward_', ...some }),
    ],
    ['the number of contracts', (db) => compatContractTotal(db, range)],
    ['the number of key blocks', (db) => compatKeyBlockTotal(db, { low: 0n, high: 100n })],
    ['the number of micro blocks', (db) => compatMicroBlockTotal(db, some)],
    ['the number of responses', (db) => compatResponseTotal(db, 'ok_1', range)],
    [
      'rows of transactions',
      async (db) => {
        const { rows } = await filteredTransactions(database, ALL, { ascending: true, take: TAKE });
        return compatTransactionsAt(
          db,
          rows.map(({ position }) => BigInt(position)),
          true,
        );
      },
    ],
    [
      'transfers',
      (db, ascending) =>
        compatTransfers(
          db,
          { account: null, kind: '', ...range },
          { ascending, from: { position: middle, index: 0n }, take: TAKE },
        ),
    ],
    [
      'transfers of a kind of an account',
      (db, ascending) =>
        compatTransfers(
          db,
          { account: 'account 1', kind: 'reward_', ...range },
          { ascending, from: undefined, take: TAKE },
        ),
    ],
    ['key blocks', (db, ascending) => compatKeyBlocks(db, { low: 0n, high: 100n, ascending, take: TAKE })],
    [
      'names',
      (db, ascending) =>
        compatNames(
          db,
          { order: 'expiration', active: null, owner: null, prefix: null, ...range },
          { ascending, from: { height: 5n, name: 'x' }, inclusive: true, take: TAKE },
        ),
    ],
    [
      'oracles',
      (db, ascending) =>
        compatOracles(db, { active: null, ...range }, { ascending, from: undefined, inclusive: true, take: TAKE }),
    ],
    [
      'active names of an owner',
      (db, ascending) =>
        compatNames(
          db,
          { order: 'name', active: true, owner: madeHash('ak', 'sender 0'), prefix: null, ...range },
          { ascending, from: undefined, inclusive: true, take: TAKE },
        ),
    ],
    [
      'names that ended',
      (db, ascending) =>
        compatNames(
          db,
          { order: 'expiration', active: false, owner: null, prefix: null, ...range },
          { ascending, from: undefined, inclusive: true, take: TAKE },
        ),
    ],
    [
      'active oracles',
      (db, ascending) =>
        compatOracles(db, { active: true, ...range }, { ascending, from: undefined, inclusive: true, take: TAKE }),
    ],
    ...(['transactions', 'blocks', 'difficulty', 'hashrate', 'names', 'contracts', 'accounts'] as const).map(
      (what): (typeof reads)[number] => [`intervals with ${what}`, (db) => series.countsIn(db, what, HOURS)],
    ),
    ['intervals with transactions of a type', (db) => series.typeCountsIn(db, ['SpendTx'], HOURS)],
    [
      'what changed in generations',
      (db, ascending) => generationChangesOf(db, { low: 0n, high: 70n, ascending, take: TAKE }),
    ],
    [
      'sums before generations',
      (db, ascending) => generationTotals(db, { low: 60n, high: 70n, ascending, take: TAKE }),
    ],
    ['the richest accounts', (db) => richest(db, 200)],
    [
      'all accounts by balance',
      (db, ascending) =>
        coinHolders(db, 'balance', { ascending, from: { balance: '500', key: 500n }, inclusive: false, take: TAKE }),
    ],
    [
      'all accounts in the order of the copy',
      (db, ascending) =>
        coinHolders(db, 'account', { ascending, from: { balance: '0', key: 500n }, inclusive: false, take: TAKE }),
    ],
    ['intervals with miners', (db) => series.minersIn(db, HOURS)],
    ['intervals with fees', (db) => series.feesIn(db, HOURS)],
    [
      'transactions between two times',
      (db) =>
        series.transactionsBetween(db, { low: 0n, high: middle }, { ...HOURS, times: HOURS.times.slice(0, 2) }, null),
    ],
    ['the times of the chain', (db) => series.chainTimes(db)],
    ['the records of the chain', (db) => series.records(db)],
    ['names that were updated', (db) => compatUpdated(db, ['nm_1', 'nm_2'])],
    ['channels', (db, ascending) => compatChannels(db, { active: null, ...range }, { ascending, take: TAKE })],
    [
      'contracts',
      (db, ascending) =>
        compatContracts(db, range, {
          ascending,
          after: { position: ascending ? -1n : LAST_POSITION, index: 0 },
          take: TAKE,
        }),
    ],
  ];

  for (const [what, read] of reads) {
    it(`read a page of ${what} and little else, in both directions`, async () => {
      for (const ascending of [true, false]) {
        const plans = await database.transaction(async (tx) => {
          // Of a small table PostgreSQL reads all rows, or a bitmap of many, where it would use the index of a large one.
          await tx.run('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
          return explained(tx, (db) => read(db, ascending));
        });
        for (const { name, touched, scanned } of plans) {
          const growing = scanned.filter((table) => !['names', 'oracles', 'channels', 'contracts'].includes(table));
          expect(growing, name).to.deep.equal([]);
          expect(touched, name).to.be.below(600);
        }
      }
    });
  }
});
