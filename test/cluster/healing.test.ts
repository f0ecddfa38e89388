import { expect } from 'chai';
import { PATCH } from '../../src/operator/kube/client.js';
import type { KubeRequest } from '../../src/operator/kube/client.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene, templateOf } from './support/scene.js';
import type { Deployment, KubeObject, Scene, Service } from './support/scene.js';
import { tampered } from './support/tamper.js';

describeWith(missingPlane, 'children that somebody changes', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
    await scene.create('a', { ingress: { host: 'a.example' }, networkPolicy: { enabled: true } });
    await scene.settled('a');
  });
  after(() => scene.close());

  const KINDS = [
    'ServiceAccount',
    'ConfigMap',
    'Service',
    'Deployment',
    'Job',
    'Ingress',
    'NetworkPolicy',
    'PodDisruptionBudget',
  ];

  it('are created again when they are deleted, each of them', async () => {
    const names = new Map<string, string[]>();
    for (const kind of KINDS) {
      names.set(
        kind,
        (await scene.list(kind, 'app.kubernetes.io/instance=a')).map(({ metadata }) => metadata.name),
      );
    }
    for (const [kind, some] of names) {
      expect(some, kind).to.not.deep.equal([]);
      for (const name of some) {
        const old = (await scene.get(kind, name))?.metadata.uid;
        await scene.remove(kind, name);
        await eventually(async () => {
          const object = await scene.get(kind, name);
          expect(object, `${kind} ${name}`).to.not.equal(undefined);
          expect(object?.metadata.uid, `${kind} ${name}`).to.not.equal(old);
          expect(object?.metadata.deletionTimestamp, `${kind} ${name}`).to.equal(undefined);
        });
      }
    }
    await scene.settled('a');
  });

  const EDITS: [string, string, unknown, (object: KubeObject) => unknown, unknown][] = [
    ['Deployment', 'a-server-blue', { spec: { replicas: 7 } }, (o) => (o as Deployment).spec.replicas, 2],
    [
      'Deployment',
      'a-populator-blue',
      { spec: { template: { spec: { serviceAccountName: 'default' } } } },
      (o) => (o as Deployment).spec.template.spec['serviceAccountName'],
      'a',
    ],
    [
      'Service',
      'a',
      { spec: { selector: { 'chain-middleware.io/color': 'green' } } },
      (o) => (o as Service).spec.selector?.['chain-middleware.io/color'],
      'blue',
    ],
    ['PodDisruptionBudget', 'a-server-blue', { spec: { maxUnavailable: 2 } }, (o) => field(o, 'maxUnavailable'), 1],
    [
      'NetworkPolicy',
      'a',
      { spec: { policyTypes: ['Ingress'] } },
      (o) => field(o, 'policyTypes'),
      ['Ingress', 'Egress'],
    ],
    ['ServiceAccount', 'a', { automountServiceAccountToken: true }, (o) => o['automountServiceAccountToken'], false],
    [
      'Deployment',
      'a-server-blue',
      { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } },
      (o) => o.metadata.labels?.['app.kubernetes.io/managed-by'],
      'chain-middleware-operator',
    ],
    [
      'Service',
      'a-metrics',
      { metadata: { ownerReferences: null } },
      (o) => o.metadata.ownerReferences?.map(({ name }) => name),
      ['a'],
    ],
    [
      'Ingress',
      'a',
      { spec: { rules: [{ host: 'b.example' }] } },
      (o) => JSON.stringify(o.spec).includes('a.example'),
      true,
    ],
  ];
  for (const [kind, name, edit, read, wanted] of EDITS) {
    it(`are restored: ${kind} ${name}, ${JSON.stringify(edit)}`, async () => {
      const resourceVersion = (await scene.get(kind, name))?.metadata.resourceVersion;
      await scene.patch(kind, name, edit);

      await eventually(async () => {
        const object = await scene.get(kind, name);
        expect(object?.metadata.resourceVersion).to.not.equal(resourceVersion);
        expect(object && read(object)).to.deep.equal(wanted);
      });
    });
  }

  it('keep what others add to fields that the operator does not set', async () => {
    await scene.patch('Service', 'a', {
      metadata: { annotations: { theirs: 'yes' } },
      spec: { sessionAffinity: 'ClientIP' },
    });
    await scene.remove(
      'ConfigMap',
      (await scene.list('ConfigMap', 'app.kubernetes.io/instance=a'))[0]?.metadata.name ?? '',
    );
    await eventually(async () => {
      expect(await scene.list('ConfigMap', 'app.kubernetes.io/instance=a')).to.have.lengthOf(1);
    });

    const service = await scene.get('Service', 'a');
    expect(service?.metadata.annotations).to.include({ theirs: 'yes' });
    expect(service?.spec).to.include({ sessionAffinity: 'ClientIP' });
  });
});

const field = (object: KubeObject, name: string): unknown => (object.spec as Record<string, unknown>)[name];

interface Event {
  reason: string;
  note: string;
  type: string;
}

describeWith(missingPlane, 'entries that somebody adds to a child', () => {
  let scene: Scene;
  const SERVERS = 'a-server-blue';
  const POPULATOR = 'a-populator-blue';

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
    await scene.create('a', { ingress: { host: 'a.example' } });
    await scene.settled('a');
  });
  after(() => scene.close());

  const kubectl = (...args: string[]): string => scene.plane.kubectl('-n', scene.namespace, ...args);
  const patch = (kind: string, name: string, body: unknown): string =>
    kubectl('patch', kind, name, '--field-manager=somebody', '-p', JSON.stringify(body));
  const spec = async (kind: string, name: string): Promise<unknown> => (await scene.get(kind, name))?.spec;
  const events = async (): Promise<Event[]> => {
    const path = `/apis/events.k8s.io/v1/namespaces/${scene.namespace}/events`;
    return (await scene.plane.request<{ items: Event[] }>(path)).items;
  };

  it('are removed from the pod template after `kubectl set env`, and an Event names who added them', async () => {
    const before = await spec('Deployment', POPULATOR);
    kubectl('set', 'env', `deployment/${POPULATOR}`, 'NODE_URL=http://elsewhere:3013');

    await eventually(async () => {
      const env = templateOf(await scene.get<Deployment>('Deployment', POPULATOR)).containers[0]?.['env'];
      expect((env as { name: string }[]).map(({ name }) => name)).to.not.include('NODE_URL');
    });
    expect(await spec('Deployment', POPULATOR)).to.deep.equal(before);
    const { type, note } = await eventually(async () => {
      const found = (await events()).find(({ reason }) => reason === 'DriftRemoved');
      if (found === undefined) throw new Error('there is no such Event');
      return found;
    });
    expect(type).to.equal('Warning');
    expect(note).to.contain(`Deployment/${POPULATOR}`).and.to.contain('kubectl-set');
    expect(note).to.contain('spec.template.spec.containers[mdw].env[NODE_URL]').and.to.not.contain('elsewhere');
    const { message } = await scene.condition('a', 'Reconciling', 'False', 'DriftRemoved');
    expect(message).to.contain('kubectl-set');
    await scene.settled('a');
  });

  const pod = (fields: unknown): unknown => ({ spec: { template: { spec: fields } } });
  const container = (fields: object): unknown => pod({ containers: [{ name: 'mdw', ...fields }] });
  const ADDED: [string, string, string, unknown][] = [
    ['a sidecar', 'Deployment', SERVERS, pod({ containers: [{ name: 'sidecar', image: 'example.test/other:1' }] })],
    ['an init container', 'Deployment', POPULATOR, pod({ initContainers: [{ name: 'i', image: 'example.test/i:1' }] })],
    [
      'a volume and its mount',
      'Deployment',
      SERVERS,
      pod({
        volumes: [{ name: 'host', hostPath: { path: '/' } }],
        containers: [{ name: 'mdw', volumeMounts: [{ name: 'host', mountPath: '/host' }] }],
      }),
    ],
    [
      'what is in no list of the operator',
      'Deployment',
      POPULATOR,
      pod({
        tolerations: [{ operator: 'Exists' }],
        nodeSelector: { disk: 'none' },
        hostAliases: [{ ip: '127.0.0.1', hostnames: ['db.example'] }],
        containers: [{ name: 'mdw', command: ['sh'], envFrom: [{ secretRef: { name: 'theirs' } }] }],
      }),
    ],
    [
      'labels and annotations of pods',
      'Deployment',
      SERVERS,
      { spec: { template: { metadata: { labels: { theirs: 'x' }, annotations: { 'inject.example': 'true' } } } } },
    ],
    [
      'another source of a variable, which contradicts the one that is wanted',
      'Deployment',
      POPULATOR,
      container({
        env: [{ name: 'DATABASE_SCHEMA', value: null, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      }),
    ],
    [
      'another kind of volume under a name of the operator',
      'Deployment',
      SERVERS,
      pod({ volumes: [{ name: 'tmp', emptyDir: null, hostPath: { path: '/tmp' } }] }),
    ],
    [
      'another way to roll',
      'Deployment',
      POPULATOR,
      { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
    ],
    [
      'a port of the Service',
      'Service',
      'a',
      { spec: { ports: [{ name: 'theirs', port: 22, targetPort: 22, protocol: 'TCP' }] } },
    ],
    ['a label that the Service selects by', 'Service', 'a', { spec: { selector: { theirs: 'x' } } }],
    ['another budget', 'PodDisruptionBudget', SERVERS, { spec: { minAvailable: 0, maxUnavailable: null } }],
    [
      'a backend for all other hosts',
      'Ingress',
      'a',
      { spec: { defaultBackend: { service: { name: 'x', port: { number: 1 } } } } },
    ],
  ];
  for (const [what, kind, name, body] of ADDED) {
    it(`are removed: ${what}`, async () => {
      const before = await spec(kind, name);
      patch(kind, name, body);

      await eventually(async () => expect(await spec(kind, name)).to.deep.equal(before));
      await scene.settled('a');
    });
  }

  it('stay when `kubectl rollout restart` made them, even if others are removed', async () => {
    const restartedAt = async (): Promise<string | undefined> =>
      (await scene.get<Deployment>('Deployment', SERVERS))?.spec.template.metadata?.annotations?.[
        'kubectl.kubernetes.io/restartedAt'
      ];
    kubectl('rollout', 'restart', `deployment/${SERVERS}`);
    const at = await restartedAt();
    expect(at).to.be.a('string');
    kubectl('rollout', 'status', `deployment/${SERVERS}`, '--timeout=30s');
    kubectl('set', 'env', `deployment/${SERVERS}`, 'LOG_LEVEL=trace');

    await eventually(async () => {
      const deployment = await scene.get('Deployment', SERVERS);
      expect(JSON.stringify(deployment?.spec)).to.not.contain('trace');
    });
    expect(await restartedAt()).to.equal(at);
  });
});

describeWith(missingPlane, 'others that write what the operator writes', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    await scene.secret();
  });
  after(() => scene.close());

  const isWriteOf = (name: string, { method = 'GET', body }: KubeRequest): boolean => {
    const { kind, metadata } = (body ?? {}) as Partial<KubeObject>;
    return method !== 'GET' && kind === 'Deployment' && metadata?.name === name;
  };
  const isPatchOf = (name: string, path: string, method?: string): boolean =>
    method === 'PATCH' && path.endsWith(`/deployments/${name}`);
  const add = async (name: string, manager: string, template: unknown): Promise<void> => {
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { template } };
    await scene.plane.request(`/apis/apps/v1/namespaces/${scene.namespace}/deployments/${name}`, {
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: manager, force: true },
      body,
    });
  };
  const env = { spec: { containers: [{ name: 'mdw', env: [{ name: 'THEIRS', value: '1' }] }] } };

  it('are tolerated for a while when they repeat their writes, and the resource names them', async () => {
    let fights = true;
    let writes = 0;
    const operator = scene.operator({
      through: (client) =>
        tampered(client, {
          async after(path, request) {
            const restores = request.contentType === PATCH.json && isPatchOf('a-populator-blue', path, 'PATCH');
            if (!isWriteOf('a-populator-blue', request) && !restores) return;
            writes++;
            if (fights) await add('a-populator-blue', 'stubborn', env);
          },
        }),
    });
    await scene.create('a');

    const { message } = await scene.condition('a', 'Stalled', 'True', 'Contested');
    expect(message).to.contain('Deployment/a-populator-blue').and.to.contain('stubborn');
    await scene.condition('a', 'Ready', 'True');
    const before = writes;
    await scene.change('a', { server: { replicas: 3 } });
    await eventually(async () => expect((await scene.status('a')).servers).to.equal('3/3'));
    expect(writes).to.equal(before);

    // With another template the operator starts writing again.
    fights = false;
    await scene.change('a', { logLevel: 'debug' });
    await scene.settled('a');
    await operator.stop();
  });

  it('may own fields with the default value of the API server: that causes no write', async () => {
    let writes = 0;
    let removals = 0;
    scene.operator({
      through: (client) =>
        tampered(client, {
          after(path, { method, contentType }) {
            if (!isPatchOf('b-populator-blue', path, method)) return;
            writes++;
            if (contentType === PATCH.json) removals++;
          },
        }),
    });
    await scene.create('b', { database: { secret: { name: 'db' }, schema: 'b' } });
    await scene.settled('b');
    // A child that was only created owns the defaults, too.
    await scene.change('b', { logLevel: 'debug' });
    await scene.settled('b');
    expect(removals).to.equal(0);
    await add('b-populator-blue', 'tidy', { spec: { dnsPolicy: 'ClusterFirst', containers: [{ name: 'mdw' }] } });
    await eventually(() => expect(removals).to.equal(1));

    const tried = writes;
    await scene.change('b', { server: { replicas: 3 } });
    await eventually(async () => expect((await scene.status('b')).servers).to.equal('3/3'));
    expect(writes).to.equal(tried);
    expect((await scene.condition('b', 'Reconciling', 'False')).reason).to.equal('Done');
  });
});

describeWith(missingPlane, 'objects of others with the name of a child', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
  });
  after(() => scene.close());

  it('are not taken over; the resource names them, and continues when they are deleted', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'b', namespace: scene.namespace },
      spec: { selector: { app: 'theirs' }, ports: [{ port: 1 }] },
    };
    scene.plane.apply(service);
    await scene.create('b');
    const { message } = await scene.condition('b', 'Stalled', 'True', 'NameTaken');
    expect(message).to.contain('Service/b').and.to.contain('rename or delete');
    expect((await scene.get<Service>('Service', 'b'))?.spec.selector).to.deep.equal({ app: 'theirs' });
    // Nothing but a Job that reads.
    expect(await scene.list('Job', 'app.kubernetes.io/component!=survey')).to.deep.equal([]);

    await scene.remove('Service', 'b');
    await scene.change('b', { logLevel: 'warn' });
    await scene.settled('b');
  });

  it('are not taken over when they have the labels of the operator but another owner', async () => {
    const metadata = {
      name: 'c-server-blue',
      namespace: scene.namespace,
      labels: { 'app.kubernetes.io/managed-by': 'chain-middleware-operator', 'app.kubernetes.io/instance': 'c' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: '1', controller: true }],
    };
    const spec = {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    // An owner that does not exist would not do: the garbage collector would delete the object.
    metadata.ownerReferences[0]!.uid = (await scene.get('Service', 'b'))?.metadata.uid ?? '';
    Object.assign(metadata.ownerReferences[0]!, { kind: 'Service', name: 'b' });
    scene.plane.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    await scene.create('c', { database: { secret: { name: 'db' }, schema: 'c' } });

    await scene.condition('c', 'Stalled', 'True', 'NameTaken');
    const theirs = await scene.get<Deployment>('Deployment', 'c-server-blue');
    expect(theirs?.spec.template.metadata?.labels).to.deep.equal({ a: 'b' });
  });
});
