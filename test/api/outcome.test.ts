import { expect } from 'chai';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { recordedInfo } from '../support/recording.js';
import { tamper } from '../support/roles.js';
import { append, emptyDatabase, recordedBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

interface Listed {
  hash: string;
  outcome: string;
  tx: { type: string; contract_id?: string; sender_id?: string };
}

/** How it ended: all results in its call information, however deep. */
function endOf({ hash }: Listed): string {
  const ends = [...(recordedInfo(hash) ?? '').matchAll(/"return_type":"(\w+)"/g)].map(([, end]) => end);
  return ['error', 'revert'].find((end) => ends.includes(end)) ?? 'ok';
}

describe('the outcome in lists of transactions', () => {
  let seeded: SeededDatabase;
  let database: Database;
  let api: TestApi;

  before(async () => {
    seeded = await emptyDatabase();
    ({ database } = seeded);
    await append(database, null, recordedBlocks());
    api = await testApi(database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  const rows = async (path: string): Promise<Listed[]> => {
    const body = (await api.json(path)) as Listed[] | { transactions: Listed[] };
    return Array.isArray(body) ? body : body.transactions;
  };
  /** Another interval each time, so that no answer is cached. */
  let end = 300;
  const all = (): Promise<Listed[]> => rows(`/middleware/transactions/interval/0/${end++}`);
  const one = async (hash: string): Promise<string> => (await all()).find((row) => row.hash === hash)!.outcome;

  it('is how the call information says that they ended, and `ok` where nothing runs', async () => {
    const listed = await all();
    expect(listed.map(({ outcome }) => outcome)).to.deep.equal(listed.map(endOf));
    expect(new Set(listed.map(({ outcome }) => outcome))).to.deep.equal(new Set(['ok', 'revert', 'error']));
  });

  it('is the last member of each row of each list', async () => {
    const listed = await all();
    const call = listed.find(({ tx, outcome }) => tx.type === 'ContractCallTx' && outcome === 'revert')!;
    const spend = listed.find(({ tx }) => tx.type === 'SpendTx')!;
    for (const [path, { hash, outcome }] of [
      [`/middleware/contracts/transactions/address/${call.tx.contract_id}`, call],
      [`/middleware/transactions/account/${spend.tx.sender_id}`, spend],
    ] as const) {
      const row = (await rows(path)).find((found) => found.hash === hash)!;
      expect(Object.entries(row).at(-1), path).to.deep.equal(['outcome', outcome]);
    }
  });

  it('is `unknown` while a transaction that runs code has no call information', async () => {
    const listed = await all();
    const call = listed.find(({ tx, outcome }) => tx.type === 'ContractCallTx' && outcome === 'revert')!;
    const creation = listed.find(({ tx, outcome }) => tx.type === 'ContractCreateTx' && outcome === 'ok')!;
    const paid = listed.find(({ tx }) => tx.type === 'PayingForTx')!;
    await tamper(
      database,
      `DELETE FROM infos USING transactions AS t WHERE t.position = infos.position AND t.hash IN ('${call.hash}', '${creation.hash}', '${paid.hash}')`,
    );
    expect(await one(call.hash)).to.equal('unknown');
    expect(await one(creation.hash)).to.equal('unknown');
    expect(await one(paid.hash)).to.equal(/"type":"(Contract|GA)/.test(JSON.stringify(paid.tx)) ? 'unknown' : 'ok');

    for (const [failed, outcome] of [
      [true, 'error'],
      [false, 'ok'],
    ] as const) {
      await tamper(
        database,
        `UPDATE contracts SET outcome_known = true, failed = ${failed} WHERE position = (SELECT position FROM transactions WHERE hash = '${creation.hash}')`,
      );
      expect(await one(creation.hash)).to.equal(outcome);
    }
  });
});
