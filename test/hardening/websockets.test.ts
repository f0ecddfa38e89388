import { expect } from 'chai';
import { once } from 'node:events';
import { deflateRawSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { eventually } from '../support/populator.js';
import { deafClient, maskedFrame, maskedText } from '../support/raw-websocket.js';

const TEXT = 0x01;
const PING = 0x89;
const FINAL_TEXT = 0x81;
const FINAL_COMPRESSED = 0xc1;

const closedBy = async ({ metrics }: EventServer, reason: string): Promise<number> => {
  const { values } = await metrics.registry.getSingleMetric('mdw_websocket_closed_total')!.get();
  return values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0;
};

/** The close code in the bytes from the server. */
async function codeOf(server: EventServer, ...frames: Buffer[]): Promise<number> {
  const socket = await deafClient(server.ws);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  // One write: a later one could fail because the server has ended the connection, and its last frame would be lost with it.
  socket.write(Buffer.concat(frames));
  await once(socket, 'close');
  const all = Buffer.concat(chunks);
  return all[0] === 0x88 ? all.readUInt16BE(2) : 0;
}

describe('a malicious websocket', () => {
  let world: World;
  let server: EventServer;

  before(async () => {
    world = await createWorld({ seed: 'harm', generations: 2 });
    server = await world.serve({ config: { websocketMaxBacklog: 262_144 } });
  });
  after(() => world.close());
  afterEach(async () => {
    const client = await server.connect();
    expect(await client.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
    await client.close();
  });

  for (const [what, frame] of [
    ['pings', maskedFrame(PING, Buffer.alloc(125))],
    ['wrong messages', maskedText('{"op":"nonsense"}')],
  ] as const) {
    it(`is closed as slow if it sends many ${what} and reads no answer`, async () => {
      const before = await closedBy(server, 'slow');
      const deaf = await deafClient(server.ws);
      const frames = Buffer.concat(Array<Buffer>(10_000).fill(frame));
      const closed = new Promise((resolve) => deaf.once('close', resolve));
      // What the kernel takes is not the service's: its buffers have to be full first.
      for (let i = 0; i < 60 && !deaf.destroyed; i++)
        if (!deaf.write(frames)) await Promise.race([new Promise((resolve) => deaf.once('drain', resolve)), closed]);
      await eventually(
        () => closedBy(server, 'slow'),
        (count) => count === before + 1,
      );
      deaf.destroy();
    });
  }

  it('is closed if it announces a frame of 100 MB, or of a size that does not fit a number', async () => {
    expect(await codeOf(server, maskedFrame(FINAL_TEXT, Buffer.alloc(10), 100_000_000))).to.equal(1009);
    expect(await codeOf(server, maskedFrame(FINAL_TEXT, Buffer.alloc(10), 2 ** 60))).to.equal(1009);
  });

  it('is closed if it sends endless fragments, also empty ones', async () => {
    expect(await codeOf(server, maskedFrame(TEXT, Buffer.alloc(1)), ...Array<Buffer>(2).fill(piece(40_000)))).to.equal(
      1009,
    );
    expect(await codeOf(server, maskedFrame(TEXT, Buffer.alloc(1)), ...Array<Buffer>(20_000).fill(piece(0)))).to.equal(
      1008,
    );
  });
  const piece = (length: number): Buffer => maskedFrame(0, Buffer.alloc(length, ' '));

  it('sends a small frame that decompresses to 50 MB: nothing is decompressed', async () => {
    const bomb = deflateRawSync(Buffer.alloc(50_000_000, ' '));
    expect(await codeOf(server, maskedFrame(FINAL_COMPRESSED, bomb.subarray(0, 60_000)))).to.equal(1002);
    const asked = new WebSocket(server.ws, { perMessageDeflate: true });
    await once(asked, 'open');
    expect(asked.extensions).to.equal('');
    asked.terminate();
  });

  it('sends a frame without a mask', async () => {
    expect(await codeOf(server, Buffer.from([FINAL_TEXT, 2, 0x7b, 0x7d]))).to.equal(1002);
  });

  it('subscribes to a million things at once, or to 10,000 unknown ones', async () => {
    const client = await server.connect();
    expect(await client.ask({ op: 'subscribe', subscriptions: Array(5_000).fill('key_blocks') })).to.deep.equal([
      'key_blocks',
    ]);
    expect(await client.ask({ op: 'subscribe', subscriptions: Array(10_000).fill('ak_') })).to.have.property('error');
    client.send({ op: 'subscribe', subscriptions: Array(1_000_000).fill('key_blocks') });
    expect((await client.closed).code).to.equal(1009);
  });

  it('nests brackets 60,000 deep, and names members as those of all objects', async () => {
    const client = await server.connect();
    for (const message of [
      '['.repeat(30_000) + ']'.repeat(30_000),
      `{"op":"subscribe","payload":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      `{"op":"subscribe","subscriptions":[${'['.repeat(30_000)}${']'.repeat(30_000)}]}`,
      '{"__proto__":{"op":"subscribe","payload":"key_blocks"}}',
      '{"op":"constructor","payload":"toString"}',
      '{"op":"subscribe","payload":"__proto__"}',
    ])
      expect(await client.ask(message), message.slice(0, 60)).to.have.property('error');
    expect(({} as Record<string, unknown>)['op']).to.equal(undefined);
    await client.close();
  });

  it('comes from any page: what is sent is public, and no cookie counts', async () => {
    const socket = new WebSocket(server.ws, { origin: 'https://elsewhere.example', headers: { cookie: 'a=b' } });
    await once(socket, 'open');
    socket.terminate();
  });
});
