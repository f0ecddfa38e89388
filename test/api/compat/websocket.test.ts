import { expect } from 'chai';
import { lastHash, readHead } from '../../../src/store/chain-state.js';
import { append, madeBlocks, madeHash } from '../../support/seed.js';
import { createWorld } from '../../support/events.js';
import type { EventFrame, EventServer, TestClient, World } from '../../support/events.js';

const ACCOUNT = 'ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y';

type CompatFrame = EventFrame & { source: string; target?: string };

describe('websockets of the compatible API', () => {
  let world: World;
  let server: EventServer;
  let client: TestClient;

  before(async () => {
    world = await createWorld({ generations: 2 });
    server = await world.serve({ config: { websocketGreeting: 'connected', websocketMaxTargets: 3 } });
  });
  beforeEach(async () => (client = await server.connectCompat('/v3/websocket')));
  afterEach(() => client.close());
  after(() => world.close());

  const ask = (op: string, payload?: string, more: object = {}): Promise<unknown> =>
    client.ask({ op, ...(payload !== undefined && { payload }), ...more });

  it('answer Ping as the first message, without a greeting before it', async () => {
    expect(await ask('Ping')).to.deep.equal({ subscriptions: [], count: 0, payload: 'Pong' });
    expect(client.frames).to.have.length(1);
  });

  it('answer a subscription with a list that has it, and its end with a list that has it not', async () => {
    expect(await ask('Subscribe', 'KeyBlocks')).to.deep.equal(['KeyBlocks']);
    expect(await ask('Subscribe', 'Object', { target: ACCOUNT })).to.deep.equal([ACCOUNT]);
    expect(await ask('Subscribe', 'KeyBlocks', { source: 'node' })).to.deep.equal(['KeyBlocks']);
    expect(await ask('Ping')).to.deep.equal({ subscriptions: ['KeyBlocks', ACCOUNT], count: 3, payload: 'Pong' });
    expect(await ask('Unsubscribe', 'Object', { target: ACCOUNT })).to.deep.equal(['KeyBlocks']);
    expect(await ask('Unsubscribe', 'KeyBlocks', { source: 'node' })).to.deep.equal(['KeyBlocks']);
    expect(await ask('Unsubscribe', 'KeyBlocks')).to.deep.equal([]);
  });

  it('answer what they refuse with a text, and keep the order of the requests', async () => {
    const cases: [unknown, string | RegExp][] = [
      [{ op: 'Subscribe', payload: 'Object', target: 'ak_test' }, 'invalid target: ak_test'],
      [{ op: 'Subscribe', payload: 'Object' }, 'missing field: target'],
      [{ op: 'Subscribe', payload: 'Everything' }, 'invalid payload: Everything'],
      [{ op: 'Subscribe', payload: 'KeyBlocks', source: 'x' }, 'invalid source: x'],
      [{ op: 'Unsubscribe', payload: 'KeyBlocks' }, 'no subscription for payload: KeyBlocks'],
      [{ op: 'Unsubscribe', payload: 'Object', target: ACCOUNT }, `no subscription for target: ${ACCOUNT}`],
      [{ op: 'Dance', payload: 'KeyBlocks' }, 'invalid subscription: Dance'],
      ['{"op":', /^invalid json message: at \d+$/],
      [Buffer.from([0xff, 0xfe]), 'invalid json message: at 0'],
    ];
    for (const [message, expected] of cases) {
      const answer = (await client.ask(message)) as string;
      if (typeof expected === 'string') expect(answer).to.equal(expected);
      else expect(answer).to.match(expected);
    }
    expect(await ask('Subscribe', 'Transactions')).to.deep.equal(['Transactions']);
    expect(await ask('Subscribe', 'Transactions')).to.equal('already subscribed to: Transactions');
    expect(await ask('Subscribe', 'Object', { target: ACCOUNT })).to.deep.equal([ACCOUNT]);
    expect(await ask('Subscribe', 'Object', { target: ACCOUNT })).to.equal(`already subscribed to target: ${ACCOUNT}`);
    // The client sends several requests before the first answer.
    const from = client.frames.length;
    for (const target of ['nm_x', 'middleware.chain', 'bad name', 'a.chain', 'b.chain'])
      client.send({ op: 'Subscribe', payload: 'Object', target });
    await client.until(() => client.frames.length === from + 5);
    expect(client.frames.slice(from)).to.deep.equal([
      '"invalid target: nm_x"',
      '["middleware.chain"]',
      '"invalid target: bad name"',
      '["a.chain"]',
      '"too many subscriptions! discarding: b.chain"',
    ]);
  });

  it('send what the endpoints answer, from both sources', async () => {
    for (const payload of ['KeyBlocks', 'MicroBlocks', 'Transactions']) {
      await ask('Subscribe', payload);
      await ask('Subscribe', payload, { source: 'node' });
    }
    await world.devnode.mineKeyBlock();
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.sync();
    const frames = (): CompatFrame[] => client.events() as CompatFrame[];
    await client.until(() => frames().length === 2 * (1 + 1 + 3));
    const read = async (path: string): Promise<unknown> => (await fetch(`${server.http}/mdw/v3${path}`)).json();
    const PATHS: Record<string, string> = {
      KeyBlocks: '/key-blocks/',
      MicroBlocks: '/micro-blocks/',
      Transactions: '/transactions/',
    };
    for (const { subscription, payload, source } of frames()) {
      const answered = (await read(PATHS[subscription]! + payload.hash)) as Record<string, unknown>;
      // The micro block came after the event of its key block.
      const { micro_blocks_count: _micro, transactions_count: _transactions, ...same } = answered;
      if (source === 'mdw') expect(payload).to.deep.include(subscription === 'KeyBlocks' ? same : answered);
      else expect(payload).not.to.have.any.keys('micro_time', 'gas');
    }
    expect(frames().map(({ subscription, source }) => `${subscription} ${source}`)).to.deep.equal(
      ['KeyBlocks', 'MicroBlocks', ...Array<string>(3).fill('Transactions')].flatMap((one) => [
        `${one} mdw`,
        `${one} node`,
      ]),
    );
  });

  it('send a transaction to each object that it names, and to its own hash', async () => {
    await ask('Subscribe', 'Transactions');
    const known = client.frames.length;
    await world.devnode.addMicroBlock({ txs: 1 });
    await world.sync();
    await client.until(() => client.frames.length === known + 1);
    const [{ payload }] = client.events() as [CompatFrame];
    const { hash, tx } = payload as unknown as { hash: string; tx: Record<string, string> };
    await client.close();

    client = await server.connectCompat('/v2/websocket');
    const account = Object.values(tx).find((one) => typeof one === 'string' && one.startsWith('ak_'))!;
    // From before the transaction on: what was missed is sent, too.
    const since = (payload as { block_hash?: string }).block_hash!;
    await client.ask({ op: 'Subscribe', payload: hash, since });
    await client.ask({ op: 'Subscribe', payload: 'Object', target: account, since, cursors: true });
    await client.until(() => client.events().length >= 2);
    const events = client.events() as CompatFrame[];
    expect(events.map(({ subscription }) => subscription)).to.satisfy((all: string[]) =>
      all.every((one) => one === 'Object'),
    );
    expect(events.map(({ target }) => target)).to.include.members([hash, account]);
    expect(events.every((event) => event.payload.hash === hash && 'tx_index' in event.payload)).to.equal(true);
  });

  it('send a transaction to the parties of the one that it wraps', async () => {
    const own = await createWorld({ generations: 1 });
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => madeHash('ak', name)) as [
      string,
      string,
      string,
    ];
    try {
      const compat = await (await own.serve()).connectCompat('/v3/websocket');
      for (const target of [alice, bob, carol]) await compat.ask({ op: 'Subscribe', payload: 'Object', target });
      const members = { amount: 1, fee: 1, nonce: 1, payload: 'ba_Xfbg4g==', ttl: 0, version: 1 };
      const spend = { type: 'SpendTx', sender_id: alice, recipient_id: bob, ...members };
      const inner = { signatures: [], tx: spend };
      const paying = { type: 'PayingForTx', payer_id: carol, fee: 1, nonce: 1, version: 1, tx: inner };
      const head = (await readHead(own.database))!;
      const made = madeBlocks([{ microBlocks: [[{ tx: paying }]] }], head.height + 1, lastHash(head));
      await append(own.database, lastHash(head), made);
      await compat.until(() => compat.events().length === 3);
      const events = compat.events() as (CompatFrame & { payload: { tx: Record<string, unknown> } })[];
      expect(events.map(({ target }) => target)).to.have.members([alice, bob, carol]);
      for (const { payload } of events) expect(payload.tx['type']).to.equal('PayingForTx');
      await compat.close();
    } finally {
      await own.close();
    }
  });

  it('send each subscription what comes after its own point, once, whatever the others begin with', async () => {
    await ask('Subscribe', 'Transactions', { cursors: true });
    for (let i = 0; i < 6; i++) await world.devnode.addMicroBlock({ txs: 3 });
    await world.sync();
    await client.until(() => client.events().length === 18);
    const events = client.events() as (CompatFrame & { cursor: string; payload: { tx: Record<string, string> } })[];
    const named = ({ payload }: CompatFrame): string[] =>
      [...JSON.stringify(payload['tx']).matchAll(/"(ak_\w+)"/g)].map(([, id]) => id!);
    await client.close();

    // Two accounts of one transaction: the first one from the beginning on, the other one from after this transaction on.
    const at = events.findIndex((event, i) => i > 0 && new Set(named(event)).size > 1);
    const [first, second] = [...new Set(named(events[at]!))] as [string, string];
    const [from, after] = [events[0]!.cursor, events[at]!.cursor];
    client = await server.connectCompat('/v3/websocket');
    await ask('Subscribe', 'Object', { target: second, since: after, cursors: true });
    await ask('Subscribe', 'Object', { target: first, since: from });
    await ask('Subscribe', 'Transactions', { since: after });
    await ask('Subscribe', 'Transactions', { since: from, source: 'node' });
    const got = (name: string, source: string): string[] =>
      (client.events() as (CompatFrame & { cursor: string })[])
        .filter((event) => (event.target ?? event.subscription) === name && event.source === source)
        .map(({ cursor }) => cursor);
    const cursors = (begin: number, target?: string): string[] =>
      events
        .slice(begin)
        .filter((event) => target === undefined || named(event).includes(target))
        .map(({ cursor }) => cursor);
    await client.until(() => got('Transactions', 'node').length >= 17);
    expect(got('Transactions', 'node')).to.deep.equal(cursors(1));
    expect(got('Transactions', 'mdw')).to.deep.equal(cursors(at + 1));
    expect(got(first, 'mdw')).to.deep.equal(cursors(1, first));
    expect(got(second, 'mdw')).to.deep.equal(cursors(at + 1, second));
  });

  it('render what many clients missed once for all of them', async () => {
    let rendered = 0;
    const counting = await world.serve({
      payloads: (render) => (channel, text, form) => {
        rendered += 1;
        return render(channel, text, form);
      },
    });
    await ask('Subscribe', 'Transactions', { cursors: true });
    await world.devnode.addMicroBlock({ txs: 3 });
    await world.sync();
    await client.until(() => client.events().length === 3);
    const since = client.events()[0]!.cursor!;
    for (let i = 0; i < 4; i++) await world.devnode.addMicroBlock({ txs: 3 });
    await world.sync();
    const clients = await Promise.all(Array.from({ length: 20 }, () => counting.connectCompat('/v3/websocket')));
    await Promise.all(clients.map((one) => one.ask({ op: 'Subscribe', payload: 'Transactions', since })));
    await Promise.all(clients.map((one) => one.until(() => one.events().length === 14)));
    expect(rendered).to.equal(14);
    for (const one of clients) await one.close();
  });

  it('are served at the root of the own address, too, where a path without websocket is no route', async () => {
    const answer = await fetch(`${server.compat}/v3/websocket`);
    expect(answer.status).to.equal(404);
    expect(await answer.json()).to.deep.equal({ error: 'no such route' });
    const status = (await (await fetch(`${server.compat}/v3/status`)).json()) as { mdw_version: string };
    expect(status.mdw_version).to.match(/^1\./);
    const api = (await (await fetch(`${server.compat}/v2/api`)).json()) as { servers: { url: string }[] };
    expect(api.servers).to.deep.equal([{ url: '/v2' }]);
    const main = (await (await fetch(`${server.http}/mdw/v2/api`)).json()) as { servers: { url: string }[] };
    expect(main.servers).to.deep.equal([{ url: '/mdw/v2' }]);
    const blocks = (await (await fetch(`${server.compat}/v3/key-blocks?limit=1`)).json()) as { next: string };
    expect(blocks.next).to.match(/^\/v3\/key-blocks\?cursor=/);
    expect((await fetch(`${server.compat}/middleware/status`)).status).to.equal(404);
    expect((await fetch(`${server.compat}/../v3/status`)).status).to.equal(200);
  });
});
