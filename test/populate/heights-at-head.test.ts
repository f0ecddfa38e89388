import { expect } from 'chai';
import { replaceHeights } from '../../src/populate/heights.js';
import { compareReceived, receive } from '../chaos/checks.js';
import type { Received } from '../chaos/checks.js';
import { nodeAt } from '../support/copy.js';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';

interface EventRow {
  seq: string;
  kind: string;
  hash: string;
  body: string;
}

const SUBSCRIPTIONS: Record<string, string> = {
  key_block: 'key_blocks',
  micro_block: 'micro_blocks',
  transaction: 'transactions',
  tx_update: 'tx_update',
};

/** `mdw -H` may come before the populator where the chain moves. Who follows by events must learn of it all the same. */
describe('heights at the head that are loaded again on a copy whose events are sent', function () {
  this.timeout(60_000);
  let world: World;
  let received: Received;

  beforeEach(async () => {
    world = await createWorld({ generations: 8 });
    received = { last: await world.head(), chain: [], counts: new Map(), faults: [] };
    received.chain = (await stored()).map(({ hash }) => hash);
  });
  afterEach(() => world.close());

  const stored = async (): Promise<{ hash: string; transactions: number }[]> =>
    (
      await world.database.query<{ hash: string; transactions: number }>({
        name: 'test.stored',
        text: `
          SELECT hash, 0 AS transactions, height << 33 AS position FROM key_blocks
          UNION ALL
          SELECT hash, (SELECT count(*)::int FROM transactions AS t WHERE t.position >= m.position AND t.position < m.position + 65536), position
          FROM micro_blocks AS m
          ORDER BY position`,
      })
    ).rows;
  async function events(): Promise<string[]> {
    const { rows } = await world.database.query<EventRow>({
      name: 'test.events',
      text: 'SELECT seq, kind, hash, body FROM events WHERE seq > $1 ORDER BY seq',
      values: [received.last],
    });
    for (const { seq, kind, hash, body } of rows) {
      const payload = { ...(JSON.parse(body) as object), hash };
      // A transaction that no block has any more names none.
      const subscription = SUBSCRIPTIONS[kind] ?? (kind === 'rollback' ? kind : 'left');
      receive(received, Number(seq), {
        subscription,
        payload: subscription === 'left' ? { hash, block_hash: 'none' } : payload,
      });
    }
    return rows.map(({ kind }) => kind);
  }
  const load = async (from: number, to: number): Promise<string[]> => {
    const node = nodeAt(world.devnode.externalUrl);
    const { failed } = await replaceHeights({ database: world.database, node, heights: [{ from, to }] });
    node.close();
    return failed.map(({ reason }) => reason);
  };
  const isComplete = async (): Promise<void> => {
    expect(received.faults).to.deep.equal([]);
    expect(compareReceived(received, await stored())).to.deep.equal([]);
    expect(received.chain.at(-1)).to.equal(world.devnode.top().hash);
  };

  it('are announced as a fork where the node has another branch', async () => {
    const height = world.devnode.height();
    await world.devnode.fork({ depth: 3, grow: 3, retainTxs: 'some', txsPerGeneration: 6, microBlocks: 2 });
    expect(await load(height - 5, height)).to.deep.equal([]);

    expect((await events())[0]).to.equal('rollback');
    await isComplete();
  });

  it('are announced from where the micro blocks of the last one differ', async () => {
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.sync();
    await events();
    await world.devnode.microFork({ drop: 1, next: 'micro-block' });
    const height = world.devnode.height();
    expect(await load(height, height)).to.deep.equal([]);

    expect((await events())[0]).to.equal('rollback');
    await isComplete();
  });

  it('are announced as the next ones where they are new', async () => {
    const height = world.devnode.height();
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.devnode.grow(2, { txsPerGeneration: 4, microBlocks: 1 });
    expect(await load(height, height + 2)).to.deep.equal([]);

    expect(await events()).to.not.include('rollback');
    await isComplete();
  });

  it('are not announced where they are the same', async () => {
    expect(await load(0, world.devnode.height())).to.deep.equal([]);

    expect(await events()).to.deep.equal([]);
    await isComplete();
  });
});
