import { expect } from 'chai';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { NEW_PODS, setPolicy } from './support/policy.js';
import { openScene } from './support/scene.js';
import type { KubeObject, Scene } from './support/scene.js';

interface Event {
  type: string;
  reason: string;
  note: string;
}

describeWith(missingPlane, 'the conditions of a resource', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    scene.operator();
    await scene.secret();
  });
  after(() => scene.close());

  const events = async (): Promise<Event[]> => {
    const path = `/apis/events.k8s.io/v1/namespaces/${scene.namespace}/events`;
    const { items } = await scene.plane.request<{ items: (Event & { regarding: { kind: string } })[] }>(path);
    return items.filter(({ regarding }) => regarding.kind === 'Middleware');
  };
  const podsOf = (name: string, component: string): Promise<KubeObject[]> =>
    eventually(async () => {
      const selector = `app.kubernetes.io/instance=${name},app.kubernetes.io/component=${component}`;
      const pods = await scene.list('Pod', selector);
      if (pods.length === 0) throw new Error(`${name} has no pod of the ${component}`);
      return pods;
    });

  it('report progress and no fault when servers are added and all pods are replaced', async () => {
    const podAnnotations = { 'sim/ready-after': '1s' };
    await scene.create('a', { server: { podAnnotations }, populator: { podAnnotations } });
    await scene.settled('a');

    await scene.change('a', { server: { replicas: 4 } });
    await scene.condition('a', 'Reconciling', 'True', 'RollingOut');
    await eventually(async () => expect((await scene.settled('a')).servers).to.equal('4/4'));
    await scene.change('a', { image: 'example.test/mdw:2' });
    await eventually(async () => expect((await scene.settled('a')).image).to.equal('example.test/mdw:2'));

    const seen = await events();
    expect(seen.map(({ reason }) => reason)).to.include('Serving');
    expect(seen.filter(({ type }) => type === 'Warning').map(({ note }) => note)).to.deep.equal([]);
  });

  it('come with a metric of the restarts of its containers, which ends with the resource', async () => {
    const own = await openScene();
    await own.secret();
    const metrics = createOperatorMetrics();
    own.operator({ metrics });
    const restarts = async (): Promise<object[]> => (await metrics.restarts.get()).values;
    const labels = { namespace: own.namespace, name: 'restarts' };
    await own.create('restarts');
    await own.settled('restarts');
    expect(await restarts()).to.containSubset([{ labels, value: 0 }]);

    const [pod] = await own.list('Pod', 'app.kubernetes.io/instance=restarts,app.kubernetes.io/component=server');
    const container = { name: 'mdw', image: 'i', imageID: '', ready: true, restartCount: 3, state: {} };
    await eventually(async () => {
      // The simulated kubelet may write the status of a new pod after this write.
      await own.plane.request(`/api/v1/namespaces/${own.namespace}/pods/${pod!.metadata.name}/status`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { status: { containerStatuses: [container] } },
      });
      expect(await restarts()).to.containSubset([{ labels, value: 3 }]);
    });

    await own.remove('Middleware', 'restarts');
    await eventually(async () => expect(await restarts()).to.deep.equal([]));
    await own.close();
  });

  it('report that the migration gets no pod, until pods are allowed', async () => {
    const own = await openScene();
    await own.secret();
    const endPolicy = setPolicy(own, NEW_PODS, ['false']);
    await eventually(() => {
      const { stderr } = own.plane.tryKubectl('-n', own.namespace, 'run', 'x', '--image=x', '--dry-run=server');
      expect(stderr).to.contain('ValidatingAdmissionPolicy');
    });
    own.operator();
    await own.create('refused');
    const { message } = await own.condition('refused', 'Stalled', 'True', 'MigrationNotStarted');
    const [job] = await own.list('Job');
    expect(message).to.contain(`kubectl describe job ${job?.metadata.name}`);
    await own.condition('refused', 'Migrated', 'False', 'MigrationNotStarted');

    endPolicy();
    await own.settled('refused');
    await own.close();
  });

  it('report that a reload gets no pod, while clients are served, and it continues when pods are allowed', async () => {
    const own = await openScene();
    await own.secret();
    const words = { ready: true, height: 300, node_height: 300, node_state: 'ok', lag: 0, loading: false };
    own.operator({ reach: () => Promise.resolve({ status: 200, body: JSON.stringify(words) }), probeMs: 300 });
    await own.create('refused');
    await own.settled('refused');
    const component = `'app.kubernetes.io/component'`;
    const endPolicy = setPolicy(own, NEW_PODS, [
      `!has(object.metadata.labels) || !(${component} in object.metadata.labels) || object.metadata.labels[${component}] != 'reload'`,
    ]);
    await eventually(() => {
      const labels = '--labels=app.kubernetes.io/component=reload';
      const { stderr } = own.plane.tryKubectl(
        ...['-n', own.namespace, 'run', 'x', '--image=x', labels, '--dry-run=server'],
      );
      expect(stderr).to.contain('ValidatingAdmissionPolicy');
    });
    await own.change('refused', { reload: { id: 'one' } });
    const { message } = await own.condition('refused', 'Stalled', 'True', 'JobNotStarted');
    expect(message).to.match(/^No pod of Job refused-drop-\S+ was created: kubectl describe job/);
    await own.condition('refused', 'Ready', 'True');

    endPolicy();
    await own.condition('refused', 'Stalled', 'False');
    await own.close();
  });

  const held = { podAnnotations: { 'sim/hold': 'pending' } };
  for (const component of ['migration', 'populator', 'server']) {
    it(`report that the image of the ${component} cannot be pulled, until it was pulled`, async () => {
      const name = `pull-${component}`;
      await scene.create(name, { database: { secret: { name: 'db' }, schema: component }, [component]: held });
      const [first] = await podsOf(name, component);
      const pod = first?.metadata.name ?? '';
      const message = 'Back-off pulling image "example.test/mdw:1": not found';
      const container = { name: 'mdw', image: 'i', imageID: '', ready: false, restartCount: 0 };
      const waits = { ...container, state: { waiting: { reason: 'ImagePullBackOff', message } } };
      const stalled = await eventually(async () => {
        // The simulated kubelet may write the status of a new pod after this write.
        await scene.plane.request(`/api/v1/namespaces/${scene.namespace}/pods/${pod}/status`, {
          method: 'PATCH',
          contentType: 'application/merge-patch+json',
          body: { status: { containerStatuses: [waits] } },
        });
        return scene.conditionNow(name, 'Stalled', 'True', 'ImagePullBackOff');
      });
      expect(stalled.message).to.contain(message).and.to.contain(pod).and.to.contain('correct spec.image');
      // Simulated servers become ready without a populator.
      if (component !== 'populator') await scene.condition(name, 'Ready', 'False', 'ImagePullBackOff');
      for (const { metadata } of await podsOf(name, component)) {
        await scene.patch('Pod', metadata.name, { metadata: { annotations: { 'sim/hold': null } } });
      }
      await scene.settled(name);
    });
  }
});
