import { expect } from 'chai';
import { createWorld } from '../support/events.js';
import type { EventServer, TestClient, World } from '../support/events.js';

const ACCOUNT = 'ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y';
const OTHER = 'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf';

describe('the replies to subscriptions', () => {
  let world: World;
  let server: EventServer;
  let client: TestClient;

  before(async () => {
    world = await createWorld({ generations: 1 });
    server = await world.serve({ config: { websocketMaxTargets: 100 } });
  });
  beforeEach(async () => (client = await server.connect()));
  afterEach(() => client.close());
  after(() => world.close());

  const subscribe = (payload: string, target?: string): Promise<unknown> =>
    client.ask({ op: 'subscribe', payload, target });
  const unsubscribe = (payload: string, target?: string): Promise<unknown> =>
    client.ask({ op: 'unsubscribe', payload, target });

  it('list the subscriptions, as in the table of the contract', async () => {
    expect(await subscribe('key_blocks')).to.deep.equal(['key_blocks']);
    expect(await subscribe('micro_blocks')).to.deep.equal(['key_blocks', 'micro_blocks']);
    expect(await unsubscribe('micro_blocks')).to.deep.equal(['key_blocks']);
    expect(await subscribe('object', ACCOUNT)).to.deep.equal(['key_blocks', ACCOUNT]);
    expect(await subscribe('object', ACCOUNT)).to.deep.equal(['key_blocks', ACCOUNT]);
    expect(await unsubscribe('transactions')).to.deep.equal(['key_blocks', ACCOUNT]);
    expect(await unsubscribe('object', OTHER)).to.deep.equal(['key_blocks', ACCOUNT]);
    expect(client.frames[1]).to.equal('["key_blocks","micro_blocks"]');
  });

  it('have the order blocks, transactions, updates, rollback, then targets as they were added', async () => {
    for (const target of [OTHER, ACCOUNT]) await subscribe('object', target);
    for (const word of ['rollback', 'tx_update', 'transactions', 'micro_blocks']) await subscribe(word);

    expect(await subscribe('key_blocks')).to.deep.equal([
      'key_blocks',
      'micro_blocks',
      'transactions',
      'tx_update',
      'rollback',
      OTHER,
      ACCOUNT,
    ]);
  });

  it('have the spelling that was used last, and either spelling unsubscribes', async () => {
    expect(await client.ask({ op: 'Subscribe', payload: 'KeyBlocks' })).to.deep.equal(['KeyBlocks']);
    expect(await client.ask({ op: 'Subscribe', payload: 'transactions' })).to.deep.equal(['KeyBlocks', 'transactions']);
    expect(await subscribe('key_blocks')).to.deep.equal(['key_blocks', 'transactions']);
    expect(await client.ask({ op: 'Unsubscribe', payload: 'KeyBlocks' })).to.deep.equal(['transactions']);
    expect(await unsubscribe('Transactions')).to.deep.equal([]);
  });

  it('are sent once for each message, in the order of the messages', async () => {
    for (const word of ['key_blocks', 'micro_blocks', 'transactions']) client.send({ op: 'subscribe', payload: word });
    await client.until(() => client.frames.length === 3);

    expect(client.frames.map((frame) => (JSON.parse(frame) as unknown[]).length)).to.deep.equal([1, 2, 3]);
  });

  it('are short on request: the number of subscriptions and the point from which they begin', async () => {
    const reply = (await client.ask({ op: 'subscribe', payload: 'object', target: ACCOUNT, reply: 'lean' })) as object;

    expect(reply).to.have.property('ok', 1);
    expect(reply).to.have.property('cursor').that.contains(world.devnode.top().hash);
  });

  it('a connection begins without subscriptions, whatever an earlier one had', async () => {
    await subscribe('key_blocks');
    const again = await server.connect('/any/path?at=all');

    expect(await again.ask({ op: 'unsubscribe', payload: 'key_blocks' })).to.deep.equal([]);
    await again.close();
  });

  it('a binary frame with text counts as text', async () => {
    expect(await client.ask(Buffer.from('{"op":"subscribe","payload":"key_blocks"}'))).to.deep.equal(['key_blocks']);
  });

  it('more targets than allowed are refused, and the present ones stay', async () => {
    const { encodeId } = await import('../../src/chain/encoding/encoding.js');
    const ids = Array.from({ length: 101 }, (_, i) => encodeId('ak', Buffer.alloc(32, i)));
    for (const id of ids.slice(0, 100)) await subscribe('object', id);

    expect(await subscribe('object', ids[100])).to.deep.equal({
      error: 'too many targets: at most 100 on one connection',
    });
    expect(await subscribe('object', ids[0])).to.have.length(100);
  });

  it('the websocket is on the HTTP address as well, under /websocket', async () => {
    const { connect } = await import('../support/events.js');
    for (const path of ['/websocket', '/websocket/', '/websocket?x=1']) {
      const there = await connect(server.http.replace('http', 'ws') + path);
      expect(await there.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
      await there.close();
    }
  });
});
