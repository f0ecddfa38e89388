import { expect } from 'chai';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { MiddlewareError } from '../../src/observe/errors.js';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { append, emptyDatabase, madeBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

describe('the HTTP server', () => {
  let seeded: SeededDatabase;
  let api: TestApi;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks([{}, {}]));
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('answers unknown paths of its own with 404, whatever the method', async () => {
    for (const [path, method] of [
      ['/middleware', 'GET'],
      ['/middleware/', 'GET'],
      ['/middleware/nothing', 'POST'],
      ['/middleware/Status', 'GET'],
      ['/middleware/size/current/more', 'DELETE'],
      ['/middleware/size/height/', 'GET'],
    ] as const) {
      const { status, headers, body } = await api.get(path, { method });
      expect([status, body], path).to.deep.equal([404, '{"reason":"Not found"}']);
      expect(headers['content-type']).to.equal('application/json');
    }
  });

  it('answers wrong methods with 405 and reports the right ones', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const { status, headers, body } = await api.get('/middleware/size/current', { method, body: '{}' });
      expect([status, headers.allow, body], method).to.deep.equal([
        405,
        'GET, HEAD, OPTIONS',
        '{"reason":"Method not allowed"}',
      ]);
    }
    const { status, headers } = await api.get('/middleware/size/current', { method: 'OPTIONS' });
    expect([status, headers.allow]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
  });

  it('ignores double slashes and a slash at the end', async () => {
    for (const path of [
      '//middleware//size///current',
      '/middleware/size/current/',
      '/./middleware/x/../size/current?y',
    ]) {
      expect(await api.json(path)).to.deep.equal({ size: 0 });
    }
  });

  it('answers HEAD like GET without a body, errors included', async () => {
    for (const [path, status] of [
      ['/middleware/size/current', 200],
      ['/middleware/reward/height/x', 400],
    ] as const) {
      const [head, full] = [await api.get(path, { method: 'HEAD' }), await api.get(path)];
      expect([head.status, head.body, head.headers['content-length']]).to.deep.equal([
        status,
        '',
        String(full.body.length),
      ]);
    }
  });

  it('allows every origin, with credentials, on answers and errors alike', async () => {
    for (const path of [
      '/middleware/size/current',
      '/middleware/nothing',
      '/middleware/reward/height/x',
      '/v2/forwarded',
    ]) {
      const { headers } = await api.get(path, { headers: { origin: 'https://wallet.example' } });
      expect(headers, path).to.include({
        'access-control-allow-origin': 'https://wallet.example',
        'access-control-allow-credentials': 'true',
      });
    }
    expect((await api.get('/middleware/size/current')).headers['access-control-allow-origin']).to.equal('*');
  });

  it('answers preflight requests for any header', async () => {
    const { status, headers } = await api.get('/v2/transactions', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://wallet.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-anything',
      },
    });

    expect(status).to.equal(204);
    expect(headers).to.include({
      'access-control-allow-origin': 'https://wallet.example',
      'access-control-allow-headers': 'content-type,x-anything',
    });
    expect(headers['access-control-allow-methods']).to.contain('POST');
  });

  it('gives every answer a request id, that of the client if it is valid', async () => {
    const id = async (given: string) =>
      (await api.get('/healthz', { headers: { 'x-request-id': given } })).headers['x-request-id'];

    expect(await id('abc-1.2_3')).to.equal('abc-1.2_3');
    expect(await id('a b;<>')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('hides the details of internal errors', async () => {
    const failing = { ...seeded.database, query: () => Promise.reject(new Error('secret relation "x"')) };
    const broken = {
      ...seeded.database,
      query: () =>
        Promise.reject(new MiddlewareError('missing_right', 'database: secret', { details: { sqlstate: '42501' } })),
    };
    for (const [database, answer] of [
      [failing, [500, '{"reason":"Internal server error"}']],
      [broken, [503, '{"reason":"Temporarily unavailable"}']],
    ] as const) {
      const other = await testApi(database);
      const { status, body } = await other.get('/middleware/size/current');
      const compat = await other.get('/mdw/v3/transactions', { headers: { 'x-request-id': 'abc-1' } });
      await other.close();
      expect([status, body]).to.deep.equal(answer);
      const { reason: error } = JSON.parse(body) as { reason: string };
      const request = status === 500 && { request_id: 'abc-1' };
      expect([compat.status, JSON.parse(compat.body)]).to.deep.equal([status, { error, ...request }]);
    }
  });

  it('answers malformed HTTP with an error in JSON', async () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);

    expect(text).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).to.contain('{"reason":"Malformed HTTP request"}');
  });

  it('names the address that cannot be used', async () => {
    const taken = { host: '127.0.0.1', port: api.port };
    const error: unknown = await testApi(seeded.database, { httpAddress: taken }).catch((e: unknown) => e);

    expect(error).to.be.instanceOf(MiddlewareError);
    expect((error as Error).message).to.equal(`HTTP_ADDRESS 127.0.0.1:${api.port} is in use`);
  });

  it('answers requests under way before it stops, and leaves no connection open', async () => {
    let pending: ServerResponse | undefined;
    const node = await fakeNode((_req, res) => (pending = res));
    const leaving = await testApi(seeded.database, { nodeUrls: [node.url] });
    const agent = new Agent({ keepAlive: true });
    const kept = request({ port: leaving.port, path: '/healthz', agent }).end();
    const [first] = (await once(kept, 'response')) as [IncomingMessage];
    const ended = once(first.socket, 'close');
    first.resume();
    await once(first, 'end');
    const slow = ask(leaving.port, '/v2/slow');
    while (pending === undefined) await once(node.server, 'request');

    const closed = leaving.close();
    // Ended by the server, while the other request is still under way.
    await ended;
    const refused = await ask(leaving.port, '/healthz').catch((error: NodeJS.ErrnoException) => error.code);
    const ready = await ask(leaving.metricsPort, '/readyz');
    pending.end('late');
    const { status, headers, body } = await slow;
    await closed;
    agent.destroy();
    await node.close();

    expect(refused).to.equal('ECONNREFUSED');
    expect([ready.status, (JSON.parse(ready.body) as { reason: string }).reason]).to.deep.equal([503, 'draining']);
    expect([status, headers.connection, body]).to.deep.equal([200, 'close', 'late']);
  });
});
