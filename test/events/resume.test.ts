import { expect } from 'chai';
import { goLive } from '../../src/store/chain-state.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { createWorld, headOf } from '../support/events.js';
import type { EventFrame, EventServer, World } from '../support/events.js';

const EVERYTHING = ['key_blocks', 'micro_blocks', 'transactions', 'tx_update', 'rollback'];

const told = (events: EventFrame[]): string[] =>
  events.map(({ subscription, payload }) => `${subscription} ${payload.hash}`);

describe('resuming', () => {
  let world: World;
  /** A server that saw all events when they happened. */
  let witness: EventServer;
  /** A server that was started after them. */
  let newcomer: EventServer;
  let all: EventFrame[];
  let start: string;

  before(async () => {
    world = await createWorld({ seed: 'resume', txsPerGeneration: 4 });
    witness = await world.serve();
    const client = await witness.connect();
    const reply = await client.ask({ op: 'subscribe', subscriptions: EVERYTHING, cursors: true, reply: 'lean' });
    start = (reply as { cursor: string }).cursor;
    await world.devnode.grow(2);
    await world.sync();
    await world.devnode.fork({ depth: 2, grow: 2 });
    await world.sync();
    await world.devnode.fork({ depth: 1, grow: 2, retainTxs: 'none' });
    await world.sync();
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.devnode.microFork({ drop: 1, next: 'micro-block' });
    await world.sync();
    await client.reached(await world.head());
    all = client.events();
    await client.close();
    newcomer = await world.serve();
  });
  after(() => world.close());

  async function resumed(server: EventServer, message: object, count: number): Promise<EventFrame[]> {
    const client = await server.connect();
    const reply = await client.ask({ op: 'subscribe', subscriptions: EVERYTHING, cursors: true, ...message });
    expect(reply).to.deep.equal(EVERYTHING);
    await client.until(() => client.events().length >= count);
    const events = client.events();
    await client.close();
    return events;
  }

  it('has a different cursor in each event for clients that requested them', () => {
    expect(new Set(all.map(({ cursor }) => cursor)).size).to.equal(all.length);
    expect(all.length).to.be.greaterThan(20);
  });

  for (const [who, server] of [
    ['the server that told them', (): EventServer => witness],
    ['a server started since', (): EventServer => newcomer],
  ] as const) {
    it(`sends the events after any event, once and in order, on ${who}`, async () => {
      for (const [i, { cursor }] of all.entries()) {
        const rest = all.slice(i + 1);
        expect(await resumed(server(), { since: cursor }, rest.length), cursor).to.deep.equal(rest);
      }
    });

    it(`sends all events to clients that subscribed before the first one, on ${who}`, async () => {
      expect(await resumed(server(), { since: start }, all.length)).to.deep.equal(all);
    });
  }

  it('continues live after the missed events, without a gap or a repetition', async () => {
    const client = await newcomer.connect();
    const after = all.length - 5;
    client.send({ op: 'subscribe', subscriptions: EVERYTHING, cursors: true, since: all[after - 1]!.cursor });
    await world.devnode.grow(1);
    await world.sync();
    const other = await witness.connect();
    await other.ask({ op: 'subscribe', subscriptions: EVERYTHING, since: all.at(-1)!.cursor, cursors: true });
    const head = await world.head();
    await client.until(() => client.events().at(-1)?.cursor?.startsWith(`${head}.`) === true);
    await other.until(() => other.events().at(-1)?.cursor?.startsWith(`${head}.`) === true);

    expect(client.events()).to.deep.equal([...all.slice(after), ...other.events()]);
    all = [...all, ...other.events()];
    await client.close();
    await other.close();
  });

  it('accepts the hash of a block or transaction, and begins after its last event', async () => {
    for (const hash of new Set(
      all.filter(({ subscription }) => subscription !== 'rollback').map(({ payload }) => payload.hash),
    )) {
      const last = all.findLastIndex(
        ({ subscription, payload }) => subscription !== 'rollback' && payload.hash === hash,
      );
      const rest = all.slice(last + 1);
      expect(await resumed(newcomer, { since: hash }, rest.length), hash).to.deep.equal(rest);
    }
  });

  it('begins each subscription of a connection at its own point', async () => {
    const client = await newcomer.connect();
    const [early, late] = [all[3]!, all[all.length - 8]!];
    client.send({ op: 'subscribe', payload: 'transactions', since: late.cursor });
    client.send({ op: 'subscribe', payload: 'KeyBlocks', since: early.cursor });
    client.send({ op: 'subscribe', payload: 'tx_update' });
    const after = (event: EventFrame, name: string): EventFrame[] =>
      all.slice(all.indexOf(event) + 1).filter(({ subscription }) => subscription === name);
    const expected = { transactions: after(late, 'transactions'), KeyBlocks: after(early, 'key_blocks') };
    await client.until(() => client.events().length >= expected.transactions.length + expected.KeyBlocks.length);
    await client.reached(await world.head());

    const of = (name: string): string[] =>
      client
        .events()
        .filter(({ subscription }) => subscription === name)
        .map(({ payload }) => payload.hash);
    expect(of('transactions')).to.deep.equal(expected.transactions.map(({ payload }) => payload.hash));
    expect(of('KeyBlocks')).to.deep.equal(expected.KeyBlocks.map(({ payload }) => payload.hash));
    expect(of('tx_update')).to.deep.equal([]);
    await client.close();
  });

  it('reports an unknown point, and does not change the subscriptions', async () => {
    const client = await newcomer.connect();
    const stranger = 'kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC';
    await client.ask({ op: 'subscribe', payload: 'key_blocks' });

    const reply = (await client.ask({ op: 'subscribe', payload: 'transactions', since: stranger })) as {
      error: string;
    };
    expect(reply.error).to.contain('not known here, or older than the events that are kept');
    expect(await client.ask({ op: 'unsubscribe', payload: 'object', target: stranger })).to.deep.equal(['key_blocks']);
    await client.close();
  });

  /** The events of the stored chain from a height on. */
  async function chainFrom(height: number, database = world.database): Promise<string[]> {
    const { rows } = await database.query<{ event: string }>({
      name: 'test.chain-from',
      text: `
        SELECT event FROM (
          SELECT 'key_blocks ' || hash AS event, height << 33 AS position, 0 AS rank FROM key_blocks
          UNION ALL SELECT 'micro_blocks ' || hash, position, 1 FROM micro_blocks
          UNION ALL SELECT 'transactions ' || hash, position, 2 FROM transactions
        ) AS e WHERE position >= $1::bigint << 33 ORDER BY position, rank`,
      values: [height],
    });
    return rows.map(({ event }) => event);
  }

  it('from a height sends the stored chain from there on, then new events', async () => {
    const client = await newcomer.connect();
    await client.ask({ op: 'subscribe', subscriptions: EVERYTHING, from: 2 });
    const chain = await chainFrom(2);
    await client.until(() => client.events().length === chain.length);
    await world.devnode.grow(1);
    await world.sync();
    const grown = await chainFrom(2);
    await client.until(() => client.events().length >= grown.length);

    expect(told(client.events())).to.deep.equal(grown);
    await client.close();
  });

  it('from a stored block that is older than the log sends the stored chain', async () => {
    const chain = await chainFrom(0);
    // 1: a key block, a micro block, a transaction of the time before the first event.
    for (const i of ['key_blocks', 'micro_blocks', 'transactions'].map((kind) =>
      chain.findIndex((event) => event.startsWith(kind)),
    )) {
      const rest = chain.slice(i + 1);
      const events = await resumed(newcomer, { since: chain[i]!.split(' ')[1] }, rest.length);
      expect(told(events)).to.deep.equal(rest);
    }
  });

  it('a replay during a reorg continues on the new branch', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => newcomer.connect()));
    for (let round = 0; round < 3; round++) {
      for (const client of clients.slice(round * 2, round * 2 + 2))
        client.send({ op: 'subscribe', subscriptions: EVERYTHING, from: 0 });
      await world.devnode.fork({ depth: 3, grow: 4 });
      await world.sync();
    }
    const head = await world.head();
    for (const client of clients) {
      await client.reached(head);
      const chain = await chainFrom(0);
      await client.until(() => JSON.stringify(fold(client.events())) === JSON.stringify(chain));
      await client.close();
    }
  });

  it('a replay during the first load also contains reorgs, though these are not announced', async () => {
    const node = nodeAt(world.devnode.externalUrl);
    const loading = await emptyCopy(world.databaseUrl, 'loading');
    const context = syncContext(loading, node);
    await syncFully(context);
    const server = await world.serve({ schema: 'loading' });
    const client = await server.connect();
    const onlooker = await server.connect();
    await onlooker.ask({ op: 'subscribe', subscriptions: EVERYTHING });
    await client.ask({ op: 'subscribe', subscriptions: EVERYTHING, from: 0, cursors: true });
    const before = await chainFrom(0, loading);
    await client.until(() => client.events().length === before.length);
    const start = world.devnode.height() - 1;
    await world.devnode.fork({ depth: 2, grow: 3, retainTxs: 'some' });
    await syncFully(context);
    const after = await chainFrom(0, loading);
    await client.until(() => JSON.stringify(fold(client.events())) === JSON.stringify(after));

    const events = client.events().slice(before.length);
    const kept = before.findIndex((event, i) => event !== after[i]);
    const base = before.slice(0, kept).findLast((event) => !event.startsWith('transactions'))!;
    const gone = new Set(before.slice(kept).map((event) => event.split(' ')[1]!));
    expect(events[0]).to.have.property('subscription', 'rollback');
    expect(events[0]!.payload).to.include({ height: start - 1, hash: base.split(' ')[1] });
    const left = events.filter(({ payload }) => payload['block_hash'] === 'none');
    expect(told(left)).to.have.members(
      before
        .slice(kept)
        .flatMap((event) => (event.startsWith('t') ? [event.replace('transactions', 'tx_update')] : [])),
    );
    expect(told(events.slice(1 + left.length))).to.deep.equal(
      after
        .slice(kept)
        .map((event) => (gone.has(event.split(' ')[1]!) ? event.replace('transactions', 'tx_update') : event)),
    );
    expect(onlooker.events()).to.deep.equal([]);

    // Any of its points is good for going on, and after the load all are told the same.
    for (const { cursor } of events.slice(0, 1 + left.length)) {
      const again = await server.connect();
      await again.ask({ op: 'subscribe', subscriptions: EVERYTHING, since: cursor });
      await again.until(() => again.events().length === after.length - kept);
      expect(told(again.events())).to.deep.equal(after.slice(kept));
      await again.close();
    }
    await goLive(loading);
    await world.devnode.grow(1);
    await syncFully(context);
    await client.reached(await headOf(loading));
    await onlooker.reached(await headOf(loading));
    expect(onlooker.events().length).to.be.greaterThan(2);
    await client.until(() => client.events().at(-1)?.payload.hash === onlooker.events().at(-1)!.payload.hash);
    expect(told(client.events().slice(-onlooker.events().length))).to.deep.equal(told(onlooker.events()));
    expect(fold(client.events())).to.deep.equal(await chainFrom(0, loading));
    await client.close();
    await onlooker.close();
    await server.close();
    node.close();
    await loading.close();
    await world.sync();
  });

  it('continues in another copy of the chain, with its own log', async () => {
    const node = nodeAt(world.devnode.externalUrl);
    const green = await emptyCopy(world.databaseUrl, 'green');
    const context = syncContext(green, node);
    await syncFully(context);
    await goLive(green);
    const other = await world.serve({ schema: 'green' });
    const client = await witness.connect();
    const { cursor } = (await client.ask({
      op: 'subscribe',
      subscriptions: EVERYTHING,
      cursors: true,
      reply: 'lean',
    })) as { cursor: string };
    // The copies read the chain at different times: only one of them stores the branch that is abandoned.
    await world.devnode.grow(2);
    await world.sync();
    await syncFully(context);
    await world.devnode.grow(1);
    await syncFully(context);
    await world.sync();
    await client.reached(await world.head());
    const events = client.events();

    for (const [i, since] of [cursor, ...events.map((event) => event.cursor)].entries()) {
      const rest = events.slice(i);
      expect(told(await resumed(other, { since }, rest.length)), since).to.deep.equal(told(rest));
    }
    expect(await headOf(green)).to.be.lessThan(await world.head());
    await client.close();
    await other.close();
    node.close();
    await green.close();
  });

  it('reports that the event is no longer stored and its block was removed', async () => {
    const abandoned = all.find(({ subscription }) => subscription === 'rollback')!.payload['removed'] as string[];
    await world.database.query({
      name: 'test.prune',
      text: 'DELETE FROM events WHERE seq < $1',
      values: [(await world.head()) - 5],
    });
    const late = await world.serve();
    const client = await late.connect();

    const reply = (await client.ask({ op: 'subscribe', payload: 'key_blocks', since: abandoned[0] })) as {
      error: string;
    };
    expect(reply.error).to.contain('older than the events that are kept');
    await client.close();
  });
});

/** The chain that a client builds from its events. */
function fold(events: EventFrame[]): string[] {
  let chain: string[] = [];
  for (const { subscription, payload } of events) {
    if (subscription === 'rollback') {
      let last = chain.findIndex((event) => event.endsWith(payload.hash)) + 1;
      while (chain[last]?.startsWith('transactions') === true) last++;
      chain = chain.slice(0, last);
    } else if (payload['block_hash'] !== 'none') {
      chain.push(`${subscription === 'tx_update' ? 'transactions' : subscription} ${payload.hash}`);
    }
  }
  return chain;
}
