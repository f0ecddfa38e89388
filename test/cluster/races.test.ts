import { expect } from 'chai';
import type { KubeClient, KubeRequest } from '../../src/operator/kube/client.js';
import { referencesOf } from '../../src/operator/apply/references.js';
import { refOf } from '../../src/operator/names.js';
import { kindOf, pathOf } from '../../src/operator/kube/kinds.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene, templateOf } from './support/scene.js';
import type { Deployment, KubeObject, Scene } from './support/scene.js';
import { isWrite, tampered } from './support/tamper.js';

const INSTANCE = 'app.kubernetes.io/instance';
const REFERRING = ['Job', 'Deployment', 'StatefulSet', 'Ingress', 'HorizontalPodAutoscaler'];
const OF_USERS = { theirs: 'yes' };

/** Calls `act` once, before the first write of an object of this kind with this name. */
function beforeWriteOf(kind: string, name: RegExp, act: (body: KubeObject) => Promise<void>) {
  let isDone = false;
  return (client: KubeClient): KubeClient =>
    tampered(client, {
      async before(path: string, request: KubeRequest) {
        const body = request.body as KubeObject | undefined;
        if (isDone || !isWrite(path, request) || body?.kind !== kind || !name.test(body.metadata.name)) return;
        isDone = true;
        await act(body);
      },
    });
}

describeWith(missingPlane, 'an object of others, made between the look of the operator and its write', () => {
  let scene: Scene;

  beforeEach(async () => {
    scene = await openScene();
    await scene.secret();
  });
  afterEach(() => scene.close());

  /** Creates what the operator is about to create, as an object of somebody else. */
  const take = async ({ apiVersion, kind, metadata: { name }, ...rest }: KubeObject): Promise<void> => {
    const body = { apiVersion, kind, metadata: { name, annotations: OF_USERS }, ...rest };
    await scene.plane.request(pathOf(kindOf(kind), scene.namespace), { method: 'POST', body });
  };

  const CHILDREN: [string, RegExp][] = [
    ['ServiceAccount', /^a$/],
    ['ConfigMap', /^a-config-/],
    ['Service', /^a$/],
    ['Service', /^a-metrics$/],
    ['Job', /^a-migrate-/],
    ['Deployment', /^a-populator-blue$/],
    ['Deployment', /^a-server-blue$/],
    ['Ingress', /^a$/],
    ['NetworkPolicy', /^a$/],
    ['PodDisruptionBudget', /^a-server-blue$/],
    ['HorizontalPodAutoscaler', /^a-server-blue$/],
    ['Service', /^b-postgres$/],
    ['StatefulSet', /^b-postgres$/],
  ];
  for (const [kind, form] of CHILDREN) {
    it(`is not taken over, and nothing that refers to it is made: ${kind} ${form.source}`, async () => {
      let taken: string | undefined;
      scene.operator({
        through: beforeWriteOf(kind, form, async (body) => {
          await take(body);
          taken = body.metadata.name;
        }),
      });
      const server = { autoscaling: { minReplicas: 2, maxReplicas: 3 } };
      if (form.source.startsWith('^b')) await scene.create('b', { database: { trial: {} } });
      else await scene.create('a', { ingress: { host: 'a.example' }, networkPolicy: { enabled: true }, server });
      const resource = form.source.startsWith('^b') ? 'b' : 'a';
      const { message } = await scene.condition(resource, 'Stalled', 'True', 'NameTaken');
      expect(message).to.contain(`${kind}/${taken}`);

      const { metadata } = (await scene.get(kind, taken ?? ''))!;
      expect(metadata.annotations).to.include(OF_USERS);
      expect(metadata.annotations).to.not.have.property('chain-middleware.io/applied');
      expect(metadata.ownerReferences).to.equal(undefined);
      const ours = await Promise.all(REFERRING.map((other) => scene.list(other, INSTANCE)));
      const refer = ours.flat().filter((object) => referencesOf(object).includes(`${kind}/${taken}`));
      expect(refer.map(refOf)).to.deep.equal([]);
    });
  }

  it('never gets a pod of the middleware, in no pass, if it is the service account', async () => {
    const written: string[] = [];
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } };
    await take(account);
    scene.operator({
      resyncMs: 200,
      through: (client) =>
        tampered(client, {
          before(path, request) {
            if (isWrite(path, request) && !path.endsWith('/status')) written.push(path.split('/').at(-2) ?? '', path);
          },
        }),
    });
    await scene.create('a');
    await scene.condition('a', 'Stalled', 'True', 'NameTaken');
    expect(written.filter((path) => /jobs|deployments|statefulsets/.test(path))).to.deep.equal([]);
    expect(await scene.list('Job')).to.deep.equal([]);
    expect(await scene.list('Pod')).to.deep.equal([]);

    await scene.remove('ServiceAccount', 'a');
    await scene.settled('a');
    expect((await scene.get('ServiceAccount', 'a'))?.metadata.labels?.[INSTANCE]).to.equal('a');
  });

  it('is not taken over if it was ours until somebody else became its owner', async () => {
    let gone = false;
    scene.operator({
      through: (client) =>
        tampered(client, {
          async before(_path, request) {
            const body = request.body as KubeObject | undefined;
            const isChange = request.method === 'PATCH' && body?.kind === 'Service' && body.metadata.name === 'a';
            if (gone || !isChange) return;
            gone = true;
            const { metadata } = (await scene.get('ConfigMap', 'theirs'))!;
            const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'theirs', uid: metadata.uid, controller: true };
            await scene.patch('Service', 'a', { metadata: { ownerReferences: [owner], labels: { mine: 'yes' } } });
          },
        }),
    });
    await take({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } });
    await scene.create('a');
    await scene.settled('a');
    await scene.change('a', { server: { service: { type: 'NodePort' } } });

    const { message } = await scene.condition('a', 'Stalled', 'True', 'NameTaken');
    expect(message).to.contain('Service/a');
    const { metadata, spec } = (await scene.get('Service', 'a'))!;
    expect(metadata.ownerReferences?.map(({ name }) => name)).to.deep.equal(['theirs']);
    expect(spec).to.include({ type: 'ClusterIP' });
  });

  it('is replaced by nothing: a child that changes while it is written is written with its newest version', async () => {
    let changes = 0;
    scene.operator({
      through: (client) =>
        tampered(client, {
          async before(_path, request) {
            const body = request.body as KubeObject | undefined;
            if (request.method !== 'PATCH' || body?.kind !== 'Deployment' || changes >= 2) return;
            changes++;
            await scene.patch('Deployment', body.metadata.name, {
              metadata: { annotations: { changed: `${changes}` } },
            });
          },
        }),
    });
    await scene.create('a', { labels: { team: 'one' } });
    await scene.settled('a');
    await scene.change('a', { logLevel: 'debug', labels: null });
    await eventually(async () => {
      const deployment = await scene.get<Deployment>('Deployment', 'a-server-blue');
      expect(deployment?.metadata.labels).to.not.have.property('team');
      expect(deployment?.metadata.annotations?.['chain-middleware.io/applied']).to.be.a('string');
      expect(templateOf(deployment).serviceAccountName).to.equal('a');
    });
    await scene.settled('a');
    expect(changes).to.be.greaterThan(0);
  });
});

describeWith(missingPlane, 'the Secret of a trial database', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
  });
  after(() => scene.close());

  it('is not used if it is of somebody else, until its labels say that it is of the resource', async () => {
    await scene.secret('b-postgres', 'postgres://other:secret@db.example/other');
    await scene.create('b', { database: { trial: {} } });
    const { message } = await scene.condition('b', 'Stalled', 'True', 'NameTaken');
    expect(message).to.contain('Secret/b-postgres');
    expect(await scene.list('StatefulSet')).to.deep.equal([]);
    expect(await scene.list('Pod')).to.deep.equal([]);

    const labels = { [INSTANCE]: 'b', 'app.kubernetes.io/managed-by': 'chain-middleware-operator' };
    await scene.patch('Secret', 'b-postgres', { metadata: { labels } });
    await eventually(async () => expect(await scene.list('StatefulSet')).to.have.length(1));
  });
});
