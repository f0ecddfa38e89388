import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { createMetrics } from '../../src/observe/metrics.js';
import { fillNewTables } from '../../src/populate/backfill.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { Database } from '../../src/store/connection/database.js';
import { truncate } from '../../src/store/write/truncate.js';
import { silent, syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy, tamper } from '../support/roles.js';

/** What a copy of an earlier version is like. */
const AS_BEFORE = [
  'DELETE FROM entries AS e USING lists AS l WHERE l.key = e.list AND l.kind IN (10, 11)',
  'DELETE FROM lists WHERE kind IN (10, 11)',
  `INSERT INTO backfills (projection, position) VALUES ('entries', -1)`,
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

    async function differing(): Promise<string[]> {
      const found: string[] = [];
      await verifyProjections({ database, onDifference: (one) => found.push(JSON.stringify(one)) });
      return found;
    }

    const fill = (): Promise<void> =>
      fillNewTables({
        database,
        logger: silent,
        metrics: createMetrics(),
        mayWork: () => true,
        fence: () => Promise.resolve(),
        signal: new AbortController().signal,
      });

    it('are filled from what is stored, and -v misses none meanwhile', async () => {
      await tamper(database, AS_BEFORE);
      expect(await differing()).to.deep.equal([]);
      await fill();
      expect(await differing()).to.deep.equal([]);
      expect(await logicalDump(database)).to.deep.equal(whole);
    });

    it('are filled below new blocks, and beside heights that were loaded again', async () => {
      await database.transaction((tx) => truncate(tx, keyPosition(120)));
      await tamper(database, AS_BEFORE);
      await syncFully(syncContext(database, node));
      const { failed } = await replaceHeights({ database, node, heights: [{ from: 40, to: 70 }] });
      expect(failed).to.deep.equal([]);
      expect(await differing()).to.deep.equal([]);
      await fill();
      expect(await differing()).to.deep.equal([]);
      expect((await logicalDump(database))['entries']).to.deep.equal(whole['entries']);
    });

    it('are missed by -v where they should be', async () => {
      await tamper(database, [AS_BEFORE[0]!]);
      expect(await differing()).to.not.deep.equal([]);
    });
  });
}
