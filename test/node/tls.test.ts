import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCompilerService } from '../../src/compiler/service.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { testApi } from '../support/api.js';
import { makeAuthority } from '../support/authority.js';
import { nodeAt } from '../support/copy.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { rejection, reply } from '../support/http-server.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

describe('a node and a compiler with certificates of a private authority', () => {
  const authority = makeAuthority();
  const another = makeAuthority();
  let devnode: Devnode;
  let front: Server;
  let url: string;

  before(async () => {
    devnode = await generated();
    const files = { cert: readFileSync(authority.cert), key: readFileSync(authority.key) };
    front = createServer(files, (request, response) => {
      if (request.url === '/version') return reply(response, 200, '{"version":"7.4.1"}');
      if (request.url === '/') return reply(response, 404, '');
      void fetch(devnode.externalUrl + request.url).then(async (answer) =>
        reply(response, answer.status, await answer.text()),
      );
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  after(async () => {
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
    await closeDevnodes();
    for (const one of [authority, another]) one.remove();
  });

  it('a node is trusted with the certificate of that authority only', async () => {
    const node = nodeAt(url, { caFile: authority.ca, retries: [] });
    expect((await node.status()).networkId).to.be.a('string');
    node.close();
    for (const caFile of [another.ca, undefined]) {
      const other = nodeAt(url, { caFile, retries: [] });
      const fault = await rejection(other.status());
      expect(fault.code).to.equal('node_untrusted');
      expect(fault.message).to.contain(url);
      other.close();
    }
  });

  it('a compiler is trusted with the certificate of that authority only', async () => {
    const compiler = createCompilerService({ urls: [url], timeoutMs: 5_000, caFile: authority.ca });
    expect(await compiler.versions()).to.deep.equal(['7.4.1']);
    compiler.close();
    const other = createCompilerService({ urls: [url], timeoutMs: 5_000, caFile: another.ca });
    expect((await rejection(other.versions())).code).to.equal('compiler_unreachable');
    other.close();
  });

  describe('behind a server', () => {
    let seeded: SeededDatabase;
    before(async () => {
      seeded = await emptyDatabase();
    });
    after(() => seeded.drop());

    it('requests are forwarded to the node with the certificate of that authority only', async () => {
      const ask = async (nodeCaFile: string, nodeUrl = url) => {
        const api = await testApi(seeded.database, { nodeUrls: [nodeUrl], nodeCaFile });
        const { status, body } = await api.get('/v3/status');
        await api.close();
        return { status, body };
      };
      const forwarded = await ask(authority.ca);
      expect(forwarded.status).to.equal(200);
      expect(JSON.parse(forwarded.body)).to.have.property('network_id');
      expect((await ask(authority.ca, url.replace('https', 'HTTPS'))).status).to.equal(200);
      expect((await ask(another.ca)).status).to.be.oneOf([502, 503]);
    });
  });
});
