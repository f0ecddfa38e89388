import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { printFigures } from '../support/figures.js';
import { mdw, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { asRole, migrateCopy } from '../support/roles.js';

interface Readiness {
  ready: boolean;
  code?: string;
  height?: number;
  without_database?: true;
}

describe('programs whose connections go silent', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let toDatabase: Relay;
  let toNode: Relay;
  let env: Record<string, string>;
  const started: RunningMdw[] = [];

  before(async () => {
    server = await testDatabase();
    await migrateCopy(server.url);
    devnode = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'silent', generations: 5, txsPerGeneration: 5 } },
    });
  });
  beforeEach(async () => {
    toDatabase = await startRelay(server.url.replace(/^postgres(ql)?:/, 'http:'));
    toNode = await startRelay(devnode.externalUrl);
    env = {
      NODE_URL: toNode.url,
      NODE_TIMEOUT_MS: '2000',
      FORWARD_TIMEOUT_MS: '2000',
      DATABASE_URL: Object.assign(new URL(asRole(server.url, 'populate')), { port: new URL(toDatabase.url).port }).href,
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      POLL_INTERVAL_MS: '50',
    };
  });
  afterEach(async () => {
    for (const { process: running } of started.splice(0)) running.kill('SIGKILL');
    await Promise.all([toDatabase.shut(), toNode.shut()]);
  });
  after(async () => {
    await devnode.close();
    await server.drop();
  });

  const start = async (role: string): Promise<{ running: RunningMdw; http: string; metrics: string }> => {
    const running = startMdw([role], env);
    started.push(running);
    const [, port] = await running.saw(/"metrics":\{[^}]*"port":(\d+)/);
    const http = role === '-p' ? undefined : (await running.saw(/"http":\{[^}]*"port":(\d+)/))[1];
    return { running, http: `http://127.0.0.1:${http}`, metrics: `http://127.0.0.1:${port}` };
  };
  const readiness = async (metrics: string): Promise<Readiness> =>
    (await (await fetch(`${metrics}/readyz`)).json()) as Readiness;
  const atHead = (metrics: string): Promise<Readiness> =>
    eventually(
      () => readiness(metrics),
      ({ ready, height }) => ready && height === devnode.height(),
    );

  for (const role of ['-p', '-s', '-ps']) {
    it(`${role} says that its database is silent, and a signal ends it in order`, async () => {
      const { running, metrics } = await start(role);
      await eventually(
        () => readiness(metrics),
        ({ ready }) => ready,
      );
      toDatabase.silence('all');
      const from = performance.now();
      const { code, ready } = await eventually(
        () => readiness(metrics),
        ({ ready, without_database: without }) => !ready || without === true,
      );
      const reported = performance.now();
      running.process.kill('SIGTERM');
      const { status, stdout } = await running.ended;

      printFigures(`${role}, database silent`, {
        'said so': reported - from,
        'ended after SIGTERM': performance.now() - reported,
      });
      // Servers still forward, and answer from their caches.
      expect(ready, code).to.equal(role !== '-p');
      expect(code).to.be.oneOf(['statement_timeout', 'database_silent', 'database_lost', 'database_unreachable']);
      expect(stdout).not.to.contain('Stopped by force');
      expect(status).to.equal(0);
    });
  }

  it('-p tells that it is not ready while one connection is silent and others are not, and follows again', async () => {
    const { running, metrics } = await start('-p');
    await atHead(metrics);
    const silent = toDatabase.silenceWhen((sent) => sent.includes('COMMIT'), 'arrive');
    await devnode.grow(1);
    await silent;
    await eventually(
      () => readiness(metrics),
      ({ code }) => code === 'database_silent',
    );
    await running.saw(/Closed a silent connection to the database/);
    await devnode.grow(1);
    await atHead(metrics);
  });

  it('-s answers again, and sends the events that were missed', async () => {
    const populator = await start('-p');
    // Events are written from the end of the first load on.
    await populator.running.saw(/Caught up with the node/);
    await atHead(populator.metrics);
    populator.running.process.kill('SIGTERM');
    await populator.running.ended;
    const direct = env['DATABASE_URL']!;
    const { running, http } = await start('-s');
    const ask = (): Promise<number> =>
      fetch(`${http}/middleware/size/current?n=${Math.random()}`).then(({ status }) => status);
    await Promise.all(Array.from({ length: 8 }, ask));
    const stream = await fetch(`${http}/middleware/events?kinds=key_blocks,micro_blocks`);
    toDatabase.silence();
    const from = performance.now();
    const first = await Promise.all(Array.from({ length: 8 }, ask));
    await eventually(ask, (status) => status === 200);
    printFigures('-s, open connections silent', { answered: performance.now() - from });
    expect(first.every((status) => status === 200 || status === 503)).to.equal(true);

    env = { ...env, DATABASE_URL: Object.assign(new URL(direct), { port: new URL(server.url).port }).href };
    const next = await start('-p');
    await devnode.grow(1);
    await atHead(next.metrics);
    let text = '';
    for await (const chunk of stream.body!) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes(devnode.top().hash)) break;
    }
    running.process.kill('SIGTERM');
    expect((await running.ended).status).to.equal(0);
  });

  it('-ps follows a node again, and forwards to it, when the connections to it were silent', async () => {
    const { http, metrics } = await start('-ps');
    await atHead(metrics);
    const ask = (): Promise<number> => fetch(`${http}/v2/status`).then(({ status }) => status);
    expect(await ask()).to.equal(200);
    toNode.silence();
    const from = performance.now();
    const first = await ask();
    await devnode.grow(1);
    await atHead(metrics);
    const followed = performance.now();
    expect(await ask()).to.equal(200);
    expect(first).to.be.oneOf([200, 504]);
    printFigures('-ps, connections to the node silent', { followed: followed - from });
  });

  /** Makes the first connection of a program silent when it has sent its first statement. */
  const silenceFirst = (): void => {
    let isPrepared = false;
    const isFirst = (sent: Buffer): boolean => {
      const now = isPrepared;
      isPrepared ||= sent.includes('set_config');
      return now;
    };
    void toDatabase.silenceWhen(isFirst, 'arrive');
  };

  for (const args of [['migrate'], ['-v'], ['-H', '1-2']]) {
    it(`${args.join(' ')} says so, and does its work on new ones`, async () => {
      const { metrics, running } = await start('-p');
      await atHead(metrics);
      running.process.kill('SIGTERM');
      await running.ended;
      silenceFirst();
      const from = performance.now();
      const { status, stdout, stderr } = await mdw(args, env);
      printFigures(`${args.join(' ')}, a statement silent`, { done: performance.now() - from });
      expect(stdout + stderr).to.match(/went silent/);
      expect(status, stdout + stderr).to.equal(0);
    });
  }

  it('doctor reports it', async () => {
    silenceFirst();
    const from = performance.now();
    const { status, stdout } = await mdw(['doctor'], env);
    printFigures('doctor, a statement silent', { done: performance.now() - from });
    expect(stdout).to.match(/^fail +database +.*went silent/m);
    expect(status).to.equal(1);
  });
});
