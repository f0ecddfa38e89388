import { expect } from 'chai';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { IMAGE, openScene, templateOf } from './support/scene.js';
import type { Deployment, Scene, Service } from './support/scene.js';

describeWith(missingPlane, 'the children of a resource', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
  });
  after(() => scene.close());

  it('are created in order from a minimal resource, which becomes ready', async () => {
    await scene.create('small');
    const status = await scene.settled('small');

    expect(status).to.include({
      phase: 'Serving',
      activeColor: 'blue',
      activeSchema: 'mdw',
      servers: '2/2',
      image: IMAGE,
    });
    expect(status.migration).to.include({ state: 'Succeeded', image: IMAGE });
    const [job] = await scene.list('Job', 'app.kubernetes.io/instance=small');
    const populator = await scene.get<Deployment>('Deployment', 'small-populator-blue');
    const servers = await scene.get<Deployment>('Deployment', 'small-server-blue');
    expect(job?.metadata.name).to.match(/^small-migrate-[0-9a-f]{10}$/);
    const ages = [job, populator, servers].map((object) => object?.metadata.creationTimestamp ?? '');
    expect(ages).to.deep.equal([...ages].sort());
    expect(populator?.spec).to.deep.include({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(servers?.spec).to.deep.include({
      replicas: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    const service = await scene.get<Service>('Service', 'small');
    expect(service?.spec.selector).to.include({ 'chain-middleware.io/color': 'blue' });
    expect(service?.spec.ports?.map(({ name, port }) => `${name} ${port}`)).to.deep.equal([
      'http 8080',
      'websocket 3020',
    ]);
    for (const [kind, name] of [
      ['ServiceAccount', 'small'],
      ['Service', 'small-metrics'],
      ['PodDisruptionBudget', 'small-server-blue'],
    ] as const) {
      expect(await scene.get(kind, name), `${kind} ${name}`).to.not.equal(undefined);
    }
    for (const kind of ['Ingress', 'NetworkPolicy']) expect(await scene.list(kind), kind).to.deep.equal([]);
    expect(await scene.list('HorizontalPodAutoscaler')).to.deep.equal([]);
  });

  it('pass the restricted pod security standard', async () => {
    const label = 'pod-security.kubernetes.io/enforce';
    await scene.plane.request(`/api/v1/namespaces/${scene.namespace}`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { [label]: 'restricted' } } },
    });
    await scene.create('guarded', { database: { secret: { name: 'db' }, schema: 'guarded' } });
    await scene.settled('guarded');

    const { automountServiceAccountToken, containers } = templateOf(
      await scene.get('Deployment', 'guarded-server-blue'),
    );
    expect(automountServiceAccountToken).to.equal(false);
    expect(containers[0]?.['securityContext']).to.include({ readOnlyRootFilesystem: true });
  });

  it('contain no secret: the URL of the database is a file', async () => {
    for (const kind of ['Deployment', 'Job', 'ConfigMap', 'Middleware']) {
      expect(JSON.stringify(await scene.list(kind)), kind).to.not.contain('secret@');
    }
  });

  it('follow every field of the resource', async () => {
    await scene.create('full', {
      image: 'example.test/mdw:2',
      imagePullPolicy: 'Never',
      imagePullSecrets: [{ name: 'pull' }],
      node: { urls: ['https://a.example', 'http://b:3013'], internalUrl: 'http://b:3113', api: 'v3', timeoutMs: 5000 },
      compiler: { urls: ['http://compiler:3080'] },
      database: { secret: { name: 'db' }, schema: 'full', poolSize: 7 },
      populator: {
        pollIntervalMs: 200,
        proof: 'hashes',
        powEdgeBits: 15,
        maxUnprovenReorg: 7,
        tokenDryRuns: 'off',
        nodeConcurrency: 4,
        resources: { requests: { cpu: '1000m' } },
        podLabels: { a: 'b' },
      },
      server: {
        autoscaling: { minReplicas: 3, maxReplicas: 5, targetRequestsPerSecond: 50 },
        maxLag: 10,
        streamDrainMs: 30_000,
        service: { type: 'NodePort', annotations: { s: 't' } },
        disruptionBudget: { maxUnavailable: 2 },
        nodeSelector: { type: 'kwok' },
        tolerations: [{ key: 'x', operator: 'Exists' }],
        priorityClassName: 'system-cluster-critical',
        podAnnotations: { p: 'q' },
      },
      websocket: { maxConnections: 5, greeting: 'connected', drainMs: 1000 },
      ingress: {
        className: 'nginx',
        host: 'mdw.example',
        compatibleHost: 'compatible.example',
        tls: { secretName: 'tls' },
        annotations: { i: 'j' },
      },
      networkPolicy: { enabled: true, clients: [{ podSelector: {} }], egress: [{ ports: [{ port: 1234 }] }] },
      labels: { team: 'chain' },
      annotations: { note: 'kept' },
      logLevel: 'debug',
      settings: { LIMIT_CAP: '1000' },
    });
    await scene.settled('full');

    const config = (await scene.list('ConfigMap', 'app.kubernetes.io/instance=full'))[0];
    expect(config?.['data']).to.deep.equal({
      NODE_URL: 'https://a.example,http://b:3013',
      NODE_API: 'v3',
      NODE_TIMEOUT_MS: '5000',
      NODE_INTERNAL_URL: 'http://b:3113',
      NODE_CONCURRENCY: '4',
      COMPILER_URL: 'http://compiler:3080',
      DATABASE_POOL_SIZE: '7',
      POLL_INTERVAL_MS: '200',
      PROOF: 'hashes',
      POW_EDGE_BITS: '15',
      MAX_UNPROVEN_REORG: '7',
      TOKEN_DRY_RUNS: 'off',
      METRICS_ADDRESS: '0.0.0.0:9090',
      COMPAT_ADDRESS: '0.0.0.0:4000',
      WEBSOCKET_MAX_CONNECTIONS: '5',
      WEBSOCKET_MAX_PER_ADDRESS: '0',
      WEBSOCKET_MAX_TARGETS: '10000',
      WEBSOCKET_GREETING: 'connected',
      WEBSOCKET_DRAIN_MS: '1000',
      STREAM_DRAIN_MS: '30000',
      LOG_LEVEL: 'debug',
      LIMIT_CAP: '1000',
    });
    const servers = await scene.get<Deployment>('Deployment', 'full-server-blue');
    expect(servers?.metadata.labels).to.include({ team: 'chain' });
    expect(servers?.metadata.annotations).to.include({ note: 'kept' });
    expect(servers?.spec.template.metadata?.annotations).to.include({ note: 'kept', p: 'q' });
    const pod = templateOf(servers);
    expect(pod).to.deep.include({
      imagePullSecrets: [{ name: 'pull' }],
      nodeSelector: { type: 'kwok' },
      priorityClassName: 'system-cluster-critical',
      terminationGracePeriodSeconds: 50,
    });
    expect(pod.containers[0]).to.include({ image: 'example.test/mdw:2', imagePullPolicy: 'Never' });
    expect(pod.containers[0]?.['readinessProbe']).to.have.nested.property(
      'httpGet.path',
      '/readyz?loaded=true&max-lag=10',
    );
    const populator = await scene.get<Deployment>('Deployment', 'full-populator-blue');
    expect(populator?.spec.template.metadata?.labels).to.include({ a: 'b' });
    expect(templateOf(populator).containers[0]?.['resources']).to.deep.equal({ requests: { cpu: '1' } });
    expect(await scene.get<Service>('Service', 'full')).to.nested.include({ 'spec.type': 'NodePort' });
    const scaler = await scene.get('HorizontalPodAutoscaler', 'full-server-blue');
    expect(scaler?.spec).to.deep.include({ minReplicas: 3, maxReplicas: 5 });
    expect(JSON.stringify(scaler?.spec)).to.contain('mdw_http_requests_per_second');
    expect(servers?.spec.replicas).to.equal(3);
    expect(await scene.get('PodDisruptionBudget', 'full-server-blue')).to.nested.include({ 'spec.maxUnavailable': 2 });
    const ingress = await scene.get('Ingress', 'full');
    expect(ingress?.metadata.annotations).to.include({ i: 'j' });
    expect(ingress?.spec).to.deep.include({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['mdw.example', 'compatible.example'], secretName: 'tls' }],
    });
    const policy = JSON.stringify((await scene.get('NetworkPolicy', 'full'))?.spec);
    for (const port of [443, 3013, 3113, 3080, 5432, 1234, 4000]) expect(policy).to.contain(`"port":${port}`);
  });

  it('are deleted when they are no longer wanted', async () => {
    await scene.change('full', {
      server: { autoscaling: null, replicas: 1 },
      ingress: null,
      networkPolicy: { enabled: false },
    });

    await eventually(async () => {
      const gone = ['HorizontalPodAutoscaler/full-server-blue', 'PodDisruptionBudget/full-server-blue', 'Ingress/full'];
      for (const ref of [...gone, 'NetworkPolicy/full']) {
        const [kind = '', name = ''] = ref.split('/');
        expect(await scene.get(kind, name), ref).to.equal(undefined);
      }
    });
    await scene.settled('full');
    expect((await scene.get<Deployment>('Deployment', 'full-server-blue'))?.spec.replicas).to.equal(1);
  });

  it('follow the scale subresource, which works also if the resource gives no number', async () => {
    const scale = () =>
      scene.plane.request<{ spec: unknown; status: { replicas: number; selector: string } }>(
        `/apis/chain-middleware.io/v1alpha1/namespaces/${scene.namespace}/middlewares/small/scale`,
      );
    const { spec, status } = await scale();
    expect(spec).to.deep.equal({ replicas: 2 });
    expect(status.replicas).to.equal(2);
    const selected = (await scene.list('Pod', status.selector)).map(({ metadata }) => metadata.name);
    expect(selected).to.have.length(2);
    for (const name of selected) expect(name).to.match(/^small-server-blue-/);

    scene.plane.kubectl('-n', scene.namespace, 'scale', 'mdw/small', '--replicas=3');
    await eventually(async () => expect((await scene.settled('small')).servers).to.equal('3/3'));
    expect((await scale()).status.replicas).to.equal(3);
  });

  it('are scaled by an autoscaler that a user creates for the resource', async () => {
    scene.plane.kubectl('-n', scene.namespace, 'autoscale', 'mdw/small', '--min=4', '--max=6');
    // The autoscaler needs no metrics for its lower bound.
    await eventually(async () => expect((await scene.settled('small')).servers).to.equal('4/4'));

    const scaler = await scene.get('HorizontalPodAutoscaler', 'small');
    const { conditions = [] } = scaler?.status as { conditions?: { type: string; status: string }[] };
    expect(conditions.find(({ type }) => type === 'AbleToScale')?.status).to.equal('True');

    // Applying the resource without a number does not reset the number.
    const { apiVersion, kind, metadata } = (await scene.get('Middleware', 'small'))!;
    const spec = { node: { urls: ['http://node:3013'] }, database: { secret: { name: 'db' } } };
    scene.plane.apply({ apiVersion, kind, metadata: { name: metadata.name, namespace: scene.namespace }, spec });
    expect(await scene.get('Middleware', 'small')).to.nested.include({ 'spec.server.replicas': 4 });
    await scene.remove('HorizontalPodAutoscaler', 'small');
  });

  it('have the number of servers that the autoscaler sets, within its bounds', async () => {
    await scene.change('small', { server: { replicas: null, autoscaling: { maxReplicas: 6 } } });
    await eventually(async () => {
      expect(await scene.get('HorizontalPodAutoscaler', 'small-server-blue')).to.not.equal(undefined);
    });
    await scene.patch('Deployment', 'small-server-blue', { spec: { replicas: 5 } });
    await scene.patch('Service', 'small', { spec: { selector: { 'app.kubernetes.io/component': 'x' } } });

    await eventually(async () => {
      const service = await scene.get<Service>('Service', 'small');
      expect(service?.spec.selector).to.include({ 'app.kubernetes.io/component': 'server' });
    });
    expect((await scene.get<Deployment>('Deployment', 'small-server-blue'))?.spec.replicas).to.equal(5);
  });

  it('stay unchanged while the resource is paused', async () => {
    await scene.change('full', { paused: true, server: { replicas: 4 } });
    await eventually(async () => expect((await scene.status('full')).phase).to.equal('Paused'));
    expect((await scene.get<Deployment>('Deployment', 'full-server-blue'))?.spec.replicas).to.equal(1);

    await scene.change('full', { paused: false });
    await eventually(async () => expect((await scene.settled('full')).servers).to.equal('4/4'));
  });

  it('are deleted with the resource', async () => {
    await scene.remove('Middleware', 'full');
    await eventually(async () => {
      for (const kind of ['Deployment', 'Service', 'Job', 'ConfigMap', 'Pod']) {
        expect(await scene.list(kind, 'app.kubernetes.io/instance=full'), kind).to.deep.equal([]);
      }
    });
  });
});
