import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PAGES, CONTENTS, FILES } from '../../scripts/guide/contents.js';
import { guideFiles } from '../../scripts/guide/render.js';
import { fakeNode, testApi } from '../support/api.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const NAMES = [CONTENTS, ...PAGES].map(({ name }) => name);
/** Max size of a page with its style, compressed. */
const MAX_BYTES = 40_000;

describe('the pages under /guide', () => {
  let seeded: SeededDatabase;

  before(async () => {
    seeded = await emptyDatabase();
  });
  after(() => seeded.drop());

  it('are those of the documents, with a policy that allows no other source and no script', async () => {
    const api = await testApi(seeded.database);
    const files = guideFiles();
    const style = gzipSync(files.get('guide.css')!).length;
    for (const name of NAMES) {
      const { status, headers, body } = await api.get(`/guide/${name}`);
      expect(status, name).to.equal(200);
      expect(body, `${name} (npm run build)`).to.equal(files.get(`${name}.html`));
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=2' });
      expect(headers['content-security-policy'])
        .to.contain("default-src 'none'")
        .and.not.to.contain('script-src')
        .and.not.to.contain('unsafe');
      expect(body).to.not.match(/<script| (style|on\w+)="/);
      expect(gzipSync(body).length + style, name).to.be.at.most(MAX_BYTES);
    }
    expect((await api.get('/guide/guide.css')).body).to.equal(files.get('guide.css'));
    const picture = await api.get('/guide/pictures/home-desk-light.webp');
    expect([picture.status, picture.headers['content-type']]).to.deep.equal([200, 'image/webp']);
    for (const other of ['nothing.webp', 'x', '..%2Fguide.css', '..%2F..%2Fpackage.json'])
      expect([400, 404], other).to.include((await api.get(`/guide/pictures/${other}`)).status);
    for (const [name, source] of Object.entries(FILES)) {
      const sent = await api.get(`/guide/${name}`);
      expect(sent.body).to.equal(readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8'));
    }
    await api.close();
  });

  it('redirect to the first page, also with a path prefix of a proxy', async () => {
    const api = await testApi(seeded.database);
    const location = async (path: string): Promise<string> =>
      new URL((await api.get(path)).headers['location'] as string, `http://proxy/prefix${path}`).pathname;
    for (const path of ['/guide', '/guide/', '/guide?a=b/']) {
      expect((await api.get(path)).status, path).to.equal(302);
      expect(await location(path), path).to.equal('/prefix/guide/introduction');
    }
    await api.close();
  });

  it('answer 404 for other paths and 405 for other methods', async () => {
    const api = await testApi(seeded.database);
    for (const path of [
      '/guide/nothing',
      '/guide/introduction.html',
      '/guide/%2e%2e%2fexplorer%2findex',
      '/guide/a/b',
    ]) {
      expect((await api.get(path)).status, path).to.be.oneOf([400, 404]);
    }
    expect((await api.get('/guide/introduction', { method: 'POST' })).status).to.equal(405);
    await api.close();
  });

  it('are forwarded to the node with EXPLORER=off', async () => {
    const node = await fakeNode((req, res) => void res.end(`the node at ${req.url}`));
    const api = await testApi(seeded.database, { explorer: 'off', nodeUrls: [node.url] });
    for (const path of ['/guide', '/guide/introduction']) {
      expect((await api.get(path)).body).to.equal(`the node at ${path}`);
    }
    await api.close();
    await node.close();
  });
});
