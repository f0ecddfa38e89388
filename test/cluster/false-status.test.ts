import { expect } from 'chai';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import type { OperatorMetrics } from '../../src/operator/metrics.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Job, Scene } from './support/scene.js';
import { isWrite, tampered } from './support/tamper.js';

/** Waits for so many more passes over all resources. */
async function passes(metrics: OperatorMetrics, times: number): Promise<void> {
  const seen = async (): Promise<number> =>
    Number(/mdw_operator_reconcile_seconds_count\S* (\d+)/.exec(await metrics.registry.metrics())?.[1] ?? 0);
  const first = await seen();
  await eventually(async () => expect(await seen()).to.be.at.least(first + times));
}

describeWith(missingPlane, 'a field that only the API server can check', function () {
  this.timeout(120_000);
  let scene: Scene;
  const written: string[] = [];
  const metrics = createOperatorMetrics();

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator({
      // Each pass would try again what it has not been refused for good.
      resyncMs: 200,
      metrics,
      through: (client) =>
        tampered(client, {
          before(path, request) {
            if (isWrite(path, request) && !path.endsWith('/status')) written.push(path);
          },
        }),
    });
  });
  after(() => scene.close());

  const CASES: [string, Record<string, unknown>, RegExp][] = [
    ['affinity', { server: { affinity: { nodeAffinity: 'none' } } }, /spec\.server\.affinity/],
    ['an unknown field', { populator: { affinity: { nodeAfinity: {} } } }, /spec\.populator\.affinity.*nodeAfinity/],
    ['tolerations', { server: { tolerations: [{ tolerationSeconds: 'long' }] } }, /spec\.server\.tolerations/],
    [
      'spread',
      { server: { topologySpreadConstraints: [{ maxSkew: 'one', topologyKey: 'zone' }] } },
      /spec\.server\.topologySpreadConstraints/,
    ],
    ['egress', { networkPolicy: { egress: [{ ports: 'all' }] } }, /NetworkPolicy.*spec\.networkPolicy.*egress/],
    ['the Job', { migration: { tolerations: [{ key: 7 }] } }, /spec\.migration\.tolerations/],
  ];
  for (const [i, [what, spec, words]] of CASES.entries()) {
    it(`is named in Stalled within 5 s, and not written again until it is corrected: ${what}`, async () => {
      const name = `wrong-${i}`;
      const database = { secret: { name: 'db' }, schema: `s${i}` };
      await scene.create(name, { database, ...spec });
      const { message } = await scene.condition(name, 'Stalled', 'True', 'WriteRefused', 15_000);
      expect(message).to.match(words);
      await scene.condition(name, 'Reconciling', 'False', 'WriteRefused');

      // What is right is written meanwhile; then all passes are the same.
      await eventually(async () => {
        const before = written.length;
        await passes(metrics, 10);
        expect(written.slice(before)).to.deep.equal([]);
      });
      await scene.condition(name, 'Stalled', 'True', 'WriteRefused');

      const part = Object.keys(spec)[0] ?? '';
      await scene.change(name, { [part]: null });
      await scene.settled(name);
      await scene.remove('Middleware', name);
    });
  }
});

describeWith(missingPlane, 'a setting that cannot work', function () {
  this.timeout(120_000);
  let scene: Scene;
  const metrics = createOperatorMetrics();

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator({ resyncMs: 200, metrics });
  });
  after(() => scene.close());

  it('is tried once, however long ago that was, and again when it is corrected', async () => {
    const message = JSON.stringify({ ok: false, code: 'invalid_config', message: 'LIMIT_CAP must be an integer' });
    const podAnnotations = { 'sim/exit-code': '78', 'sim/message': message };
    await scene.create('a', { settings: { LIMIT_CAP: 'many' }, migration: { podAnnotations } });
    const stalled = await scene.condition('a', 'Stalled', 'True', 'InvalidSettings');
    expect(stalled.message).to.contain('LIMIT_CAP must be an integer').and.to.contain('correct spec.settings');

    const [job] = await scene.list<Job>('Job');
    const longAgo = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = job!.status?.conditions?.map((one) => ({ ...one, lastTransitionTime: longAgo }));
    await scene.plane.request(`${scene.path('Job', job!.metadata.name)}/status`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { status: { conditions } },
    });
    await passes(metrics, 10);
    expect(await scene.list('Job')).to.have.lengthOf(1);
    const { lastTransitionTime } = await scene.condition('a', 'Stalled', 'True', 'InvalidSettings');
    expect(lastTransitionTime).to.equal(stalled.lastTransitionTime);

    await scene.change('a', { settings: { LIMIT_CAP: '1000' }, migration: { podAnnotations: null } });
    await scene.settled('a');
  });
});
