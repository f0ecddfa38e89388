import { expect } from 'chai';
import type { Reach } from '../../src/operator/observe/prober.js';
import type { MiddlewareStatus, ReloadPhase } from '../../src/operator/schema/status.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { KubeObject, Scene, Service } from './support/scene.js';
import { tampered } from './support/tamper.js';

const reach: Reach = ({ metadata }) => {
  const isJob = metadata.labels?.['batch.kubernetes.io/job-name'] !== undefined;
  const words = isJob
    ? { ready: true, done: 40, total: 101 }
    : { ready: true, height: 100, node_height: 100, node_state: 'ok', lag: 0, loading: false };
  return Promise.resolve({ status: 200, body: JSON.stringify(words) });
};

/** How each state of a reload is reached: the Job that does not end, and the action. `backup`: also tried with the status. */
const STATES: {
  phase: ReloadPhase;
  hangs?: string;
  manual?: true;
  backup?: true;
  action?: 'Abort' | 'Rollback';
  from?: ReloadPhase;
}[] = [
  { phase: 'Preparing', hangs: 'drop' },
  { phase: 'Loading', hangs: '-H', backup: true },
  { phase: 'Verifying', hangs: '-v' },
  { phase: 'AwaitingPromotion', manual: true },
  { phase: 'Promoting', hangs: 'record' },
  { phase: 'Retaining', backup: true },
  { phase: 'RollingBack', action: 'Rollback', from: 'Retaining' },
  { phase: 'RolledBack', action: 'Rollback', from: 'Retaining' },
  { phase: 'Aborted', manual: true, action: 'Abort', from: 'AwaitingPromotion' },
  { phase: 'Complete', backup: true },
];

describeWith(missingPlane, 'a resource that is deleted and applied again', () => {
  let scene: Scene;
  /** First argument of the Jobs that do not end. */
  let hangs: string | undefined;

  const selected = async (): Promise<string | undefined> =>
    (await scene.get<Service>('Service', 'a'))?.spec.selector?.['chain-middleware.io/color'];
  const phase = (wanted: ReloadPhase): Promise<void> =>
    eventually(async () => {
      expect((await scene.status('a')).reload?.phase).to.equal(wanted);
    });
  const argsOf = (job: KubeObject): string =>
    (job.spec as { template: { spec: { containers: { args: string[] }[] } } }).template.spec.containers[0]!.args.join(
      ' ',
    );
  /** Deletes the resource and all that Kubernetes deletes with it. */
  const remove = async (): Promise<void> => {
    await scene.remove('Middleware', 'a');
    await eventually(async () => {
      for (const kind of ['Service', 'Deployment', 'Job', 'Pod']) {
        expect(await scene.list(kind, 'app.kubernetes.io/instance=a'), kind).to.deep.equal([]);
      }
    });
  };

  beforeEach(async () => {
    hangs = undefined;
    scene = await openScene();
    await scene.secret();
    scene.operator({
      reach,
      probeMs: 300,
      through: (client) =>
        tampered(client, {
          before(_path, { body }) {
            const job = body as KubeObject | undefined;
            if (job?.kind !== 'Job' || hangs === undefined || !argsOf(job).startsWith(hangs)) return;
            const { metadata } = (job.spec as { template: { metadata: { annotations: Record<string, string> } } })
              .template;
            metadata.annotations['sim/complete'] = 'false';
          },
        }),
    });
  });
  afterEach(() => scene.close());

  const spec = (manual = false) => ({
    server: { replicas: 1 },
    reload: { id: 'one', promotion: manual ? ('Manual' as const) : ('Automatic' as const), retain: '12s' },
  });

  for (const { phase: state, hangs: job, manual, backup, action, from } of STATES) {
    for (const withStatus of backup ? [false, true] : [false]) {
      it(`while a reload is ${state}, ${withStatus ? 'with' : 'without'} its status, serves from the copy that served, and drops none`, async () => {
        await scene.create('a', { ...spec(manual), reload: { retain: '12s' } });
        await scene.settled('a');
        hangs = job;
        if (action === 'Rollback') await scene.change('a', { reload: { retain: '5m' } });
        await scene.change('a', spec(manual));
        if (action !== undefined) {
          if (action === 'Rollback') await scene.change('a', { reload: { retain: '5m' } });
          await phase(from!);
          await scene.change('a', { reload: { action, actionFor: 'one' } });
        }
        await phase(state);
        const live = await selected();
        const before = new Map(scene.database.copies);
        const { status, spec: manifest } = (await scene.get('Middleware', 'a')) as KubeObject & {
          status: MiddlewareStatus;
        };
        hangs = undefined;
        await remove();
        await scene.create('a', manifest as object);
        if (withStatus) {
          // As a backup does that restores the status, too.
          await scene.plane.request(`${scene.path('Middleware', 'a')}/status`, {
            ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
            body: { status },
          });
        }
        await scene.settled('a');

        expect(await selected()).to.equal(live);
        const served = live === 'blue' ? 'mdw' : 'mdw_green';
        expect(scene.database.copies.get(served)).to.equal(before.get(served));
        expect([...scene.database.copies.keys()].sort()).to.deep.equal([...before.keys()].sort());
        expect((await scene.status('a')).activeSchema).to.equal(served);
        const jobs = (await scene.list('Job', 'app.kubernetes.io/instance=a')).map(argsOf);
        expect(jobs.filter((args) => !args.startsWith('migrate'))).to.deep.equal([]);
        expect(
          await scene.list('Deployment', `chain-middleware.io/color=${live === 'blue' ? 'green' : 'blue'}`),
        ).to.deep.equal([]);
      });
    }
  }

  it('has a status again at once when somebody removes it, while nothing else happens', async () => {
    await scene.create('a', spec(true));
    await scene.settled('a');
    await scene.change('a', { reload: { id: 'two' } });
    await phase('AwaitingPromotion');
    await scene.settled('a');
    const before = await scene.status('a');
    const body = [{ op: 'remove', path: '/status' }];
    await scene.plane.request(`${scene.path('Middleware', 'a')}/status`, {
      ...{ method: 'PATCH', contentType: 'application/json-patch+json', body },
    });
    await phase('AwaitingPromotion');
    await scene.settled('a');
    const { uid, activeColor, activeSchema } = before;
    expect(await scene.status('a')).to.include({ uid, activeColor, activeSchema });
  });
});
