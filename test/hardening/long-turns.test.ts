import { expect } from 'chai';
import Koa from 'koa';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { sendTable } from '../../src/api/export/stream.js';
import { createLogger } from '../../src/observe/logger.js';
import { ask } from '../support/api.js';
import { createWorld } from '../support/events.js';
import type { EventFrame, EventServer, World } from '../support/events.js';
import { deafClient, maskedFrame, maskedText } from '../support/raw-websocket.js';

const hashOf = ({ payload }: EventFrame): string => payload.hash;

const PING = 0x89;

/** Counts in each turn of the event loop what `count` gains, until it is stopped; returns the most. */
function mostPerTurn(count: () => number): () => number {
  let before = count();
  let most = 0;
  let isStopped = false;
  const look = (): void => {
    most = Math.max(most, count() - before);
    before = count();
    if (!isStopped) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    isStopped = true;
    look();
    return most;
  };
}

/** Node.js 20 accepts one connection a turn, so with long turns clients that come wait behind all that came before. */
describe('the event loop', () => {
  it('makes a few rows of all exports a turn', async () => {
    const BATCH = 200;
    const EXPORTS = 20;
    let made = 0;
    const batchAfter = (last: number): number[] =>
      last === 2 * BATCH ? [] : Array.from({ length: BATCH }, (_, i) => last + i + 1);
    const app = new Koa();
    app.use(async (ctx) => {
      await sendTable<number>(ctx, 'rows', createLogger({ level: 'silent' }), {
        columns: ['n'],
        row(n) {
          made += 1;
          return { n };
        },
        anchor: (n) => ({ position: String(n), hash: String(n) }),
        next: (last) => Promise.resolve({ isValid: true, rows: batchAfter(last ?? 0) }),
        max: null,
      })('csv');
    });
    const handle = app.callback();
    const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const most = mostPerTurn(() => made);
    const answers = await Promise.all(Array.from({ length: EXPORTS }, () => ask(port, '/')));
    expect(most()).to.be.within(1, 50);
    const numbers = Array.from({ length: 2 * BATCH }, (_, i) => `${i + 1}\r\n`).join('');
    expect(new Set(answers.map(({ body }) => body))).to.deep.equal(new Set([`n\r\n${numbers}`]));
    server.close();
  });

  describe('of a server of websockets', () => {
    const MESSAGES = 500;
    let world: World;
    let server: EventServer;

    before(async () => {
      world = await createWorld({ seed: 'turns', generations: 2 });
      server = await world.serve();
    });
    after(() => world.close());

    it('handles one message of a client a turn, of many that come at once', async () => {
      const { websocketErrors } = server.metrics;
      const inc = websocketErrors.inc.bind(websocketErrors);
      let handled = 0;
      const all = new Promise<void>((resolve) => {
        websocketErrors.inc = () => {
          inc();
          handled += 1;
          if (handled === MESSAGES) resolve();
        };
      });
      const client = await deafClient(server.ws);
      const most = mostPerTurn(() => handled);
      client.write(Buffer.concat(Array<Buffer>(MESSAGES).fill(maskedText('{"op":"nonsense"}'))));
      await all;
      expect(most()).to.equal(1);
      client.destroy();
    });

    it('answers one ping of a client a turn, of many that come at once', async () => {
      const { pong } = WebSocket.prototype;
      let answered = 0;
      const all = new Promise<void>((resolve) => {
        WebSocket.prototype.pong = function (data) {
          pong.call(this, data);
          answered += 1;
          if (answered === MESSAGES) resolve();
        };
      });
      const client = await deafClient(server.ws);
      const most = mostPerTurn(() => answered);
      client.write(Buffer.concat(Array<Buffer>(MESSAGES).fill(maskedFrame(PING, Buffer.alloc(0)))));
      await all;
      expect(most()).to.equal(1);
      WebSocket.prototype.pong = pong;
      client.destroy();
    });

    it('sends a few events a turn to all clients that continue after an event of the last minutes', async () => {
      const CLIENTS = 6;
      const subscriptions = ['key_blocks', 'micro_blocks', 'transactions'];
      const first = await server.connect();
      const { cursor } = (await first.ask({ op: 'subscribe', subscriptions, reply: 'lean' })) as { cursor: string };
      await world.devnode.grow(30);
      await world.sync();
      await first.reached(await world.head());
      const clients = await Promise.all(Array.from({ length: CLIENTS }, () => server.connect()));
      const { write } = Socket.prototype;
      let written = 0;
      Socket.prototype.write = function (this: Socket, ...args: unknown[]): boolean {
        written += 1;
        return (write as (...all: unknown[]) => boolean).apply(this, args);
      };
      const most = mostPerTurn(() => written);
      for (const client of clients) client.send({ op: 'subscribe', subscriptions, since: cursor });
      await Promise.all(clients.map((client) => client.until(() => client.events().length >= first.events().length)));
      Socket.prototype.write = write;
      // Replies and requests are among them.
      expect(most()).to.be.within(1, 300);
      for (const client of clients) expect(client.events().map(hashOf)).to.deep.equal(first.events().map(hashOf));
      expect(first.events().length).to.be.above(300);
    });
  });
});
