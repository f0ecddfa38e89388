import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { chainDump, cleanDump, populateInto } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';

/** Transactions of the node's branch are also stored in the abandoned branch, above a gap that `-H` has left. */
describe('heights loaded above a branch that the node has abandoned', () => {
  it('do not prevent the populator from following the head', async () => {
    const server = await testDatabase();
    const generate = { seed: 'island', generations: 14, txsPerGeneration: 6, microBlocksPerGeneration: 2 };
    const source = { generate: { ...generate } } as const;
    const devnode = await startDevnode({ external: '127.0.0.1:0', source });
    const database = await emptyCopy(server.url);
    const node = nodeAt(devnode.externalUrl);
    await syncFully(syncContext(database, node));
    const more = { txsPerGeneration: 6, microBlocks: 2 };
    await devnode.fork({ depth: 8, grow: 8, retainTxs: 'some', ...more });
    await replaceHeights({ database, node, heights: [{ from: 10, to: 13 }] });
    await devnode.fork({ depth: 1, grow: 7, retainTxs: 'some', ...more });
    await replaceHeights({ database, node, heights: [{ from: 12, to: 20 }] });
    await devnode.fork({ depth: 6, grow: 5, retainTxs: 'all', ...more });
    await replaceHeights({ database, node, heights: [{ from: 13, to: 18 }] });
    const populating = populateInto(database, [devnode.externalUrl]);
    try {
      await populating.at(devnode.top().hash);
      expect(await chainDump(database)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
    } finally {
      await populating.stop();
      node.close();
      await devnode.close();
      await server.drop();
    }
  });
});
