import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask } from '../support/api.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, migrateCopy } from '../support/roles.js';

const promtool = process.env.PROMTOOL ?? 'promtool';
const hasPromtool = spawnSync(promtool, ['--version']).status === 0;

/** Metrics that only the writing process has. */
const WRITERS = [
  'mdw_node_height',
  'mdw_lag_blocks',
  'mdw_load_transactions_per_second',
  'mdw_decode_backlog_calls',
  'mdw_writer_epoch',
  'mdw_node_state',
];
const SERVERS = ['mdw_websocket_connections', 'mdw_websocket_subscriptions'];

/** A row of docs/metrics.md. Values in backquotes after the name of a label are all that it has. */
interface DocumentedCounter {
  name: string;
  labels: { label: string; values: string[] | undefined }[];
}

/** The counters in the table of docs/metrics.md between two marks. */
function documentedCounters(mark: 'metrics' | 'operatorMetrics'): DocumentedCounter[] {
  const text = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const table = text.split(`<!-- ${mark} -->`)[1]!.split(`<!-- /${mark} -->`)[0]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| counter \| (.*?) \| /gm)];
  return rows.map(([, name, labels]) => ({
    name: name!,
    labels: (labels === '' ? [] : labels!.split('; ')).map((text) => {
      const [, label, values] = /^`(\w+)`: (.+)$/.exec(text) ?? [];
      if (label === undefined) throw new Error(`${name}: the values of ${text} are not documented`);
      const all = values!.split(', ').map((value) => /^`(\w+)`$/.exec(value)?.[1]);
      return { label, values: all.every((value) => value !== undefined) ? all : undefined };
    }),
  }));
}

/** All series of a counter whose values are known; undefined if one of its labels has others. */
const seriesOf = ({ name, labels }: DocumentedCounter): string[] | undefined =>
  labels.some(({ values }) => values === undefined)
    ? undefined
    : labels
        .reduce(
          (all, { label, values }) => all.flatMap((one) => values!.map((value) => [...one, `${label}="${value}"`])),
          [[]] as string[][],
        )
        .map((pairs) => (pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`));

/** Checks that each documented counter has all its series, so that the first count is an increase for Prometheus. */
function expectCounters(exposed: string, counters: readonly DocumentedCounter[]): void {
  const lines = new Set(exposed.split('\n').map((line) => line.replace(/ \d+$/, '')));
  for (const counter of counters)
    for (const series of seriesOf(counter) ?? []) expect(lines.has(series), series).to.equal(true);
}

/** The value of a series without labels, or of the first with some; undefined if there is none. */
function valueOf(exposed: string, name: string): number | undefined {
  const [, value] = new RegExp(`^${name}(?:\\{[^\\n]*\\})? (\\S+)$`, 'm').exec(exposed) ?? [];
  return value === undefined ? undefined : Number(value);
}

describe('the metrics of a process', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  const running: RunningMdw[] = [];

  before(async () => {
    server = await testDatabase();
    await migrateCopy(server.url);
    const generate = { seed: 'exposed', generations: 6, txsPerGeneration: 5, accounts: 6 };
    devnode = await startDevnode({ external: '127.0.0.1:0', source: { generate } });
  });
  afterEach(async () => {
    for (const { process, ended } of running.splice(0)) {
      process.kill('SIGKILL');
      await ended;
    }
  });
  after(async () => {
    await devnode.close();
    await server.drop();
  });

  const start = async (role: string): Promise<() => Promise<string>> => {
    const process = startMdw([role], {
      NODE_URL: devnode.externalUrl,
      DATABASE_URL: asRole(server.url, role === '-s' ? 'serve' : 'populate'),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      POLL_INTERVAL_MS: '50',
      LEASE_SECONDS: '2',
    });
    running.push(process);
    const [, port] = await process.saw(/"metrics":\{[^}]*"port":(\d+)/);
    return async () => (await ask(Number(port), '/metrics')).body;
  };

  /** Metrics of a process that has loaded the chain or found it loaded. */
  const caughtUp = async (role: string): Promise<() => Promise<string>> => {
    const read = await start(role);
    await running.at(-1)!.saw(/Caught up with the node/);
    await eventually(read, (exposed) => valueOf(exposed, 'mdw_lag_seconds') !== undefined);
    return read;
  };

  const check = (exposed: string): void => {
    if (!hasPromtool) return;
    const { status, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: exposed, encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([0, '']);
  };

  const expectAbsent = (exposed: string, names: readonly string[]): void => {
    for (const name of names) expect(valueOf(exposed, name), name).to.equal(undefined);
  };

  it('of a populator match the chain, even if there was nothing to load', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const exposed = await (await caughtUp('-p'))();
      check(exposed);
      expect(valueOf(exposed, 'mdw_database_height')).to.equal(devnode.height());
      expect(valueOf(exposed, 'mdw_node_height')).to.equal(devnode.height());
      expect(valueOf(exposed, 'mdw_lag_blocks')).to.equal(0);
      expectAbsent(exposed, SERVERS);
      const { process, ended } = running.pop()!;
      process.kill('SIGTERM');
      await ended;
    }
  });

  it('of a server have the head of the database, and nothing about the node', async () => {
    const exposed = await (await start('-s'))();
    check(exposed);
    expect(valueOf(exposed, 'mdw_database_height')).to.equal(devnode.height());
    expect(valueOf(exposed, 'mdw_lag_seconds')).to.be.above(0);
    expectAbsent(exposed, [...WRITERS, 'mdw_writer_role']);
    for (const name of SERVERS) expect(valueOf(exposed, name), name).to.equal(0);
  });

  it('of a process that populates and serves have both; a waiting populator exports only its role', async () => {
    const both = await (await caughtUp('-ps'))();
    check(both);
    for (const name of [...WRITERS, ...SERVERS, 'mdw_database_height', 'mdw_lag_seconds']) {
      expect(valueOf(both, name), name).to.not.equal(undefined);
    }
    const waiting = await eventually(await start('-p'), (exposed) => exposed.includes('mdw_writer_role{'));
    check(waiting);
    expectAbsent(waiting, [...WRITERS, 'mdw_database_height', 'mdw_lag_seconds']);
    expect(waiting).to.contain('mdw_writer_role{role="waiting"} 1');
  });

  it('have every documented counter from the start, with each value of its labels', async () => {
    const counters = documentedCounters('metrics');
    const closed = counters.filter((counter) => seriesOf(counter) !== undefined);
    expect(closed.map(({ name }) => name)).to.include.members([
      ...['mdw_differences_total', 'mdw_forks_total', 'mdw_node_requests_total', 'mdw_cache_hits_total'],
      ...['mdw_websocket_closed_total', 'mdw_undecodable_transactions_total'],
    ]);
    for (const role of ['-s', '-p']) {
      const exposed = await (await start(role))();
      expectCounters(exposed, counters);
      for (const outcome of ['mended', 'left'])
        expect(exposed, role).to.contain(`\nmdw_differences_total{outcome="${outcome}"} 0\n`);
      expect(exposed).to.contain('\nmdw_fork_depth_blocks_bucket{le="10"} 0\n');
      const { process, ended } = running.pop()!;
      process.kill('SIGTERM');
      await ended;
    }
  });

  it('of the operator report that it does not lead while it does not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-exposition-'));
    const kubeconfig = join(folder, 'config');
    const named = (kind: string, value: object): object[] => [{ name: 'none', [kind]: value }];
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'none',
        clusters: named('cluster', { server: 'http://127.0.0.1:1' }),
        users: named('user', { token: 'none' }),
        contexts: named('context', { cluster: 'none', user: 'none' }),
      }),
    );
    try {
      const operator = startMdw(['operator', '--kubeconfig', kubeconfig, '--metrics-address', '127.0.0.1:0']);
      running.push(operator);
      const [, port] = await operator.saw(/"address":\{[^}]*"port":(\d+)/);
      const { body } = await ask(Number(port), '/metrics');
      check(body);
      expect(valueOf(body, 'mdw_operator_leader')).to.equal(0);
      expectCounters(body, documentedCounters('operatorMetrics'));
      expect(body).to.contain('\nmdw_operator_reconcile_errors_total{reason="forbidden"} 0\n');
      expect(body).to.contain('\nworkqueue_retries_total{name="middleware"} 0\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
