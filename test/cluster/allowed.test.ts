import { expect } from 'chai';
import { EVERYTHING } from '../support/operator-model.js';
import { describeWith } from '../support/kube-tools.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'an operator that may not make everything', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator({ allowed: { ...EVERYTHING, serviceTypes: ['ClusterIP'], trial: false } });
  });
  after(() => scene.close());

  const made = async (): Promise<string[]> => {
    const kinds = ['ServiceAccount', 'Service', 'ConfigMap', 'Deployment', 'StatefulSet', 'Job', 'Ingress', 'Secret'];
    const objects = await Promise.all(
      kinds.map((kind) => scene.list(kind, 'app.kubernetes.io/managed-by=chain-middleware-operator')),
    );
    return objects.flat().map(({ metadata }) => metadata.name);
  };

  it('makes nothing of a resource that asks for it, says which field that is, and goes on when that is corrected', async () => {
    const annotations = { 'nginx.ingress.kubernetes.io/configuration-snippet': 'return 200;' };
    await scene.create('a', {
      server: { service: { type: 'LoadBalancer' } },
      ingress: { host: 'chain.example', annotations },
    });
    const { message } = await scene.condition('a', 'Stalled', 'True', 'NotAllowed');
    expect(message).to.contain('spec.server.service.type LoadBalancer').and.to.contain('ClusterIP');
    expect(message).to.contain('spec.ingress.annotations nginx.ingress.kubernetes.io/configuration-snippet');
    expect(await made()).to.deep.equal([]);

    await scene.change('a', { server: { service: { type: 'ClusterIP' } }, ingress: { annotations: null } });
    await scene.settled('a');
    expect(await made()).to.include('a');

    await scene.change('a', { server: { service: { type: 'LoadBalancer' } } });
    await scene.condition('a', 'Stalled', 'True', 'NotAllowed');
    expect((await scene.get('Service', 'a'))?.['spec']).to.include({ type: 'ClusterIP' });
    await scene.remove('Middleware', 'a');
  });

  it('makes no database for trials, and says how it is turned on', async () => {
    await scene.create('trial', { database: { trial: {} } });
    const { message } = await scene.condition('trial', 'Stalled', 'True', 'TrialDisabled');
    expect(message).to.contain('trial.enabled');
    expect((await made()).filter((name) => name.startsWith('trial'))).to.deep.equal([]);
  });
});
