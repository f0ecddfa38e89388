import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { createTurns } from '../../src/runtime/turns.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { HANDSHAKE, maskedText } from '../support/raw-websocket.js';

describe('a client that asks for the stored chain again and again', () => {
  let world: World;
  let server: EventServer;
  let socket: Socket;
  let text = '';

  before(async () => {
    world = await createWorld({ seed: 'replays', generations: 20 });
    server = await world.serve({});
  });
  after(() => world.close());
  beforeEach(async () => {
    text = '';
    socket = connect(Number(new URL(server.ws).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(HANDSHAKE);
    await once(socket, 'data');
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  });
  afterEach(() => void socket.destroy());

  const send = (...messages: object[]): unknown =>
    socket.write(Buffer.concat(messages.map((message) => maskedText(JSON.stringify(message)))));
  /** Sends messages, and lets the replays begin when these replies have come. */
  const sendBefore = (replies: RegExp, ...messages: object[]): Promise<void> =>
    world.database.transaction(async (tx) => {
      await tx.query({ name: 'test.lock', text: 'LOCK TABLE key_blocks IN ACCESS EXCLUSIVE MODE' });
      send(...messages);
      await until(replies);
    });
  const until = async (what: RegExp): Promise<void> => {
    while (!what.test(text)) await once(socket, 'data');
  };
  const count = (what: RegExp): number => text.match(new RegExp(what, 'g'))?.length ?? 0;

  it('gets it once: each request for a subscription replaces the one before', async () => {
    const again = { op: 'subscribe', payload: 'key_blocks', from: 0 };
    // Replays are sent one after the other.
    await sendBefore(
      /\["key_blocks","micro_blocks","rollback"\]/,
      ...Array<object>(20).fill(again),
      { op: 'subscribe', payload: 'rollback' },
      { ...again, payload: 'micro_blocks' },
    );
    await until(/"subscription":"micro_blocks"/);
    expect(count(/"subscription":"key_blocks"/)).to.equal(21);
  });

  it('gets one subscription again while another one continues', async () => {
    await sendBefore(
      /(\["key_blocks","micro_blocks"\][^]*){2}/,
      { op: 'subscribe', subscriptions: ['key_blocks', 'micro_blocks'], from: 0 },
      { op: 'subscribe', payload: 'key_blocks', from: 10 },
    );
    await until(/"key_blocks","payload":[^]*"height":20,/);
    send({ op: 'subscribe', payload: 'tx_update' });
    await until(/\["key_blocks","micro_blocks","tx_update"\]/);
    expect(count(/"subscription":"key_blocks"/)).to.equal(11);
    expect(count(/"subscription":"micro_blocks"/)).to.be.above(0);
  });

  it('is refused when too many replays are under way, and keeps those it has', async () => {
    const accounts = [...new Set((await accountsOf(world)).slice(0, 17))];
    expect(accounts).to.have.length(17);
    await sendBefore(/"error"/, ...accounts.map((target) => ({ op: 'subscribe', payload: 'object', target, from: 0 })));
    expect(count(/the stored chain is being sent from 16 points already/)).to.equal(1);
    send({ op: 'subscribe', payload: 'tx_update', reply: 'lean' });
    await until(/"ok":17/);
  });

  it('waits for its turn, which others have before it', async () => {
    const turns = createTurns(1);
    const order: string[] = [];
    const enter = async (address: string): Promise<void> => {
      const leave = await turns.enter(address);
      order.push(address);
      await new Promise(setImmediate);
      leave();
    };
    await Promise.all([
      // All addresses of a network (/64) are one client.
      ...Array.from({ length: 200 }, (_, i) => enter(`2001:db8::${i.toString(16)}`)),
      enter('192.0.2.1'),
      enter('192.0.2.1'),
      enter('192.0.2.2'),
    ]);
    const others = order.slice(0, 6).filter((address) => !address.startsWith('2001:'));
    expect(others.sort()).to.deep.equal(['192.0.2.1', '192.0.2.1', '192.0.2.2']);
    expect(order).to.have.length(203);
  });

  it('does not delay another client that begins later, however many connections it has', async () => {
    const request = JSON.stringify({ op: 'subscribe', subscriptions: ['key_blocks', 'transactions'], from: 0 });
    const last = /"subscription":"key_blocks".*"height":20,/;
    let ended = 0;
    const clients: WebSocket[] = [];
    const open = async (localAddress: string): Promise<WebSocket> => {
      const client = new WebSocket(server.ws, { localAddress });
      clients.push(client);
      await once(client, 'open');
      return client;
    };
    const replay = async (client: WebSocket): Promise<void> => {
      client.send(request);
      await new Promise<void>((resolve) => {
        client.on('message', (data: Buffer) => void (last.test(data.toString()) && resolve()));
      });
      ended += 1;
    };
    // All connect first: the time that a connection takes does not count.
    const many = await Promise.all(Array.from({ length: 60 }, () => open('127.0.0.1')));
    const other = await open('127.0.0.2');
    const greedy = many.map(replay);
    await replay(other);
    expect(ended).to.be.below(30);
    await Promise.all(greedy);
    for (const client of clients) client.terminate();
  });
});

/** Accounts of the chain, as clients would name them. */
async function accountsOf(world: World): Promise<string[]> {
  const { rows } = await world.database.query<{ id: string }>({
    name: 'test.accounts',
    text: `SELECT DISTINCT (regexp_matches(body, 'ak_[1-9A-HJ-NP-Za-km-z]+', 'g'))[1] AS id FROM transactions LIMIT 40`,
  });
  return rows.map(({ id }) => id);
}
