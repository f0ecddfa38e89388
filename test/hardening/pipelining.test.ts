import { expect } from 'chai';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import { serveHealth } from '../../src/operator/loop/server.js';
import { ask, fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { createWorld, startEventServer } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { HANDSHAKE } from '../support/raw-websocket.js';

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
const LAST = 'connection: close\r\n';
const LARGE = `"${'x'.repeat(1_000_000)}"`;

describe('requests that do not wait for the answers before them', () => {
  let world: World;
  let node: FakeNode;
  let events: EventServer;
  let port: number;
  const sockets: Socket[] = [];
  /** Answers of the node that wait, by path. */
  const held = new Map<string, ServerResponse>();
  let inWork = 0;
  let mostInWork = 0;

  before(async () => {
    world = await createWorld({ seed: 'pipelining', generations: 2 });
    node = await fakeNode((request, response) => {
      const url = request.url ?? '';
      inWork += 1;
      mostInWork = Math.max(mostInWork, inWork);
      response.once('close', () => (inWork -= 1));
      if (url.startsWith('/v3/held')) held.set(url, response);
      else if (url === '/v3/large') response.end(LARGE);
      else setImmediate(() => response.end(JSON.stringify(url)));
    });
    events = await startEventServer(world.databaseUrl, node.url);
    port = Number(new URL(events.http).port);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    held.clear();
  });
  after(async () => {
    await events.close();
    await world.close();
    await node.close();
  });

  async function open(at = port): Promise<Socket> {
    const socket = connect(at, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }
  /** All that comes until the connection ends. */
  const rest = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1'))).once('close', () => resolve(text));
      socket.resume();
    });
  const until = async (path: string): Promise<ServerResponse> => {
    while (!held.has(path)) await once(node.server, 'request').then(() => new Promise(setImmediate));
    return held.get(path)!;
  };
  const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

  it('are answered in their order, one at a time', async () => {
    mostInWork = 0;
    const socket = await open();
    const paths = Array.from({ length: 500 }, (_, i) => `/v3/number/${i}`);
    socket.write(paths.map((path) => get(path)).join('') + get('/v3/last', LAST));
    const text = await rest(socket);
    expect([...text.matchAll(/"(\/v3\/[^"]+)"/g)].map(([, path]) => path)).to.deep.equal([...paths, '/v3/last']);
    expect(mostInWork).to.equal(1);
  });

  it('for documents, are answered to a client that begins to read late', async () => {
    const socket = await open();
    socket.pause().write(get('/openapi.json').repeat(300) + get('/v3/last', LAST));
    // Another client is answered meanwhile.
    expect((await ask(port, '/healthz')).status).to.equal(200);
    expect(statuses(await rest(socket))).to.deep.equal(Array(301).fill('200'));
  });

  it('are not begun while the answers before them are not read', async () => {
    const socket = await open();
    node.seen.length = 0;
    socket.pause().write(get('/v3/large').repeat(100) + get('/v3/last', LAST));
    for (let i = 0; i < 10; i++) await ask(port, '/v3/number/1');
    const begun = node.seen.filter(({ line }) => line === 'GET /v3/large').length;
    // What the kernel takes of them.
    expect(begun).to.be.below(20);
    expect(statuses(await rest(socket))).to.deep.equal(Array(101).fill('200'));
  });

  it('are answered when they come in many packets, each with the end of one and the start of the next', async () => {
    const socket = await open();
    const bytes = Array.from({ length: 300 }, (_, i) => get(`/v3/number/${i}`)).join('') + get('/v3/last', LAST);
    const answered = rest(socket);
    for (let i = 0; i < bytes.length; i += 1_000) {
      if (!socket.write(bytes.slice(i, i + 1_000))) await once(socket, 'drain');
      await new Promise(setImmediate);
    }
    expect(statuses(await answered)).to.have.length(301);
  });

  it('with bodies, keep each its own', async () => {
    const socket = await open();
    const post = (i: number): string => {
      const body = JSON.stringify({ i, pad: 'x'.repeat(5_000) });
      return `POST /v3/body/${i} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
    node.seen.length = 0;
    socket.write(Array.from({ length: 50 }, (_, i) => post(i)).join('') + get('/v3/last', LAST));
    expect(statuses(await rest(socket))).to.deep.equal(Array(51).fill('200'));
    const got = node.seen.slice(0, 50).map(({ line, body }) => [line, (JSON.parse(body) as { i: number }).i]);
    expect(got).to.deep.equal(Array.from({ length: 50 }, (_, i) => [`POST /v3/body/${i}`, i]));
  });

  it('and are more than a client may have in line, end the connection', async () => {
    const socket = await open();
    const ended = rest(socket);
    socket.write(get('/v3/held/first') + 'GET / HTTP/1.1\r\nhost:\r\n\r\n'.repeat(2_000));
    expect(await ended).to.equal('');
  });

  it('leave no place taken when their client leaves', async () => {
    const leaving = await Promise.all(Array.from({ length: 150 }, () => open()));
    for (const [i, socket] of leaving.entries()) {
      socket.write(get(`/v3/held/${i}`) + get(`/v3/held/${i}/b`) + get(`/v3/held/${i}/c`));
    }
    while (held.size < 128) await new Promise(setImmediate);
    for (const socket of leaving) socket.destroy();
    while (inWork > 0) await new Promise(setImmediate);
    // More than the places for forwarded requests.
    const answers = await Promise.all(Array.from({ length: 128 }, (_, i) => ask(port, `/v3/number/${i}`)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(128).fill(200));
  });

  it('get the place of the request before', async () => {
    // All places but one.
    const others = await Promise.all(Array.from({ length: 127 }, () => open()));
    for (const [i, socket] of others.entries()) socket.write(get(`/v3/held/${i}`));
    while (held.size < 127) await new Promise(setImmediate);
    const socket = await open();
    socket.write(get('/v3/number/1').repeat(5) + get('/v3/last', LAST));
    expect(statuses(await rest(socket))).to.deep.equal(Array(6).fill('200'));
  });

  it('and are followed by garbage: the answers before it are whole, and the connection ends', async () => {
    const socket = await open();
    const ended = rest(socket);
    socket.write(get('/v3/held/begun'));
    const response = await until('/v3/held/begun');
    response.writeHead(200, { 'content-length': 10 }).write('01234');
    await once(socket, 'data');
    socket.write('garbage\r\n\r\n');
    // The garbage has been read when another client is answered.
    for (let i = 0; i < 3; i++) await ask(port, '/healthz');
    response.end('56789');
    const text = await ended;
    expect(text.endsWith('0123456789')).to.equal(true);
    expect(statuses(text)).to.deep.equal(['200']);
  });

  it('and are followed by garbage before any answer has begun, also', async () => {
    const socket = await open();
    socket.write(`${get('/v3/number/1')}${get('/v3/number/2')}garbage\r\n\r\n`);
    expect(statuses(await rest(socket))).to.deep.equal(['200', '200']);
  });

  it('and whose body is garbage, get 400 if nothing of the answer was sent', async () => {
    const socket = await open();
    socket.write('POST /v3/transactions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n');
    expect(statuses(await rest(socket))).to.deep.equal(['400']);
  });

  it('and ask for a websocket, get it after the answers before it', async () => {
    const socket = await open();
    socket.write(get('/v3/held/before') + get('/openapi.json') + HANDSHAKE.replace(' / ', ' /websocket '));
    const response = await until('/v3/held/before');
    for (let i = 0; i < 3; i++) await ask(port, '/healthz');
    response.end('{}');
    let text = '';
    while (!text.includes('HTTP/1.1 101')) text += String((await once(socket, 'data'))[0]);
    expect(statuses(text)).to.deep.equal(['200', '200', '101']);
  });

  it('and ask for a websocket behind a long answer, get both', async () => {
    const socket = await open();
    socket.write(get('/v3/held/long') + HANDSHAKE.replace(' / ', ' /websocket '));
    const response = await until('/v3/held/long');
    const long = 'x'.repeat(20_000_000);
    response.writeHead(200, { 'content-length': long.length }).end(long);
    let bytes = 0;
    let end = '';
    while (!end.includes('HTTP/1.1 101')) {
      const text = String((await once(socket, 'data'))[0]);
      bytes += text.length;
      end = (end + text).slice(-1_000);
    }
    expect(bytes).to.be.above(long.length);
  });

  it('and ask for another protocol, are answered in their order', async () => {
    const socket = await open();
    const h2c = get('/v3/number/2', 'connection: upgrade\r\nupgrade: h2c\r\n');
    socket.write(get('/v3/held/first') + get('/v3/number/1') + h2c + get('/v3/number/3', LAST));
    const response = await until('/v3/held/first');
    for (let i = 0; i < 3; i++) await ask(port, '/healthz');
    response.end('"/v3/held/first"');
    const text = await rest(socket);
    expect([...text.matchAll(/"(\/v3\/[^"]+)"/g)].map(([, path]) => path)).to.deep.equal([
      '/v3/held/first',
      '/v3/number/1',
      '/v3/number/2',
      '/v3/number/3',
    ]);
  });

  it('and ask for a tunnel, do not cut the answers before it', async () => {
    const socket = await open();
    socket.write(get('/v3/number/1') + 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(statuses(await rest(socket))).to.deep.equal(['200']);
  });

  it('get their websocket at its own address, too', async () => {
    const socket = await open(Number(new URL(events.ws).port));
    socket.write(get('/').repeat(3) + HANDSHAKE);
    let text = '';
    while (!text.includes('HTTP/1.1 101')) text += String((await once(socket, 'data'))[0]);
    expect(statuses(text)).to.deep.equal(['426', '426', '426', '101']);
  });

  it('are answered one at a time by the operator, too', async () => {
    const metrics = createOperatorMetrics();
    const collect = metrics.registry.metrics.bind(metrics.registry);
    let [running, most] = [0, 0];
    metrics.registry.metrics = async () => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      return collect();
    };
    const health = await serveHealth({ host: '127.0.0.1', port: 0 }, () => undefined, metrics);
    const socket = await open(health.address.port);
    socket.write(get('/metrics').repeat(50) + get('/metrics', LAST));
    expect(statuses(await rest(socket))).to.have.length(51);
    expect(most).to.equal(1);
    await health.close();
  });

  for (const coding of ['gzip, chunked', 'identity', 'chunked, chunked', 'x', 'gzip'])
    it(`with the transfer encoding ${coding} are refused, and do not reach the node`, async () => {
      const socket = await open();
      node.seen.length = 0;
      const head = `POST /v3/transactions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: ${coding}\r\n\r\n`;
      socket.write(`${head}2\r\n{}\r\n0\r\n\r\n${get('/v3/smuggled')}`);
      expect(statuses(await rest(socket))).to.deep.equal(['400']);
      expect(node.seen).to.deep.equal([]);
    });

  it('end nothing when they ask a server that drains for a websocket, and are reset', async () => {
    const draining = await startEventServer(world.databaseUrl, node.url, { config: { websocketDrainMs: 2_000 } });
    // With these, the server drains for some time.
    const others = [await draining.connect(), await draining.connect()];
    const ports = [draining.http, draining.ws].map((url) => Number(new URL(url).port));
    const late = await Promise.all(ports.map((one) => open(one)));
    const [first, second] = HANDSHAKE.replace(' / ', ' /websocket ').split(/(?=Upgrade)/, 2) as [string, string];
    for (const socket of late) socket.write(first);
    for (let i = 0; i < 3; i++) await ask(ports[0]!, '/healthz');
    const closed = draining.close();
    await others[0]!.closed;
    for (const socket of late) {
      // The refusal meets a connection that was reset.
      socket.write(HANDSHAKE.slice(HANDSHAKE.indexOf(second)), () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    // An error that nothing handles would fail this test.
    await closed;
  });
});
