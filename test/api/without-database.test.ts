import { expect } from 'chai';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { administer, asRole, migrateCopy } from '../support/roles.js';
import { append, madeBlocks, setChain, silent } from '../support/seed.js';

const LIST = '/middleware/names?limit=1&page=1';
const UNCACHED = '/middleware/transactions/rate/20180101/20190101';

describe('a server whose database is away', () => {
  let server: TestDatabase;
  let toDatabase: Relay;
  let database: Database;
  let node: FakeNode;
  let api: TestApi;
  /** Time of the clock of the server, ms. */
  let elapsed = 0;
  /** Statements that were sent. */
  let statements = 0;

  const open = (url: string): Database =>
    createDatabase({ url, schema: 'mdw', poolSize: 4, statementTimeoutMs: 5_000, logger: silent });
  const readiness = async (query = '', port = api.metricsPort): Promise<Record<string, unknown>> => {
    const { status, body } = await ask(port, `/readyz${query}`);
    const { reason, code, ready, ...rest } = JSON.parse(body) as Record<string, unknown>;
    return { status, ready, ...(code !== undefined && { code, reason }), ...rest };
  };
  const leave = (): Promise<void> => toDatabase.shut();

  beforeEach(async () => {
    server = await testDatabase();
    await migrateCopy(server.url);
    toDatabase = await startRelay(server.url.replace(/^postgres(ql)?:/, 'http:'));
    const url = new URL(asRole(server.url, 'populate'));
    url.port = new URL(toDatabase.url).port;
    database = open(url.href);
    await append(database, null, madeBlocks([{}, { microBlocks: [[{}]] }]));
    await setChain(database, 'live = true, node_height = 3, seen_at = now()');
    node = await fakeNode((_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('"node"'));
    elapsed = 0;
    const counting: Database = {
      ...database,
      query: (statement) => {
        statements += 1;
        return database.query(statement);
      },
    };
    api = await testApi(counting, { nodeUrls: [node.url] }, { now: () => performance.now() + elapsed });
  });
  afterEach(async () => {
    await api.close();
    await node.close();
    await database.close();
    await toDatabase.shut();
    await server.drop();
  });

  it('stays ready if it has read it, and says why it is not complete', async () => {
    expect(await readiness()).to.include({ status: 200, ready: true, height: 1 });
    await leave();
    for (const query of ['', '?loaded=true', '?max-lag=2']) {
      const { code, ...rest } = await readiness(query);
      expect(code).to.be.oneOf(['database_lost', 'database_unreachable']);
      const reason = 'database cannot be read';
      expect(rest).to.deep.equal({ status: 200, ready: true, without_database: true, reason });
    }
    expect(await readiness('?max-lag=1')).to.include({ status: 503, ready: false });
  });

  it('is not ready if it has never read it, as with a wrong password', async () => {
    await leave();
    expect(await readiness()).to.include({ status: 503, ready: false });

    const wrong = open(Object.assign(new URL(server.url), { password: 'wrong', username: 'nobody' }).href);
    const other = await testApi(wrong);
    const { status, ready, without_database: without } = await readiness('', other.metricsPort);
    await other.close();
    await wrong.close();
    expect([status, ready, without]).to.deep.equal([503, false, undefined]);
  });

  it('is not ready without it when the first load had not ended, or the schema could not be used', async () => {
    await setChain(database, 'live = false');
    expect(await readiness()).to.include({ status: 200, loading: true });
    const future = "INSERT INTO migrations (name) VALUES ('9999_future')";
    await administer(asRole(server.url, 'migrate'), future, 'mdw');
    const { port } = api;
    expect(await readiness('', port)).to.include({ status: 503, code: 'schema_newer' });
    await leave();
    expect(await readiness('?loaded=true')).to.include({ status: 503, ready: false });
    expect(await readiness('', port)).to.include({ status: 503, ready: false });
  });

  it('forwards, answers from its cache with the age, and refuses the rest with Retry-After', async () => {
    await readiness();
    const get = async (path: string, headers = {}) => {
      const { status, headers: answered, body } = await api.get(path, { headers });
      return { status, body, age: answered['age'], retry: answered['retry-after'], height: answered['x-chain-height'] };
    };
    const isCached = async (): Promise<boolean> => {
      const before = statements;
      await get(LIST);
      return statements === before;
    };
    // The cache is on when the server listens for changes.
    await eventually(isCached, Boolean);
    const { body, height } = await get(LIST);
    await leave();
    elapsed = 60_000;

    const aged = await eventually(
      () => get(LIST),
      ({ age }) => age !== undefined,
    );
    expect(aged).to.include({ status: 200, body, height, retry: undefined });
    expect(Number(aged.age)).to.be.within(60, 120);
    expect(await get(LIST, { 'x-min-height': '1' })).to.include({ status: 200, body });
    expect(await get('/v2/status')).to.deep.include({ status: 200, body: '"node"', age: undefined });
    for (const [path, headers] of [
      [UNCACHED, {}],
      [LIST, { 'cache-control': 'no-cache' }],
      [LIST, { 'x-min-height': '2' }],
      // Clients may have seen newer events than a node that is behind.
      ['/v2/key-blocks/height/1', {}],
    ] as const)
      expect(await get(path, headers), path).to.include({ status: 503, retry: '2', age: undefined });

    elapsed = 700_000;
    expect(await get(LIST)).to.include({ status: 503, retry: '2', age: undefined });
  });
});
