import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const ORIGIN = { origin: 'https://elsewhere.example' };

describe('a web page of another site', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  let devnode: Devnode;

  before(async () => {
    seeded = await emptyDatabase();
    api = await testApi(seeded.database);
    devnode = await open({
      admin: '127.0.0.1:0',
      source: { generate: { seed: 'site', generations: 2, txsPerGeneration: 2, accounts: 4 } },
    });
  });
  after(async () => {
    await api.close();
    await closeDevnodes();
    await seeded.drop();
  });

  it('can read the public API', async () => {
    const { headers } = await api.get('/middleware/status', { headers: ORIGIN });
    expect(headers['access-control-allow-origin']).to.equal(ORIGIN.origin);
  });

  it('cannot read the metrics address', async () => {
    for (const path of ['/metrics', '/readyz', '/healthz', '/nothing'])
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await ask(api.metricsPort, path, { method, headers: ORIGIN });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
      }
  });

  it('cannot change a simulated node on the machine of its reader', async () => {
    const port = Number(new URL(devnode.adminUrl!).port);
    const height = devnode.height();
    const asked = { method: 'POST', headers: { ...ORIGIN, 'content-type': 'text/plain' }, body: '{"generations":1}' };
    const { status, body } = await ask(port, '/grow', asked);
    expect([status, body]).to.deep.equal([400, '{"reason":"not for web pages"}']);
    expect(devnode.height()).to.equal(height);
    expect((await ask(port, '/grow', { method: 'POST', body: '{"generations":1}' })).status).to.equal(200);
  });

  it('gets no link that depends on its Host header or a forwarded one', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    for (const path of ['/middleware/names?limit=1', '/openapi.json', '/middleware/api', '/guide', '/docs', '/']) {
      const { headers, body } = await ask(api.port, path, { headers: forged });
      expect(JSON.stringify(headers) + body, path).not.to.include('evil.example');
    }
  });
});
