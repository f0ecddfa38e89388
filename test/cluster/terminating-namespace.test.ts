import { expect } from 'chai';
import { KubeError } from '../../src/operator/kube/errors.js';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { passes } from './support/passes.js';
import { missingPlane } from './support/plane.js';
import { setPolicy } from './support/policy.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'a namespace that is being deleted', () => {
  let scene: Scene;
  let endPolicy: () => void;

  before(async () => {
    scene = await openScene();
    // The controller deletes one kind after the other. With this the resource always outlives its children.
    const rule = { apiGroups: ['chain-middleware.io'], apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] };
    endPolicy = setPolicy(scene, rule, ['false']);
  });
  after(async () => {
    await scene.close();
    endPolicy();
    scene.plane.kubectl('-n', 'default', 'delete', 'lease', scene.namespace);
  });

  it('is not reconciled after one refusal, and its resources are not reported as faulty', async () => {
    const metrics = createOperatorMetrics();
    const refused: string[] = [];
    scene.operator({
      metrics,
      resyncMs: 200,
      lease: { namespace: 'default', name: scene.namespace, identity: 'one' },
      through: (client) => ({
        ...client,
        request: (path, request) =>
          client.request(path, request).catch((error: unknown) => {
            if (error instanceof KubeError && error.status === 403) refused.push(path);
            throw error;
          }) as Promise<never>,
      }),
    });
    await scene.secret();
    await scene.create('a');
    await scene.settled('a');
    await eventually(() => {
      const { stderr } = scene.plane.tryKubectl('-n', scene.namespace, 'delete', 'mdw', 'a', '--dry-run=server');
      expect(stderr).to.contain(scene.namespace);
    });

    scene.plane.kubectl('delete', 'namespace', scene.namespace, '--wait=false');
    await eventually(async () => expect(await scene.list('Deployment')).to.deep.equal([]));
    await passes(metrics, 5);

    expect((await scene.get('Middleware', 'a'))?.metadata.deletionTimestamp).to.equal(undefined);
    const isOfChild = (path: string): boolean => !path.includes('/events');
    expect(refused.filter(isOfChild)).to.have.lengthOf(1);
    // The operator may still have seen the deletion of the Secret.
    const { conditions = [] } = await scene.status('a');
    expect(conditions.map(({ reason }) => reason)).to.not.include('WriteRefused');
  });
});
