import { expect } from 'chai';
import { KubeError } from '../../src/operator/kube/errors.js';
import { kindOf, pathOf } from '../../src/operator/kube/kinds.js';
import type { Pod } from '../../src/operator/types.js';
import { describeWith } from '../support/kube-tools.js';
import { watchService } from './support/endpoints.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'pods of a resource whose machines are drained', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    await scene.secret();
  });
  after(() => scene.close());

  const pods = async (component: string): Promise<Pod[]> =>
    (await scene.list<Pod>('Pod', `app.kubernetes.io/component=${component}`)).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
  /** Evicts a pod, as `kubectl drain` does; throws while the disruption budget does not allow it. */
  const evict = ({ metadata: { name } }: Pod): Promise<unknown> =>
    scene.plane.request(`${pathOf(kindOf('Pod'), scene.namespace, name)}/eviction`, {
      method: 'POST',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } },
    });

  it('are replaced, the servers one after the other, so that some are always ready', async () => {
    scene.operator();
    // New servers become ready after a moment, as real ones do.
    await scene.create('a', { server: { replicas: 2, podAnnotations: { 'sim/ready-after': '2s' } } });
    await scene.settled('a');
    const watcher = watchService(scene.plane.client, scene.namespace, 'a');
    await eventually(() => expect(watcher.colors).to.deep.equal(['blue']));
    const old = [...(await pods('server')), ...(await pods('populator'))];
    let refused = 0;

    for (const pod of old) {
      await eventually(() =>
        evict(pod).catch((error: unknown) => {
          if (error instanceof KubeError && error.status === 429) refused++;
          throw error;
        }),
      );
    }
    const names = old.map(({ metadata }) => metadata.name);
    await eventually(async () => {
      const now = [...(await pods('server')), ...(await pods('populator'))].map(({ metadata }) => metadata.name);
      expect(now).to.have.length(3);
      expect(now).not.to.include.members(names);
    });
    await scene.settled('a');
    await watcher.stop();

    expect(old).to.have.length(3);
    expect(refused).to.be.above(0);
    expect(watcher.faults).to.deep.equal([]);
  });
});
