import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { watchEvents } from '../../src/events/watch.js';
import { describeWith } from '../support/kube-tools.js';
import { NAMESPACE, clusterIp, noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { ask, askSteadily } from '../support/steady-client.js';
import { watchService } from '../cluster/support/endpoints.js';
import { createKubeClient } from '../../src/operator/kube/client.js';
import { findAccess } from '../../src/operator/kube/kubeconfig.js';
import type { MiddlewareStatus } from '../../src/operator/schema/status.js';

const CHART = fileURLToPath(new URL('../../charts/chain-middleware', import.meta.url));
const SOCKETS = 100;

const RESOURCE = `
apiVersion: chain-middleware.io/v1alpha1
kind: Middleware
metadata: {name: chain, namespace: data}
spec:
  node: {urls: ['http://node:3013']}
  database: {secret: {name: chain-db}}
  populator: {pollIntervalMs: 200}
  reload: {retain: 20s}
`;

describeWith(noRealNode(), 'a reload with real containers under load', function () {
  this.timeout(600_000);
  this.bail(true);

  let node: RealNode;
  let http: string;
  let events: string;
  let devnode: string;

  const kubectl = (...args: string[]): string => node.plane.kubectl(['-n', NAMESPACE, ...args]);
  const status = (): MiddlewareStatus =>
    JSON.parse(kubectl('get', 'mdw', 'chain', '-o', 'jsonpath={.status}') || '{}') as MiddlewareStatus;
  const eventually = async (what: string, holds: () => boolean | Promise<boolean>, seconds = 180): Promise<void> => {
    for (let left = seconds * 2; !(await holds()); left--) {
      if (left <= 0) throw new Error(`${what}: not within ${seconds} s: ${JSON.stringify(status())}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  const admin = async (path: string, body: object): Promise<{ height: number }> =>
    JSON.parse((await ask(devnode + path, body)).text) as { height: number };
  const topHeight = async (): Promise<number> =>
    (JSON.parse((await ask(`${http}/v2/key-blocks/current/height`)).text) as { height: number }).height;
  const reload = (fields: object): void =>
    void kubectl('patch', 'mdw', 'chain', '--type=merge', '-p', JSON.stringify({ spec: { reload: fields } }));
  const phase = (wanted: string): Promise<void> => eventually(wanted, () => status().reload?.phase === wanted, 240);

  before(async () => {
    node = await startRealNode();
    devnode = `http://${await node.tunnel.to(clusterIp(node.plane, 'node'), 3313)}`;
    const image = ['--set-string', 'image.repository=mdw.test/chain-middleware,image.tag=1,image.pullPolicy=Never'];
    node.plane.helm([
      'install',
      'mdw',
      '--namespace',
      'mdw-system',
      CHART,
      '--create-namespace',
      ...image,
      '--wait',
      '--timeout',
      '120s',
    ]);
    await node.sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
    await node.sql('CREATE DATABASE mdw OWNER mdw');
    kubectl('create', 'secret', 'generic', 'chain-db', '--from-literal=url=postgres://mdw:first@postgres/mdw');
    node.plane.kubectl(['apply', '-f', '-'], RESOURCE);
    await eventually('ready', () => status().phase === 'Serving');
    const service = clusterIp(node.plane, 'chain');
    http = `http://${await node.tunnel.to(service, 8080)}`;
    events = `ws://${await node.tunnel.to(service, 3020)}`;
  });
  after(() => node?.stop());
  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    const said = [
      ['-n', NAMESPACE, 'get', 'mdw,pods,jobs', '-o', 'wide'],
      ['-n', NAMESPACE, 'get', 'mdw', 'chain', '-o', 'yaml'],
      ['-n', NAMESPACE, 'logs', '--prefix', '--tail=15', '-l', 'app.kubernetes.io/instance=chain'],
      ['-n', 'mdw-system', 'logs', '--tail=40', '-l', 'app.kubernetes.io/instance=mdw'],
    ].map((args) => node.plane.tryKubectl(args).stdout);
    process.stderr.write(said.join('\n'));
  });

  it('answers every request and misses no event while the whole chain is loaded anew and forks', async () => {
    const client = createKubeClient(findAccess({ kubeconfig: node.plane.kubeconfig, env: {} }));
    const watcher = watchService(client, NAMESPACE, 'chain');
    const loads = ['/middleware/size/current', '/v2/generations/current', '/middleware/contracts/all'].map((path) =>
      askSteadily(http + path, 100),
    );
    const end = new AbortController();
    const frames = Array.from({ length: SOCKETS }, () => [] as string[]);
    const notices: string[] = [];
    const clients = frames.map((own) =>
      watchEvents({
        urls: [events],
        subscriptions: ['key_blocks'],
        onFrame: (frame) => own.push(frame),
        onNotice: (notice) => notices.push(notice),
        signal: end.signal,
      }),
    );
    const first = (await admin('/grow', { generations: 1 })).height;
    await eventually('all clients hear', () => frames.every((own) => own.length > 0));

    reload({ id: 'one' });
    await eventually('it begins', () => status().reload?.id === 'one');
    await admin('/grow', { generations: 3, txsPerGeneration: 5 });
    await phase('Verifying').catch(() => undefined);
    await admin('/fork', { depth: 3, grow: 6 });
    for (let grown = 0; status().reload?.phase !== 'Complete'; grown++) {
      if (grown > 150) throw new Error(JSON.stringify(status().reload));
      await admin('/grow', { generations: 1, txsPerGeneration: 3 });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    const { height } = await admin('/grow', { generations: 2 });
    await eventually('the new copy has the top', async () => (await topHeight()) === height);

    const wanted: string[] = [];
    for (let at = first; at <= height; at++) {
      const { hash } = JSON.parse((await ask(`${http}/v2/key-blocks/height/${at}`)).text) as { hash: string };
      wanted.push(hash);
    }
    const missing = (): string[] =>
      frames.flatMap((own, i) =>
        wanted.filter((hash) => !own.some((frame) => frame.includes(hash))).map((hash) => `client ${i} lacks ${hash}`),
      );
    await eventually('every client hears everything', () => missing().length === 0, 60).catch(() => undefined);
    end.abort();
    await Promise.all([...clients, ...loads.map((load) => load.stop()), watcher.stop()]);
    await client.close();

    expect(missing()).to.deep.equal([]);
    expect(notices.filter((notice) => notice.startsWith('Events may be missing'))).to.deep.equal([]);
    const taken = loads.map((load) => load.take());
    expect(taken.flatMap(({ faults }) => faults)).to.deep.equal([]);
    process.stderr.write(
      `      ${taken.reduce((sum, { answers }) => sum + answers, 0)} requests, ${SOCKETS} websockets, ${wanted.length} key blocks\n`,
    );
    expect(watcher.faults).to.deep.equal([]);
    expect(watcher.colors).to.deep.equal(['blue', 'green']);
    expect(status()).to.include({ activeColor: 'green', activeSchema: 'mdw_green' });
  });

  it('goes back to the old copy by a rollback without a failed request', async () => {
    const load = askSteadily(`${http}/middleware/size/current`);
    reload({ id: 'two', retain: '10m' });
    await phase('Retaining');
    expect(status().activeColor).to.equal('blue');
    reload({ action: 'Rollback' });
    await phase('RolledBack');
    await load.stop();
    expect(load.take().faults).to.deep.equal([]);
    expect(status().activeColor).to.equal('green');
  });
});
