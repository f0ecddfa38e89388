import { expect } from 'chai';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { describeWith } from '../support/kube-tools.js';
import { NAMESPACE, RELEASE, WITH_TEST_IMAGE, clusterIp, noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { ask, askSteadily } from '../support/steady-client.js';
import { IMAGES } from '../support/test-images.js';

const CHART = fileURLToPath(new URL('../../charts/chain-middleware', import.meta.url));

/** The whole text that a user has to write. */
const RESOURCE = `
apiVersion: chain-middleware.io/v1alpha1
kind: Middleware
metadata: {name: chain, namespace: data}
spec:
  node: {urls: ['http://node:3013']}
  database: {secret: {name: chain-db}}
  head: {maxAge: 999999h} # the blocks of the simulated node are dated in the past
`;

interface Status {
  phase?: string;
  servers?: string;
  height?: number;
  readyReplicas?: number;
  replicas?: number;
  image?: string;
  conditions?: { type: string; status: string; reason: string; message: string }[];
}

describeWith(noRealNode(), 'the operator with real containers, PostgreSQL and chain', function () {
  this.bail(true);

  let node: RealNode;
  let http: string;
  let devnodeAdmin: string;

  before(async () => {
    node = await startRealNode();
    devnodeAdmin = `http://${await node.tunnel.to(clusterIp(node.plane, 'node'), 3313)}`;
  });
  after(() => node?.stop());
  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    const output = [
      ['-n', NAMESPACE, 'get', 'mdw,pods,jobs,endpointslices', '-o', 'wide'],
      ['-n', NAMESPACE, 'get', 'mdw', 'chain', '-o', 'yaml'],
      ['-n', NAMESPACE, 'logs', '--prefix', '--tail=15', '-l', 'app.kubernetes.io/instance=chain'],
      ['-n', 'mdw-system', 'logs', '--tail=40', '-l', 'app.kubernetes.io/instance=mdw'],
      ['-n', NAMESPACE, 'get', 'events', '--sort-by=.lastTimestamp'],
    ].map((args) => node.plane.tryKubectl(args).stdout);
    process.stderr.write(output.join('\n'));
  });

  const kubectl = (...args: string[]): string => node.plane.kubectl(['-n', NAMESPACE, ...args]);
  const status = (): Status => JSON.parse(kubectl('get', 'mdw', 'chain', '-o', 'jsonpath={.status}') || '{}') as Status;
  const condition = (type: string): string | undefined => status().conditions?.find((one) => one.type === type)?.status;
  const pods = (component: string): string[] =>
    kubectl('get', 'pods', '-l', `app.kubernetes.io/component=${component}`, '-o', 'name').split('\n').filter(Boolean);
  const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const { status, text } = await ask(http + path);
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  };
  /** Calls `holds` once a second until it returns true; throws after `seconds`. */
  const eventually = async (what: string, holds: () => unknown, seconds = 90): Promise<void> => {
    for (let left = seconds; ; left -= 1) {
      let seen: Error | undefined;
      try {
        if ((await holds()) === true) return;
      } catch (error) {
        seen = error as Error;
      }
      if (left <= 0) throw new Error(`${what}: not within ${seconds} s ${seen?.message ?? ''}`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  };
  const ready = (): Promise<void> =>
    eventually(
      'the resource settles',
      () => condition('Ready') === 'True' && condition('Reconciling') === 'False' && condition('Degraded') === 'False',
      180,
    );
  const admin = async (path: string, body?: object): Promise<{ height: number }> =>
    JSON.parse((await ask(devnodeAdmin + path, body)).text) as { height: number };
  const grow = async (): Promise<number> => (await admin('/grow', { generations: 2, txsPerGeneration: 5 })).height;
  const follows = async (): Promise<void> => {
    const height = await grow();
    await eventually(`height ${height} is served`, async () => (await topHeight()) === height);
  };
  const topHeight = async (): Promise<number> => Number((await get('/v2/key-blocks/current/height')).body['height']);

  it('is installed by helm and becomes ready', () => {
    node.plane.helm([
      'install',
      ...RELEASE,
      CHART,
      '--create-namespace',
      ...WITH_TEST_IMAGE,
      '--wait',
      '--timeout',
      '120s',
    ]);

    node.plane.helm(['test', ...RELEASE, '--timeout', '60s']);
  });

  it('serves HTTP, websocket and metrics through the Service, from a resource of five lines', async () => {
    await node.sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
    await node.sql('CREATE DATABASE mdw OWNER mdw');
    kubectl('create', 'secret', 'generic', 'chain-db', '--from-literal=url=postgres://mdw:first@postgres/mdw');
    node.plane.kubectl(['apply', '-f', '-'], RESOURCE);

    await ready();
    const service = clusterIp(node.plane, 'chain');
    http = `http://${await node.tunnel.to(service, 8080)}`;
    expect((await get('/middleware/status')).body).to.include({ queue_length: 0 });
    expect(await topHeight()).to.equal((await admin('/state')).height);
    expect((await get('/middleware/size/current')).status).to.equal(200);

    const socket = new WebSocket(`ws://${await node.tunnel.to(service, 3020)}`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ op: 'subscribe', payload: 'key_blocks' }));
    await once(socket, 'message');
    const event = once(socket, 'message');
    await follows();
    expect(String(await event)).to.contain('key_blocks');
    socket.close();

    const address = kubectl('get', 'endpoints', 'chain-metrics', '-o', 'jsonpath={.subsets[0].addresses[0].ip}');
    const metrics = await ask(`http://${await node.tunnel.to(address, 9090)}/metrics`);
    expect(metrics.text).to.contain('mdw_build_info{version=');
  });

  it('runs its pods without root, tokens, or a writable root file system', () => {
    const { items } = JSON.parse(kubectl('get', 'pods', '-l', 'app.kubernetes.io/instance=chain', '-o', 'json')) as {
      items: {
        spec: {
          automountServiceAccountToken: boolean;
          securityContext: { runAsNonRoot: boolean };
          containers: { securityContext: { readOnlyRootFilesystem: boolean } }[];
        };
      }[];
    };

    expect(items).to.have.length.above(2);
    for (const { spec } of items) {
      expect(spec.automountServiceAccountToken).to.equal(false);
      expect(spec.securityContext.runAsNonRoot).to.equal(true);
      for (const { securityContext } of spec.containers) {
        expect(securityContext.readOnlyRootFilesystem).to.equal(true);
      }
    }
  });

  it('runs its pods as any user, as on OpenShift, set by the pod template of each role', async () => {
    const uid = 1_000_660_000;
    const as = (podTemplate: object | null) => {
      const patch = { spec: { populator: { podTemplate }, server: { podTemplate }, migration: { podTemplate } } };
      kubectl('patch', 'mdw', 'chain', '--type=merge', '-p', JSON.stringify(patch));
    };
    const users = (components: string): string => {
      const path = 'jsonpath={range .items[*]}{.spec.securityContext.runAsUser} {end}';
      return kubectl('get', 'pods', '-l', `app.kubernetes.io/component in (${components})`, '-o', path).trim();
    };
    as({ spec: { securityContext: { runAsUser: uid, runAsGroup: uid } } });
    await eventually('all pods are new', () => users('server,populator') === [uid, uid, uid].join(' '));
    expect(users('migration').split(' ')).to.include(String(uid));
    await ready();
    await follows();

    as(null);
    await eventually('all pods are as before', () => users('server,populator') === '');
    await ready();
  });

  it('scales 1→3→1 while every request is answered', async () => {
    const scale = async (replicas: number): Promise<void> => {
      kubectl('scale', 'mdw', 'chain', `--replicas=${replicas}`);
      await eventually(`${replicas} servers`, () => {
        const { readyReplicas, replicas: all } = status();
        return readyReplicas === replicas && all === replicas && pods('server').length === replicas;
      });
    };
    await scale(1);
    const load = askSteadily(`${http}/middleware/size/current`);

    try {
      await scale(3);
      await scale(1);
    } finally {
      await load.stop();
    }

    const { answers, faults } = load.take();
    expect(faults).to.deep.equal([]);
    expect(answers).to.be.above(50);
    await scale(2);
    await ready();
  });

  it('rolls out a new image while every request is answered', async () => {
    const load = askSteadily(`${http}/middleware/size/current`);

    try {
      kubectl('patch', 'mdw', 'chain', '--type=merge', '-p', JSON.stringify({ spec: { image: IMAGES.newer } }));
      await eventually('the new image serves', () => status().image === IMAGES.newer, 180);
      await ready();
    } finally {
      await load.stop();
    }

    expect(load.take().faults).to.deep.equal([]);
    // An open connection stays with the old server until that has drained.
    await eventually('the new version answers', async () => {
      const { body } = await get('/middleware/status');
      return JSON.stringify(body).includes('9.9.9');
    });
    await follows();
  });

  const newSecret = async (url: string): Promise<string[]> => {
    const before = pods('server');
    const load = askSteadily(`${http}/middleware/size/current`);
    try {
      const data = { url: Buffer.from(url).toString('base64') };
      kubectl('patch', 'secret', 'chain-db', '--type=merge', '-p', JSON.stringify({ data }));
      await eventually('all servers are new', () => pods('server').every((pod) => !before.includes(pod)), 180);
      await ready();
    } finally {
      await load.stop();
    }
    await follows();
    return load.take().faults;
  };

  it('uses another role and password of the database, while every request is answered', async () => {
    await node.sql(`CREATE ROLE other LOGIN PASSWORD 'second' IN ROLE mdw`);

    expect(await newSecret('postgres://other:second@postgres/mdw')).to.deep.equal([]);
  });

  it('uses a new password of the same role; in between a request may be answered 503, nothing worse', async () => {
    await node.sql(`ALTER ROLE other PASSWORD 'third'`);

    // From now on servers with the old password cannot open new connections.
    const faults = await newSecret('postgres://other:third@postgres/mdw');
    expect(faults.filter((fault) => !fault.endsWith('status 503'))).to.deep.equal([]);
  });

  it('continues to serve and to load when the populator is killed', async () => {
    const load = askSteadily(`${http}/middleware/size/current`);

    try {
      const [killed] = pods('populator');
      kubectl('delete', killed!, '--force', '--grace-period=0');
      await eventually('another populator', () => {
        const now = pods('populator');
        return now.length === 1 && now[0] !== killed;
      });
      await follows();
      await ready();
    } finally {
      await load.stop();
    }

    expect(load.take().faults).to.deep.equal([]);
  });

  it('reports a populator with too little memory, continues to serve, and continues to load when it has more', async () => {
    const give = (resources: object | null): string =>
      kubectl('patch', 'mdw', 'chain', '--type=merge', '-p', JSON.stringify({ spec: { populator: { resources } } }));
    const load = askSteadily(`${http}/middleware/size/current`);

    try {
      give({ requests: { memory: '24Mi' }, limits: { memory: '24Mi' } });
      const ends = ['-l', 'app.kubernetes.io/component=populator', '-o'];
      const reason = 'jsonpath={.items[*].status.containerStatuses[*].lastState.terminated.reason}';
      await eventually('it is ended', () => kubectl('get', 'pods', ...ends, reason).includes('OOMKilled'));
      await eventually('Degraded is True', () => condition('Degraded') === 'True');
      expect(condition('Ready')).to.equal('True');
      give(null);
      await eventually('Degraded is False', () => condition('Degraded') === 'False');
      await follows();
      await ready();
    } finally {
      await load.stop();
    }

    expect(load.take().faults).to.deep.equal([]);
  });

  it('replaces a killed server by another one', async () => {
    const [killed] = pods('server');
    kubectl('delete', killed!, '--force', '--grace-period=0');

    await eventually('two other servers', () => {
      const now = pods('server');
      return now.length === 2 && !now.includes(killed!) && status().readyReplicas === 2;
    });
    await ready();
    expect((await get('/middleware/size/current')).status).to.equal(200);
  });

  it('reports an unavailable database, forwards meanwhile, restarts nothing, and serves again when it is back', async () => {
    const running = [...pods('server'), ...pods('populator')];
    const restarts = (): string =>
      kubectl('get', ...running, '-o', 'jsonpath={.items[*].status.containerStatuses[*].restartCount}');
    const before = restarts();

    kubectl('scale', 'deployment/postgres', '--replicas=0');
    await eventually('Ready is False', () => condition('Ready') === 'False');
    // The answers that users see.
    expect((await get('/middleware/transactions/rate/20180101/20190101')).status).to.equal(503);
    expect((await get('/v2/status')).status).to.equal(200);
    await eventually('Degraded is True', () => condition('Degraded') === 'True', 30);
    expect(status()).to.include({ phase: 'Degraded', servers: '2/2' });
    expect(status().conditions?.find(({ type }) => type === 'Degraded')?.message).to.match(/database/i);

    kubectl('scale', 'deployment/postgres', '--replicas=1');
    await ready();
    expect((await get('/middleware/generations/0/1')).status).to.equal(200);
    expect([...pods('server'), ...pods('populator')].sort()).to.deep.equal(running.sort());
    expect(restarts()).to.equal(before);
    await follows();
  });

  it('reports an unavailable node, serves stored data, and follows when the node is back', async () => {
    const height = await topHeight();
    const load = askSteadily(`${http}/middleware/generations/0/1`);

    try {
      kubectl('scale', 'deployment/node', '--replicas=0');
      await eventually('Degraded is True', () => condition('Degraded') === 'True');
      expect(condition('Ready')).to.equal('True');
      expect(await topHeight()).to.equal(height);
      kubectl('scale', 'deployment/node', '--replicas=1');
      await eventually('the node is back', async () => (await admin('/state')).height > 0);
      // The restarted node has a shorter chain and is behind: nothing may be deleted because of that.
      while ((await admin('/state')).height <= height) await grow();
      const { height: grown } = await admin('/state');
      await eventually(`height ${grown} is served`, async () => (await topHeight()) === grown);
      await ready();
    } finally {
      await load.stop();
    }

    expect(load.take().faults).to.deep.equal([]);
  });

  it('leaves everything running when the release is uninstalled, and takes it over again', async () => {
    const running = [...pods('server'), ...pods('populator')].sort();
    const load = askSteadily(`${http}/middleware/size/current`);

    try {
      node.plane.helm(['uninstall', ...RELEASE, '--wait']);
      await follows();
      node.plane.helm(['install', ...RELEASE, CHART, ...WITH_TEST_IMAGE, '--wait', '--timeout', '120s']);
      await ready();
    } finally {
      await load.stop();
    }

    expect([...pods('server'), ...pods('populator')].sort()).to.deep.equal(running);
    expect(load.take().faults).to.deep.equal([]);
  });

  it('deletes its objects when the resource is deleted, and keeps the data', async () => {
    kubectl('delete', 'mdw', 'chain', '--timeout=60s');

    await eventually('nothing is left', () => {
      const kinds = 'deployments,jobs,services,configmaps,poddisruptionbudgets,networkpolicies,serviceaccounts';
      return kubectl('get', kinds, '-l', 'app.kubernetes.io/instance=chain', '-o', 'name') === '';
    });
    // The same resource again, this time from the values of the release.
    const { metadata, spec } = parse(RESOURCE) as { metadata: object; spec: object };
    const values = join(node.plane.folder, 'values.yaml');
    writeFileSync(values, JSON.stringify({ middlewares: [{ ...metadata, spec }] }));
    node.plane.helm(['upgrade', ...RELEASE, CHART, '--reuse-values', '--values', values]);
    await ready();
    node.plane.helm(['test', ...RELEASE, '--timeout', '60s']);
    http = `http://${await node.tunnel.to(clusterIp(node.plane, 'chain'), 8080)}`;
    await follows();
  });

  it('ends on SIGTERM as the first process of a container, in any state', async () => {
    const url = 'postgres://mdw:x@10.255.255.1/mdw';
    const container = {
      name: 'mdw',
      image: IMAGES.middleware,
      args: ['migrate'],
      env: [
        { name: 'DATABASE_URL', value: url },
        { name: 'NODE_URL', value: 'http://node:3013' },
      ],
    };
    const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 120, containers: [container] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'waiting', namespace: NAMESPACE }, spec };
    node.plane.kubectl(['apply', '-f', '-'], JSON.stringify(pod));
    await eventually('it runs', () => kubectl('get', 'pod', 'waiting', '-o', 'jsonpath={.status.phase}') === 'Running');

    // Long before it would be killed.
    kubectl('delete', 'pod', 'waiting', '--timeout=60s');
  });
});
