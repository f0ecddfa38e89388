import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { NodePool } from '../../src/node/pool.js';
import type { SyncContext } from '../../src/populate/context.js';
import { readGenerations } from '../../src/populate/source.js';
import { readHead } from '../../src/store/chain-state.js';
import { nodeAt, syncContext, syncRound } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('the blocks that a round reads', () => {
  let devnode: Devnode;
  let node: NodePool;
  let server: TestDatabase;
  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'progress', generations: 24, txsPerGeneration: 8 } },
    });
    node = nodeAt(devnode.externalUrl);
  });
  after(async () => {
    node.close();
    await devnode.close();
    await server.drop();
  });

  it('are stored soon at first, in growing batches', async () => {
    const database = await emptyCopy(server.url, 'growing');
    const sizes: number[] = [];
    const onCommit: SyncContext['onCommit'] = ({ heights }) => void sizes.push(heights);

    await syncRound(
      syncContext(database, node, { batch: { blocks: 1_000_000, transactions: 160, characters: Infinity }, onCommit }),
    );

    expect(sizes.length).to.be.above(2);
    expect(
      sizes.slice(0, 2).every((size) => size < sizes[2]!),
      String(sizes),
    ).to.equal(true);
    expect((await readHead(database))?.height).to.equal(devnode.height());
    await database.close();
  });

  it('are few at first, so that the first commits do not wait for reads ahead', async () => {
    const asked: Promise<unknown>[] = [];
    const counting: NodePool = {
      ...node,
      generation(height) {
        const answer = node.generation(height);
        asked.push(answer);
        return answer;
      },
    };
    const window = { generations: 256, transactions: 160, characters: 10_000_000 };

    const generations = readGenerations(counting, 0, devnode.height(), window);
    for (let i = 0; i < 4; i++) {
      await generations.next();
      await Promise.all(asked);
    }

    // The window holds all of the chain.
    expect(asked.length).to.be.within(5, 18);
    await generations.return(undefined);
  });

  it('are stored up to a fault of the node, even if the batch is not full', async () => {
    const database = await emptyCopy(server.url);
    const heights: number[] = [];
    const batch = { blocks: 10_000, transactions: 10_000, characters: Infinity };
    const onCommit = (_: unknown, height: number): void => void heights.push(height);
    const failing: NodePool = {
      ...node,
      generation: (height) => (height === 7 ? Promise.reject(new Error('out of order')) : node.generation(height)),
    };

    const failed = await syncRound(syncContext(database, failing, { batch, onCommit })).catch(String);
    const stored = await readHead(database);
    await syncRound(syncContext(database, node, { batch, onCommit }));

    expect(failed).to.equal('Error: out of order');
    expect(stored?.height).to.equal(6);
    expect(heights).to.deep.equal([6, devnode.height()]);
    await database.close();
  });
});
