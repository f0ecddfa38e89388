import { expect } from 'chai';
import type { KubeRequest } from '../../src/operator/kube/client.js';
import { ANNOTATION } from '../../src/operator/names.js';
import type { Operator } from '../../src/operator/loop/operator.js';
import type { Reach } from '../../src/operator/observe/prober.js';
import type { ReloadPhase } from '../../src/operator/schema/status.js';
import { describeWith } from '../support/kube-tools.js';
import { mdw } from '../support/mdw.js';
import { watchService } from './support/endpoints.js';
import type { Watcher } from './support/endpoints.js';
import { eventually } from './support/eventually.js';
import { endsWith } from './support/job-end.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Deployment, Job, KubeObject, Scene } from './support/scene.js';
import { tampered } from './support/tamper.js';

/** Answers of simulated pods to /readyz. */
const reach: Reach = ({ metadata }) => {
  const isJob = metadata.labels?.['batch.kubernetes.io/job-name'] !== undefined;
  const words = isJob
    ? { ready: true, done: 40, total: 101 }
    : { ready: true, height: 100, node_height: 100, node_state: 'ok', lag: 0, loading: false };
  return Promise.resolve({ status: 200, body: JSON.stringify(words) });
};

interface JobBody {
  kind: string;
  spec: { template: { metadata: { annotations: Record<string, string> }; spec: { containers: { args: string[] }[] } } };
}

/** How a Job on the simulated node ends: by its termination message, or as the annotations of its pod say. */
type Result = { ok: boolean } | Record<string, string>;
const isEnd = (result: Result): result is { ok: boolean } => 'ok' in result;

describeWith(missingPlane, 'reloads', () => {
  let scene: Scene;
  let watcher: Watcher;
  /** By the first argument of the Jobs. */
  let results: Record<string, Result> = {};

  const dress = (_path: string, { body }: KubeRequest): void => {
    const job = body as JobBody | undefined;
    if (job?.kind !== 'Job') return;
    const { template } = job.spec;
    const result = results[template.spec.containers[0]?.args[0] ?? ''];
    if (result === undefined) return;
    if (isEnd(result)) endsWith(template, result);
    else Object.assign(template.metadata.annotations, result);
  };
  const operator = (): Operator =>
    scene.operator({ through: (client) => tampered(client, { before: dress }), reach, probeMs: 300 });
  const cli = (...args: string[]) => mdw([...args, '-n', scene.namespace], { KUBECONFIG: scene.plane.kubeconfig });
  const phase = async (...wanted: ReloadPhase[]): Promise<void> => {
    await eventually(async () => {
      const { reload } = await scene.status('a');
      if (!wanted.includes(reload!.phase!))
        throw new Error(`reload is ${JSON.stringify(reload)}, not ${wanted.join(' or ')}`);
    });
  };
  const blue = async (): Promise<unknown> =>
    Promise.all(
      ['a-server-blue', 'a-populator-blue'].map(async (name) => {
        const { metadata, spec } = (await scene.get<Deployment>('Deployment', name))!;
        return [metadata.uid, metadata.generation, spec];
      }),
    );
  const greens = async (): Promise<string[]> =>
    (await scene.list('Deployment', 'chain-middleware.io/color=green')).map(({ metadata }) => metadata.name);
  const jobsOf = async (what: string): Promise<Job[]> =>
    (await scene.list<Job>('Job')).filter(({ metadata }) => metadata.name.startsWith(`a-${what}-`));

  beforeEach(async () => {
    results = {};
    scene = await openScene();
    await scene.secret();
    await scene.create('a', { reload: { retain: '11s' }, server: { replicas: 1 } });
  });
  afterEach(async () => {
    await watcher.stop();
    const { faults } = watcher;
    await scene.close();
    expect(faults).to.deep.equal([]);
  });
  const begin = async (): Promise<Operator> => {
    const started = operator();
    await scene.settled('a');
    watcher = watchService(scene.plane.client, scene.namespace, 'a');
    await eventually(() => expect(watcher.colors).to.deep.equal(['blue']));
    return started;
  };

  it('let another copy serve by one change of the Service, and drop the old copy after its retention time', async () => {
    await begin();
    const { status, stdout } = await cli('reload', 'a', '--id', 'one', '--watch');
    expect(stdout)
      .to.match(/^Reload one of a was requested: the whole chain/)
      .and.to.match(/Reload one: Retaining/);
    expect(status).to.equal(0);
    await phase('Complete');
    expect(watcher.colors).to.deep.equal(['blue', 'green']);
    expect(await scene.list('Deployment', 'chain-middleware.io/color=blue')).to.deep.equal([]);
    const args = (
      await scene.list<KubeObject & { spec: { template: { spec: { containers: { args: string[] }[] } } } }>(
        'Job',
        'chain-middleware.io/reload=one',
      )
    )
      .map(({ spec }) => spec.template.spec.containers[0]!.args.join(' '))
      .sort();
    expect(args).to.deep.equal([
      '-H 0-100',
      '-v 0-100 --quiet --against mdw',
      'drop mdw --serving mdw_green --reload one --result Complete',
      'drop mdw_green --serving mdw',
      'record intended --other mdw --reload one',
      'record switched --other mdw --reload one',
    ]);
    expect((await scene.status('a')).activeSchema).to.equal('mdw_green');
  });

  it('fail when the verification finds a difference, name it, and leave the copy that serves unchanged', async () => {
    await begin();
    const before = await blue();
    const message = 'height 7: key block is kh_1, at the node kh_2';
    results = { '-v': { ok: false, ...{ code: 'differs', differing: '7', cut: true, message } } };
    const { status, stdout } = await cli('reload', 'a', '--id', 'one', '--watch');
    expect(stdout).to.match(/height 7: key block is kh_1, at the node kh_2/);
    expect(status).to.equal(1);
    expect(await blue()).to.deep.equal(before);
    expect(await greens()).to.deep.equal([]);
    expect(watcher.colors).to.deep.equal(['blue']);
    await scene.condition('a', 'Ready', 'True');
    const failed = (await scene.list<Job>('Job')).filter(({ status }) => status?.failed !== undefined);
    expect(failed, 'Jobs about which a cluster alerts').to.deep.equal([]);
  });

  it('do not count a killed loading Job as success', async () => {
    await begin();
    results = { '-H': { 'sim/complete': 'false' } };
    await cli('reload', 'a', '--id', 'one');
    await phase('Loading');
    const [job] = await eventually(async () => {
      const pods = await scene.list('Pod', 'app.kubernetes.io/component=reload,chain-middleware.io/color=green');
      const running = pods.filter(
        ({ metadata, status }) => metadata.name.includes('-load-') && (status as { phase: string }).phase === 'Running',
      );
      expect(running).to.have.length(1);
      return running;
    });
    results = {};
    // As a kubelet reports a container that was killed.
    const terminated = { exitCode: 137, reason: 'OOMKilled' };
    const body = {
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'mdw', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated } },
        ],
      },
    };
    await scene.plane.request(`/api/v1/namespaces/${scene.namespace}/pods/${job!.metadata.name}/status`, {
      method: 'PATCH',
      contentType: 'application/strategic-merge-patch+json',
      body,
    });
    await phase('Complete');
    // The one that failed is deleted: an alert about it would report what is over.
    await eventually(async () => {
      const loads = await jobsOf('load');
      expect(
        loads.map(({ metadata, status }) => [metadata.annotations?.[ANNOTATION.attempt], status?.failed]),
      ).to.deep.equal([['1', undefined]]);
    });
    expect(watcher.colors).to.deep.equal(['blue', 'green']);
  });

  it('are promoted, once, and rolled back by command', async () => {
    await begin();
    await cli('reload', 'a', '--id', 'one', '--promotion', 'Manual', '--retain', '5m');
    expect((await cli('rollback', 'a')).status).to.equal(1);
    await phase('AwaitingPromotion');
    expect((await cli('reload', 'a', '--id', 'two')).stderr).to.match(/Reload one of a is AwaitingPromotion/);
    expect((await cli('promote', 'a')).stdout).to.equal('Reload one is promoted\n');
    await phase('Retaining');
    expect((await cli('promote', 'a')).stdout).to.equal('Reload one already serves\n');
    expect((await cli('abort', 'a')).stderr).to.match(/already serves: go back with mdw rollback a/);
    expect((await cli('rollback', 'a')).status).to.equal(0);
    await phase('RolledBack');
    expect(watcher.colors).to.deep.equal(['blue', 'green', 'blue']);
    expect(await greens()).to.deep.equal([]);
  });

  it('count as settled while promotion waits for a person, and show that another reload waits for the first', async () => {
    await begin();
    await cli('reload', 'a', '--id', 'one', '--promotion', 'Manual', '--retain', '5m');
    await phase('AwaitingPromotion');
    // Tools that use kstatus report this state as Current.
    await scene.settled('a');
    await scene.condition('a', 'Reconciling', 'False', 'AwaitingPromotion');

    await cli('promote', 'a');
    await phase('Retaining');
    await scene.settled('a');
    await cli('reload', 'a', '--id', 'two', '--retain', '5m');
    const { message } = await scene.condition('a', 'Reconciling', 'True', 'ReloadWaits');
    expect(message).to.contain('Reload one:').and.to.contain('Reload two starts when this one has ended');
    expect((await cli('status', 'a')).stdout).to.contain('Reload two: waits for the end of reload one\n');
    expect((await cli('top', '--once')).stdout).to.contain('one Retaining, two waits\n');
    await scene.change('a', { reload: { retain: '1s' } });
    await eventually(async () => expect((await scene.status('a')).reload?.id).to.equal('two'));
    await scene.condition('a', 'Reconciling', 'True', 'Reloading');
  });

  it('end the same when the operator is replaced in every phase', async () => {
    let acting = await begin();
    await scene.change('a', { reload: { id: 'one', promotion: 'Automatic' } });
    const seen: string[] = [];
    await eventually(async () => {
      const { phase: now = '' } = (await scene.status('a')).reload ?? {};
      if (now !== seen.at(-1)) {
        seen.push(now);
        await acting.stop();
        acting = operator();
      }
      expect(now).to.equal('Complete');
    });
    expect(seen.length).to.be.greaterThan(5);
    expect(watcher.colors).to.deep.equal(['blue', 'green']);
  });

  for (const where of ['Loading', 'Verifying', 'AwaitingPromotion'] as const) {
    it(`are aborted while ${where}, and leave the copy that serves unchanged`, async () => {
      await begin();
      const before = await blue();
      const word = { Loading: '-H', Verifying: '-v', AwaitingPromotion: '' }[where];
      results = { [word]: { 'sim/complete': 'false' } };
      await cli('reload', 'a', '--id', 'one', '--promotion', 'Manual');
      await phase(where);
      expect((await cli('abort', 'a')).status).to.equal(0);
      await phase('Aborted');
      expect(await blue()).to.deep.equal(before);
      expect(await greens()).to.deep.equal([]);
      expect(watcher.colors).to.deep.equal(['blue']);
    });
  }

  it('load single heights in place', async () => {
    await begin();
    const before = await blue();
    const { stdout, status } = await cli('reload', 'a', '--heights', '3-4,9', '--watch');
    expect(status).to.equal(0);
    expect(stdout).to.match(/Loaded 3 heights into the copy that serves; they match the chain/);
    expect(await blue()).to.deep.equal(before);
  });
});
