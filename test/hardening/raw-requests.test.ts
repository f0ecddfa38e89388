import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import { serveHealth } from '../../src/operator/loop/server.js';
import { serveProgress } from '../../src/observe/progress-server.js';
import { createStartup } from '../../src/observe/startup.js';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { createWorld, startEventServer } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';

const LOCAL = { host: '127.0.0.1', port: 0 };

/** Each is refused, disconnected, or read as one request. */
const RAW: Record<string, string> = {
  'a length and chunks':
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  'a folded header': 'GET / HTTP/1.1\r\nhost: x\r\na: b\r\n c: d\r\nconnection: close\r\n\r\n',
  'bare line feeds': 'GET / HTTP/1.1\nhost: x\nconnection: close\n\n',
  'a bare carriage return': 'GET / HTTP/1.1\r\nhost: x\ra: b\r\nconnection: close\r\n\r\n',
  'a header of 64 kB': `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(65_536)}\r\n\r\n`,
  '5,000 headers': `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5_000)}\r\n`,
  'an address of 64 kB': `GET /${'a'.repeat(65_536)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'extensions of chunks of a megabyte': `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(1_048_576)}\r\nx\r\n0\r\n\r\n`,
  'trailers of a megabyte': `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n0\r\na: ${'b'.repeat(1_048_576)}\r\n\r\n`,
  'a chunk whose size fits no number': `POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\nx`,
  'the host of somebody else':
    'GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  'a wish for a tunnel': 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nhost: x\r\n\r\n',
  'no name of a path': 'GET constructor HTTP/1.1\r\nhost: x\r\n\r\n',
  'a wish for HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the greeting of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  zeros: '\0'.repeat(1_000),
};

const NO_SNIFF = /^x-content-type-options: nosniff\r$/im;

describe('malicious bytes', () => {
  const ports = new Map<string, { port: number; path: string }>();
  const closing: (() => unknown)[] = [];
  let world: World;
  let events: EventServer;
  let node: FakeNode;
  let api: TestApi;

  before(async () => {
    world = await createWorld({ seed: 'raw', generations: 2 });
    node = await fakeNode((_, response) => response.writeHead(404).end());
    events = await startEventServer(world.databaseUrl, node.url);
    api = await testApi(world.database, { nodeUrls: [node.url] });
    const health = await serveHealth(LOCAL, () => undefined, createOperatorMetrics());
    const progress = await serveProgress(LOCAL, createStartup());
    closing.push(
      () => health.close(),
      () => progress.close(),
    );
    const portOf = (url: string): number => Number(new URL(url).port);
    ports.set('the service', { port: api.port, path: '/healthz' });
    ports.set('the metrics', { port: api.metricsPort, path: '/healthz' });
    ports.set('the websockets', { port: portOf(events.ws), path: '/' });
    ports.set('the operator', { port: health.address.port, path: '/healthz' });
    ports.set('the progress of a load', { port: progress.address.port, path: '/healthz' });
    ports.set('the simulated node', { port: portOf(world.devnode.externalUrl), path: '/v3/status' });
  });
  after(async () => {
    for (const close of closing) await close();
    await api.close();
    await events.close();
    await world.close();
    await node.close();
  });

  /** All bytes that were received until the connection ended. */
  async function send(port: number, bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    await once(socket, 'connect');
    // Some servers wait for the rest of a request that has none.
    socket.end(bytes, 'latin1');
    await closed;
    return text;
  }

  for (const what of [
    'the service',
    'the metrics',
    'the websockets',
    'the operator',
    'the progress of a load',
    'the simulated node',
  ])
    it(`get one answer at the address of ${what}, which continues to work`, async () => {
      const { port, path } = ports.get(what)!;
      for (const [title, bytes] of Object.entries(RAW)) {
        const answers = (await send(port, bytes)).split(/^HTTP\/1\.1 /m).slice(1);
        expect(answers, title).to.have.length.at.most(1);
        expect(Number(answers[0]?.slice(0, 3) ?? 400), title).to.be.within(200, 499);
        const reply = await ask(port, path);
        expect(reply.status, title).to.be.oneOf([200, 426]);
        if (what === 'the simulated node') continue;
        // Answers of Node.js itself have no body.
        if (answers[0]?.includes('{') === true) expect(answers[0], title).to.match(NO_SNIFF);
        expect(reply.headers['x-content-type-options'], title).to.equal('nosniff');
      }
      expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    });

  it('reach the node as they were checked: one request, for a path', async () => {
    node.seen.length = 0;
    for (const bytes of Object.values(RAW)) await send(api.port, bytes.replace(/^(\w+) \/ /, '$1 /v3/x '));
    const lines = node.seen.map(({ line }) => line);
    expect(lines.filter((line) => !/^(GET|POST) \/(v3\/x|latest\/meta-data)$/.test(line))).to.deep.equal([]);
    for (const { headers, body } of node.seen) {
      expect(headers).not.to.have.any.keys('c', 'trailer');
      expect(JSON.stringify(headers)).not.to.match(/\\[rn]/);
      expect(body).to.equal('');
    }
  });

  it('can request another protocol a thousand times on one connection', async () => {
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', warn);
    // The server of websockets.
    const port = Number(new URL(events.http).port);
    const one = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';
    const socket = connect(port, '127.0.0.1');
    let count = 0;
    const all = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        count += chunk.toString().split('HTTP/1.1 200').length - 1;
        if (count < 1_000) socket.write(one);
        else resolve();
      });
    });
    socket.write(one);
    await all;
    socket.destroy();
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
  });
});
