import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { differencesIn, fillAll } from '../support/filled.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';

/** What a copy of an earlier version is like. */
const AS_BEFORE = [
  'DELETE FROM entries AS e USING lists AS l WHERE l.key = e.list AND l.kind IN (10, 11, 12)',
  'DELETE FROM lists WHERE kind IN (10, 11, 12)',
  `INSERT INTO backfills (projection, position) VALUES ('entries-of-oracle-answers', -1)`,
];

for (const of of ['realnode', 'realnode-tokens'] as const) {
  describe(`lists that an earlier version did not have, of the recording ${of}`, () => {
    let server: TestDatabase;
    let database: Database;
    let whole: Record<string, string[]>;
    const node = recordedNode(undefined, of);

    before(async () => {
      server = await testDatabase();
      database = await emptyCopy(server.url);
      await syncFully(syncContext(database, node));
      whole = await logicalDump(database);
    });
    after(async () => {
      await database.close();
      await server.drop();
    });

    it('are filled from what is stored, and -v misses none meanwhile', async () => {
      await tamper(database, AS_BEFORE);
      expect(await differencesIn(database)).to.deep.equal([]);
      await fillAll(database);
      expect(await differencesIn(database)).to.deep.equal([]);
      expect(await logicalDump(database)).to.deep.equal(whole);
    });

    it('are filled below new blocks, and beside heights that were loaded again', async () => {
      await database.transaction((tx) => truncate(tx, keyPosition(120)));
      await tamper(database, AS_BEFORE);
      await syncFully(syncContext(database, node));
      const { failed } = await replaceHeights({ database, node, heights: [{ from: 40, to: 70 }] });
      expect(failed).to.deep.equal([]);
      expect(await differencesIn(database)).to.deep.equal([]);
      await fillAll(database);
      expect(await differencesIn(database)).to.deep.equal([]);
      expect((await logicalDump(database))['entries']).to.deep.equal(whole['entries']);
    });

    it('are missed by -v where they should be', async () => {
      await tamper(database, [AS_BEFORE[0]!]);
      expect(await differencesIn(database)).to.not.deep.equal([]);
    });
  });
}
