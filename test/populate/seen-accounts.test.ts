/** Accounts by the transaction that named them first: they follow from the recorded chain alone, whatever happened to the copy. */
import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { mendProjections } from '../../src/populate/mend-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { seenAccounts } from '../../src/store/projections/seen-accounts.js';
import { truncate } from '../../src/store/write/truncate.js';
import { accountsIn, compatModel } from '../support/compat-model.js';
import { syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import type { Recording } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';

const AS_BEFORE = [
  'DELETE FROM seen_accounts',
  `INSERT INTO backfills (projection, position) VALUES ('seen-accounts', 0)`,
];

for (const of of ['realnode', 'realnode-tokens', 'realnode-hyperchain'] as Recording[]) {
  describe(`accounts by the transaction that named them first, of the recording ${of}`, () => {
    let server: TestDatabase;
    let database: Database;
    let whole: string[];
    const node = recordedNode(undefined, of);

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      await syncFully(syncContext(database, node));
      whole = (await logicalDump(database))['seen_accounts']!;
    });
    after(async () => {
      await database.close();
      await server.drop();
    });

    /** Hash of the first transaction of each account, from the recording alone, up to a height. */
    function expected(top = Infinity): Map<string, string> {
      const firsts = new Map<string, string>();
      for (const transaction of compatModel(of).transactions)
        if (transaction.height <= top)
          for (const id of accountsIn(transaction))
            if (!firsts.has(`ak_${id}`)) firsts.set(`ak_${id}`, transaction.hash);
      return firsts;
    }

    async function same(top?: number): Promise<void> {
      const { rows } = await database.query<{ id: string; hash: string }>({
        name: 'test.seen-accounts',
        text: 'SELECT s.id, t.hash FROM seen_accounts AS s LEFT JOIN transactions AS t ON t.position = s.position',
      });
      expect(new Map(rows.map(({ id, hash }) => [id, hash]))).to.deep.equal(expected(top));
      expect(await seenAccounts.wholeChecks![0]!(database)).to.deep.equal([]);
    }

    it('are those of the model', () => same());

    it('go with removed blocks, and come again', async () => {
      for (const height of [60, 9]) {
        await database.transaction((tx) => truncate(tx, keyPosition(height)));
        await same(height - 1);
        await syncFully(syncContext(database, node));
        await same();
      }
    });

    it('stay where heights are loaded again', async () => {
      const { failed } = await replaceHeights({ database, node, heights: [{ from: 5, to: 50 }] });
      expect(failed).to.deep.equal([]);
      await same();
    });

    it('come to a copy of the version before in the background, below new blocks, too', async () => {
      await tamper(database, AS_BEFORE);
      expect(await differencesIn(database)).to.deep.equal([]);
      await database.transaction((tx) => truncate(tx, keyPosition(50)));
      await syncFully(syncContext(database, node));
      await fillAll(database);
      await same();
      expect(await differencesIn(database)).to.deep.equal([]);
      expect((await logicalDump(database))['seen_accounts']).to.deep.equal(whole);
    });

    it('are found to be wrong by verification, and mended', async () => {
      await tamper(
        database,
        `UPDATE seen_accounts SET position = position + 1 WHERE id = (SELECT min(id) FROM seen_accounts);
        DELETE FROM seen_accounts WHERE id = (SELECT max(id) FROM seen_accounts);
        INSERT INTO seen_accounts VALUES ('ak_nobody', 5)`,
      );
      const found = await seenAccounts.wholeChecks![0]!(database);
      expect(found.map(({ key }) => key)).to.have.lengthOf(3);
      expect(await differencesIn(database)).to.have.length.above(0);
      const fence = () => Promise.resolve();
      await mendProjections({ database, fence, signal: new AbortController().signal }, found, []);
      await same();
    });
  });
}
