import { expect } from 'chai';
import { deriveIds } from '../support/objects.js';
import { memberText } from '../../src/chain/encoding/json-walk.js';
import { readGenerationAt } from '../support/devnode.js';
import { createWorld, startEventServer } from '../support/events.js';
import { startRelay } from '../support/relay.js';
import type { EventFrame, EventServer, TestClient, World } from '../support/events.js';

const EVERYTHING = ['key_blocks', 'micro_blocks', 'transactions', 'tx_update', 'rollback'];

/** `<subscription> <hash>` */
const told = (events: EventFrame[]): string[] =>
  events.map(({ subscription, payload }) => `${subscription} ${payload.hash}`);

describe('the published events', () => {
  let world: World;
  let servers: EventServer[];
  let clients: TestClient[];

  beforeEach(async () => {
    world = await createWorld();
    servers = [await world.serve(), await world.serve()];
    clients = await Promise.all(servers.map((server) => server.connect()));
    for (const client of clients) await client.ask({ op: 'subscribe', subscriptions: EVERYTHING });
  });
  afterEach(() => world.close());

  const reached = async (): Promise<void> => {
    await world.sync();
    const head = await world.head();
    await Promise.all(clients.map((client) => client.reached(head)));
  };

  /** The events of a chain from a height on, when it is new. */
  async function chainFrom(height: number): Promise<string[]> {
    const events: string[] = [];
    for (let at = height; at <= world.devnode.height(); at++) {
      const { keyBlock, microBlocks } = await readGenerationAt(world.devnode, at);
      events.push(`key_blocks ${keyBlock['hash'] as string}`);
      for (const { header, transactions } of microBlocks) {
        events.push(`micro_blocks ${header['hash'] as string}`);
        for (const { hash } of transactions) events.push(`transactions ${hash as string}`);
      }
    }
    return events;
  }

  it('report new blocks in chain order, each transaction after its block, the same on every server', async () => {
    const from = world.devnode.height() + 1;
    await world.devnode.grow(3);
    await reached();

    expect(told(clients[0]!.events())).to.deep.equal(await chainFrom(from));
    expect(clients[1]!.frames.filter((frame) => frame.includes('payload'))).to.deep.equal(
      clients[0]!.frames.filter((frame) => frame.includes('payload')),
    );
  });

  it('do not report what was loaded before, nor HTTP requests', async () => {
    await fetch(`${servers[0]!.http}/middleware/transactions/interval/0/3`);
    await reached();

    expect(clients[0]!.events()).to.deep.equal([]);
  });

  it('do not repeat anything while a generation grows', async () => {
    await world.devnode.mineKeyBlock();
    for (let i = 0; i < 4; i++) {
      await reached();
      await world.devnode.addMicroBlock({ txs: 2 });
    }
    await reached();

    const events = told(clients[0]!.events());
    expect(events).to.deep.equal(await chainFrom(world.devnode.height()));
    expect(new Set(events).size).to.equal(events.length);
  });

  it('contain the data of the node with every digit, and key_block_id for micro blocks', async () => {
    await world.devnode.grow(1);
    await reached();

    const frames = clients[0]!.frames.filter((frame) => frame.includes('payload'));
    const { height } = world.devnode.top();
    for (const frame of frames) {
      const payload = memberText(frame, 'payload')!;
      const { hash } = JSON.parse(payload) as { hash: string };
      const [path, wanted] = {
        kh: [`key-blocks/hash/${hash}`, payload],
        mh: [`micro-blocks/hash/${hash}/header`, payload.replace(`,"key_block_id":${height + 1}}`, '}')],
        th: [`transactions/${hash}`, payload],
      }[hash.slice(0, 2)]!;
      const answer = await fetch(`${world.devnode.externalUrl}/v2/${path}`);
      expect(await answer.text()).to.equal(wanted);
    }
    expect(frames.length).to.be.greaterThan(2);
  });

  it('come after the data: a request over HTTP on receipt finds the block, on either server', async () => {
    const answers: Promise<number>[] = [];
    for (const [i, client] of clients.entries()) {
      client.socket.on('message', (data: Buffer) => {
        const hash = /"payload":.*?"hash":"([kmt]h_\w+)"/.exec(data.toString())?.[1];
        if (hash === undefined) return;
        const path = { k: `key-blocks/hash/${hash}`, m: `micro-blocks/hash/${hash}/header`, t: `transactions/${hash}` }[
          hash[0]!
        ]!;
        answers.push(
          fetch(`${servers[1 - i]!.http}/v2/${path}`).then(({ status, headers }) =>
            headers.has('x-chain-height') ? status : 0,
          ),
        );
      });
    }
    await world.devnode.grow(2);
    await reached();

    const statuses = await Promise.all(answers);
    expect(statuses.length).to.be.greaterThan(10);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
  });

  it('report a reorg from the first differing block on, ascending, with moved transactions as tx_update', async () => {
    await world.devnode.grow(2);
    await reached();
    const before = new Set(
      clients[0]!
        .events()
        .filter(({ subscription }) => subscription === 'transactions')
        .map(({ payload }) => payload.hash),
    );
    const from = world.devnode.height() - 1;
    const { hash: top } =
      (await readGenerationAt(world.devnode, from - 1)).microBlocks.at(-1)?.header ??
      (await readGenerationAt(world.devnode, from - 1)).keyBlock;
    clients.forEach((client) => client.frames.splice(0));
    await world.devnode.fork({ depth: 2, grow: 3 });
    await reached();

    const events = clients[0]!.events();
    const branch = (await chainFrom(from)).map((event) =>
      before.has(event.split(' ')[1]!) ? event.replace('transactions', 'tx_update') : event,
    );
    expect(events[0]!.subscription).to.equal('rollback');
    expect(events[0]!.payload).to.include({ height: from - 1, hash: top });
    expect(events[0]!.payload['removed']).to.have.length(events[0]!.payload['removed_count'] as number);
    const stays = told(events.slice(1, branch.length + 1));
    expect(stays).to.deep.equal(branch);
    expect(stays.some((event) => event.startsWith('tx_update'))).to.equal(true);
    expect(told(clients[1]!.events())).to.deep.equal(told(events));
  });

  it('report that removed transactions are in no block', async () => {
    await world.devnode.grow(1);
    await reached();
    const told = clients[0]!.events().filter(({ subscription }) => subscription === 'transactions');
    clients.forEach((client) => client.frames.splice(0));
    await world.devnode.fork({ depth: 1, grow: 2, retainTxs: 'none', txsPerGeneration: 1, microBlocks: 1 });
    await reached();

    const left = clients[0]!.events().filter(({ payload }) => payload['block_hash'] === 'none');
    expect(left.map(({ payload }) => payload.hash)).to.deep.equal(told.map(({ payload }) => payload.hash));
    expect(left.map(({ subscription, payload }) => [subscription, payload['block_height']])).to.deep.equal(
      told.map(() => ['tx_update', -1]),
    );
    expect(left.map(({ payload }) => payload['tx'])).to.deep.equal(told.map(({ payload }) => payload['tx']));
  });

  it('report a micro reorg without repeating the blocks that stay', async () => {
    await world.devnode.mineKeyBlock();
    for (let i = 0; i < 3; i++) await world.devnode.addMicroBlock({ txs: 1 });
    await reached();
    clients.forEach((client) => client.frames.splice(0));
    await world.devnode.microFork({ drop: 1, next: 'micro-block' });
    await reached();

    const kinds = clients[0]!.events().map(({ subscription }) => subscription);
    expect(kinds[0]).to.equal('rollback');
    expect(kinds.filter((kind) => kind === 'micro_blocks')).to.have.length(1);
    expect(kinds).to.not.contain('key_blocks');
  });

  it('are sent to object subscribers once for each transaction, under object, also for derived identifiers', async () => {
    await world.devnode.grow(6, { txsPerGeneration: 40 });
    const server = servers[0]!;
    const watcher = await server.connect();
    // Everything the next transactions will name is only known afterwards: the same chain is told again from a point.
    await reached();
    const transactions = clients[0]!.events().filter(({ subscription }) => subscription === 'transactions');
    const ids = [...new Set(transactions.flatMap(({ payload }) => deriveIds(payload)))];
    for (const target of ids) watcher.send({ op: 'Subscribe', payload: 'Object', target, reply: 'lean' });
    await watcher.until(() => watcher.frames.length === ids.length);
    await watcher.ask({ op: 'subscribe', payload: 'transactions' });
    await world.devnode.fork({ depth: 6, grow: 7, retainTxs: 'none', txsPerGeneration: 40 });
    await reached();
    await watcher.reached(await world.head());

    const fresh = clients[0]!
      .events()
      .filter(({ subscription }) => subscription === 'transactions')
      .slice(transactions.length);
    const expected = fresh.flatMap(({ payload }) => {
      const matches = deriveIds(payload).some((id) => ids.includes(id));
      return matches ? [`Object ${payload.hash}`, `transactions ${payload.hash}`] : [`transactions ${payload.hash}`];
    });
    expect(told(watcher.events())).to.deep.equal(expected);
    expect(expected.some((event) => event.startsWith('Object'))).to.equal(true);
  });

  it('begin when the database is back, on a server that was started without it', async () => {
    const direct = new URL(world.databaseUrl);
    const relay = await startRelay(`http://${direct.host}`);
    await relay.shut();
    const url = Object.assign(new URL(direct), { host: new URL(relay.url).host }).href;
    const starting = startEventServer(url, world.devnode.externalUrl);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await relay.open();
    const server = await starting;
    const client = await server.connect();
    await client.ask({ op: 'subscribe', payload: 'key_blocks' });
    await world.devnode.grow(1);
    await world.sync();
    await client.until(() => client.events().length === 1);

    expect(client.events()[0]!.payload.height).to.equal(world.devnode.height());
    await server.close();
    await relay.shut();
  });

  it('end with an unsubscription', async () => {
    await clients[0]!.ask({ op: 'unsubscribe', subscriptions: ['transactions', 'micro_blocks'] });
    await world.devnode.grow(1);
    await reached();

    expect(clients[0]!.events().map(({ subscription }) => subscription)).to.deep.equal(['key_blocks']);
  });
});

describe('object subscriptions', () => {
  let world: World;
  let server: EventServer;

  before(async () => {
    world = await createWorld({ seed: 'objects', generations: 2, txsPerGeneration: 60 });
    server = await world.serve();
  });
  after(() => world.close());

  for (const [prefix, type] of [
    ['ct', 'ContractCreateTx'],
    ['ok', 'OracleRegisterTx'],
    ['nm', 'NameClaimTx'],
    ['ch', 'ChannelCreateTx'],
    ['oq', 'OracleQueryTx'],
    ['th', 'SpendTx'],
    ['mh', 'SpendTx'],
  ] as const) {
    it(`${prefix}_ matches the ${type} that creates it`, async () => {
      // The identifiers of what is to come are learnt from what came: told again from the point before it.
      const scout = await server.connect();
      const { cursor } = (await scout.ask({ op: 'subscribe', payload: 'transactions', reply: 'lean' })) as {
        cursor: string;
      };
      let made: EventFrame | undefined;
      for (let i = 0; made === undefined && i < 20; i++) {
        await world.devnode.grow(1, { txsPerGeneration: 60 });
        await world.sync();
        await scout.reached(await world.head());
        // Of a micro block, its first transaction is announced first.
        made = scout.events().find(({ payload }, at, all) => {
          const isFirst = all.findIndex((one) => one.payload['block_hash'] === payload['block_hash']) === at;
          return (payload['tx'] as { type: string }).type === type && (prefix !== 'mh' || isFirst);
        });
      }
      const target = deriveIds(made!.payload).find((id) => id.startsWith(prefix))!;
      const client = await server.connect();
      await client.ask({ op: 'subscribe', payload: 'object', target, since: cursor });
      await client.until(() => client.events().length > 0);

      expect(client.events()[0]).to.deep.equal({ subscription: 'object', payload: made!.payload });
      await scout.close();
      await client.close();
    });
  }
});
