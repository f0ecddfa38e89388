import { expect } from 'chai';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseEncoding } from '../../src/api/encodings.js';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { bytesOf } from '../support/raw.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { eventually } from '../support/populator.js';

const LIST = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;
const KEY_BLOCK = '/v2/key-blocks/height/3';

describe('caching and encoding of answers', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;
  /** The database, and how many statements were sent to it. */
  let counting: SeededDatabase['database'];
  let asked = 0;
  const chain = [...Array.from({ length: 11 }, () => ({ microBlocks: [[{}, {}]] })), {}];

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks(chain));
    counting = {
      ...seeded.database,
      query: (statement) => {
        asked += 1;
        return seeded.database.query(statement);
      },
    };
    node = await fakeNode((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('as it came');
    });
    api = await testApi(seeded.database, { cacheDepth: { blocks: 5 }, nodeUrls: [node.url] });
  });
  after(async () => {
    await api.close();
    await node.close();
    await seeded.drop();
  });

  it('answers 304 only to clients that have the same bytes', async () => {
    for (const path of [LIST, KEY_BLOCK, '/middleware/count/current', '/middleware/reward/height/3']) {
      const { headers } = await api.get(path);
      const etag = headers.etag!;
      expect(etag, path).to.match(/^"[\w-]{20,}"$/);
      for (const match of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const { status, body, headers: again } = await api.get(path, { headers: { 'if-none-match': match } });
        expect([status, body], `${path} ${match}`).to.deep.equal([304, '']);
        expect(again).to.include({ etag, 'cache-control': headers['cache-control']! });
        expect(again).not.to.have.any.keys('content-length', 'content-type', 'content-encoding');
        expect((await api.get(path, { method: 'HEAD', headers: { 'if-none-match': match } })).status).to.equal(304);
      }
      for (const match of ['"x"', etag.slice(1, -1), '']) {
        expect((await api.get(path, { headers: { 'if-none-match': match } })).status, match).to.equal(200);
      }
    }
  });

  it('has a different ETag for each body and each encoding', async () => {
    const tags = new Map<string, string>();
    for (const path of [LIST, `${LIST}?limit=1`, `${LIST}?limit=2`, `${LIST}?int-as-string=true`, KEY_BLOCK]) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const { headers, bytes } = await bytesOf(api.port, path, { 'accept-encoding': encoding });
        const known = tags.get(headers.etag!);
        if (known !== undefined) expect(known).to.equal(bytes.toString('base64'));
        tags.set(headers.etag!, bytes.toString('base64'));
      }
    }
    expect(tags.size).to.be.greaterThan(7);
  });

  it('marks only blocks far below the head as immutable, by their number or their time', async () => {
    await expectMarked(api);
    // Key blocks are a minute apart, and micro blocks are up to some seconds after theirs.
    const ofTime = await testApi(counting, { cacheDepth: { ms: 5 * 60_000 - 30_000 }, nodeUrls: [node.url] });
    await expectMarked(ofTime);
    await ofTime.close();
  });

  it('reads the height below which blocks are old enough once for each head', async () => {
    const other = await testApi(counting, { cacheDepth: { ms: 60_000 }, nodeUrls: [node.url] });
    const statements = async (path: string): Promise<number> => {
      const before = asked;
      expect((await other.get(path)).status, path).to.equal(200);
      return asked - before;
    };
    const paths = [1, 2, 3, 4].map((height) => `/v2/key-blocks/height/${height}`);
    const counts: number[] = [];
    for (const path of paths) counts.push(await statements(path));
    await other.close();

    expect(counts).to.deep.equal([2, 1, 1, 1]);
  });

  async function expectMarked(server: TestApi): Promise<void> {
    const kept = async (path: string) => (await server.get(path)).headers['cache-control'];
    const LONG = 'public, max-age=31536000, immutable';
    const SHORT = 'public, max-age=2';

    for (const [path, expected] of [
      ['/v2/key-blocks/height/6', LONG],
      ['/v2/key-blocks/height/7', SHORT],
      [`/v2/key-blocks/hash/${madeHash('kh', '6 at 360000')}`, LONG],
      [`/v2/transactions/${madeHash('th', '6/0/1')}`, LONG],
      [`/v2/transactions/${madeHash('th', '7/0/1')}`, SHORT],
      [`/v2/micro-blocks/hash/${madeHash('mh', '2/0')}/header`, LONG],
      [`/v2/micro-blocks/hash/${madeHash('mh', '2/0')}/transactions`, LONG],
      [`/v2/micro-blocks/hash/${madeHash('mh', '8/0')}/transactions/count`, SHORT],
      ['/v2/generations/height/1', LONG],
      ['/v2/generations/current', SHORT],
      ['/v2/key-blocks/current/height', SHORT],
      ['/middleware/reward/height/6', LONG],
      ['/middleware/reward/height/7', SHORT],
      // These change when missing heights below are loaded.
      ['/middleware/count/height/1', SHORT],
      ['/middleware/size/current', SHORT],
      [LIST, SHORT],
      ['/healthz', 'no-store'],
      ['/middleware/nothing', 'no-store'],
      ['/middleware/reward/height/x', 'no-store'],
      ['/middleware/reward/height/99', 'no-store'],
    ] as const) {
      expect(await kept(path), path).to.equal(expected);
    }
    expect(await kept('/middleware/status')).to.equal('no-store');
  }

  it('compresses large bodies with the encoding that the client prefers', async () => {
    const plain = await bytesOf(api.port, LIST, {});
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(plain.headers.vary).to.contain('Accept-Encoding').and.to.contain('Origin').and.to.contain('Accept');
    for (const [accepted, encoding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ] as const) {
      for (const path of [LIST, LIST]) {
        const { headers, bytes } = await bytesOf(api.port, path, { 'accept-encoding': accepted });
        expect(headers['content-encoding'], accepted).to.equal(encoding);
        expect(headers['content-type']).to.equal('application/json');
        expect(headers['content-length']).to.equal(String(bytes.length));
        expect(bytes.length).to.be.lessThan(plain.bytes.length);
        expect(decode(bytes)).to.deep.equal(plain.bytes);
        const head = await ask(api.port, path, { method: 'HEAD', headers: { 'accept-encoding': accepted } });
        expect(head.headers).to.include({ 'content-length': String(bytes.length), etag: headers.etag! });
      }
    }
    const small = await bytesOf(api.port, '/middleware/count/current', { 'accept-encoding': 'br, gzip' });
    expect(small.headers).not.to.have.property('content-encoding');
  });

  it('does not change forwarded answers', async () => {
    const { headers, bytes } = await bytesOf(api.port, '/v2/other', { 'accept-encoding': 'br' });

    expect(headers['content-encoding']).to.equal('gzip');
    expect(headers).not.to.have.any.keys('etag', 'cache-control');
    expect(bytes.toString()).to.equal('as it came');
  });

  it('reads the weights of encodings', () => {
    for (const [accepted, expected] of [
      ['', null],
      ['identity', null],
      ['*', 'br'],
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['GZIP;Q=0.3', 'gzip'],
      ['gzip;q=0, br;q=0', null],
      ['gzip;q=0, *', 'br'],
      ['br;q=0, *;q=0.1', 'gzip'],
      ['identity, gzip;q=0.5', null],
      ['deflate, zstd', null],
      ['gzip;q=0.8, br;q=0.9', 'br'],
      [',,;;=,', null],
    ] as const) {
      expect(chooseEncoding(accepted), accepted).to.equal(expected);
    }
  });

  it('returns integers as text with all digits on request', async () => {
    const plain = (await api.get(`${LIST}?limit=1`)).body;
    const text = (await api.get(`${LIST}?limit=1&int-as-string=TRUE`)).body;

    expect(plain).to.contain('"amount":20000000000000000000,');
    expect(text)
      .to.contain('"amount":"20000000000000000000",')
      .and.to.match(/"time":"\d+"/);
    expect(JSON.parse(text)).not.to.deep.equal(JSON.parse(plain));
    expect((await api.get(`${LIST}?limit=1&int-as-string=false`)).body).to.equal(plain);
    expect((await api.get(`${KEY_BLOCK}?int-as-string=true`)).body).to.equal((await api.get(KEY_BLOCK)).body);
    const { status, body } = await api.get(`${LIST}?int-as-string=1`);
    expect([status, body]).to.deep.equal([400, '{"reason":"Invalid input: int-as-string must be true or false"}']);
  });

  it('caches all of many answers that are requested in turn', async () => {
    // No answer grows too old meanwhile, however slow the machine is.
    const now = (): number => performance.now() / 1_000;
    const other = await testApi(counting, { cacheDepth: { blocks: 5 }, nodeUrls: [node.url] }, { now });
    const addresses = Array.from({ length: 600 }, (_, i) => `${KEY_BLOCK}?n=${madeHash('th', String(i))}`);
    const get = async (address: string): Promise<boolean> => {
      const before = asked;
      await other.get(address);
      return asked === before;
    };
    // The cache is on when the server listens for changes.
    await eventually(() => get('/v2/generations/current'), Boolean);
    for (const address of [...addresses, ...addresses]) await get(address);
    const missed: string[] = [];
    for (const address of addresses) if (!(await get(address))) missed.push(address);
    await other.close();

    expect(missed).to.deep.equal([]);
  });

  it('caches answers from the second request on, until the copy changes', async () => {
    const other = await testApi(counting, { cacheDepth: { blocks: 5 }, nodeUrls: [node.url] });
    const path = '/v2/generations/current';
    const fromMemory = async (url: string, headers = {}) => {
      const before = asked;
      const reply = await other.get(url, { headers });
      return { reply, fromMemory: asked === before };
    };
    const first = await eventually(
      () => fromMemory(path),
      ({ fromMemory }) => fromMemory,
    );
    for (const url of [LIST, `${LIST}?limit=1`, '/middleware/count/current', '/v2/key-blocks/height/3?any']) {
      const [once, read, again] = [await fromMemory(url), await fromMemory(url), await fromMemory(url)];
      expect([once.fromMemory, read.fromMemory, again.fromMemory], url).to.deep.equal([false, false, true]);
      const own = ({ 'x-request-id': _a, date: _b, ...told }: typeof read.reply.headers) => told;
      expect(own(again.reply.headers)).to.deep.equal(own(read.reply.headers));
      expect(again.reply.body).to.equal(read.reply.body);
      const { etag = '' } = read.reply.headers;
      expect((await fromMemory(url, { 'if-none-match': etag })).reply.status).to.equal(304);
      expect((await fromMemory(url, { origin: 'https://a.test', 'x-request-id': 'mine' })).reply.headers).to.include({
        'access-control-allow-origin': 'https://a.test',
        'x-request-id': 'mine',
      });
      expect((await fromMemory(url, { 'x-request-id': 'mine' })).reply.headers).to.include({ 'x-request-id': 'mine' });
      const encoded = await bytesOf(other.port, url, { 'accept-encoding': 'gzip' });
      expect(encoded.headers['content-encoding']).to.equal(url === LIST ? 'gzip' : undefined);
      expect((await fromMemory(url, { 'cache-control': 'no-cache' })).fromMemory).to.equal(false);
      expect((await fromMemory(url, { accept: 'text/csv' })).reply.headers['content-type']).to.contain(
        url.startsWith(LIST) ? 'text/csv' : 'application/json',
      );
    }
    for (const url of ['/middleware/status', `/middleware/contracts/calls/address/${madeHash('ok', 'x')}`]) {
      for (let i = 0; i < 3; i++) expect((await fromMemory(url)).fromMemory, url).to.equal(false);
    }
    const top = madeHash('kh', '11 at 660000');
    await append(seeded.database, top, madeBlocks([{ microBlocks: [[{}]] }], chain.length, top));
    const { reply } = await eventually(
      async () => ({ reply: await other.get(path) }),
      ({ reply: { body } }) => body !== first.reply.body,
    );
    await other.close();

    expect(first.reply.headers).to.include({ 'x-chain-height': '11', 'content-type': 'application/json' });
    expect(reply.headers).to.include({ 'x-chain-height': '12' });
    expect(reply.body).to.contain('"height":12');
  });
});
