import { expect } from 'chai';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Deployment, KubeObject, Scene, Service } from './support/scene.js';

/** Within this time a child must be as it was, ms. */
const HEAL_MS = 3_000;

describeWith(missingPlane, 'children that somebody changes', function () {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
    await scene.create('a', { ingress: { host: 'a.example' } });
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

  it('come back when they are deleted, each of them', async () => {
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
        }, HEAL_MS);
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
    it(`are put right again: ${kind} ${name}, ${JSON.stringify(edit)}`, async () => {
      const resourceVersion = (await scene.get(kind, name))?.metadata.resourceVersion;
      await scene.patch(kind, name, edit);

      await eventually(async () => {
        const object = await scene.get(kind, name);
        expect(object?.metadata.resourceVersion).to.not.equal(resourceVersion);
        expect(object && read(object)).to.deep.equal(wanted);
      }, HEAL_MS);
    });
  }

  it('keep what others add and the operator has no opinion of', async () => {
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
    }, HEAL_MS);

    const service = await scene.get('Service', 'a');
    expect(service?.metadata.annotations).to.include({ theirs: 'yes' });
    expect(service?.spec).to.include({ sessionAffinity: 'ClientIP' });
  });
});

const field = (object: KubeObject, name: string): unknown => (object.spec as Record<string, unknown>)[name];

describeWith(missingPlane, 'objects of others with the name of a child', function () {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
  });
  after(() => scene.close());

  it('are not taken over; the resource says what is in the way, and goes on when it is gone', async () => {
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
    expect(await scene.list('Job')).to.deep.equal([]);

    await scene.remove('Service', 'b');
    await scene.change('b', { logLevel: 'warn' });
    await scene.settled('b');
  });

  it('are not taken over when they carry the labels of the operator but another owner', async () => {
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
    // An owner that is nowhere to be found: the garbage collector would take the object away.
    metadata.ownerReferences[0]!.uid = (await scene.get('Service', 'b'))?.metadata.uid ?? '';
    Object.assign(metadata.ownerReferences[0]!, { kind: 'Service', name: 'b' });
    scene.plane.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    await scene.create('c', { database: { secret: { name: 'db' }, schema: 'c' } });

    await scene.condition('c', 'Stalled', 'True', 'NameTaken');
    const theirs = await scene.get<Deployment>('Deployment', 'c-server-blue');
    expect(theirs?.spec.template.metadata?.labels).to.deep.equal({ a: 'b' });
  });
});
