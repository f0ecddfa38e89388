import { expect } from 'chai';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeReader } from '../../src/api/node-reader.js';

describe('what the compatible API asks the node', () => {
  let server: Server;
  let url: string;
  const requests: string[] = [];

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request.url!);
      response.setHeader('content-type', 'application/json');
      response.end('{"transactions":[{"hash":"th_1"}]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it('asks for the pool once for all requests that come together, because the pool may be large', async () => {
    const reader = createNodeReader({ urls: [url], now: () => performance.now() });
    const all = await Promise.all(Array.from({ length: 20 }, () => reader.pending()));
    expect(all).to.deep.equal(Array.from({ length: 20 }, () => [{ hash: 'th_1' }]));
    expect(requests).to.have.length(1);
    await reader.pending();
    expect(requests).to.have.length(2);
    reader.close();
  });

  it('asks again after a node that did not answer', async () => {
    const reader = createNodeReader({ urls: ['http://127.0.0.1:1'], now: () => performance.now() });
    for (let attempt = 0; attempt < 2; attempt++) {
      const failed = await Promise.allSettled([reader.pending(), reader.pending()]);
      expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    }
    reader.close();
  });
});
