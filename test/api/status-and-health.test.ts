import { expect } from 'chai';
import { createMetrics } from '../../src/observe/metrics.js';
import { ask, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { eventually } from '../support/populator.js';
import { asServed, tamper } from '../support/roles.js';
import { append, emptyDatabase, madeBlocks, setChain } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { version } from '../../src/observe/version.js';

describe('status and health', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  /** Sets the age of the head, seconds. */
  const age = (seconds: number): Promise<unknown> =>
    seeded.database.query({
      name: 'test.age',
      text: `UPDATE key_blocks SET time = extract(epoch FROM now() - make_interval(secs => $1)) * 1000
             WHERE height = (SELECT max(height) FROM key_blocks)`,
      values: [seconds],
    });

  before(async () => {
    seeded = await emptyDatabase();
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('is not OK while nothing is stored', async () => {
    const { status, body } = await api.get('/middleware/status');

    expect(status).to.equal(503);
    expect(JSON.parse(body)).to.deep.equal({
      OK: false,
      queue_length: 0,
      seconds_since_last_block: null,
      errors_last_500_blocks: 0,
      proven_height: null,
      version,
    });
  });

  it('is ready, and says that it is loading, while nothing is stored', async () => {
    expect(await api.json('/readyz')).to.deep.equal({
      ready: true,
      height: null,
      node_height: null,
      node_state: null,
      lag: null,
      head_time: null,
      loading: true,
    });
  });

  it('is OK with a recent head and a short queue', async () => {
    await append(seeded.database, null, madeBlocks(Array.from({ length: 10 }, () => ({ microBlocks: [[{}]] }))));
    await setChain(seeded.database, 'live = true, node_height = 11, seen_at = now()');
    await age(880);

    const { status, headers, body } = await api.get('/middleware/status');
    expect(status).to.equal(200);
    const { seconds_since_last_block: seconds, ...others } = JSON.parse(body) as { seconds_since_last_block: number };
    expect(others).to.deep.equal({
      OK: true,
      queue_length: 2,
      errors_last_500_blocks: 0,
      proven_height: null,
      version,
    });
    expect(seconds).to.be.within(880, 899);
    expect(headers['x-chain-height']).to.equal('9');
  });

  it('is not OK when the head is too old', async () => {
    await age(900);
    expect((await api.get('/middleware/status')).status).to.equal(503);
    await age(-100);
    const ahead = (await api.json('/middleware/status')) as { OK: boolean; seconds_since_last_block: number };
    expect(ahead.OK).to.equal(true);
    expect(ahead.seconds_since_last_block).to.be.within(-100, -80);
  });

  it('is not OK when too many heights wait, unless no populator has reported recently', async () => {
    await setChain(seeded.database, 'node_height = 12');
    const { status, body } = await api.get('/middleware/status');
    expect([status, (JSON.parse(body) as { queue_length: number }).queue_length]).to.deep.equal([503, 3]);

    await setChain(seeded.database, "seen_at = now() - interval '2 minutes'");
    expect(await api.json('/middleware/status')).to.include({ OK: true, queue_length: 0 });
  });

  it('counts the heights missing below the head during the first load', async () => {
    await setChain(seeded.database, 'live = false');
    await append(seeded.database, await lastHash(), madeBlocks([{}], 20, await lastHash()));

    expect(JSON.parse((await api.get('/middleware/status')).body)).to.include({ OK: false, queue_length: 10 });
    await setChain(seeded.database, 'live = true, seen_at = now(), node_height = 25');
  });

  it('counts transactions of the last 500 heights that could not be read', async () => {
    await seeded.database.query({
      name: 'test.invalid',
      text: 'UPDATE transactions SET valid = false WHERE position < 5::bigint << 33',
    });
    await age(0);
    expect(JSON.parse((await api.get('/middleware/status')).body)).to.include({ errors_last_500_blocks: 5 });
  });

  it('makes readiness depend on the lag when asked', async () => {
    const { rows } = await seeded.database.query<{ time: string }>({
      name: 'test.head-time',
      text: 'SELECT time FROM key_blocks ORDER BY height DESC LIMIT 1',
    });
    expect(await api.json('/readyz')).to.deep.equal({
      ready: true,
      height: 20,
      node_height: 25,
      node_state: null,
      lag: 5,
      head_time: Number(rows[0]!.time),
      loading: false,
    });
    expect((await api.get('/readyz?max-lag=5')).status).to.equal(200);
    expect(JSON.parse((await api.get('/readyz?max-lag=4')).body)).to.include({ ready: false, code: 'behind' });
    expect((await api.get('/readyz?max-lag=x')).status).to.equal(400);
  });

  it('asks the node for its height while no populator reports it, and does not know the lag if it does not answer', async () => {
    let height: number | undefined = 27;
    const server = await testApi(seeded.database, {}, { nodeHeight: () => Promise.resolve(height) });
    const readyz = async (): Promise<unknown> => JSON.parse((await ask(server.metricsPort, '/readyz')).body);

    expect(await readyz())
      .to.include({ lag: 5 })
      .and.not.to.have.property('populator_silent');
    await setChain(seeded.database, "seen_at = now() - interval '11 seconds'");
    expect(await readyz()).to.include({ ready: true, node_height: 27, lag: 7, populator_silent: true });
    expect(await server.json('/readyz')).to.include({ lag: 7 });
    height = undefined;
    expect(await readyz()).to.include({ ready: true, node_height: null, lag: null, populator_silent: true });
    expect(await api.json('/readyz')).to.include({ lag: null });

    await setChain(seeded.database, "seen_at = now(), node_state = 'node_timeout'");
    expect(await readyz()).to.include({ lag: null, node_state: 'node_timeout' });
    height = 27;
    expect(await readyz())
      .to.include({ lag: 7 })
      .and.not.to.have.property('populator_silent');
    await setChain(seeded.database, 'node_state = NULL');
    await server.close();
  });

  it('reports the rows that the populator of the same process found wrong and could not mend', async () => {
    expect(await api.json('/readyz')).not.to.have.property('differing_rows');
    const metrics = createMetrics();
    metrics.differingRows.set(3);
    const populator = await testApi(seeded.database, {}, { metrics });
    const { status, body } = await ask(populator.metricsPort, '/readyz');
    expect([status, (JSON.parse(body) as Record<string, unknown>)['differing_rows']]).to.deep.equal([200, 3]);
    await populator.close();
  });

  it('is not ready during the first load when asked to be loaded', async () => {
    await setChain(seeded.database, 'live = false');
    expect(JSON.parse((await api.get('/readyz?loaded=true')).body)).to.include({
      ready: false,
      reason: 'the first load is under way',
      code: 'loading',
    });
    expect((await api.get('/readyz')).status).to.equal(200);

    await setChain(seeded.database, 'live = true');
    expect((await api.get('/readyz?loaded=true')).status).to.equal(200);
  });

  it('answers on the metrics address as well, next to the metrics', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await ask(api.metricsPort, path)).status).to.equal(200);
    const { headers, body } = await ask(api.metricsPort, '/metrics');

    expect(headers['content-type']).to.contain('text/plain');
    expect(body).to.match(/mdw_http_requests_total\{route="\/middleware\/status",method="GET",status="503"\} [1-9]/);
    expect(body).to.match(/mdw_pool_connections\{state="idle"\} [1-9]/);
    expect((await ask(api.metricsPort, '/middleware/status')).status).to.equal(404);
    expect((await ask(api.metricsPort, '/metrics', { method: 'POST' })).status).to.equal(405);
  });

  it('shows its metrics while all connections to the database are taken, with the head that it read shortly before', async () => {
    const database = asServed(seeded.database)!;
    let now = 0;
    const server = await testApi(seeded.database, {}, { database, now: () => now });
    const metrics = async (): Promise<string> => (await ask(server.metricsPort, '/metrics')).body;
    const [height, seconds] = [/^mdw_database_height \d+$/m, /^mdw_lag_seconds (\d+)/m];
    const ageIn = (body: string): number => Number(seconds.exec(body)?.[1]);
    const first = await metrics();
    expect(first).to.match(height).and.to.match(seconds);

    const free: (() => void)[] = [];
    const taken = Array.from({ length: 20 }, () =>
      database.transaction(() => new Promise<void>((resolve) => free.push(resolve))),
    );
    await eventually(
      () => Promise.resolve(database.pool()),
      ({ busy, idle, waiting }) => idle === 0 && waiting > 0 && free.length === busy,
    );
    now = 30_000;
    const shown = await metrics();
    expect(shown).to.match(/mdw_pool_connections\{state="waiting"\} [1-9]/);
    expect(height.exec(shown)?.[0]).to.equal(height.exec(first)?.[0]);
    expect(ageIn(shown) - ageIn(first), 'the head gets older').to.equal(30);
    const asked = database.pool().waiting;
    now = 61_000;
    expect(await metrics(), 'not known for a minute')
      .to.not.match(height)
      .and.not.to.match(seconds);
    expect(database.pool().waiting, 'one question at a time').to.equal(asked);

    while (database.pool().busy > 0) {
      for (const one of free.splice(0)) one();
      await new Promise(setImmediate);
    }
    await Promise.all(taken);
    expect(await metrics()).to.match(height);
    await server.close();
    await database.close();
  });

  it('is alive but not ready when the schema is not current or the database is away', async () => {
    await tamper(seeded.database, "INSERT INTO migrations (name) VALUES ('9999_future')");
    const newer = await api.get('/readyz');
    await tamper(seeded.database, "UPDATE migrations SET name = '9999_expand_future' WHERE name = '9999_future'");
    const expanded = await api.get('/readyz');
    await tamper(seeded.database, "DELETE FROM migrations WHERE name = '9999_expand_future'");
    const lost = await emptyDatabase();
    const other = await testApi(lost.database);
    await lost.drop();
    const [ready, alive] = [await other.get('/readyz'), await other.get('/healthz')];
    await other.close();

    const code = ({ body }: { body: string }): string => (JSON.parse(body) as { code: string }).code;
    expect([newer.status, code(newer)]).to.deep.equal([503, 'schema_newer']);
    expect(expanded.status, 'an expansion').to.equal(200);
    expect([ready.status, alive.status]).to.deep.equal([503, 200]);
    expect(code(ready)).to.be.oneOf(['database_lost', 'database_missing']);
  });

  async function lastHash(): Promise<string> {
    const { rows } = await seeded.database.query<{ hash: string }>({
      name: 'test.last',
      text: 'SELECT hash FROM micro_blocks ORDER BY position DESC LIMIT 1',
    });
    return rows[0]?.hash ?? '';
  }
});
