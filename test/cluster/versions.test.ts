import { expect } from 'chai';
import { customResourceDefinition } from '../../src/operator/schema/crd.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { passes, startNoted } from './support/passes.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { KubeObject, Scene } from './support/scene.js';

const NAME = customResourceDefinition().metadata.name;
const DEFINITION = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${NAME}`;

interface Definition {
  status: { storedVersions: string[] };
}

describeWith(missingPlane, 'the versions of the resource', () => {
  let scene: Scene;
  let operator: ReturnType<typeof startNoted>;

  before(async () => {
    scene = await openScene();
    await scene.secret();
    operator = startNoted(scene);
  });
  after(() => scene.close());

  const pathOf = (version: string, name: string): string =>
    scene.path('Middleware', name).replace('/v1alpha1/', `/${version}/`);
  const manifest = (version: string, name: string, more: object = {}) => ({
    apiVersion: `chain-middleware.io/${version}`,
    kind: 'Middleware',
    metadata: { name, namespace: scene.namespace },
    spec: { node: { urls: ['http://node:3013'] }, database: { secret: { name: 'db' }, schema: name }, ...more },
  });
  const read = (version: string, name: string) => scene.plane.request<KubeObject>(pathOf(version, name));

  it('are equivalent: a resource written in one version is reconciled, and readable in the other', async () => {
    scene.plane.apply(manifest('v1beta1', 'beta', { server: { replicas: 3 } }));
    await scene.settled('beta');

    const alpha = await read('v1alpha1', 'beta');
    for (const version of ['v1beta1', 'v1']) {
      const other = await read(version, 'beta');
      expect(other.apiVersion).to.equal(`chain-middleware.io/${version}`);
      expect({ ...other, apiVersion: '', metadata: {} }).to.deep.equal({ ...alpha, apiVersion: '', metadata: {} });
    }
    expect(scene.plane.kubectl('-n', scene.namespace, 'get', 'mdw', 'beta')).to.match(/^beta +\S+ +True /m);
  });

  it('refuse the same resources with the same messages', async () => {
    const refusal = async (version: string): Promise<string> =>
      scene.plane
        .request(pathOf(version, '').replace(/\/$/, ''), {
          method: 'POST',
          body: manifest(version, 'wrong', { server: { replicas: -1 } }),
        })
        .then(() => 'made', String);
    const alpha = await refusal('v1alpha1');
    expect(alpha).to.contain('spec.server.replicas');
    for (const version of ['v1beta1', 'v1']) expect(await refusal(version), version).to.equal(alpha);
  });

  it('may be changed in a manifest: a field that is omitted then is removed', async () => {
    scene.plane.apply(manifest('v1alpha1', 'moved', { logLevel: 'debug', paused: true }));
    scene.plane.apply(manifest('v1', 'moved', { paused: true }));

    const { spec } = (await read('v1alpha1', 'moved')) as unknown as { spec: object };
    expect(spec).to.include({ paused: true }).and.not.include({ logLevel: 'debug' });
  });

  it('may be changed in the storage and back, as docs/upgrading.md says, without writes of the operator', async () => {
    const store = async (version: string): Promise<void> => {
      const definition = customResourceDefinition();
      for (const one of definition.spec.versions) one.storage = one.name === version;
      scene.plane.apply(definition);
      await eventually(async () => {
        // Each object is stored in the storage version when it is written.
        scene.plane.kubectl('-n', scene.namespace, 'annotate', 'mdw', '--all', '--overwrite', `stored=${version}`);
        expect((await scene.plane.request<Definition>(DEFINITION)).status.storedVersions).to.include(version);
      });
      await scene.plane.request(`${DEFINITION}/status`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { status: { storedVersions: [version] } },
      });
    };
    await scene.settled('beta');
    const [before, of] = [operator.written.length, await read('v1alpha1', 'beta')];

    for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
      await store(version);
      const { spec } = (await read('v1alpha1', 'beta')) as unknown as { spec: object };
      expect(spec).to.deep.equal((of as unknown as { spec: object }).spec);
      await passes(operator.metrics, 5);
    }
    expect(operator.written.slice(before)).to.deep.equal([]);
    // The operator continues to work.
    await scene.change('beta', { server: { replicas: 1 } });
    await scene.settled('beta');
  });
});
