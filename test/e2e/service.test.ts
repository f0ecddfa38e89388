import { expect } from 'chai';
import { once } from 'node:events';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask } from '../support/api.js';
import { mdw, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { chainDump, cleanDump } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { administer, asRole, migrateCopy, openAs } from '../support/roles.js';

/** Every documented metric. */
const METRICS = [
  'mdw_build_info',
  'mdw_node_height',
  'mdw_database_height',
  'mdw_lag_blocks',
  'mdw_lag_seconds',
  'mdw_node_state',
  'mdw_heights_loaded_total',
  'mdw_transactions_loaded_total',
  'mdw_load_transactions_per_second',
  'mdw_forks_total',
  'mdw_fork_depth_blocks',
  'mdw_node_requests_total',
  'mdw_node_request_seconds',
  'mdw_undecodable_transactions_total',
  'mdw_decode_backlog_calls',
  'mdw_writer_epoch',
  'mdw_writer_role',
  'mdw_http_requests_total',
  'mdw_http_request_seconds',
  'mdw_cache_hits_total',
  'mdw_pool_connections',
];

const LABELS = String.raw`\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\}`;
/** A line of the text format of Prometheus, version 0.0.4. */
const LINE = new RegExp(
  String.raw`^(?:# HELP [a-zA-Z_:][\w:]* [^\n]*|# TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary|untyped)|[a-zA-Z_:][\w:]*(?:${LABELS})? (?:[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|Inf)|NaN)(?: -?\d+)?|)$`,
);

describe('the service as it is installed', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let env: Record<string, string>;
  const running: RunningMdw[] = [];

  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: {
          seed: 'service',
          generations: 8,
          txsPerGeneration: 20,
          accounts: 10,
          // So that the head is as recent as on a live chain.
          startTime: Date.now() - 8 * 180_000,
        },
      },
    });
    env = {
      NODE_URL: devnode.externalUrl,
      DATABASE_URL: asRole(server.url, 'populate'),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      POLL_INTERVAL_MS: '50',
    };
  });
  afterEach(async () => {
    devnode.misbehave(null);
    for (const { process, ended } of running.splice(0)) {
      process.kill('SIGKILL');
      await ended;
    }
  });
  after(async () => {
    await devnode.close();
    await server.drop();
  });

  /** Populates and serves; resolves when it has the node's chain. */
  const start = async (schema: string): Promise<{ service: RunningMdw; port: number; metricsPort: number }> => {
    await migrateCopy(server.url, schema);
    const service = startMdw(['-ps'], { ...env, DATABASE_SCHEMA: schema });
    running.push(service);
    const [, port] = await service.saw(/"http":\{[^}]*"port":(\d+)/);
    const [, metricsPort] = await service.saw(/"metrics":\{[^}]*"port":(\d+)/);
    await service.saw(/Caught up with the node/);
    return { service, port: Number(port), metricsPort: Number(metricsPort) };
  };

  const json = async (port: number, path: string): Promise<Record<string, unknown>> =>
    JSON.parse((await ask(port, path)).body) as Record<string, unknown>;

  /** Resolves when the service has the node's height. */
  const followed = (port: number): Promise<unknown> =>
    eventually(
      () => json(port, '/v2/key-blocks/current/height'),
      ({ height }) => height === devnode.height(),
    );

  it('knows how far it is behind the node while its populator is frozen', async () => {
    const { service: populator } = await start('frozen');
    populator.process.kill('SIGSTOP');
    // Pretends that it was frozen for a while already.
    await administer(server.url, "UPDATE chain SET seen_at = now() - interval '20 seconds'", 'frozen');
    await devnode.grow(3);
    const servers = startMdw(['-s'], { ...env, DATABASE_URL: asRole(server.url, 'serve'), DATABASE_SCHEMA: 'frozen' });
    running.push(servers);
    const [, metrics] = await servers.saw(/"metrics":\{[^}]*"port":(\d+)/);
    await servers.saw(/Listening/);
    expect(await json(Number(metrics), '/readyz')).to.include({
      ready: true,
      node_height: devnode.height(),
      lag: 3,
      populator_silent: true,
    });
  });

  it('answers, follows growth and forks, and reports on itself', async () => {
    const { port, metricsPort } = await start('telling');
    await devnode.grow(2);
    await followed(port);
    await devnode.fork({ depth: 2, grow: 3 });
    await followed(port);
    await ask(port, '/v2/status');

    const status = await ask(port, '/middleware/status');
    expect(status.status, status.body).to.equal(200);
    expect(JSON.parse(status.body)).to.include({ OK: true, queue_length: 0, errors_last_500_blocks: 0 });
    expect(await json(port, '/healthz')).to.deep.equal({ alive: true });
    const { time } = await json(port, `/v2/key-blocks/height/${devnode.height()}`);
    for (const at of [port, metricsPort]) {
      expect(await json(at, '/readyz?max-lag=0')).to.deep.equal({
        ready: true,
        height: devnode.height(),
        node_height: devnode.height(),
        node_state: 'ok',
        lag: 0,
        head_time: time,
        loading: false,
        differing_rows: 0,
      });
    }

    const { body, headers } = await ask(metricsPort, '/metrics');
    expect(headers['content-type']).to.match(/^text\/plain; version=0\.0\.4/);
    expect(body.split('\n').filter((line) => !LINE.test(line))).to.deep.equal([]);
    for (const name of METRICS) {
      expect(body, name)
        .to.match(new RegExp(`^# HELP ${name} \\S`, 'm'))
        .and.to.match(new RegExp(`^# TYPE ${name} `, 'm'))
        .and.to.match(new RegExp(`^${name}(_count)?[{ ]`, 'm'));
    }
    expect(body).to.contain(`\nmdw_database_height ${devnode.height()}\n`).and.contain('\nmdw_lag_blocks 0\n');
    expect(body).to.contain('mdw_writer_role{role="writer"} 1').and.contain('mdw_forks_total{kind="key"} 1');
    expect(body).to.match(/mdw_http_requests_total\{route="forward",method="GET",status="200"\} [1-9]/);
  });

  it('answers requests under way before it ends on SIGTERM', async () => {
    const { service, port } = await start('draining');
    devnode.misbehave({ slowMs: 700, paths: 'held' });
    const underWay = ask(port, '/v2/status?held');
    // This one was sent later and is answered, so the waiting one has been forwarded.
    await ask(port, '/v2/status');

    service.process.kill('SIGTERM');
    const [answer, { status, stderr }] = await Promise.all([underWay, service.ended]);

    expect(answer.status).to.equal(200);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  it('ends at once on a second signal, with the status of the signal', async () => {
    const { service, port } = await start('draining');
    devnode.misbehave({ hang: true, paths: 'held' });
    const underWay = ask(port, '/v2/status?held').catch((error: NodeJS.ErrnoException) => error.code);
    await ask(port, '/v2/status');

    service.process.kill('SIGTERM');
    await service.saw(/"reason":"SIGTERM"/);
    service.process.kill('SIGTERM');
    const [status] = (await once(service.process, 'exit')) as [number];

    expect(status).to.equal(143);
    expect(await underWay).to.equal('ECONNRESET');
  });

  it('loads single heights into an empty database, serves them, and fills in the rest later', async () => {
    const schema = 'scattered';
    const mine = { ...env, DATABASE_SCHEMA: schema };
    const asServer = { ...mine, DATABASE_URL: asRole(server.url, 'serve') };
    await migrateCopy(server.url, schema);
    const loaded = await mdw(['-H1,3-4,6'], mine);
    expect(loaded.stderr).to.equal('Replaced 4 of 4 heights (1,3-4,6)\n');
    expect(loaded.status).to.equal(0);

    const verified = await mdw(['-v', '0-6', '--json'], asServer);
    const verdicts = verified.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { height: number; ok: boolean });
    expect(verified.status).to.equal(1);
    expect(verdicts.map(({ height }) => height)).to.deep.equal([6, 5, 4, 3, 2, 1, 0]);
    expect(verdicts.filter(({ ok }) => ok).map(({ height }) => height)).to.deep.equal([6, 4, 3, 1]);

    const { service, port } = await start(schema);
    expect(await json(port, '/middleware/status')).to.include({ OK: true, queue_length: 0 });
    service.process.kill('SIGTERM');
    await service.ended;
    const database = openAs(asRole(server.url, 'reader'), schema);
    const stored = await chainDump(database);
    await database.close();

    expect(stored).to.deep.equal(await cleanDump(server, `${schema}_clean`, devnode.externalUrl));
    expect(await mdw(['-v'], asServer)).to.include({ status: 0 });
  });

  it('waits for a lost node, reports it, and continues when it is back', async () => {
    const { service, port } = await start('waiting');

    devnode.misbehave({ status: 429, retryAfter: 2 });
    await service.saw(/"state":"node_busy".*Waiting for the node; nothing is deleted meanwhile/);
    await devnode.grow(1);
    expect(await json(port, '/readyz')).to.include({ ready: true, node_state: 'node_busy' });
    devnode.misbehave(null);

    await service.saw(/Node recovered/);
    await followed(port);
  });
});
