import { expect } from 'chai';
import { fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { recorded, recordedGenerations, recording } from '../support/recording.js';
import { CACHED } from '../support/as-recorded.js';
import { append, emptyDatabase, recordedBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

describe('cached node queries', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, recordedBlocks());
    node = await fakeNode((_req, res) => {
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"reason":"asked the node"}');
    });
    api = await testApi(seeded.database, { nodeUrls: [node.url] });
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  it('equal the node, byte for byte, for everything in the recording', async () => {
    const paths = [...recording().keys()]
      .filter((request) => request.startsWith('GET '))
      .map((request) => request.slice(4))
      .filter((path) => CACHED.test(path) && recording().get(`GET ${path}`)?.status === 200);
    expect(paths).to.have.length.above(1500);

    for (const path of paths) {
      const { status, body } = await api.get(path);
      if (status !== 200 || body !== recorded(path)) expect.fail(`${path}: ${status} ${body}\nnode: ${recorded(path)}`);
    }
    expect(node.seen).to.deep.equal([]);
  });

  it('name the head they were made from', async () => {
    const { headers } = await api.get('/v2/key-blocks/height/3');

    const top = recordedGenerations().at(-1);
    expect(headers['x-chain-height']).to.equal(String(top?.height));
    expect(headers['x-chain-hash']).to.equal((JSON.parse(top?.keyBlock ?? '') as { hash: string }).hash);
    expect(headers['content-type']).to.equal('application/json');
  });

  for (const path of [
    '/v2/generations/height/100000',
    '/v2/generations/height/abc',
    '/v2/generations/height/-1',
    '/v2/generations/height/007',
    '/v2/generations/height/99999999999999999999',
    '/v2/key-blocks/hash/kh_abc',
    '/v2/key-blocks/hash/mh_2BRyxpv39syiiQaNjrorYvmKa8YcMrJ8dAjmxBYNo5PqCirUF1',
    '/v2/key-blocks/hash/kh_11111111111111111111111111111111273Yts',
    '/v2/micro-blocks/hash/mh_11111111111111111111111111111111273Yts/transactions',
    '/v2/transactions/%zz',
    '/v2/transactions/th_11111111111111111111111111111111273Yts',
    '/v2/transactions/th_11111111111111111111111111111111273Yts/info',
    '/v3/generations/current?int-as-string=true',
  ]) {
    it(`forward ${path} to the node`, async () => {
      node.seen.length = 0;
      const { status, body } = await api.get(path);

      expect([status, body]).to.deep.equal([404, '{"reason":"asked the node"}']);
      expect(node.seen.map(({ line }) => line)).to.deep.equal([`GET ${path}`]);
    });
  }

  it('forward other methods to the node', async () => {
    node.seen.length = 0;
    await api.get('/v2/generations/current', { method: 'POST', body: '{}' });

    expect(node.seen[0]).to.include({ line: 'POST /v2/generations/current', body: '{}' });
  });

  it('forward everything to the node while nothing is stored', async () => {
    const empty = await emptyDatabase();
    const fresh = await testApi(empty.database, { nodeUrls: [node.url] });
    node.seen.length = 0;

    for (const path of ['/v2/generations/current', '/v2/key-blocks/current/height', '/v2/key-blocks/height/0']) {
      expect((await fresh.get(path)).status).to.equal(404);
    }
    await fresh.close();
    await empty.drop();

    expect(node.seen).to.have.length(3);
  });

  it('are not forwarded while the database is away: the node could contradict earlier answers', async () => {
    const gone = await emptyDatabase();
    const fresh = await testApi(gone.database, { nodeUrls: [node.url] });
    await gone.drop();
    node.seen.length = 0;
    const answers = [await fresh.get('/v2/generations/current'), await fresh.get('/middleware/size/current')];
    await fresh.close();

    for (const { status, body, headers } of answers) {
      expect([status, body, headers['retry-after']]).to.deep.equal([503, '{"reason":"Temporarily unavailable"}', '2']);
    }
    expect(node.seen).to.deep.equal([]);
  });

  it('answer HEAD like GET, without the body', async () => {
    const [head, full] = [
      await api.get('/v2/key-blocks/height/3', { method: 'HEAD' }),
      await api.get('/v2/key-blocks/height/3'),
    ];

    expect(head.status).to.equal(200);
    expect(head.body).to.equal('');
    expect(head.headers['content-length']).to.equal(String(Buffer.byteLength(full.body)));
  });
});
