import { expect } from 'chai';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { WebSocket } from 'ws';
import { createConnectionCounter } from '../../src/events/connection-counter.js';
import { clientOf } from '../../src/runtime/client-of.js';
import { createRequestCounter } from '../../src/runtime/request-counter.js';
import type { Quota, RequestCounter } from '../../src/runtime/request-counter.js';
import { ask } from '../support/api.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { eventually } from '../support/populator.js';

/** Addresses of one client, and one of another client. */
const CLIENTS: [what: string, same: string[], other: string][] = [
  ['an IPv4 address', ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'], '192.0.2.2'],
  [
    'an IPv6 network',
    ['2001:db8:0:7::1', '2001:db8::7:0:0:0:2', '2001:0DB8:0000:0007:ffff:ffff:ffff:ffff', '2001:db8:0:7::192.0.2.1'],
    '2001:db8:0:8::1',
  ],
  ['the local network', ['fe80::1', 'fe80::2%eth0', 'fe80:0:0:0:1::'], 'fe80:0:0:1::1'],
  ['addresses of the machine', ['::1', '::2', '::'], '127.0.0.1'],
];

describe('limits by address', () => {
  for (const [what, [first = '', ...same], other] of CLIENTS) {
    it(`count ${what} as one client`, () => {
      for (const address of same) expect(clientOf(address), address).to.equal(clientOf(first));
      expect(clientOf(other)).not.to.equal(clientOf(first));

      for (const address of same) {
        const requests = createRequestCounter(1, () => 0);
        expect([first, address, other].map((one) => requests.count(one).allowed)).to.deep.equal([true, false, true]);
        expect([first, address, other].map((one) => requests.delayOf(one))).to.deep.equal([1_000, 2_000, 1_000]);

        const limits = { websocketMaxConnections: 10, websocketMaxPerAddress: 1 };
        const connections = createConnectionCounter(limits);
        const added = [first, address, other].map((one) => connections.add(one));
        expect(added).to.deep.equal([undefined, 'address', undefined]);
        connections.remove(address);
        expect(connections.add(first)).to.equal(undefined);
      }
    });
  }

  describe('of RATE_LIMIT_PER_SECOND', () => {
    let world: World;
    /** Each kind of count, in turn. */
    let counted: string[];
    let quota: Quota | Promise<Quota>;
    let delay: number | Promise<number>;
    const requests: RequestCounter = {
      perSecond: 5,
      count: () => (counted.push('request'), quota),
      delayOf: () => (counted.push('message'), delay),
    };
    let server: EventServer;

    before(async () => {
      world = await createWorld({ seed: 'limits', generations: 2 });
      server = await world.serve({ requests });
    });
    beforeEach(() => {
      counted = [];
      quota = { allowed: true, remaining: 3 };
      delay = 0;
    });
    after(() => world.close());

    const counts = (expected: number): Promise<unknown> =>
      eventually(
        () => Promise.resolve(counted.length),
        (count) => count === expected,
      );
    const addresses = (): string[] => [server.ws, `${server.http.replace('http', 'ws')}/websocket`];

    async function refusal(url: string): Promise<IncomingMessage & { body: string }> {
      const socket = new WebSocket(url).on('error', () => undefined);
      const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
      let body = '';
      for await (const chunk of answer) body += String(chunk);
      return Object.assign(answer, { body });
    }

    it('count handshakes, and refuse them above the limit', async () => {
      for (const url of addresses()) {
        for (const refused of [{ allowed: false, remaining: -9 }, Promise.resolve({ allowed: false, remaining: -9 })]) {
          quota = refused;
          const { statusCode, headers, body } = await refusal(url);
          expect([statusCode, body]).to.deep.equal([429, '{"reason":"More than 5 requests per second"}']);
          expect(headers).to.include({ 'retry-after': '2', 'x-content-type-options': 'nosniff' });
        }
        expect(counted.splice(0)).to.deep.equal(['request', 'request']);
      }
    });

    it('close the connection of a refused handshake that its client leaves open', async () => {
      quota = { allowed: false, remaining: 0 };
      const socket = connectSocket({ port: Number(new URL(server.ws).port), allowHalfOpen: true });
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
      const failed = new Promise((resolve) => socket.once('error', resolve));
      await once(socket.resume(), 'end');
      // The server has closed both sides, so what is sent is answered with a reset.
      const sending = setInterval(() => socket.write('x'), 5);
      await failed;
      clearInterval(sending);
    });

    it('survive a client that resets its connection while its handshake is counted', async () => {
      let count: (known: Quota) => void = () => undefined;
      quota = new Promise((resolve) => (count = resolve));
      const socket = connectSocket(Number(new URL(server.ws).port));
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
      await counts(1);
      socket.resetAndDestroy();
      await once(socket, 'close');
      quota = { allowed: true, remaining: 1 };
      const next = await server.connect();
      count({ allowed: true, remaining: 1 });
      expect(await next.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
      await next.close();
    });

    it('count messages, and delay those above the limit without losing one', async () => {
      const client = await server.connect();
      counted = [];
      let pass: (ms: number) => void = () => undefined;
      delay = new Promise((resolve) => (pass = resolve));
      const kinds = ['key_blocks', 'micro_blocks', 'transactions', 'tx_update', 'rollback'];
      for (let i = 0; i < 40; i++) client.send({ op: 'subscribe', payload: kinds[i % kinds.length] });
      await counts(1);
      expect(client.frames).to.deep.equal([]);
      delay = 1;
      pass(1);
      await client.until(() => client.frames.length === 40);
      expect(counted).to.deep.equal(Array<string>(40).fill('message'));
      expect((JSON.parse(client.frames.at(-1)!) as string[]).sort()).to.deep.equal([...kinds].sort());
      await client.close();
    });

    it('count the request for an event stream', async () => {
      quota = { allowed: false, remaining: 0 };
      const path = '/middleware/events?kinds=key_blocks';
      const { status, headers } = await ask(Number(new URL(server.http).port), path);
      expect([status, headers['ratelimit-limit']]).to.deep.equal([429, '5']);
      expect(counted).to.deep.equal(['request']);
    });
  });

  it('do not take a client for dead whose messages wait for the limit', async () => {
    const world = await createWorld({ seed: 'late', generations: 2 });
    let pass: (ms: number) => void = () => undefined;
    const first = new Promise<number>((resolve) => (pass = resolve));
    let pings = 0;
    const requests: RequestCounter = {
      perSecond: 1,
      count: () => ({ allowed: true, remaining: 1 }),
      delayOf: () => first,
    };
    const server = await world.serve({ requests, pingMs: 20 });
    const client = await server.connect();
    client.socket.on('ping', () => (pings += 1));
    for (let i = 0; i < 40; i++) client.send({ op: 'subscribe', payload: 'key_blocks' });
    await eventually(
      () => Promise.resolve(pings),
      (seen) => seen > 10,
    );
    pass(0);
    await client.until(() => client.frames.length === 40);
    await client.close();
    await world.close();
  });
});
