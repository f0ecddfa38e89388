import { expect } from 'chai';
import { parse } from 'yaml';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import { asYaml, customResourceDefinition, sample } from '../../src/operator/schema/crd.js';
import { API_VERSION } from '../../src/operator/schema/group.js';
import type { MiddlewareSpec } from '../../src/operator/schema/spec.js';
import { describeWith } from '../support/kube-tools.js';
import { mdw } from '../support/mdw.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'the resource, as the API server takes it', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());

  const apply = (object: unknown) => scene.plane.apply(object);

  it('is defined by the output of mdw crd; mdw crd --sample prints a valid one', async () => {
    const definition = await mdw(['crd']);
    const resource = await mdw(['crd', '--sample']);
    expect(resource.stdout).to.equal(asYaml(sample));
    apply(parse(definition.stdout));
    apply({ ...(parse(resource.stdout) as object), metadata: { ...sample.metadata, namespace: scene.namespace } });
  });

  it('is completed with defaults', async () => {
    const { spec } = (await scene.get('Middleware', 'sample')) as unknown as { spec: MiddlewareSpec };
    expect(spec.database).to.deep.equal({ secret: { name: 'sample-db', key: 'url' }, schema: 'mdw', poolSize: 10 });
    expect(spec.populator).to.include({ enabled: true, pollIntervalMs: 1000 });
    expect(spec.reload).to.include({ heights: 'all', promotion: 'Automatic', retain: '1h' });
    expect(spec.server).to.include({ replicas: 2 });
  });

  it('works under this definition when it was stored under an older one', async () => {
    const before = customResourceDefinition();
    const { server, reload } = before.spec.versions[0]?.schema.openAPIV3Schema.properties.spec['properties'] as {
      server: { properties: { replicas: { default?: number } }; 'x-kubernetes-validations'?: unknown };
      reload: { properties: { actionFor?: unknown }; 'x-kubernetes-validations'?: unknown };
    };
    delete server.properties.replicas.default;
    delete server['x-kubernetes-validations'];
    delete reload.properties.actionFor;
    delete reload['x-kubernetes-validations'];
    apply(before);
    const scale = () => scene.plane.tryKubectl('get', '--raw', `${scene.path('Middleware', 'stored')}/scale`);
    // The API server needs a moment to apply a new definition.
    await eventually(async () => {
      await scene.create('stored', { reload: { id: 'one', action: 'Promote' } });
      const made = scale();
      if (made.status === 0) await scene.remove('Middleware', 'stored');
      expect(made.stderr).to.contain('spec.server.replicas');
    });
    apply(customResourceDefinition());

    await eventually(() => expect(scale().status).to.equal(0));
    expect(JSON.parse(scale().stdout)).to.deep.include({ spec: { replicas: 2 } });
    // An action without a reload is refused only when it is written.
    await scene.change('stored', { paused: true });
    await scene.plane.request(`${scene.path('Middleware', 'stored')}/status`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { status: { phase: 'Paused' } },
    });
    const another = await scene.change('stored', { reload: { id: 'two' } }).catch(String);
    expect(another).to.match(/spec\.reload\.actionFor: Required value/);
  });

  it('loses fields that the definition no longer has, and nothing else', async () => {
    await scene.create('lagging', { server: { autoscaling: { maxReplicas: 3, ...{ targetLagBlocks: 2 } } } });
    const { spec } = (await scene.get('Middleware', 'lagging')) as unknown as { spec: MiddlewareSpec };
    expect(spec.server.autoscaling).to.deep.equal({ minReplicas: 2, maxReplicas: 3 });
  });

  it('can be listed by its short name and category', () => {
    const { kubectl } = scene.plane;
    expect(kubectl('-n', scene.namespace, 'get', 'mdw')).to.match(
      /PHASE +READY +HEIGHT +LAG +SEEN +COLOR +SERVERS +AGE/,
    );
    expect(kubectl('-n', scene.namespace, 'get', 'all')).to.contain('middleware.chain-middleware.io/sample');
  });

  it('is refused with a reserved schema, with or without a reload', async () => {
    const made = (schema: string, reload?: object) => () =>
      apply({
        apiVersion: API_VERSION,
        kind: 'Middleware',
        metadata: { namespace: scene.namespace, name: 'shared' },
        spec: { ...sample.spec, database: { secret: { name: 'db' }, schema }, ...(reload && { reload }) },
      });
    const words = /spec\.database\.schema.*must name a schema of its own: neither public nor information_schema/;
    expect(made('public')).to.throw(words);
    expect(made('public', { id: 'whole-chain' })).to.throw(words);
    expect(made('pg_catalog')).to.throw(words);
    expect(made('information_schema')).to.throw(words);
    expect(await scene.get('Middleware', 'shared')).to.equal(undefined);
  });

  it('is refused without node and database, with a name that is too long, and with an unknown field', () => {
    const made = (metadata: unknown, spec: unknown) => () =>
      apply({
        apiVersion: API_VERSION,
        kind: 'Middleware',
        metadata: { namespace: scene.namespace, ...(metadata as object) },
        spec,
      });
    expect(made({ name: 'x' }, {})).to.throw(/spec\.(node|database): Required/);
    expect(made({ name: `x${'y'.repeat(40)}` }, sample.spec)).to.throw(/40 characters/);
    expect(made({ name: '1x' }, sample.spec)).to.throw(/begin with a small letter/);
    expect(made({ name: 'x' }, { ...sample.spec, replicas: 1 })).to.throw(/replicas/);
  });

  it('is deleted together with its metrics', async () => {
    const metrics = createOperatorMetrics();
    scene.operator({ metrics });
    const seen = async (): Promise<boolean> => (await metrics.registry.metrics()).includes('name="gone-soon"');
    await scene.create('gone-soon');
    await eventually(async () => expect(await seen()).to.equal(true));
    await scene.remove('Middleware', 'gone-soon');
    await eventually(async () => expect(await seen()).to.equal(false));
  });
});
