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

describeWith(missingPlane, 'the resource, as the API server takes it', function () {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());

  const apply = (object: unknown) => scene.plane.apply(object);
  const patch = (spec: unknown) =>
    scene.plane.tryKubectl(
      '-n',
      scene.namespace,
      'patch',
      'mdw',
      'sample',
      '--type=merge',
      '-p',
      JSON.stringify({ spec }),
    );

  it('is defined by what mdw crd prints, and mdw crd --sample is one', async () => {
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

  it('goes on under this definition when it was stored under an older one', async () => {
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
    // The API server takes a moment to go by a new definition.
    await eventually(async () => {
      await scene.create('stored', { reload: { id: 'one', action: 'Promote' } });
      const made = scale();
      if (made.status === 0) await scene.remove('Middleware', 'stored');
      expect(made.stderr).to.contain('spec.server.replicas');
    });
    apply(customResourceDefinition());

    await eventually(() => expect(scale().status).to.equal(0));
    expect(JSON.parse(scale().stdout)).to.deep.include({ spec: { replicas: 2 } });
    // An action for no reload is refused where it is written only.
    await scene.change('stored', { paused: true });
    await scene.plane.request(`${scene.path('Middleware', 'stored')}/status`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { status: { phase: 'Paused' } },
    });
    const another = await scene.change('stored', { reload: { id: 'two' } }).catch(String);
    expect(another).to.match(/spec\.reload\.actionFor: Required value/);
  });

  it('loses what no longer can be asked for, and nothing else', async () => {
    await scene.create('lagging', { server: { autoscaling: { maxReplicas: 3, ...{ targetLagBlocks: 2 } } } });
    const { spec } = (await scene.get('Middleware', 'lagging')) as unknown as { spec: MiddlewareSpec };
    expect(spec.server.autoscaling).to.deep.equal({ minReplicas: 2, maxReplicas: 3 });
  });

  it('can be asked for by its short name and category', () => {
    const { kubectl } = scene.plane;
    expect(kubectl('-n', scene.namespace, 'get', 'mdw')).to.match(/PHASE +READY +HEIGHT +LAG +COLOR +SERVERS +AGE/);
    expect(kubectl('-n', scene.namespace, 'get', 'all')).to.contain('middleware.chain-middleware.io/sample');
  });

  const REFUSED: [string, unknown, RegExp][] = [
    [
      'replicas beside autoscaling',
      { server: { replicas: 3, autoscaling: { maxReplicas: 3 } } },
      /spec\.server\.replicas.*exclude each other/,
    ],
    [
      'bounds the wrong way round',
      { server: { autoscaling: { minReplicas: 3, maxReplicas: 2 } } },
      /autoscaling\.minReplicas/,
    ],
    ['heights that run backwards', { reload: { heights: '5-3' } }, /spec\.reload\.heights.*runs backwards/],
    ['heights that are none', { reload: { heights: '1,x' } }, /spec\.reload\.heights/],
    [
      'an action for no reload',
      { reload: { id: 'one', action: 'Abort' } },
      /spec\.reload\.actionFor: Required value: .*the id/,
    ],
    ['another schema', { database: { schema: 'other' } }, /database\.schema cannot be changed/],
    ['another Secret', { database: { secret: { name: 'other' } } }, /database\.secret cannot be changed/],
    ['a Cluster beside the Secret', { database: { cluster: { name: 'pg' } } }, /exactly one of secret and cluster/],
    ['a setting that has a field', { settings: { NODE_URL: 'http://x' } }, /spec\.settings.*fields of their own/],
    ...Object.entries({ PROOF: 'proof', POW_EDGE_BITS: 'powEdgeBits', MAX_UNPROVEN_REORG: 'maxUnprovenReorg' }).map(
      ([variable, field]): [string, unknown, RegExp] => [
        `the setting ${variable}`,
        { settings: { [variable]: '0' } },
        new RegExp(`must not hold ${variable}: use spec\\.populator\\.${field}`),
      ],
    ),
    ['a proof that there is not', { populator: { proof: 'most' } }, /spec\.populator\.proof.*supported values/s],
    ['edge bits that are too many', { populator: { powEdgeBits: 32 } }, /spec\.populator\.powEdgeBits/],
    ['a reorg that is no key block', { acceptReorg: 'mh_2wDYi3Fs2R6GsvKpP9MPQ8Tk35DNXQkP1' }, /spec\.acceptReorg/],
    ['a setting with a small letter', { settings: { limit: '1' } }, /settings are named in capitals/],
    ['no node', { node: { urls: [] } }, /spec\.node\.urls/],
    ['a node that is no URL', { node: { urls: ['node'] } }, /spec\.node\.urls/],
    ['an unknown word', { logLevel: 'loud' }, /spec\.logLevel.*supported values/s],
    ['a duration that is none', { reload: { retain: '1 hour' } }, /spec\.reload\.retain: .*such as 90s, 15m or 1h30m/],
    ['an empty duration', { migration: { timeout: '' } }, /spec\.migration\.timeout: .*such as 90s, 15m or 1h30m/],
    [
      'a verification of no heights',
      { reload: { verify: 'some' } },
      /spec\.reload\.verify: .*all, none or heights .* such as 1,3-4,6,100-200/,
    ],
    [
      'a node with its path',
      { node: { urls: ['http://node:3013/v2/'] } },
      /spec\.node\.urls\[0\]: .*without \/v2 or \/v3/,
    ],
    [
      'a limit below its request',
      { populator: { resources: { requests: { memory: '2Gi' }, limits: { memory: '1G' } } } },
      /spec\.populator\.resources\.limits: .*must not be less than the request/,
    ],
    [
      'a quantity that is none',
      { server: { resources: { limits: { memory: '1GB' } } } },
      /spec\.server\.resources\.limits: .*512Mi or 1G; GB and MB are no units/,
    ],
    [
      'a size that is none',
      { database: { secret: null, cluster: { name: 'pg', storage: { size: '10 GB' } } } },
      /spec\.database\.cluster\.storage\.size: .*GB and MB are no units/,
    ],
    ['a label that is none', { labels: { 'my team': 'x' } }, /spec\.labels: .*each key must be a name of up to 63/],
    [
      'a label of a pod that is none',
      { server: { podLabels: { team: 'a b' } } },
      /spec\.server\.podLabels: .*each value/,
    ],
    ['an annotation that is none', { annotations: { 'a/b/c': 'x' } }, /spec\.annotations: .*each key/],
    ['a label of machines that is none', { populator: { nodeSelector: { '-': 'x' } } }, /nodeSelector: .*each key/],
    ['an image with a blank', { image: 'example.test/mdw :1' }, /spec\.image: .*without blanks/],
    ['one path for both', { ingress: { host: 'a.b', path: '/x', websocketPath: '/x' } }, /websocketPath must differ/],
  ];
  for (const [what, spec, message] of REFUSED) {
    it(`is refused with ${what}, in a sentence that names the field`, () => {
      const { status, stderr } = patch(spec);
      expect(status).to.equal(1);
      expect(stderr).to.match(message);
      expect(stderr).to.not.match(/failed rule|evaluation error/);
    });
  }

  it('is refused with a schema that is not its own, whether it asks for a reload or not', async () => {
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

  it('is refused without node and database, under a name too long, and with a field that nobody knows', () => {
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

  it('takes its metrics along when it goes', async () => {
    const metrics = createOperatorMetrics();
    scene.operator({ metrics });
    const seen = async (): Promise<boolean> => (await metrics.registry.metrics()).includes('name="gone-soon"');
    await scene.create('gone-soon');
    await eventually(async () => expect(await seen()).to.equal(true));
    await scene.remove('Middleware', 'gone-soon');
    await eventually(async () => expect(await seen()).to.equal(false));
  });
});
