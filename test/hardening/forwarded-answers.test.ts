import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, RequestOptions, TestApi } from '../support/api.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { skipFor } from '../support/skip.js';

/** Headers with which a node could act on the page or the browser of a client. */
const HOSTILE = {
  'set-cookie': 'a=b; Path=/',
  location: 'https://evil.example/',
  refresh: '0; url=https://evil.example/',
  link: '</v3/x.js>; rel=preload; as=script',
  'service-worker-allowed': '/',
  'content-security-policy': "default-src 'unsafe-inline' *",
  'content-disposition': 'inline',
  'content-location': '/',
  'clear-site-data': '"*"',
  'www-authenticate': 'Basic realm="Enter the password of your wallet"',
  'x-content-type-options': 'sniff',
  'access-control-expose-headers': 'set-cookie',
  'strict-transport-security': 'max-age=31536000',
  'x-accel-redirect': '/etc/passwd',
  'x-total-count': '7',
};

const KNOWN = {
  allow: 'GET, HEAD',
  etag: '"1"',
  'cache-control': 'max-age=60',
  'retry-after': '7',
  'x-ae-height': '12',
};

describe('the answer of a node that is somebody else', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;
  let answer: RequestListener;

  before(async () => {
    seeded = await emptyDatabase();
    node = await fakeNode((req, res) => answer(req, res));
    api = await testApi(seeded.database, { nodeUrls: [node.url], nodeInternalUrl: node.url });
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  const asks: [what: string, path: string, status: number, options: RequestOptions][] = [
    ['an answer', '/v3/x', 200, {}],
    ['an answer to HEAD', '/v3/x', 200, { method: 'HEAD' }],
    ['an answer to POST', '/v3/x', 200, { method: 'POST', body: '{}' }],
    ['an answer to a page of another site', '/v3/x', 200, { headers: { origin: 'https://a.example' } }],
    ['an answer for a path that is written unusually', '/v3//x%41', 200, {}],
    ['an answer of the internal interface', '/v3/debug/x', 200, {}],
    ['a redirection', '/v3/x', 302, {}],
    ['a refusal', '/v3/x', 401, {}],
    ['an error', '/v3/x', 500, {}],
    ['an answer for a path that is answered from the database if it can', '/v2/key-blocks/height/7', 200, {}],
  ];
  for (const [what, path, status, options] of asks) {
    it(`${what}: no header passes that acts on a browser`, async () => {
      answer = (_, res) => {
        res.writeHead(status, { ...HOSTILE, ...KNOWN, vary: 'Accept', 'content-type': 'text/html' }).end('{}');
      };
      const { status: got, headers } = await ask(api.port, path, options);

      expect(got).to.equal(status);
      expect(headers).to.include({
        ...KNOWN,
        vary: 'Accept, Origin',
        'content-type': 'application/octet-stream',
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      });
      const ours = ['content-security-policy', 'x-content-type-options', 'access-control-expose-headers'];
      for (const name of Object.keys(HOSTILE).filter((name) => !ours.includes(name)))
        expect(headers, name).not.to.have.property(name);
      expect(headers['access-control-expose-headers'] ?? '').not.to.contain('cookie');
    });
  }

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/problem+json',
  ])
    it(`is JSON if the node says ${type}`, async () => {
      answer = (_, res) => res.writeHead(200, { 'content-type': type }).end('{}');
      expect((await api.get('/v3/x')).headers['content-type']).to.equal(type);
    });

  for (const type of [
    'text/javascript',
    'image/svg+xml',
    'application/json, text/html',
    'application/json; x="a", text/html',
    'text/html; application/json',
    'application/jsonp',
    'application/xml+json2',
    '',
    undefined,
  ])
    it(`is bytes if the node says ${String(type)}`, async () => {
      answer = (_, res) => res.writeHead(200, type === undefined ? {} : { 'content-type': type }).end('{}');
      expect((await api.get('/v3/x')).headers['content-type']).to.equal('application/octet-stream');
    });

  it('has no type without a body', async () => {
    answer = (_, res) => res.writeHead(304, { etag: '"1"' }).end();
    const { status, headers } = await api.get('/v3/x');
    expect([status, headers['content-type'], headers['etag']]).to.deep.equal([304, undefined, '"1"']);
  });

  it('cannot run in the origin of the explorer', async function () {
    if (browserProgram === undefined) skipFor('no Chromium', this);
    const script = 'self.ranOf = "node"; self.addEventListener("fetch", () => undefined);';
    answer = (req, res) => {
      const isPage = req.url?.endsWith('.html') === true;
      const type = isPage ? 'text/html' : 'text/javascript';
      res.writeHead(200, { 'content-type': type, 'service-worker-allowed': '/' });
      res.end(isPage ? `<script>${script}</script>` : script);
    };
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${api.port}/`);
      const refused = await page.evaluate<string>(
        `navigator.serviceWorker.register('/v3/worker.js', { scope: '/' }).then(() => 'registered', ({ name }) => name)`,
      );
      expect(refused).to.equal('SecurityError');
      expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).to.equal(0);

      const loaded = await page.evaluate<string>(`new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = '/v3/page.js';
        script.onload = () => resolve('loaded');
        script.onerror = () => resolve('refused');
        document.head.append(script);
      })`);
      expect([loaded, await page.evaluate('self.ranOf')]).to.deep.equal(['refused', undefined]);

      // Chromium saves it instead of showing it.
      const saved = page.waitForEvent('download');
      await page.goto(`http://localhost:${api.port}/v3/page.html`).catch(() => undefined);
      await saved;
      expect(await page.evaluate('self.ranOf')).to.equal(undefined);
    } finally {
      await browser.close();
    }
  });
});
