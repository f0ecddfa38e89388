import { expect } from 'chai';
import { kindOf } from '../../src/operator/kube/kinds.js';
import { describeWith } from '../support/kube-tools.js';
import { skipFor } from '../support/skip.js';
import { definitionOf, removeDefinitions } from './support/definitions.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'a route of the Gateway API', () => {
  let scene: Scene;
  const definition = definitionOf(kindOf('HTTPRoute'));
  const httpRoute = { parentRefs: [{ name: 'public', namespace: 'gateways' }], hostnames: ['a.example'] };

  before(async function () {
    scene = await openScene();
    // A cluster that has the kind may be in use: its definitions must not be touched.
    if (scene.plane.apiServer === undefined) skipFor('the cluster was not started here', this);
    await scene.secret();
    scene.operator({ discoveryMs: 500 });
  });
  after(async () => {
    await scene.close();
    await removeDefinitions(scene.plane, [definition.metadata.name]);
  });

  it('needs its kind, and is created as soon as the kind exists', async () => {
    await scene.create('a', { httpRoute });
    const { message } = await scene.condition('a', 'Stalled', 'True', 'GatewayAPIMissing');
    expect(message).to.contain('spec.httpRoute').and.to.contain('spec.ingress');

    scene.plane.apply(definition);
    await scene.settled('a');
    const route = await scene.get('HTTPRoute', 'a');
    expect(route?.spec).to.deep.equal({
      ...httpRoute,
      rules: [
        { matches: [{ path: { type: 'PathPrefix', value: '/websocket' } }], backendRefs: [{ name: 'a', port: 3020 }] },
        { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name: 'a', port: 8080 }] },
      ],
    });
  });

  it('that its Gateway refuses is reported in Degraded, until the Gateway accepts it', async () => {
    const routeStatus = (status: string) => ({
      parents: [
        {
          parentRef: httpRoute.parentRefs[0],
          conditions: [{ type: 'Accepted', status, message: 'no listener has this host' }],
        },
      ],
    });
    await scene.patch('HTTPRoute', 'a', { status: routeStatus('False') });
    const { message } = await scene.condition('a', 'Degraded', 'True', 'RouteRefused');
    expect(message).to.contain('Gateway public').and.to.contain('no listener has this host');
    await scene.patch('HTTPRoute', 'a', { status: routeStatus('True') });
    await eventually(async () => {
      const { conditions = [] } = await scene.status('a');
      expect(conditions.find(({ type }) => type === 'Degraded')?.reason).to.not.equal('RouteRefused');
    });
  });

  it('is a second one for hosts of the compatible API, as long as they are wanted', async () => {
    await scene.change('a', { httpRoute: { compatibleHostnames: ['b.example'] } });
    await eventually(async () => {
      const { spec } = (await scene.get('HTTPRoute', 'a-compatible')) as unknown as { spec: object };
      expect(spec).to.deep.include({ hostnames: ['b.example'] });
    });
    const conditions = [{ type: 'Accepted', status: 'False', message: 'no listener has this host' }];
    const status = { parents: [{ parentRef: httpRoute.parentRefs[0], conditions }] };
    await scene.patch('HTTPRoute', 'a-compatible', { status });
    const { message } = await scene.condition('a', 'Degraded', 'True', 'RouteRefused');
    expect(message).to.contain('HTTPRoute a-compatible').and.to.contain('no listener has this host');
    await scene.change('a', { httpRoute: { compatibleHostnames: null } });
    await eventually(async () => expect(await scene.get('HTTPRoute', 'a-compatible')).to.equal(undefined));
    expect(await scene.get('HTTPRoute', 'a')).to.not.equal(undefined);
  });

  it('is restored when others change it, and deleted when it is no longer wanted', async () => {
    await scene.patch('HTTPRoute', 'a', { spec: { rules: [] } });
    await eventually(async () => {
      const { spec } = (await scene.get('HTTPRoute', 'a')) as unknown as { spec: { rules: unknown[] } };
      expect(spec.rules).to.have.lengthOf(2);
    });
    await scene.change('a', { httpRoute: null });
    await eventually(async () => expect(await scene.get('HTTPRoute', 'a')).to.equal(undefined));
  });
});
