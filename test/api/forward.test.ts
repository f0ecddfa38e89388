import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { PushedEvents } from '../../src/api/deps.js';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { fakeNode, testApi } from '../support/api.js';
import type { FakeNode, RequestOptions, TestApi } from '../support/api.js';
import { converse } from '../support/raw.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { skipFor } from '../support/skip.js';

const NO_EVENTS: PushedEvents = {
  beforeEvents: () => undefined,
  upgrade: (_request, socket) => void socket.destroy(),
  stream: () => Promise.resolve(),
};

describe('forwarding to the node', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;
  let answer: RequestListener;
  const echo: RequestListener = (req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: req.url }));
  };

  before(async () => {
    seeded = await emptyDatabase();
    node = await fakeNode((req, res) => answer(req, res));
    const config = {
      nodeUrls: [`${node.url}/base`],
      forwardTimeoutMs: 2_000,
      // Otherwise / would be a page of the server.
      explorer: 'off' as const,
    };
    // With events, the server handles requests for other protocols.
    api = await testApi(seeded.database, config, { events: NO_EVENTS });
  });
  beforeEach(() => {
    answer = echo;
    node.seen.length = 0;
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  it('does not change method, path, query, headers and body', async () => {
    const path = "/v2/names/x%2Fy?a=1&b=%20'{}|&&c==&a=2?%zz";
    const body = '{"tx": "tx_ü\\u0000"}';
    await api.get(path, { method: 'POST', body, headers: { 'content-type': 'application/json', accept: 'a/b' } });

    const [seen] = node.seen;
    expect(seen?.line).to.equal(`POST /base${path}`);
    expect(seen?.body).to.equal(body);
    expect(seen?.headers).to.include({
      'content-type': 'application/json',
      accept: 'a/b',
      host: new URL(node.url).host,
    });
  });

  it('does not change status, headers and body of the answer, also of errors', async () => {
    answer = (_req, res) => {
      res.writeHead(410, { 'content-type': 'application/json', 'x-ae-height': '7', vary: 'Accept' });
      res.end('{"reason":"Name revoked","error_code":"name_revoked"}');
    };
    const { status, headers, body } = await api.get('/v2/names/a.chain');

    expect([status, body]).to.deep.equal([410, '{"reason":"Name revoked","error_code":"name_revoked"}']);
    expect(headers).to.include({ 'x-ae-height': '7', 'content-type': 'application/json', vary: 'Accept, Origin' });
  });

  it('never sends a body of unknown length that the node would read as another request', async () => {
    const statuses: (number | undefined)[] = [];
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const sent = request({ port: api.port, method, path: '/v2/x', headers: { 'transfer-encoding': 'chunked' } });
      sent.write('GET /smuggled HTTP/1.1\r\n');
      sent.end('host: x\r\n\r\n');
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      reply.resume();
      await once(reply, 'end');
      statuses.push(reply.statusCode);
    }

    expect(statuses).to.deep.equal([200, 200, 411, 411]);
    expect(node.seen.map(({ line }) => line)).to.deep.equal(['POST /base/v2/x', 'GET /base/v2/x']);
    expect(node.seen.map(({ body }) => body.length)).to.deep.equal([35, 35]);
  });

  it('does not let Connection drop the framing of a body', async () => {
    const headers = { connection: 'close, content-length, x-secret', 'x-secret': '1' };
    await api.get('/v2/x', { method: 'POST', body: 'GET /smuggled HTTP/1.1\r\n\r\n', headers });

    expect(node.seen).to.have.length(1);
    expect(node.seen[0]?.body).to.contain('smuggled');
    expect(node.seen[0]?.headers).not.to.have.property('x-secret');
  });

  it('drops hop-by-hop headers in both directions', async () => {
    answer = (_req, res) => {
      res.writeHead(200, {
        connection: 'keep-alive, x-hop',
        'x-hop': '1',
        'keep-alive': 'timeout=99',
        'access-control-allow-origin': 'null',
      });
      res.end('{}');
    };
    const { headers } = await api.get('/v2/x', {
      headers: {
        te: 'trailers',
        upgrade: 'h2c',
        'x-forwarded-for': '1.2.3.4',
        'proxy-authorization': 'x',
        origin: 'http://a.b',
      },
    });

    expect(headers).not.to.have.any.keys('x-hop');
    expect(headers['keep-alive']).not.to.equal('timeout=99');
    expect(headers['access-control-allow-origin']).to.equal('http://a.b');
    expect(node.seen[0]?.headers).not.to.have.any.keys('te', 'upgrade', 'x-forwarded-for', 'proxy-authorization');
  });

  for (const [how, lines] of [
    ['one', 'Connection: close, X-Hop , x-other'],
    ['several', 'connection: X-HOP\r\nConnection: close\r\nCONNECTION: X-Other'],
    ['one that asks for another protocol', 'Connection: Upgrade, x-hop, X-Other, close\r\nUpgrade: h2c'],
    [
      'several that ask for another protocol',
      'Connection: x-hop, close\r\nUpgrade: websocket\r\nConnection: upgrade,x-other',
    ],
    [
      'one that names the headers which delimit the body',
      'Connection: close, x-hop, host, x-other, content-length, transfer-encoding',
    ],
  ] as const) {
    it(`drops the headers that Connection names, in ${how}`, async () => {
      const body = 'GET /smuggled HTTP/1.1\r\n\r\n';
      const head = `POST /v2/x HTTP/1.1\r\nHost: x\r\nX-Hop: 1\r\nX-Stays: 2\r\n${lines}\r\nx-OTHER: 3`;
      const text = await converse(api.port, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

      expect(text).to.match(/^HTTP\/1\.1 200 OK\r\n/);
      expect(node.seen.map((one) => [one.line, one.body])).to.deep.equal([['POST /base/v2/x', body]]);
      expect(node.seen[0]?.headers).to.include({ 'x-stays': '2' });
      expect(node.seen[0]?.headers).not.to.have.any.keys('x-hop', 'x-other', 'upgrade');
    });
  }

  it('drops the headers that several Connection of the answer name', async () => {
    answer = (_req, res) => {
      res.socket?.end(
        'HTTP/1.1 200 OK\r\nconnection: ETag\r\nCONNECTION: close, Retry-After\r\netag: "1"\r\nretry-after: 7\r\n' +
          'x-ae-height: 1\r\ncontent-length: 2\r\n\r\n{}',
      );
    };
    const { headers } = await api.get('/v2/x');

    expect(headers).to.include({ 'x-ae-height': '1' });
    expect(headers).not.to.have.any.keys('etag', 'retry-after');
  });

  for (const [path, forwarded] of [
    ['/v2/../../admin', '/base/admin'],
    ['/v2/%2e%2e/%2E./admin', '/base/admin'],
    ['/v2/./x//y/', '/base/v2/x/y'],
    ['//evil.example/x', '/base/evil.example/x'],
    ['http://evil.example/v2/status?x=//y', '/base/v2/status?x=//y'],
    ['/', '/base/'],
  ] as const) {
    it(`stays below the base path for ${path}`, async () => {
      await api.get(path);

      expect(node.seen.map(({ line }) => line)).to.deep.equal([`GET ${forwarded}`]);
    });
  }

  for (const path of ['/v2/..%2f..%2fadmin', '/v2/..%5cadmin', '/v2/x%2f..%2f..', 'ftp://x/y', '/v2/%zz%2f..%2fx']) {
    it(`refuses ${path}`, async () => {
      const { status, body } = await api.get(path);

      expect([status, body]).to.deep.equal([400, '{"reason":"Invalid request target"}']);
      expect(node.seen).to.deep.equal([]);
    });
  }

  for (const path of [
    '/middleware/../../etc/passwd',
    '/middleware/%2e%2e/%2e%2e/etc/passwd',
    '/middleware/%2E./etc/passwd',
    '/middleware/names/%2e%2e/../../v2/status',
    '/x/../middleware/../etc/passwd',
    '/middleware/%252e%252e/%252e%252e/etc/passwd',
    '/middleware/..;/..;/etc/passwd',
    '/middleware/;/../../etc/passwd',
    '/middleware%2fstatus',
    '/middleware%5cstatus',
    '/middleware\\etc',
    '/%6diddleware/../etc/passwd',
    '/middleware%2f%2e/etc/passwd',
    '/middleware/%c0%ae%c0%ae/etc/passwd',
    '/middleware/%00/../../etc/passwd',
    '/docs/%2e%2e/etc/passwd',
    '/healthz/..',
  ]) {
    it(`answers 404 for ${path} and does not forward it`, async () => {
      const { status, headers, body } = await api.get(path);

      expect([status, headers['content-type'], body]).to.deep.equal([
        404,
        'application/json',
        '{"reason":"Not found"}',
      ]);
      expect(node.seen).to.deep.equal([]);
    });
  }

  for (const path of [
    '/middleware/..%2f..%2fetc/passwd',
    '/middleware\\..\\..\\etc',
    '/middleware%2f..%2fetc/passwd',
  ]) {
    it(`refuses ${path}`, async () => {
      const { status, headers, body } = await api.get(path);

      expect([status, headers['content-type']]).to.deep.equal([400, 'application/json']);
      expect(body).to.equal('{"reason":"Invalid request target"}');
      expect(node.seen).to.deep.equal([]);
    });
  }

  it('answers 504 when the node does not answer in time', async () => {
    answer = () => undefined;
    const { status, headers, body } = await api.get('/v2/x', { headers: { origin: 'http://a.b' } });

    expect([status, body]).to.deep.equal([504, '{"reason":"The node did not answer in time"}']);
    expect(headers['access-control-allow-origin']).to.equal('http://a.b');
  });

  it('answers 502 when the node closes the connection without an answer', async () => {
    answer = (req) => req.socket.destroy();
    const { status, body } = await api.get('/v2/x', { method: 'POST', body: '{}' });

    expect([status, body]).to.deep.equal([502, '{"reason":"The node could not be reached"}']);
    expect(node.seen).to.have.length(1);
  });

  for (const [how, end] of [
    ['breaks off', (res: ServerResponse) => res.destroy()],
    ['stops in the middle of', () => undefined],
  ] as const) {
    it(`closes the connection when the node ${how} its answer`, async () => {
      answer = (_req, res) => {
        res.writeHead(200, { 'content-length': '1000' });
        res.write('{"half":', () => end(res));
      };
      const sent = request({ port: api.port, path: '/v2/x' }).end();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      reply.resume();
      const [error] = (await once(reply, 'error')) as [Error];

      expect(error.message).to.equal('aborted');
    });
  }

  it('survives clients that disconnect', async () => {
    let reached: () => void = () => undefined;
    let left: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (reached = resolve));
    const abandoned = new Promise<void>((resolve) => (left = resolve));
    answer = (_req, res) => {
      res.once('close', left);
      reached();
    };
    const sent = request({ port: api.port, path: '/v2/x' }).end();
    sent.on('error', () => undefined);
    await asked;
    sent.destroy();
    await abandoned;

    answer = echo;
    expect((await api.get('/v2/x')).status).to.equal(200);
  });

  it('survives clients that disconnect before their body is complete', async () => {
    for (const length of ['20', '200000']) {
      const sent = request({ port: api.port, method: 'POST', path: '/v2/x', headers: { 'content-length': length } });
      sent.on('error', () => undefined);
      const socket = await new Promise<Socket>((resolve) => sent.once('socket', resolve));
      sent.write('half', () => socket.resetAndDestroy());
      await once(socket, 'close');
    }

    expect((await api.get('/v2/x')).status).to.equal(200);
  });

  it('refuses bodies above the limit, announced or not', async () => {
    const big = Buffer.alloc(6 * 1024 * 1024, 32);
    const announced = await api
      .get('/v2/x', { method: 'POST', headers: { 'content-length': String(big.length) } })
      .catch(String);
    const streamed = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({
        port: api.port,
        method: 'POST',
        path: '/v2/x',
        headers: { 'transfer-encoding': 'chunked' },
      });
      sent.on('response', (reply) => resolve(reply.statusCode));
      sent.on('error', reject);
      sent.end(big);
    });

    expect(announced).to.include({ status: 413 });
    expect(streamed).to.equal(413);
    expect(node.seen).to.deep.equal([]);
  });

  it('sends large bodies up to the limit whole', async () => {
    const body = 'x'.repeat(4 * 1024 * 1024);
    const { status } = await api.get('/v2/x', { method: 'POST', body });

    expect(status).to.equal(200);
    expect(node.seen[0]?.body).to.have.length(body.length);
  });

  it('reaches a node at an IPv6 address', async function () {
    const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
    if (!hasIpv6) skipFor('no IPv6', this);
    const other = await fakeNode(echo, '::1');
    const before = await testApi(seeded.database, { nodeUrls: [`${other.url}/base`] });
    try {
      expect((await before.get('/v2/x?a')).body).to.equal('{"url":"/base/v2/x?a"}');
      expect(other.seen[0]?.headers.host).to.equal(new URL(other.url).host);
    } finally {
      await before.close();
      await other.close();
    }
  });

  it('sends the login in the address of the node, and not that of the client', async () => {
    const guarded = await testApi(seeded.database, {
      nodeUrls: [node.url.replace('http://', 'HTTP://me:s%2Fecret@')],
      nodeInternalUrl: node.url.replace('http://', 'http://you:%C3%A4@'),
    });
    await guarded.get('/v2/x', { headers: { authorization: 'Basic b3RoZXI6eA==' } });
    await guarded.get('/v2/debug/x');
    await guarded.close();
    await api.get('/v2/x', { headers: { authorization: 'Basic b3RoZXI6eA==' } });

    const logins = node.seen.map(({ headers }) =>
      Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString(),
    );
    expect(logins).to.deep.equal(['me:s/ecret', 'you:ä', 'other:x']);
    expect(node.seen[0]?.headers.host).to.equal(new URL(node.url).host);
  });

  describe('with several nodes', () => {
    const options: RequestOptions[] = [{}, { method: 'POST', body: '{"tx":"tx_1"}' }];
    for (const option of options) {
      it(`tries the next one when one is down (${option.method ?? 'GET'})`, async () => {
        const down = `http://127.0.0.1:${await freePort()}`;
        const several = await testApi(seeded.database, { nodeUrls: [down, node.url] });
        const statuses = [(await several.get('/v2/x', option)).status, (await several.get('/v2/x', option)).status];
        await several.close();

        expect(statuses).to.deep.equal([200, 200]);
        expect(node.seen.map(({ body }) => body)).to.deep.equal([option.body ?? '', option.body ?? '']);
      });
    }

    it('tries the first one again after a while', async () => {
      let now = 0;
      const port = await freePort();
      const several = await testApi(
        seeded.database,
        { nodeUrls: [`http://127.0.0.1:${port}`, node.url] },
        { now: () => now },
      );
      await several.get('/v2/x');
      const revived = createServer((socket: Socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 203 Back\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
      });
      revived.listen(port, '127.0.0.1');
      await once(revived, 'listening');
      const soon = await several.get('/v2/x');
      now += 5_000;
      const later = await several.get('/v2/x');
      await several.close();
      revived.close();

      expect([soon.status, later.status]).to.deep.equal([200, 203]);
    });

    it('sends few requests to one that does not answer, and the others to the next one', async () => {
      let now = 0;
      const silent = await fakeNode(() => undefined);
      const several = await testApi(
        seeded.database,
        { nodeUrls: [silent.url, node.url], forwardTimeoutMs: 300 },
        { now: () => now },
      );
      const after = async (ms: number, count = 1): Promise<number[]> => {
        now += ms;
        const replies = await Promise.all(Array.from({ length: count }, () => several.get('/v2/x')));
        return replies.map(({ status }) => status).sort();
      };
      const statuses = [
        await after(0),
        await after(0),
        // The pause is over, but one request is enough to see whether the node answers.
        await after(5_000, 4),
        // The pause is twice as long now.
        await after(5_000),
        await after(5_000, 2),
      ];
      await several.close();
      await silent.close();

      expect(statuses).to.deep.equal([[504], [200], [200, 200, 200, 504], [200], [200, 504]]);
    });

    it('answers 502 when all are down', async () => {
      const urls = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
      const several = await testApi(seeded.database, { nodeUrls: urls });
      const { status, body } = await several.get('/v2/x');
      await several.close();

      expect([status, body]).to.deep.equal([502, '{"reason":"The node could not be reached"}']);
    });
  });

  it('reaches the internal interface only when it is set, and only for its paths', async () => {
    const internal = await fakeNode(echo);
    const both = await testApi(seeded.database, { nodeUrls: [node.url], nodeInternalUrl: internal.url });
    const asks: [string, RequestOptions][] = [
      ['/v2/debug/network', {}],
      ['/v3/%64ebug/peers', {}],
      ['/v2/key-blocks', { method: 'POST', body: '{}' }],
      ['/v3/node/operator/peers/count', {}],
      ['/v2/key-blocks', {}],
      ['/v2/debugger', {}],
    ];
    for (const [path, option] of asks) await both.get(path, option);
    await api.get('/v2/debug/network');
    await both.close();
    await internal.close();

    expect(internal.seen.map(({ line }) => line)).to.deep.equal([
      'GET /v2/debug/network',
      'GET /v3/%64ebug/peers',
      'POST /v2/key-blocks',
      'GET /v3/node/operator/peers/count',
    ]);
    expect(node.seen.map(({ line }) => line)).to.deep.equal([
      'GET /v2/key-blocks',
      'GET /v2/debugger',
      'GET /base/v2/debug/network',
    ]);
  });

  describe('from a node that answers oddly', () => {
    let odd: Server;
    let through: TestApi;
    let bytes = '';

    before(async () => {
      odd = createServer((socket: Socket) => {
        socket.on('error', () => undefined);
        socket.on('data', () => socket.end(bytes, 'latin1'));
      });
      odd.listen(0, '127.0.0.1');
      await once(odd, 'listening');
      const { port } = odd.address() as AddressInfo;
      through = await testApi(seeded.database, { nodeUrls: [`http://127.0.0.1:${port}`], forwardTimeoutMs: 2_000 });
    });
    after(async () => {
      await through.close();
      odd.close();
    });

    it('sends an answer with a control character in its reason phrase', async () => {
      bytes = 'HTTP/1.1 404 Not\x01Found\r\nx-ae-height: 7\r\ncontent-length: 2\r\n\r\n{}';
      const { status, headers, body } = await through.get('/v2/x');

      expect([status, headers['x-ae-height'], body]).to.deep.equal([404, '7', '{}']);
    });

    for (const [line, headers] of [
      ['099 Odd', 'etag: "of the node"\r\ncontent-length: 2\r\n'],
      ['000 Odd', 'etag: "of the node"\r\ncontent-length: 2\r\n'],
      ['101 Switching Protocols', 'etag: "of the node"\r\n'],
      ['101 Switching Protocols', 'connection: upgrade\r\nupgrade: other\r\n'],
    ] as const) {
      it(`answers 502 for the status ${line} with ${headers.replaceAll('\r\n', ' ').trim()}`, async () => {
        bytes = `HTTP/1.1 ${line}\r\n${headers}\r\n{}`;
        const reply = await through.get('/v2/x');

        expect([reply.status, reply.body]).to.deep.equal([502, '{"reason":"The node could not be reached"}']);
        expect(reply.headers).not.to.have.property('etag');
      });
    }

    it('closes the connection when the body of the answer is malformed from its first byte on', async () => {
      bytes = 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}';
      const text = await converse(through.port, 'GET /v2/x HTTP/1.1\r\nhost: x\r\n\r\n');

      expect(text).to.equal('');
    });
  });

  it('serves clients of HTTP/1.0', async () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write('GET /v2/x HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);

    expect(text).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).to.match(/\r\n\r\n\{"url":"\/base\/v2\/x"\}$/);
  });
});
