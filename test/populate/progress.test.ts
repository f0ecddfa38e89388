import { expect } from 'chai';
import { startDevnode } from '../../src/devnode/start.js';
import type { Devnode } from '../../src/devnode/start.js';
import type { NodePool } from '../../src/node/pool.js';
import { syncOnce } from '../../src/populate/sync.js';
import { readTip } from '../../src/store/chain-state.js';
import { emptyCopy, nodeAt, syncContext } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('a round that fails in the middle', () => {
  let devnode: Devnode;
  let node: NodePool;
  let server: TestDatabase;
  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'progress', generations: 12, txsPerGeneration: 4, signatures: 'fake' } },
    });
    node = nodeAt(devnode.externalUrl);
  });
  after(async () => {
    node.close();
    await devnode.close();
    await server.drop();
  });

  it('has stored all that was read before the fault, though the batch was not full', async () => {
    const database = await emptyCopy(server.url);
    const heights: number[] = [];
    const onCommit = (_: unknown, height: number): void => void heights.push(height);
    const failing: NodePool = {
      ...node,
      generation: (height) => (height === 7 ? Promise.reject(new Error('out of order')) : node.generation(height)),
    };

    const failed = await syncOnce(syncContext(database, failing, { onCommit })).catch(String);
    const stored = await readTip(database);
    await syncOnce(syncContext(database, node, { onCommit }));

    expect(failed).to.equal('Error: out of order');
    expect(stored?.height).to.equal(6);
    expect(heights).to.deep.equal([6, devnode.height()]);
    await database.close();
  });
});
