import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { fakeNode, testApi } from '../support/api.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const FILES = ['/', ...['main.js', 'chunk.js', 'later.js', 'main.css', 'icon.svg'].map((name) => `/explorer/${name}`)];
/** Of all files, and of the scripts of the first page, compressed. */
const MAX_BYTES = 150_000;
const MAX_FIRST_SCRIPTS = 40_000;

describe('the files of the explorer', () => {
  let seeded: SeededDatabase;

  before(async () => {
    seeded = await emptyDatabase();
  });
  after(() => seeded.drop());

  it('are served with a policy that allows nothing else, in at most 150 kB, 40 kB of them script of the first page', async () => {
    const api = await testApi(seeded.database);
    let bytes = 0;
    let firstScripts = 0;
    for (const path of FILES) {
      const { status, headers, body } = await api.get(path);
      expect(status, path).to.equal(200);
      expect(headers).to.include({ 'x-content-type-options': 'nosniff' });
      expect(headers['content-security-policy']).to.contain("default-src 'none'").and.not.to.contain('unsafe');
      const compressed = gzipSync(body).length;
      bytes += compressed;
      if (path.endsWith('.js') && !path.endsWith('later.js')) firstScripts += compressed;
    }
    expect(bytes).to.be.at.most(MAX_BYTES);
    expect(firstScripts).to.be.at.most(MAX_FIRST_SCRIPTS);
    expect((await api.get('/explorer/main.js')).body).to.contain('import("./later.js")');
    expect((await api.get('/explorer/other.js')).status).to.equal(404);
    expect((await api.get('/', { method: 'POST' })).status).to.equal(405);
    await api.close();
  });

  it('are forwarded to the node with EXPLORER=off', async () => {
    const node = await fakeNode((req, res) => void res.end(`the node at ${req.url}`));
    const api = await testApi(seeded.database, { explorer: 'off', nodeUrls: [node.url] });
    expect((await api.get('/')).body).to.equal('the node at /');
    expect((await api.get('/explorer/main.js')).body).to.equal('the node at /explorer/main.js');
    await api.close();
    await node.close();
  });
});
