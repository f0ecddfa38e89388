import { expect } from 'chai';
import { endpoints } from '../../src/api/endpoints.js';
import { TRANSACTION_TYPES } from '../../src/chain/transactions/catalogue.js';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, Reply, TestApi } from '../support/api.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const ALICE = madeHash('ak', 'alice');
const LIST = `/middleware/transactions/account/${ALICE}`;
const AUCTIONS = '/middleware/names/auctions/active';

/** Queries with the parameters that have no effect, and what a strict server says about the first of them. */
const MISTAKES: readonly (readonly [path: string, ignored: string, reason: string])[] = [
  [
    `${LIST}?limt=3`,
    'limt',
    'limt is not a parameter of this path: it has limit, page, cursor, txtype, tx_type, include, after',
  ],
  [`${LIST}?limit=abc`, 'limit', 'limit must be an integer of 0 or more'],
  [`${LIST}?limit=`, 'limit', 'limit must be an integer of 0 or more'],
  [`${LIST}?limit=1&page=x`, 'page', 'page must be an integer of 1 or more'],
  [`${LIST}?page=2`, 'page', 'page needs a limit'],
  [`${LIST}?limit=NaN&page=7`, 'limit, page', 'limit must be an integer of 0 or more'],
  [`${LIST}?txtype=spend`, 'txtype', 'txtype must be one of SpendTx, '],
  [`${LIST}?tx_type=Spend`, 'tx_type', 'tx_type must be one of SpendTx, '],
  [`${LIST}?txtype=SpendTx&tx_type=SpendTx`, 'tx_type', 'tx_type is another spelling of txtype: give one of them'],
  [`${LIST}/count?limit=1`, 'limit', 'limit is not a parameter of this path: it has txtype, tx_type'],
  [`${AUCTIONS}?sort=bid`, 'sort', 'sort must be name, max_bid or expiration'],
  [`${AUCTIONS}/count?length=long`, 'length', 'length must be an integer'],
  ['/middleware/size/current?limit=1', 'limit', 'limit is not a parameter of this path: it has int-as-string'],
  ['/middleware/status?x=1', 'x', 'x is not a parameter of this path: it has int-as-string'],
  ['/healthz?int-as-string=true', 'int-as-string', 'int-as-string is not a parameter of this path: it has none'],
  ['/readyz?max-lags=1', 'max-lags', 'max-lags is not a parameter of this path: it has max-lag, loaded'],
  ['/openapi.json?int-as-string=yes', 'int-as-string', 'int-as-string must be true or false'],
  ['/docs?y=1', 'y', 'y is not a parameter of this path: it has none'],
  ['/middleware/names?toString=1&constructor', 'toString, constructor', 'toString is not a parameter'],
];

/** Queries of which each parameter has an effect. */
const RIGHT = [
  LIST,
  `${LIST}?limit=2&page=1&txtype=spendtx`,
  `${LIST}?tx_type=OracleRespondTx`,
  `${LIST}?txtype=OracleResponseTx&int-as-string=true`,
  `${LIST}?txtype=`,
  `${LIST}?limit=0`,
  `${LIST}?limit=99999999999999999999`,
  '/middleware/names?owner=',
  `${AUCTIONS}?sort=max_bid&reverse&length=7`,
  '/readyz?loaded=1&max-lag=100000000000',
  '/openapi.json?int-as-string=true',
  '/v2/key-blocks/height/1?limit=abc&x=1',
  '/v2/status?limit=abc&x=1',
];

const reasonOf = ({ body }: Reply): string => (JSON.parse(body) as { reason: string }).reason;

describe('parameters that have no effect', () => {
  let seeded: SeededDatabase;
  let node: FakeNode;
  let api: TestApi;
  let strict: TestApi;

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, madeBlocks(Array.from({ length: 3 }, () => ({ microBlocks: [[{}, {}]] }))));
    node = await fakeNode((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"of":"the node"}');
    });
    api = await testApi(seeded.database, { nodeUrls: [node.url] });
    strict = await testApi(seeded.database, { nodeUrls: [node.url], strictParameters: 'on' });
  });
  after(async () => {
    await strict.close();
    await api.close();
    await node.close();
    await seeded.drop();
  });

  it('are named in a header, also of a cached answer, and change nothing else', async () => {
    for (const [path, ignored] of MISTAKES) {
      const without = await api.get(path.replace(/\?.*/, ''));
      // The third answer comes from the cache.
      for (const answer of [await api.get(path), await api.get(path), await api.get(path)]) {
        expect(answer.headers['x-ignored-parameters'], path).to.equal(ignored);
        expect(answer.status, path).to.equal(without.status);
        if (/type=|page=x/.test(path)) continue;
        if (!path.startsWith('/middleware/status')) expect(answer.body, path).to.equal(without.body);
      }
    }
    expect((await api.get(`${LIST}?txtype=spend`)).body).to.equal('[]');
  });

  it('are named for web pages of other origins, and through Koa as on the fast path', async () => {
    for (const path of [`${LIST}?limt=3`, `${LIST}/?limt=3`]) {
      const { headers } = await api.get(path, { headers: { origin: 'https://wallet.example' } });
      expect(headers['x-ignored-parameters']).to.equal('limt');
      expect(headers['access-control-expose-headers']!.split(',')).to.include('x-ignored-parameters');
    }
    const csv = await api.get(`${LIST}?limt=3`, { headers: { accept: 'text/csv' } });
    expect([csv.status, csv.headers['x-ignored-parameters']]).to.deep.equal([200, 'limt']);
  });

  it('are refused by a strict server, with the allowed values', async () => {
    for (const [path, , reason] of MISTAKES) {
      for (const answer of [await strict.get(path), await strict.get(path.replace('?', '/?'))]) {
        expect([answer.status, answer.headers['content-type']], path).to.deep.equal([400, 'application/json']);
        expect(reasonOf(answer), path)
          .to.match(/^Invalid input: /)
          .and.contain(reason);
      }
    }
    const types = reasonOf(await strict.get(`${LIST}?txtype=spend`));
    for (const { name } of TRANSACTION_TYPES) expect(types).to.contain(name);
  });

  it('are not those that have one, nor any of a path of the node', async () => {
    for (const path of RIGHT) {
      for (const server of [api, strict]) {
        const answer = await server.get(path);
        // No populator has reported here, so the lag is unknown.
        expect(answer.status, path).to.equal(path.startsWith('/readyz') ? 503 : 200);
        expect(answer.headers, path).not.to.have.property('x-ignored-parameters');
      }
    }
  });

  it('are named by every endpoint of the middleware', async () => {
    for (const { method, path, forwarded } of endpoints) {
      if (forwarded === true || path === '/middleware/events') continue;
      const target = path
        .replace(/(rate|figures)\/\{from\}\/\{to\}/, '$1/20190101/20190201')
        .replace('{from}/{to}', '1/2')
        .replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? '1');
      const answer = await api.get(`${target}?limt=1`, {
        method: method.toUpperCase(),
        ...(method === 'post' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
      });
      expect(answer.status, path).not.to.be.oneOf([400, 500]);
      expect(answer.headers['x-ignored-parameters'], path).to.equal('limt');
    }
  });

  it('are named and refused on the address of the metrics, too', async () => {
    const lenient = await ask(api.metricsPort, '/readyz?max-lags=1');
    expect([lenient.status, lenient.headers['x-ignored-parameters']]).to.deep.equal([200, 'max-lags']);
    const refused = await ask(strict.metricsPort, '/readyz?max-lags=1');
    expect([refused.status, reasonOf(refused)]).to.deep.equal([
      400,
      'Invalid input: max-lags is not a parameter of this path: it has max-lag, loaded',
    ]);
  });

  it('cannot write into the header or the message', async () => {
    for (const name of [
      'a%0d%0aset-cookie:x=1',
      'a%2c%20b',
      '%00',
      '%f0%9f%92%a9',
      'a%20b',
      '"',
      '%3cscript%3e',
      'a'.repeat(33),
      '',
    ]) {
      const answer = await api.get(`${LIST}?${name}=1&limt=3`);
      expect(answer.status, name).to.equal(200);
      expect(answer.headers['x-ignored-parameters'], name).to.equal('*, limt');
      expect(answer.headers).not.to.have.property('set-cookie');
      const refused = await strict.get(`${LIST}?${name}=1`);
      expect(reasonOf(refused), name).to.match(
        /^Invalid input: the query contains a name that is not a parameter of this path/,
      );
    }
    const many = Array.from({ length: 900 }, (_, i) => `x${i}`);
    const { headers } = await api.get(`${LIST}?${many.join('&')}`);
    expect(headers['x-ignored-parameters']).to.equal(`${many.slice(0, 16).join(', ')}, *`);
  });
});

const EXAMPLES: Record<string, string> = {
  account: ALICE,
  accounts: ALICE,
  sender: ALICE,
  receiver: ALICE,
  address: ALICE,
  contract: ALICE,
  oracle: ALICE,
  channel: ALICE,
  hash: madeHash('th', 'x'),
  name: 'abcdef',
};
