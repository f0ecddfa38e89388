import { expect } from 'chai';
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { WebSocket } from 'ws';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { connect, createWorld } from '../support/events.js';
import type { EventServer, ServeOptions, TestClient, World } from '../support/events.js';
import { choices } from '../support/histories.js';
import { deafClient, HANDSHAKE, maskedText } from '../support/raw-websocket.js';

const valueOf = async (server: EventServer, name: string, labels: Record<string, string> = {}): Promise<number> => {
  const metric = await server.metrics.registry.getSingleMetric(name)!.get();
  return metric.values
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
};

const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

describe('clients that misbehave', () => {
  let world: World;

  before(async () => (world = await createWorld({ seed: 'robust', generations: 2 })));
  after(() => world.close());

  async function withServer(options: ServeOptions, work: (server: EventServer) => Promise<void>): Promise<void> {
    const server = await world.serve(options);
    try {
      await work(server);
    } finally {
      await server.close();
    }
  }

  it('get one error frame for each malformed message, and connection and subscriptions stay', () =>
    withServer({}, async (server) => {
      const client = await server.connect();
      await client.ask({ op: 'subscribe', payload: 'key_blocks' });
      const wrong: (string | Buffer | object)[] = [
        'hello',
        '[]',
        '"subscribe"',
        '{"op":',
        { payload: 'key_blocks' },
        { op: 'listen', payload: 'key_blocks' },
        { op: 'subscribe' },
        { op: 'subscribe', payload: 'payload' },
        { op: 'subscribe', payload: 'object' },
        { op: 'subscribe', payload: 'object', target: {} },
        { op: 'subscribe', payload: 'object', target: 'foo' },
        Buffer.from([0xff, 0xfe, 0x00]),
      ];
      for (const message of wrong) {
        const reply = (await client.ask(message)) as object;
        expect(Object.keys(reply)).to.deep.equal(['error']);
        expect(client.frames.at(-1)).to.not.contain('payload');
      }
      expect(await client.ask({ op: 'subscribe', payload: 'key_blocks', target: 42 })).to.deep.equal(['key_blocks']);
      await world.devnode.mineKeyBlock();
      await world.sync();
      await client.until(() => client.events().length === 1);
      expect(await valueOf(server, 'mdw_websocket_errors_total')).to.equal(wrong.length);
    }));

  it('do no harm with 10,000 random frames', () =>
    withServer({}, async (server) => {
      const random = choices(11);
      const client = await server.connect();
      const other = await server.connect();
      await other.ask({ op: 'subscribe', payload: 'key_blocks' });
      const pieces = [
        '{',
        '}',
        '"op"',
        ':',
        '"subscribe"',
        ',',
        '"payload"',
        '"object"',
        '"target"',
        'null',
        '[',
        '1e9',
        '\\u0000',
        '"since"',
        'ä',
      ];
      for (let i = 0; i < 10_000; i++) {
        const text = Array.from({ length: random.int(0, 12) }, () => pieces[random.int(0, pieces.length - 1)]).join('');
        if (random.chance(0.3))
          client.send(Buffer.from(Array.from({ length: random.int(0, 40) }, () => random.int(0, 255))));
        else client.send(text);
      }
      await client.until(() => client.frames.length === 10_000);
      expect(client.frames.every((frame) => !frame.includes('payload'))).to.equal(true);
      expect(await client.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
      expect(await other.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
    }));

  it('do no harm with malformed handshakes', () =>
    withServer({}, async (server) => {
      const port = Number(new URL(server.ws).port);
      const attempts = [
        'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 7\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
        '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
        'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      ];
      for (const attempt of attempts) {
        const socket = connectSocket(port, '127.0.0.1');
        socket.on('error', () => undefined);
        let answer = '';
        socket.on('data', (chunk: Buffer) => {
          answer += chunk.toString();
          socket.end();
        });
        socket.write(Buffer.from(attempt, 'latin1'));
        await once(socket, 'close');
        expect(answer, attempt).to.match(/^HTTP\/1\.1 4\d\d /);
      }
      const gone = connectSocket(port, '127.0.0.1');
      gone.write('GET / HTTP/1.1\r\nHost');
      gone.destroy();
      const client = await server.connect();
      expect(await client.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
    }));

  it('do no harm with 1,000 handshakes that were changed anywhere', () =>
    withServer({}, async (server) => {
      const random = choices(12);
      const other = await server.connect();
      await Promise.all(
        Array.from({ length: 1_000 }, async () => {
          const bytes = Buffer.from(HANDSHAKE);
          for (let i = random.int(1, 4); i > 0; i--) bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
          const socket = connectSocket(Number(new URL(server.ws).port), '127.0.0.1');
          socket.on('error', () => undefined);
          socket.resume();
          socket.end(bytes.subarray(0, random.chance(0.2) ? random.int(0, bytes.length) : bytes.length));
          await once(socket, 'close');
        }),
      );

      expect(await other.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
      await until(async () => (await valueOf(server, 'mdw_websocket_connections')) === 1);
    }));

  it('lose only their own connection with bytes that are no frames', () =>
    withServer({}, async (server) => {
      const random = choices(13);
      const other = await server.connect();
      await other.ask({ op: 'subscribe', payload: 'key_blocks' });
      for (let i = 0; i < 300; i++) {
        const socket = await deafClient(server.ws);
        socket.resume();
        // A first byte with which no frame begins: reserved bits, or a kind that does not exist.
        const bytes = Array.from({ length: random.int(2, 200) }, () => random.int(0, 255));
        socket.write(Buffer.from([0x83 + random.int(0, 4), ...bytes]));
        await once(socket, 'close');
      }

      await until(async () => (await valueOf(server, 'mdw_websocket_closed_total', { reason: 'error' })) === 300);
      expect(await other.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
    }));

  it('a request for another protocol than a websocket is answered as a usual HTTP request', () =>
    withServer({}, async (server) => {
      const socket = connectSocket(Number(new URL(server.http).port), '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      const ask = (line: string, more = ''): void => {
        socket.write(
          `${line} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n${more}\r\n`,
        );
      };
      ask('GET /middleware/height/at/0');
      while (!answer.includes('}')) await once(socket, 'data');
      expect(answer)
        .to.match(/^HTTP\/1\.1 (200|404) /)
        .and.contain('application/json');
      answer = '';
      ask('POST /middleware/status', 'Content-Length: 3\r\n');
      socket.write('abc');
      while (!answer.includes('}')) await once(socket, 'data');
      expect(answer).to.match(/^HTTP\/1\.1 405 /);
      socket.destroy();
    }));

  it('a client that sends too large a frame is closed with 1009', () =>
    withServer({ config: { websocketMaxFrame: 1024 } }, async (server) => {
      const client = await server.connect();
      client.send(JSON.stringify({ op: 'subscribe', payload: 'key_blocks', more: 'x'.repeat(2000) }));
      expect((await client.closed).code).to.equal(1009);
      await until(async () => (await valueOf(server, 'mdw_websocket_closed_total', { reason: 'frame' })) === 1);
    }));

  it('a client above the limit is closed with 1013, in all and from one address', async () => {
    for (const [reason, config] of [
      ['connections', { websocketMaxConnections: 2 }],
      ['address', { websocketMaxPerAddress: 2 }],
    ] as const) {
      await withServer({ config }, async (server) => {
        const clients = [await server.connect(), await server.connect()];
        const third = await server.connect();
        expect((await third.closed).code).to.equal(1013);
        expect(await valueOf(server, 'mdw_websocket_closed_total', { reason })).to.equal(1);
        await clients[0]!.close();
        await until(async () => (await valueOf(server, 'mdw_websocket_connections')) === 1);
        const again = await server.connect();
        expect(await again.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
      });
    }
  });

  it('a client that never reads is closed at the max backlog, and no other client is delayed', () =>
    withServer({ config: { websocketMaxBacklog: 262_144 } }, async (server) => {
      const client = await server.connect();
      await client.ask({ op: 'subscribe', payload: 'key_blocks' });
      const subscriptions = Array.from({ length: 1_000 }, (_, i) => encodeId('ak', Buffer.from(`${i}`.padEnd(32))));
      const deaf = await deafClient(server.ws, { op: 'subscribe', subscriptions });
      // Each reply is 50 kB. What the kernel takes of them is not the service's: its buffers have to be full first.
      for (let i = 0; i < 300; i++) deaf.write(maskedText('{"op":"unsubscribe","subscriptions":[]}'));
      await world.devnode.mineKeyBlock();
      await world.sync();
      await client.until(() => client.events().length === 1);
      await until(async () => (await valueOf(server, 'mdw_websocket_closed_total', { reason: 'slow' })) === 1);

      expect(await client.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
      expect(await valueOf(server, 'mdw_websocket_connections')).to.equal(1);
      deaf.destroy();
    }));

  for (const answers of [0, 2]) {
    it(`a client that answers ${answers} pings gets one more, and is disconnected when the next would be sent`, () =>
      // Much longer than a busy machine may delay an answer.
      withServer({ pingMs: 1_500 }, async (server) => {
        const client = await server.connect();
        let heard = 0;
        client.socket.on('ping', () => heard++);
        const dying = await deafClient(server.ws);
        let pings = 0;
        dying.on('data', (frames: Buffer) => {
          // Nothing else is sent to the client, and a ping has no content.
          expect(frames.toString('hex')).to.match(/^(8900)+$/);
          for (let i = 0; i < frames.length; i += 2) if (++pings <= answers) dying.write(PONG);
        });
        dying.resume();
        await once(dying, 'close');

        expect(pings).to.equal(answers + 1);
        await until(async () => (await valueOf(server, 'mdw_websocket_closed_total', { reason: 'dead' })) === 1);
        expect(client.socket.readyState).to.equal(WebSocket.OPEN);
        expect(heard).to.be.greaterThan(0);
      }));
  }

  it('pings of clients are answered', () =>
    withServer({}, async (server) => {
      const client = await server.connect();
      client.socket.ping('hello');
      const [data] = (await once(client.socket, 'pong')) as [Buffer];
      expect(data.toString()).to.equal('hello');
    }));

  it('a greeting is the first frame, if it is set', () =>
    withServer({ config: { websocketGreeting: 'connected' } }, async (server) => {
      const client = await server.connect();
      client.send({ op: 'subscribe', payload: 'key_blocks' });
      await client.until(() => client.frames.length === 2);
      expect(client.frames).to.deep.equal(['connected', '["key_blocks"]']);
    }));

  it('a shutdown closes all with 1001, spread over the drain time', async () => {
    const server = await world.serve({ config: { websocketDrainMs: 400 } });
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(server.ws)));
    const start = performance.now();
    const ends = Promise.all(
      clients.map(async (client) => ({ ...(await client.closed), at: performance.now() - start })),
    );
    await server.close();
    const closed = await ends;

    expect(new Set(closed.map(({ code }) => code))).to.deep.equal(new Set([1001]));
    expect(Math.max(...closed.map(({ at }) => at))).to.be.greaterThan(300);
    const soonest = closed.toSorted((a, b) => a.at - b.at).map(({ at }) => Math.round(at));
    expect(new Set(soonest).size, soonest.join(' ')).to.be.greaterThan(10);
    expect(await valueOf(server, 'mdw_websocket_closed_total', { reason: 'drain' })).to.equal(20);
  });

  it('of 20,000 targets, an event that matches none is sent to nobody', () =>
    withServer({}, async (server) => {
      const clients: TestClient[] = [];
      for (let i = 0; i < 20; i++) {
        const client = await server.connect();
        const subscriptions = Array.from({ length: 1_000 }, (_, n) =>
          encodeId('ak', Buffer.from(`${i}/${n}`.padEnd(32))),
        );
        await client.ask({ op: 'subscribe', subscriptions, reply: 'lean' });
        clients.push(client);
      }
      expect(await valueOf(server, 'mdw_websocket_subscriptions')).to.equal(20_000);
      await world.devnode.grow(1);
      await world.sync();
      const head = await world.head();
      for (const client of clients) await client.reached(head);
      expect(clients.flatMap((client) => client.events())).to.deep.equal([]);
    }));
});

async function until(done: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await done())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
