import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { eventually } from '../support/populator.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

/** With these, the server gives requests for websockets to them. */
const events = { beforeEvents: () => undefined, upgrade: () => undefined, stream: () => Promise.resolve() };

/** Longer than a busy machine delays a request, and short for the test. */
const MS = 1_000;

describe('clients that are slow on purpose', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;
  const sockets: Socket[] = [];
  /** Answers of the node that were interrupted. */
  let cutOff = 0;
  /** Answers of the node that wait. */
  const held: ServerResponse[] = [];

  before(async () => {
    seeded = await emptyDatabase();
    node = await fakeNode((request, response) => {
      if (request.url === '/v3/held') return void held.push(response);
      if (request.url !== '/v3/endless') return void response.end('{}');
      response.once('close', () => cutOff++);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    api = await testApi(
      seeded.database,
      { nodeUrls: [node.url] },
      { clientTimeouts: { headMs: MS, requestMs: 2 * MS, stallMs: 3 * MS }, events },
    );
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  /** Opens connections that each send this text and then nothing. */
  async function open(count: number, bytes: string, port = api.port): Promise<Socket[]> {
    const opened = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    sockets.push(...opened);
    await Promise.all(opened.map((socket) => once(socket, 'connect')));
    for (const socket of opened) socket.write(bytes);
    return opened;
  }
  const closed = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk))).once('close', () => resolve(text));
    });

  it('that send their bodies slowly do not block others', async () => {
    const slow = await open(200, 'POST /v3/transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
    const large = await open(100, 'POST /v3/transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{');
    // The earlier ones have been read when this one is answered.
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(api.port, '/v3/status')));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
    const small = await ask(api.port, '/v3/transactions', { method: 'POST', body: '{}' });
    expect(small.status).to.equal(200);
    const texts = await Promise.all([...slow, ...large].map(closed));
    expect(texts.filter((text) => text.startsWith('HTTP/1.1 503 '))).to.have.length(100 - 16);
  });

  it('that read nothing are disconnected, also when they ask for another protocol behind', async () => {
    const before = cutOff;
    const upgrade = 'GET /websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
    const [socket] = await open(1, `GET /v3/endless HTTP/1.1\r\nhost: x\r\n\r\n${upgrade}`);
    socket!.pause();
    await eventually(
      () => Promise.resolve(cutOff),
      (count) => count > before,
    );
  });

  it('that send the next request slowly are disconnected after the answers before it', async () => {
    const get = 'GET /v3/held HTTP/1.1\r\nhost: x\r\n\r\n';
    const unfinished = [
      'GET /v3/status HTTP/1.1\r\nx: ',
      'POST /v3/transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{',
    ];
    const late: Promise<string>[] = [];
    for (const text of unfinished) for (const socket of await open(1, get + text)) late.push(closed(socket));
    await eventually(
      () => Promise.resolve(held.length),
      (count) => count === 2,
    );
    // It began later, so theirs are over as well.
    const [last] = await open(1, unfinished[1]!);
    expect(await closed(last!)).to.match(/^HTTP\/1.1 408 /);
    for (const response of held) response.end('{}');
    for (const text of await Promise.all(late)) expect(text.match(/HTTP\/1.1 \d+/g)).to.deep.equal(['HTTP/1.1 200']);
  });

  it('that never end their headers, or their body, are disconnected with 408', async () => {
    const all = [
      '',
      'GET /v3/status HTTP/1.1\r\nhost: x\r\nx: ',
      'POST /v3/transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{',
      'POST /middleware/contracts/verify HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ].flatMap((bytes) => [api.port, api.metricsPort].map((port) => open(1, bytes, port)));
    const texts = await Promise.all(all.map(async (opened) => closed((await opened)[0]!)));
    for (const text of texts) expect(text).to.match(/^HTTP\/1\.1 (408|404|405) /);
  });

  it('that never read the answer of the node are disconnected, and the node with them', async () => {
    const before = cutOff;
    const [socket] = await open(1, 'GET /v3/endless HTTP/1.1\r\nhost: x\r\n\r\n');
    socket!.pause();
    await eventually(
      () => Promise.resolve(cutOff),
      (count) => count > before,
    );
  });

  it('that read slowly get the whole answer', async () => {
    const [socket] = await open(1, 'GET /openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const text = await closed(socket!);
    expect(text).to.match(/^HTTP\/1\.1 200 [^]*\}$/);
  });

  it('that open many connections leave room for others', async () => {
    await open(1_000, 'GET /v3/status HTTP/1.1\r\n');
    expect((await ask(api.port, '/v3/status', { headers: { host: 'x' } })).status).to.equal(200);
  });
});
