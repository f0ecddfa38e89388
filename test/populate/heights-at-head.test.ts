import { expect } from 'chai';
import { replaceHeights } from '../../src/populate/heights.js';
import { compareReceived, receive } from '../chaos/checks.js';
import type { Received } from '../chaos/checks.js';
import { fillGaps, nodeAt, syncContext } from '../support/copy.js';
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

/** `mdw -H` can store new blocks before the populator does. Clients must still get the events. */
describe('heights at the head that are reloaded on a live copy', () => {
  let world: World;
  let received: Received;

  beforeEach(begin);
  afterEach(() => world.close());

  async function begin(): Promise<void> {
    world = await createWorld({ generations: 8 });
    received = { last: await world.head(), chain: [], counts: new Map(), logs: new Map(), faults: [] };
    received.chain = (await stored()).map(({ hash }) => hash);
  }

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
      // A transaction that is in no block any more has no block.
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

  it('are announced as a reorg if the node has another branch', async () => {
    const height = world.devnode.height();
    await world.devnode.fork({ depth: 3, grow: 3, retainTxs: 'some', txsPerGeneration: 6, microBlocks: 2 });
    expect(await load(height - 5, height)).to.deep.equal([]);

    expect((await events())[0]).to.equal('rollback');
    await isComplete();
  });

  it('are announced from the first micro block that differs in the last one', async () => {
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.sync();
    await events();
    await world.devnode.microFork({ drop: 1, next: 'micro-block' });
    const height = world.devnode.height();
    expect(await load(height, height)).to.deep.equal([]);

    expect((await events())[0]).to.equal('rollback');
    await isComplete();
  });

  it('are announced as new blocks if they are new', async () => {
    const height = world.devnode.height();
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.devnode.grow(2, { txsPerGeneration: 4, microBlocks: 1 });
    expect(await load(height, height + 2)).to.deep.equal([]);

    expect(await events()).to.not.include('rollback');
    await isComplete();
  });

  it('are not announced if they are the same', async () => {
    expect(await load(0, world.devnode.height())).to.deep.equal([]);

    expect(await events()).to.deep.equal([]);
    await isComplete();
  });

  describe('with a gap below them', () => {
    const GROWN = { txsPerGeneration: 4, microBlocks: 1 };

    /** The last two of six new heights. */
    async function island(): Promise<number> {
      const height = world.devnode.height();
      await world.devnode.grow(6, GROWN);
      expect(await load(height + 5, height + 6)).to.deep.equal([]);
      return height;
    }
    async function fill(): Promise<void> {
      const node = nodeAt(world.devnode.externalUrl);
      await fillGaps(syncContext(world.database, node));
      node.close();
    }

    beforeEach(async () => {
      await world.devnode.addMicroBlock({ txs: 2 });
      await world.sync();
      await events();
    });

    it('are announced when it is filled, after the blocks that fill it', async () => {
      await island();
      expect(await events()).to.deep.equal([]);
      await fill();

      expect(await events()).to.not.include('rollback');
      await isComplete();
    });

    it('are announced when -H loads heights into it, and when it is filled step by step', async () => {
      const height = await island();
      expect(await load(height + 1, height + 2)).to.deep.equal([]);
      expect((await events()).filter((kind) => kind === 'key_block')).to.have.length(2);
      expect(await load(height + 4, height + 4)).to.deep.equal([]);
      expect(await events()).to.deep.equal([]);
      expect(await load(height + 3, height + 3)).to.deep.equal([]);

      expect((await events()).filter((kind) => kind === 'key_block')).to.have.length(4);
      await isComplete();
    });

    it('are announced together with blocks that were added above them meanwhile', async () => {
      await island();
      await world.devnode.grow(2, GROWN);
      await world.sync();
      expect(await events()).to.deep.equal([]);
      await fill();

      expect(await events()).to.not.include('rollback');
      await isComplete();
    });

    it('are announced neither as blocks nor as removed when they were abandoned', async () => {
      await island();
      await world.devnode.fork({ depth: 6, grow: 8, ...GROWN });
      await fill();
      await world.sync();

      expect(await events()).to.not.include('rollback');
      await isComplete();
    });

    it('are not counted in the rollback of a reorg below the gap', async () => {
      await island();
      await world.devnode.fork({ depth: 8, grow: 9, ...GROWN });
      await fill();
      await world.sync();

      expect(await events()).to.include('rollback');
      await isComplete();
    });

    it('are announced also if nothing was announced before', async () => {
      await world.close();
      await begin();
      await island();
      await fill();

      expect(await events()).to.have.length.above(6);
      await isComplete();
    });

    for (const [when, start] of [
      ['before the hole is filled', () => Promise.resolve()],
      [
        'before anything was announced',
        async () => {
          await world.close();
          await begin();
        },
      ],
    ] as const) {
      it(`are not sent to clients that request the stored chain ${when}`, () => asksForTheStoredChain(start));
    }
    async function asksForTheStoredChain(start: () => Promise<void>): Promise<void> {
      await start();
      const { connect } = await world.serve();
      await island();
      const client = await connect();
      const heights = (): unknown[] => client.events().map(({ payload }) => payload.height);
      client.send({ op: 'subscribe', subscriptions: ['key_blocks'], from: 0 });
      await client.until(() => heights().length > 8);
      await fill();
      await client.until(() => heights().includes(world.devnode.height()));

      expect(heights()).to.deep.equal(heights().map((_, i) => i));
    }
  });
});
