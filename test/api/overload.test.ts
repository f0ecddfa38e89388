import { expect } from 'chai';
import Koa from 'koa';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type pg from 'pg';
import { endpoints } from '../../src/api/endpoints.js';
import { createRouter } from '../../src/api/router.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { ask, testApi } from '../support/api.js';
import type { Reply, TestApi } from '../support/api.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, migrateCopy } from '../support/roles.js';
import { append, emptyDatabase, madeBlocks, madeHash, silent } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const HEAVY = '/middleware/names/abc';
const LIGHT = '/middleware/count/current';

describe('more requests than can be answered', () => {
  let server: TestDatabase;
  let database: Database;
  let impatient: Database;
  let api: TestApi;
  let blocker: pg.Client;
  const connect = (statementTimeoutMs: number): Database =>
    createDatabase({
      url: asRole(server.url, 'populate'),
      schema: 'mdw',
      poolSize: 4,
      statementTimeoutMs,
      logger: silent,
    });

  before(async () => {
    server = await testDatabase();
    await migrateCopy(server.url);
    database = connect(20_000);
    impatient = connect(200);
    await append(database, null, madeBlocks([{}, { microBlocks: [[{}]] }]));
    api = await testApi(database);
    blocker = await database.connect();
  });
  after(async () => {
    await blocker.end();
    await api.close();
    await impatient.close();
    await database.close();
    await server.drop();
  });

  /** Locks the table against readers until `release`. */
  async function lock(table: string): Promise<() => Promise<unknown>> {
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return () => blocker.query('ROLLBACK');
  }
  const uncached = (path: string, { port } = api): Promise<Reply> =>
    ask(port, path, { headers: { 'cache-control': 'no-cache' } });

  it('refuses heavy ones at once with Retry-After, and still answers light ones', async () => {
    const release = await lock('names');
    const answered: Reply[] = [];
    const heavy = Array.from({ length: 30 }, async () => answered.push(await uncached(HEAVY)));
    try {
      // Two run and eight wait; the others are refused.
      await eventually(
        () => Promise.resolve(answered.length),
        (count) => count >= 20,
      );
      for (const { status, headers, body } of answered) {
        expect([status, body]).to.deep.equal([503, '{"reason":"Temporarily unavailable"}']);
        expect(Number(headers['retry-after'])).to.be.within(1, 60);
      }
      for (let i = 0; i < 30; i += 1) expect((await uncached(LIGHT)).status).to.equal(200);
      expect(database.pool().busy).to.equal(2);
    } finally {
      await release();
    }
    await Promise.all(heavy);
    expect(answered.filter(({ status }) => status === 200)).to.have.length.within(2, 10);
    expect((await uncached(HEAVY)).status).to.equal(200);
  });

  it('cancels a query that takes too long', async () => {
    const other = await testApi(impatient);
    const release = await lock('generations');
    // Only the time limit can end it: the table is locked until it has answered.
    const { status, headers } = await uncached(LIGHT, other);
    await release();

    expect(status).to.equal(503);
    expect(headers).to.have.property('retry-after');
    expect((await uncached(LIGHT, other)).status).to.equal(200);
    await other.close();
  });

  it('does not let disconnected clients block others', async () => {
    const release = await lock('names');
    const gone = Array.from({ length: 10 }, () => new AbortController());
    for (const { signal } of gone)
      fetch(`http://127.0.0.1:${api.port}${HEAVY}`, { signal, headers: { 'cache-control': 'no-cache' } }).catch(
        () => undefined,
      );
    await eventually(
      () => Promise.resolve(database.pool().busy),
      (busy) => busy >= 2,
    );
    for (const one of gone) one.abort();
    await release();

    expect((await uncached(HEAVY)).status).to.equal(200);
  });

  it('classifies requests by their cost for the database', async () => {
    let cost: string | undefined;
    const router = createRouter(endpoints, (endpoint) => [
      (ctx) => {
        ({ cost } = endpoint.open(ctx, 10_000));
      },
    ]);
    const app = new Koa().use(router.routes()).callback();
    const costOf = async (path: string, query: Record<string, string>, method = 'GET'): Promise<string | undefined> => {
      cost = undefined;
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { method, url: `${path}?${new URLSearchParams(query).toString()}` });
      await app(request, new ServerResponse(request));
      return cost;
    };
    const account = `/middleware/transactions/account/${madeHash('ak', 'x')}`;
    for (const [path, query, weight] of [
      ['/v2/generations/current', {}, 'none'],
      ['/middleware/events', {}, 'none'],
      ['/middleware/compilers', {}, 'compile'],
      ['/middleware/status', {}, 'light'],
      ['/middleware/size/height/3', {}, 'light'],
      ['/middleware/reward/height/3', {}, 'light'],
      [`${account}/count`, {}, 'light'],
      [account, {}, 'heavy'],
      [account, { limit: 'x' }, 'heavy'],
      [account, { limit: '10' }, 'light'],
      [account, { limit: '10', page: '30000' }, 'light'],
      [account, { limit: '5000' }, 'heavy'],
      ['/middleware/names', { limit: '10' }, 'light'],
      ['/middleware/names', { limit: '10', page: '30000' }, 'light'],
      ['/middleware/names', { limit: '5000' }, 'heavy'],
      ['/middleware/names/active', {}, 'heavy'],
      ['/middleware/names/active', { limit: '5' }, 'light'],
      ['/middleware/names/xyz', { limit: '5' }, 'heavy'],
      ['/middleware/names/hash/nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1', {}, 'light'],
      ['/middleware/names/auctions/active/count', {}, 'light'],
      ['/middleware/generations/5/15', {}, 'light'],
      ['/middleware/generations/5/1500', {}, 'heavy'],
      ['/middleware/transactions/interval/7/7', {}, 'light'],
      ['/middleware/transactions/interval/1/700000', { limit: '10', page: '3' }, 'light'],
      ['/middleware/transactions/interval/1/700000', {}, 'heavy'],
    ] as const) {
      expect(await costOf(path, query), `${path} ${JSON.stringify(query)}`).to.equal(weight);
    }
    expect(await costOf('/middleware/contracts/verify', {}, 'POST')).to.equal('compile');
  });
});

describe('the rate limit', () => {
  let seeded: SeededDatabase;
  let database: Database;
  before(async () => {
    seeded = await emptyDatabase();
    ({ database } = seeded);
    await append(database, null, madeBlocks([{}]));
  });
  after(() => seeded.drop());

  it('is off unless it is set', async () => {
    const api = await testApi(database);
    const { headers } = await api.get('/healthz');
    await api.close();
    expect(headers).not.to.have.any.keys('ratelimit-limit', 'ratelimit-remaining');
  });

  it('answers 429 above the limit, and reports the remaining requests before', async () => {
    let time = 1_000_000;
    const api = await testApi(database, { rateLimitPerSecond: 3 }, { now: () => time });
    try {
      const seen: unknown[] = [];
      for (let i = 0; i < 5; i += 1) {
        const { status, headers, body } = await ask(api.port, LIGHT);
        seen.push([status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['retry-after']]);
        if (status === 429) expect(body).to.equal('{"reason":"More than 3 requests per second"}');
      }
      expect(seen).to.deep.equal([
        [200, '3', '2', undefined],
        [200, '3', '1', undefined],
        [200, '3', '0', undefined],
        [429, '3', '0', '1'],
        [429, '3', '0', '1'],
      ]);
      const forged = await ask(api.port, LIGHT, { headers: { 'x-forwarded-for': '9.9.9.9' } });
      expect(forged.status).to.equal(429);
      time += 400;
      expect((await ask(api.port, LIGHT)).status).to.equal(200);
      expect((await ask(api.port, LIGHT)).status).to.equal(429);
      time += 60_000;
      expect((await ask(api.port, LIGHT)).headers['ratelimit-remaining']).to.equal('2');
    } finally {
      await api.close();
    }
  });
});
