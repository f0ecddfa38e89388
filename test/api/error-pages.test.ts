import { expect } from 'chai';
import { once } from 'node:events';
import { fakeNode, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

/** What browsers send when somebody opens an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('errors for people', () => {
  let seeded: SeededDatabase;
  let node: Awaited<ReturnType<typeof fakeNode>>;
  let api: TestApi;
  /** Resolves when nobody waits for the rest of the answer that does not end. */
  let left: Promise<unknown>;

  before(async () => {
    seeded = await emptyDatabase();
    node = await fakeNode((req, res) => {
      res.setHeader('content-type', 'application/json');
      if (req.url === '/v2/endless') {
        left = once(res, 'close');
        res.writeHead(500);
        const drops = setInterval(() => res.write(' '), 10);
        return void left.then(() => clearInterval(drops));
      }
      res.statusCode = req.url === '/v2/known' ? 200 : 404;
      res.end(req.url === '/v2/known' ? '{"known":true}' : '{"reason":"<b>Not known</b>"}');
    });
    api = await testApi(seeded.database, { nodeUrls: [node.url] });
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  it('are pages with a way home, and JSON for programs, from this service and from the node', async () => {
    for (const [path, status, home] of [
      ['/nonsense', 404, './'],
      ['/v2/accounts/ak_nobody', 404, '../../'],
      ['/middleware/nonsense', 404, '../'],
      ['/middleware/names/hash/%3Cb%3E', 400, '../../../'],
      ['/guide/nonsense', 404, '../'],
    ] as const) {
      const page = await api.get(path, { headers: BROWSER });
      expect(page.status, path).to.equal(status);
      expect(page.headers['content-type'], path).to.equal('text/html; charset=utf-8');
      expect(page.headers['content-security-policy'], path).to.contain("default-src 'none'");
      expect(page.headers['cache-control'], path).to.equal('no-store');
      expect(page.body, path).to.contain(`<a class="brand" href="${home}"><svg `).and.not.to.contain('<b>');

      const json = await api.get(path);
      expect(json.status, path).to.equal(status);
      expect(JSON.parse(json.body), path).to.have.property('reason');
    }
  });

  it('do not wait for the rest of what the node answers, and say nothing else than its status', async () => {
    const { status, body } = await api.get('/v2/endless', { headers: BROWSER });
    expect(status).to.equal(500);
    expect(body).to.contain('Internal Server Error').and.not.to.contain('anything at this address');
    await left;
  });

  it('are not made of answers', async () => {
    const known = await api.get('/v2/known', { headers: BROWSER });
    expect([known.status, known.body]).to.deep.equal([200, '{"known":true}']);
    const status = await api.get('/middleware/status', { headers: BROWSER });
    expect(JSON.parse(status.body)).to.have.property('OK');
  });

  it('are those of the node with EXPLORER=off', async () => {
    const plain = await testApi(seeded.database, { explorer: 'off', nodeUrls: [node.url] });
    const { status, body } = await plain.get('/nonsense', { headers: BROWSER });
    await plain.close();
    expect([status, body]).to.deep.equal([404, '{"reason":"<b>Not known</b>"}']);
  });
});
