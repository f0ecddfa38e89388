import { expect } from 'chai';
import { INTERNAL_FUNCTIONS } from '../../../src/chain/internal-calls.js';
import type { Database } from '../../../src/store/connection/database.js';
import { internalCallRows, internalCalls } from '../../../src/store/queries/compat/internal-calls.js';
import type { InternalCallsOf } from '../../../src/store/queries/compat/internal-calls.js';
import { explained } from '../../support/plans.js';
import { tamper } from '../../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../../support/seed.js';
import type { SeededDatabase } from '../../support/seed.js';

const GENERATIONS = 120;
const MICRO_BLOCKS = 5;
const PER_MICRO_BLOCK = 10;
/** Rows of a page and one more. */
const TAKE = 11;
/** Most calls are of this contract, pay this account, and are payments. */
const HOT = 'ct_hot';
const PAID = 'hot';
const ALL = { low: 0n, high: 2n ** 62n };

describe('the plans of lists of what contracts did inside calls, over tens of thousands of rows', () => {
  let seeded: SeededDatabase;
  let database: Database;

  before(async () => {
    seeded = await emptyDatabase();
    ({ database } = seeded);
    const transactions = Array.from({ length: PER_MICRO_BLOCK }, () => ({ sender: madeHash('ak', 'sender') }));
    const generation = { microBlocks: Array.from({ length: MICRO_BLOCKS }, () => transactions) };
    await append(database, null, madeBlocks(Array.from({ length: GENERATIONS }, () => generation)));
    await tamper(database, [
      `INSERT INTO internal_calls (position, index, function, contract_id, tx, answer)
      SELECT t.position, i, CASE i WHEN 2 THEN 'AENS.claim' WHEN 1 THEN 'Call.amount' ELSE 'Chain.spend' END,
        CASE WHEN t.position % 7 = 0 THEN 'ct_' || t.position % 1000 ELSE '${HOT}' END,
        '{"type":"SpendTx","sender_id":"ak_sender","recipient_id":"ak_' || CASE i WHEN 0 THEN '${PAID}' ELSE 'x' || t.position % 900 END || '"}', ''
      FROM transactions AS t CROSS JOIN generate_series(0, 4) AS i`,
      `INSERT INTO internal_call_parties (id, position, index)
      SELECT i.id, c.position, c.index FROM internal_calls AS c CROSS JOIN LATERAL internal_call_ids(c.tx) AS i`,
      'INSERT INTO call_replays (position, state) SELECT position, $$refused$$ FROM transactions WHERE position % 9 = 0',
      'INSERT INTO call_replay_progress (position) SELECT max(position) FROM transactions',
      'ANALYZE',
    ]);
  });
  after(() => seeded.drop());

  const member = { id: PAID, text: `"recipient_id"\\s*:\\s*"ak_${PAID}"`, types: ['SpendTx'] };
  const lists: Record<string, Omit<InternalCallsOf, 'low' | 'high'>> = {
    'all calls': {},
    'calls of a function': { functions: ['Chain.spend'] },
    'calls of many functions': { functions: INTERNAL_FUNCTIONS },
    'calls of a contract': { contract: HOT, functions: INTERNAL_FUNCTIONS },
    'calls of a contract and a function': { contract: HOT, functions: ['Call.amount'] },
    'calls with an id': { member },
    'calls of a contract with an id': { contract: HOT, member },
    'calls in which an id takes part': { involved: { id: PAID, contract: null } },
    'calls of a contract and those in which it takes part': { involved: { id: PAID, contract: HOT } },
  };

  for (const [what, of] of Object.entries(lists)) {
    it(`read a page of ${what} and little else, from any row on, in both directions`, async () => {
      for (const forward of [true, false])
        for (const from of [null, { position: (60n << 33n) + 65536n * 3n, index: 2n }])
          for (const withIndex of [true, false])
            for (const { name, touched, scanned } of await explained(database, async (db) => {
              const part = { forward, from, take: TAKE };
              const { rows } = of.involved
                ? await internalCallRows(db, { ...of, ...ALL }, part)
                : await internalCalls(db, { ...of, ...ALL }, part, withIndex);
              expect(rows).to.have.length(TAKE);
            })) {
              expect(
                scanned.filter((table) => !['contracts', 'micro_blocks', 'generations'].includes(table)),
                name,
              ).to.deep.equal([]);
              // Numbers of transactions are sums over the generations, which are few here.
              expect(touched, name).to.be.below(1_500);
            }
    });
  }
});
