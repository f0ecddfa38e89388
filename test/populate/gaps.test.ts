import { expect } from 'chai';
import type { Devnode } from '../../src/devnode/start.js';
import { startDevnode } from '../../src/devnode/start.js';
import type { ChainNode } from '../../src/node/client.js';
import { fillGaps } from '../../src/populate/gaps.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { emptyCopy, nodeAt, syncContext, syncFully } from '../support/copy.js';
import { logicalDump } from '../support/dump.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('a hole in what is stored', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let node: ChainNode & { close(): void };

  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'holes', generations: 12, txsPerGeneration: 8, accounts: 5, signatures: 'fake' } },
    });
    node = nodeAt(devnode.externalUrl, { retries: [] });
  });
  after(async () => {
    node.close();
    await devnode.close();
    await server.drop();
  });

  it('is filled when a fork has brought transactions from beyond it into it', async () => {
    const database = await emptyCopy(server.url, 'holed');
    const heights = [
      { from: 0, to: 3 },
      { from: 9, to: 12 },
    ];
    expect(await replaceHeights({ database, node, heights })).to.deep.equal({ failed: [] });
    await devnode.fork({ depth: 8, grow: 9, retainTxs: 'all', txsPerGeneration: 40 });
    const moved = await replaceHeights({ database, node, heights: [{ from: 4, to: 8 }] });
    const context = syncContext(database, node);
    await fillGaps(context);
    await syncFully(context);
    const fresh = await emptyCopy(server.url, 'clean');
    await syncFully(syncContext(fresh, node));

    // Else this shows nothing.
    expect(moved.failed.map(({ reason }) => reason)).to.include(
      "a transaction of the node is stored at another height, which is not of the node's branch",
    );
    expect(new Set(moved.failed.map(({ code }) => code))).to.deep.equal(new Set(['other_branch']));
    expect(await logicalDump(database)).to.deep.equal(await logicalDump(fresh));
    await Promise.all([database.close(), fresh.close()]);
  });
});
