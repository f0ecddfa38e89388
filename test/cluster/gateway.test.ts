import { expect } from 'chai';
import { kindOf } from '../../src/operator/kube/kinds.js';
import { describeWith } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';
import { definitionOf, removeDefinitions } from './support/definitions.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'a route of the Gateway API', function () {
  this.timeout(120_000);
  let scene: Scene;
  const definition = definitionOf(kindOf('HTTPRoute'));
  const httpRoute = { parentRefs: [{ name: 'public', namespace: 'gateways' }], hostnames: ['a.example'] };

  before(async function () {
    scene = await openScene();
    // A cluster that has it is somebody's: nothing of theirs is touched.
    if (scene.plane.apiServer === undefined) skipFor('the cluster was not started here', this);
    await scene.secret();
    scene.operator({ discoveryMs: 500 });
  });
  after(async () => {
    await scene.close();
    await removeDefinitions(scene.plane, [definition.metadata.name]);
  });

  it('needs it, and is made as soon as it is there', async () => {
    await scene.create('a', { httpRoute });
    const { message } = await scene.condition('a', 'Stalled', 'True', 'GatewayAPIMissing');
    expect(message).to.contain('spec.httpRoute').and.to.contain('spec.ingress');

    scene.plane.apply(definition);
    await scene.settled('a', 60_000);
    const route = await scene.get('HTTPRoute', 'a');
    expect(route?.spec).to.deep.equal({
      ...httpRoute,
      rules: [
        { matches: [{ path: { type: 'PathPrefix', value: '/websocket' } }], backendRefs: [{ name: 'a', port: 3020 }] },
        { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name: 'a', port: 8080 }] },
      ],
    });
  });

  it('that its Gateway refuses is in Degraded, until it does no more', async () => {
    const said = (status: string) => ({
      parents: [
        {
          parentRef: httpRoute.parentRefs[0],
          conditions: [{ type: 'Accepted', status, message: 'no listener has this host' }],
        },
      ],
    });
    await scene.patch('HTTPRoute', 'a', { status: said('False') });
    const { message } = await scene.condition('a', 'Degraded', 'True', 'RouteRefused');
    expect(message).to.contain('Gateway public').and.to.contain('no listener has this host');
    await scene.patch('HTTPRoute', 'a', { status: said('True') });
    await eventually(async () => {
      const { conditions = [] } = await scene.status('a');
      expect(conditions.find(({ type }) => type === 'Degraded')?.reason).to.not.equal('RouteRefused');
    });
  });

  it('gets back what others change, and goes when it is wanted no more', async () => {
    await scene.patch('HTTPRoute', 'a', { spec: { rules: [] } });
    await eventually(async () => {
      const { spec } = (await scene.get('HTTPRoute', 'a')) as unknown as { spec: { rules: unknown[] } };
      expect(spec.rules).to.have.lengthOf(2);
    });
    await scene.change('a', { httpRoute: null });
    await eventually(async () => expect(await scene.get('HTTPRoute', 'a')).to.equal(undefined));
  });
});
