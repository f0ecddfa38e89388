import { expect } from 'chai';
import { USER_POLICY, pathOf } from '../../src/operator/kube/kinds.js';
import type { Kind } from '../../src/operator/kube/kinds.js';
import type { Pod, StatefulSet } from '../../src/operator/types.js';
import { describeWith } from '../support/kube-tools.js';
import { definitionOf, removeDefinitions } from './support/definitions.js';
import { eventually } from './support/eventually.js';
import { passes, startNoted } from './support/passes.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { KubeObject, Scene } from './support/scene.js';

const CLAIMS: Kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' };
const VOLUMES: Kind = { apiVersion: 'v1', kind: 'PersistentVolume', plural: 'persistentvolumes' };

interface Secret extends KubeObject {
  data: Record<string, string>;
}

describeWith(missingPlane, 'a trial database', () => {
  let scene: Scene;
  let operator: ReturnType<typeof startNoted>;
  const made: string[] = [];

  before(async () => {
    scene = await openScene();
    const { plane, namespace } = scene;
    await plane.request(`/api/v1/namespaces/${namespace}`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    });
    // This cluster provides no volumes.
    for (const i of [1, 2, 3, 4]) {
      plane.apply({
        ...{ apiVersion: 'v1', kind: 'PersistentVolume' },
        metadata: { name: `${namespace}-${i}` },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: namespace,
          hostPath: { path: '/none' },
        },
      });
      made.push(`${namespace}-${i}`);
    }
    operator = startNoted(scene, { discoveryMs: 200 });
  });
  after(async () => {
    await scene.close();
    for (const name of made) await scene.plane.request(pathOf(VOLUMES, undefined, name), { method: 'DELETE' });
  });

  const labels = (name: string) => ({
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': 'chain-middleware-operator',
  });
  const trial = () => ({ storage: { size: '1Gi', storageClass: scene.namespace } });
  const set = async (name: string) => (await scene.get<StatefulSet>('StatefulSet', `${name}-postgres`))!;
  const secret = async (name: string) => (await scene.get<Secret>('Secret', `${name}-postgres`))!;
  const text = ({ data }: Secret, key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
  const claims = async (name: string): Promise<string[]> => {
    const { items } = await scene.plane.request<{ items: KubeObject[] }>(pathOf(CLAIMS, scene.namespace));
    return items.map(({ metadata }) => metadata.name).filter((claim) => claim === `data-${name}-postgres-0`);
  };

  it('is created with its own password, and the middleware runs on it', async () => {
    await scene.create('a', { database: { trial: trial() }, networkPolicy: { enabled: true } });
    await scene.settled('a');

    const made = await secret('a');
    expect(text(made, 'password')).to.match(/^[\w-]{32}$/);
    expect(text(made, 'url')).to.equal(`postgres://mdw:${text(made, 'password')}@a-postgres:5432/mdw`);
    expect(made.metadata.ownerReferences).to.equal(undefined);
    const { spec, metadata } = await set('a');
    expect(metadata.ownerReferences).to.have.nested.property('[0].name', 'a');
    expect(spec).to.deep.include({
      replicas: 1,
      serviceName: 'a-postgres',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    const [container] = spec.template.spec.containers;
    expect(container).to.include({ image: 'docker.io/library/postgres:18' });
    expect(container?.['securityContext']).to.include({ readOnlyRootFilesystem: true });
    expect(JSON.stringify(spec)).to.not.contain(text(made, 'password'));
    expect(await scene.get('Service', 'a-postgres')).to.nested.include({ 'spec.clusterIP': 'None' });
    expect(await claims('a')).to.have.lengthOf(1);
  });

  it('accepts only pods of its resource, and is not selected by Services and monitors', async () => {
    const [pod] = await scene.list<Pod>('Pod', 'app.kubernetes.io/instance=a,app.kubernetes.io/component=database');
    expect(pod?.metadata.labels).to.include({ 'app.kubernetes.io/name': 'postgresql' });
    const clients = { 'app.kubernetes.io/name': 'chain-middleware', 'app.kubernetes.io/instance': 'a' };
    expect((await scene.get('NetworkPolicy', 'a-postgres'))?.spec).to.deep.include({
      ingress: [{ ports: [{ port: 5432, protocol: 'TCP' }], from: [{ podSelector: { matchLabels: clients } }] }],
    });
  });

  it('is written once', async () => {
    const before = operator.written.length;
    await passes(operator.metrics, 5);
    expect(operator.written.slice(before)).to.deep.equal([]);
  });

  it('gets no new password while it exists: Stalled says what to do when the Secret was deleted', async () => {
    const before = await secret('a');
    await scene.change('a', { database: { trial: { image: 'example.test/postgres:2' } } });
    await eventually(async () =>
      expect((await set('a')).spec.template.spec.containers[0]?.image).to.equal('example.test/postgres:2'),
    );
    expect((await secret('a')).metadata.resourceVersion).to.equal(before.metadata.resourceVersion);

    await scene.remove('Secret', 'a-postgres');
    const { message } = await scene.condition('a', 'Stalled', 'True', 'SecretMissing');
    expect(message).to.contain('restore it with its keys username, password and url and the labels ');
    expect(await secret('a')).to.equal(undefined);
    expect(message).to.contain('or delete StatefulSet a-postgres');
    const { namespace } = scene;
    scene.plane.apply({ ...before, metadata: { name: 'a-postgres', namespace, labels: labels('a') } });
    await scene.settled('a');
  });

  it('is deleted with its resource, except volume and Secret, which a new resource uses again', async () => {
    const before = await secret('a');
    await scene.remove('Middleware', 'a');
    await eventually(async () => {
      expect(await set('a')).to.equal(undefined);
      expect(await scene.list('Pod', 'app.kubernetes.io/instance=a')).to.deep.equal([]);
    });
    expect(await claims('a')).to.have.lengthOf(1);

    await scene.create('a', { database: { trial: trial() } });
    await scene.settled('a');
    expect((await secret('a')).data).to.deep.equal(before.data);
  });

  it('loses its volume with the resource if retention is Delete', async () => {
    await scene.change('a', { retention: { database: 'Delete' } });
    await eventually(async () =>
      expect((await set('a')).spec).to.have.nested.property(
        'persistentVolumeClaimRetentionPolicy.whenDeleted',
        'Delete',
      ),
    );
    await scene.remove('Middleware', 'a');
    await eventually(async () => expect(await claims('a')).to.deep.equal([]));
  });

  it('uses an existing Secret that is labelled for it', async () => {
    const { namespace } = scene;
    const stringData = { username: 'mdw', password: 'own', url: 'postgres://mdw:own@b-postgres/mdw' };
    scene.plane.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'b-postgres', namespace, labels: labels('b') },
      stringData,
    });
    await scene.create('b', { database: { trial: trial() } });
    await scene.settled('b');
    expect(text(await secret('b'), 'password')).to.equal('own');
    await scene.remove('Middleware', 'b');
  });

  it('sets no user and no group where the platform sets them', async () => {
    const user = async () => (await set('c')).spec.template.spec['securityContext'];
    await scene.create('c', { database: { trial: trial() } });
    await eventually(async () => expect(await user()).to.include({ runAsUser: 999, fsGroup: 999 }));

    const definition = definitionOf(USER_POLICY);
    scene.plane.apply(definition);
    try {
      await eventually(async () =>
        expect(await user()).to.deep.equal({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }),
      );
    } finally {
      await removeDefinitions(scene.plane, [definition.metadata.name]);
    }
    await eventually(async () => expect(await user()).to.include({ runAsUser: 999 }));
  });
});
