import { expect } from 'chai';
import { sample } from '../../src/operator/schema/crd.js';
import { describeWith } from '../support/kube-tools.js';
import { expectTable } from '../support/refusals-page.js';
import type { Refusal } from '../support/refusals-page.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

describeWith(missingPlane, 'what is refused', () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
    await scene.secret('sample-db');
    scene.plane.apply({ ...sample, metadata: { ...sample.metadata, namespace: scene.namespace } });
  });
  after(() => scene.close());

  const patch = (spec: unknown) =>
    scene.plane.tryKubectl(
      ...['-n', scene.namespace, 'patch', 'mdw', 'sample', '--type=merge', '-p', JSON.stringify({ spec })],
    );

  describe('by the API server', () => {
    const refusals: Refusal[] = [];
    after(() => expectTable('admission', refusals));

    const REFUSED: [string, unknown, RegExp][] = [
      [
        'replicas together with autoscaling',
        { server: { replicas: 3, autoscaling: { maxReplicas: 3 } } },
        /spec\.server\.replicas.*exclude each other/,
      ],
      [
        'a min above the max',
        { server: { autoscaling: { minReplicas: 3, maxReplicas: 2 } } },
        /autoscaling\.minReplicas/,
      ],
      ['heights that run backwards', { reload: { heights: '5-3' } }, /spec\.reload\.heights.*runs backwards/],
      ['invalid heights', { reload: { heights: '1,x' } }, /spec\.reload\.heights/],
      [
        'an action without a reload',
        { reload: { id: 'one', action: 'Abort' } },
        /spec\.reload\.actionFor: Required value: .*the id/,
      ],
      ['another schema', { database: { schema: 'other' } }, /database\.schema cannot be changed/],
      ['another Secret', { database: { secret: { name: 'other' } } }, /database\.secret cannot be changed/],
      [
        'backups of a Cluster that is not created',
        { database: { secret: null, cluster: { name: 'pg', backups: { schedule: '0 0 2 * * *' } } } },
        /spec and backups are for a Cluster that is made/,
      ],
      [
        'a schedule of five fields',
        { database: { secret: null, cluster: { name: 'pg', create: true, backups: { schedule: '0 2 * * *' } } } },
        /must be six fields such as 0 0 2/,
      ],
      [
        'a Cluster together with a Secret',
        { database: { cluster: { name: 'pg' } } },
        /exactly one of secret, cluster and trial/,
      ],
      [
        'a trial database together with a Secret',
        { database: { trial: {} } },
        /exactly one of secret, cluster and trial/,
      ],
      [
        'TLS of a trial database',
        { database: { secret: null, trial: {}, ca: { secret: { name: 'ca' } } } },
        /database\.trial has no TLS and no replicas/,
      ],
      [
        'a Secret together with the ConfigMap of an authority',
        { node: { ca: { secret: { name: 'a' }, configMap: { name: 'b' } } } },
        /spec\.node\.ca: .*exactly one of secret and configMap/,
      ],
      ['an authority without Secret and ConfigMap', { database: { ca: {} } }, /spec\.database\.ca: .*exactly one/],
      [
        'an invalid label of a pod template',
        { server: { podTemplate: { metadata: { labels: { team: 'a b' } } } } },
        /spec\.server\.podTemplate\.metadata\.labels: .*each value/,
      ],
      [
        'a setting that has its own field',
        { settings: { NODE_URL: 'http://x' } },
        /spec\.settings.*fields of their own/,
      ],
      ...Object.entries({
        PROOF: 'proof',
        POW_EDGE_BITS: 'powEdgeBits',
        MAX_UNPROVEN_REORG: 'maxUnprovenReorg',
        TOKEN_DRY_RUNS: 'tokenDryRuns',
      }).map(([variable, field]): [string, unknown, RegExp] => [
        `the setting ${variable}`,
        { settings: { [variable]: '0' } },
        new RegExp(`must not hold ${variable}: use spec\\.populator\\.${field}`),
      ]),
      ['an unknown proof', { populator: { proof: 'most' } }, /spec\.populator\.proof.*supported values/s],
      [
        'a depth in hours and minutes',
        { populator: { maxUnprovenReorg: '1h30m' } },
        /spec\.populator\.maxUnprovenReorg: .*a number of key blocks, or a time such as 90s, 30m, 5h or 1d/,
      ],
      ['too many edge bits', { populator: { powEdgeBits: 32 } }, /spec\.populator\.powEdgeBits/],
      [
        'a reorg that is not a key block hash',
        { acceptReorg: 'mh_2wDYi3Fs2R6GsvKpP9MPQ8Tk35DNXQkP1' },
        /spec\.acceptReorg/,
      ],
      ['a setting with a small letter', { settings: { limit: '1' } }, /settings are named in capitals/],
      ['no node', { node: { urls: [] } }, /spec\.node\.urls/],
      ['a node that is not a URL', { node: { urls: ['node'] } }, /spec\.node\.urls/],
      [
        'a node without a host',
        { node: { urls: ['http:///node:3013'] } },
        /spec\.node\.urls\[0\]: .*an address such as/,
      ],
      ['an unknown word', { logLevel: 'loud' }, /spec\.logLevel.*supported values/s],
      ['an invalid duration', { reload: { retain: '1 hour' } }, /spec\.reload\.retain: .*such as 90s, 15m or 1h30m/],
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
        'an invalid quantity',
        { server: { resources: { limits: { memory: '1GB' } } } },
        /spec\.server\.resources\.limits: .*512Mi or 1G; GB and MB are no units/,
      ],
      [
        'an invalid size',
        { database: { secret: null, cluster: { name: 'pg', storage: { size: '10 GB' } } } },
        /spec\.database\.cluster\.storage\.size: .*GB and MB are no units/,
      ],
      ['an invalid label', { labels: { 'my team': 'x' } }, /spec\.labels: .*each key must be a name of up to 63/],
      [
        'an invalid label of a pod',
        { server: { podLabels: { team: 'a b' } } },
        /spec\.server\.podLabels: .*each value/,
      ],
      ['an invalid annotation', { annotations: { 'a/b/c': 'x' } }, /spec\.annotations: .*each key/],
      ['an invalid label of machines', { populator: { nodeSelector: { '-': 'x' } } }, /nodeSelector: .*each key/],
      ['an image with a blank', { image: 'example.test/mdw :1' }, /spec\.image: .*without blanks/],
      ['one host for both', { ingress: { host: 'a.b', compatibleHost: 'a.b' } }, /compatibleHost must differ/],
      ['one path for both', { ingress: { host: 'a.b', path: '/x', websocketPath: '/x' } }, /websocketPath must differ/],

      [
        'a name of a Secret with capitals',
        { imagePullSecrets: [{ name: 'My_Secret' }] },
        /imagePullSecrets\[0\]\.name: .*small letters, digits, - and \./,
      ],
      [
        'a class with a blank',
        { populator: { priorityClassName: 'very high' } },
        /priorityClassName: .*the name of an object/,
      ],
      ['a host with a scheme', { ingress: { host: 'https://a.b' } }, /spec\.ingress\.host: .*without scheme/],
      [
        'a path that does not begin with /',
        { ingress: { host: 'a.b', path: 'x' } },
        /spec\.ingress\.path: .*such as \/websocket/,
      ],
      ['a reload whose name has blanks', { reload: { id: 'second try' } }, /spec\.reload\.id: .*such as 2024-05-fix/],
      ['too few connections', { database: { poolSize: 1 } }, /spec\.database\.poolSize.*greater than or equal to 2/],
      ['fewer than no servers', { server: { replicas: -1 } }, /spec\.server\.replicas.*greater than or equal to 0/],
      ['a number as text', { server: { replicas: 'two' } }, /spec\.server\.replicas.*must be of type integer/],
    ];
    for (const [what, spec, message] of REFUSED) {
      it(`is refused with ${what}, with a message that names the field`, () => {
        const { status, stderr } = patch(spec);
        expect(status).to.equal(1);
        expect(stderr).to.match(message);
        refusals.push({ written: spec as object, read: stderr });
        expect(stderr).to.not.match(/failed rule|evaluation error/);
      });
    }
  });

  it('accepts a depth as a number, as the same in quotes, and as a time, and nothing else', () => {
    for (const maxUnprovenReorg of [0, '7', '30m', 100]) {
      const { status, stderr } = patch({ populator: { maxUnprovenReorg } });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    }
    for (const maxUnprovenReorg of [-1, 7.5, 'deep']) {
      const { status, stderr } = patch({ populator: { maxUnprovenReorg } });
      expect(status).to.equal(1);
      expect(stderr).to.contain('spec.populator.maxUnprovenReorg');
    }
  });

  it('accepts the proof off, which some YAML readers take for false', () => {
    const { status, stderr } = patch({ populator: { proof: 'off' } });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  describe('by the operator', () => {
    const refusals: Refusal[] = [];

    before(() => void scene.operator({ resyncMs: 200 }));
    after(() => expectTable('stalled', refusals));

    const STALLED: [string, object, string, RegExp][] = [
      [
        'an unknown setting',
        { settings: { LIMIT_CAPP: '100' } },
        'InvalidSettings',
        /spec\.settings\.LIMIT_CAPP is not a setting of this version\. Did you mean LIMIT_CAP\?/,
      ],
      [
        'a variable of another program',
        { settings: { HTTPS_PROXY: 'http://proxy:3128' } },
        'InvalidSettings',
        /HTTPS_PROXY is not a setting of this version: .* podTemplate/,
      ],
      [
        'a setting that is not a number',
        { settings: { LIMIT_CAP: 'many' } },
        'InvalidSettings',
        /spec\.settings\.LIMIT_CAP="many" is not an integer/,
      ],
      [
        'a setting that is too big',
        { settings: { VERIFY_SHARE: '200' } },
        'InvalidSettings',
        /spec\.settings\.VERIFY_SHARE="200" is not /,
      ],
      [
        'a second opinion with one node',
        { settings: { SECOND_OPINION_SHARE: '0.01' } },
        'InvalidSettings',
        /spec\.settings\.SECOND_OPINION_SHARE=0\.01 needs a second node: add its address to spec\.node\.urls, or set it to 0/,
      ],
      [
        'a missing Secret',
        { database: { secret: { name: 'no-such' } } },
        'SecretMissing',
        /Secret no-such.*spec\.database\.secret|no-such/,
      ],
      [
        'a Cluster without CloudNativePG',
        { database: { cluster: { name: 'pg' } } },
        'CloudNativePGMissing',
        /spec\.database\.cluster needs CloudNativePG/,
      ],
      [
        'a route without the Gateway API',
        { httpRoute: { parentRefs: [{ name: 'public' }] } },
        'GatewayAPIMissing',
        /spec\.httpRoute needs the Gateway API/,
      ],
      [
        'a missing authority',
        { node: { urls: ['https://node'], ca: { configMap: { name: 'no-such' } } } },
        'AuthorityMissing',
        /no-such/,
      ],
      [
        'an image in a pod template',
        { server: { podTemplate: { spec: { containers: [{ name: 'mdw', image: 'example.test/other:1' }] } } } },
        'PodTemplateInvalid',
        /spec\.server\.podTemplate\.spec\.containers\[mdw\]\.image belongs to the operator: use spec\.image/,
      ],
      [
        'an unknown field of a pod',
        { populator: { podTemplate: { spec: { sidecars: [] } } } },
        'WriteRefused',
        /spec\.populator\.podTemplate\.spec\.sidecars/,
      ],
      ['an invalid affinity', { server: { affinity: { nodeAffinity: 'none' } } }, 'WriteRefused', /server\.affinity/],
    ];
    for (const [i, [what, spec, reason, words]] of STALLED.entries()) {
      it(`is reported in Stalled within 5 s: ${what}`, async () => {
        const name = `stalled-${i}`;
        const { database, ...rest } = spec as { database?: object };
        await scene.create(name, {
          database: { ...(database ?? { secret: { name: 'sample-db' } }), schema: `s${i}` },
          ...rest,
        });
        const { message } = await scene.condition(name, 'Stalled', 'True', reason);
        expect(message).to.match(words);
        refusals.push({ written: spec, read: `${reason}: ${message}`.replaceAll(scene.namespace, 'NAMESPACE') });
        await scene.remove('Middleware', name);
      });
    }

    it('does not check settings for another image', async () => {
      await scene.create('newer', {
        image: 'example.test/newer:1',
        database: { secret: { name: 'sample-db' }, schema: 'newer' },
        settings: { NEW_SETTING: '1' },
      });
      await scene.settled('newer');
    });
  });
});
