import { expect } from 'chai';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import type { MiddlewareStatus } from '../../src/operator/schema/status.js';
import { describeWith } from '../support/kube-tools.js';
import { eventually } from './support/eventually.js';
import { passes, startNoted } from './support/passes.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Job, Scene } from './support/scene.js';

interface MigrationSpec {
  template: { spec: { containers: [{ args: string[] }] } };
}

/** Answer of a pod to /readyz. */
interface Answer {
  ready: boolean;
  [field: string]: unknown;
}

describeWith(missingPlane, 'a field that only the API server can check', () => {
  let scene: Scene;
  let operator: ReturnType<typeof startNoted>;

  before(async () => {
    scene = await openScene();
    await scene.secret();
    // A write that was refused, but not lastingly, would be repeated in each pass.
    operator = startNoted(scene);
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
    [
      'egress',
      { networkPolicy: { enabled: true, egress: [{ ports: 'all' }] } },
      /NetworkPolicy.*spec\.networkPolicy.*egress/,
    ],
    ['the Job', { migration: { tolerations: [{ key: 7 }] } }, /spec\.migration\.tolerations/],
  ];
  for (const [i, [what, spec, words]] of CASES.entries()) {
    it(`is reported in Stalled within 5 s, and not written again until it is corrected: ${what}`, async () => {
      const name = `wrong-${i}`;
      const database = { secret: { name: 'db' }, schema: `s${i}` };
      await scene.create(name, { database, ...spec });
      const { message } = await scene.condition(name, 'Stalled', 'True', 'WriteRefused');
      expect(message).to.match(words);
      await scene.condition(name, 'Reconciling', 'False', 'WriteRefused');

      // Valid objects are written meanwhile; after that all passes are the same.
      await eventually(async () => {
        const before = operator.written.length;
        await passes(operator.metrics, 10);
        expect(operator.written.slice(before)).to.deep.equal([]);
      });
      await scene.condition(name, 'Stalled', 'True', 'WriteRefused');

      const part = Object.keys(spec)[0] ?? '';
      await scene.change(name, { [part]: null });
      await scene.settled(name);
      await scene.remove('Middleware', name);
    });
  }
});

describeWith(missingPlane, 'a setting that cannot work', () => {
  let scene: Scene;
  const metrics = createOperatorMetrics();

  before(async () => {
    scene = await openScene();
    await scene.secret();
    scene.operator({ resyncMs: 200, metrics });
  });
  after(() => scene.close());

  it('is tried only once, at any later time, and again when it is corrected', async () => {
    const message = JSON.stringify({ ok: false, code: 'invalid_config', message: 'LIMIT_CAP must be an integer' });
    const podAnnotations = { 'sim/exit-code': '78', 'sim/message': message };
    // The operator does not know the settings of another image.
    const image = 'example.test/other:1';
    await scene.create('a', { image, settings: { LIMIT_CAP: 'many' }, migration: { podAnnotations } });
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

describeWith(missingPlane, 'a Secret that names another database', () => {
  let scene: Scene;
  const metrics = createOperatorMetrics();

  before(async () => {
    scene = await openScene();
    scene.operator({ resyncMs: 200, metrics });
  });
  after(() => scene.close());

  const url = (host: string): string => `postgres://mdw:secret@${host}.example/mdw`;
  const found = (database: string) => ({ podAnnotations: { 'sim/message': JSON.stringify({ ok: true, database }) } });
  const podsOf = async (name: string): Promise<string[]> =>
    (await scene.list('Pod', `app.kubernetes.io/instance=${name}`))
      .filter(
        ({ metadata }) => !['migration', 'survey'].includes(metadata.labels?.['app.kubernetes.io/component'] ?? ''),
      )
      .map(({ metadata }) => metadata.uid ?? '')
      .sort();
  const migrations = (name: string): Promise<Job[]> =>
    scene.list<Job>('Job', `app.kubernetes.io/instance=${name},app.kubernetes.io/component=migration`);
  const argsOf = ({ spec }: Job): string[] => (spec as MigrationSpec).template.spec.containers[0].args;

  it('is never Ready: no pod is replaced, and the status says what to do, until the URL is restored', async () => {
    await scene.secret('edited', url('one'));
    await scene.create('a', { database: { secret: { name: 'edited' } } });
    await scene.settled('a');
    const before = await podsOf('a');

    await scene.secret('edited', url('two'));
    const { message } = await scene.condition('a', 'Ready', 'False', 'DatabaseChanged');
    expect(message)
      .to.contain('Secret edited names another database')
      .and.to.contain('restore the URL of that database');
    await scene.condition('a', 'Stalled', 'True', 'DatabaseChanged');
    await scene.condition('a', 'Reconciling', 'False');
    expect(await podsOf('a')).to.deep.equal(before);

    await scene.secret('edited', url('one'));
    await scene.settled('a');
    expect(await podsOf('a')).to.deep.equal(before);
  });

  it('is used if it is the same database under another name', async () => {
    await scene.secret('renamed', url('first'));
    const spec = { database: { secret: { name: 'renamed' } }, migration: found('7/16384') };
    await scene.create('b', spec);
    await scene.settled('b');
    const before = await podsOf('b');

    await scene.secret('renamed', url('second'));
    await eventually(async () =>
      expect(await podsOf('b'))
        .to.have.lengthOf(3)
        .and.not.include.members([before[0]]),
    );
    await scene.settled('b');
  });

  it('creates no tables there: the migration gets the identity of the right database, and its refusal is not retried', async () => {
    await scene.secret('wrong', url('right'));
    await scene.create('d', { database: { secret: { name: 'wrong' } }, migration: found('8/2') });
    await scene.settled('d');
    const [first] = await migrations('d');
    expect(argsOf(first!)).to.deep.equal(['migrate', '--node']);

    const message = JSON.stringify({ ok: false, code: 'other_database', message: 'not 8/2', database: '9/2' });
    const podAnnotations = { 'sim/exit-code': '78', 'sim/message': message };
    await scene.change('d', { paused: true, migration: { podAnnotations } });
    await scene.secret('wrong', url('wrong'));
    await scene.change('d', { paused: false });
    const { lastTransitionTime } = await scene.condition('d', 'Ready', 'False', 'DatabaseChanged');
    await passes(metrics, 10);
    const second = (await migrations('d')).filter(({ metadata }) => metadata.name !== first!.metadata.name);
    expect(second.map(argsOf)).to.deep.equal([['migrate', '--node', '--database-id', '8/2']]);
    expect(await scene.condition('d', 'Ready', 'False', 'DatabaseChanged')).to.include({ lastTransitionTime });

    await scene.change('d', {
      migration: { podAnnotations: { 'sim/exit-code': null, ...found('8/2').podAnnotations } },
    });
    await scene.secret('wrong', url('right'));
    await scene.settled('d');
  });

  it('is Ready again when the move is accepted and all servers use the other database', async () => {
    await scene.secret('moved', url('old'));
    const server = { podAnnotations: { 'sim/ready-after': '2s' } };
    await scene.create('c', { database: { secret: { name: 'moved' } }, migration: found('8/1'), server });
    expect((await scene.settled('c')).databaseId).to.equal('8/1');

    const refusal = JSON.stringify({ ok: false, code: 'other_database', message: 'not 8/1', database: '9/1' });
    await scene.change('c', { migration: { podAnnotations: { 'sim/exit-code': '78', 'sim/message': refusal } } });
    await scene.secret('moved', url('new'));
    const { message } = await scene.condition('c', 'Ready', 'False', 'DatabaseChanged');
    expect(message).to.contain('chain-middleware.io/accept-database=9/1');
    await scene.patch('Middleware', 'c', {
      metadata: { annotations: { 'chain-middleware.io/accept-database': '9/1' } },
      spec: { migration: { podAnnotations: { 'sim/exit-code': null, ...found('9/1').podAnnotations } } },
    });
    await scene.condition('c', 'Ready', 'False', 'DatabaseMoves');
    expect((await scene.settled('c')).databaseId).to.equal('9/1');
  });
});

describeWith(missingPlane, 'a head', () => {
  let scene: Scene;
  /** Answer of all pods; while it is undefined none answers. */
  let answer: Answer | undefined;
  let asked = 0;
  const healthy = (): Answer => ({
    ready: true,
    height: 2000,
    head_time: Date.now(),
    node_height: 2000,
    node_state: 'ok',
    lag: 0,
    loading: false,
  });

  before(async () => {
    scene = await openScene();
    await scene.secret();
    answer = healthy();
    scene.operator({
      probeMs: 100,
      reach() {
        asked++;
        if (answer === undefined) return Promise.reject(new Error('no answer'));
        return Promise.resolve({ status: answer.ready ? 200 : 503, body: JSON.stringify(answer) });
      },
    });
    await scene.create('a');
    await scene.settled('a');
    await scene.condition('a', 'Degraded', 'False', 'AsExpected');
  });
  after(() => scene.close());
  beforeEach(async () => {
    answer = healthy();
    await scene.condition('a', 'Degraded', 'False', 'AsExpected');
  });

  it('that is further behind the node than the resource allows is reported, with the number and the pod', async () => {
    answer = { ...healthy(), height: 328, lag: 1672 };
    const populated = await scene.condition('a', 'Populated', 'False', 'Behind');
    expect(populated.message).to.contain('1672 key blocks behind').and.to.contain('at height 328 of 2000');
    const { message } = await scene.condition('a', 'Degraded', 'True', 'Behind');
    expect(message).to.match(/pod a-populator-blue-\S+ reports; spec\.head\.maxLag allows 5/);
    expect((await scene.status('a')).phase).to.equal('Degraded');

    await scene.change('a', { head: { maxLag: 2000 } });
    await scene.condition('a', 'Populated', 'True', 'Loaded');
    await scene.condition('a', 'Degraded', 'False');
    await scene.change('a', { head: null });
  });

  it('that is too old is reported at once, with its time', async () => {
    const mined = new Date(Date.now() - 3_600_000).toISOString();
    answer = { ...healthy(), head_time: Date.parse(mined) };
    const { message } = await scene.condition('a', 'Degraded', 'True', 'HeadTooOld');
    expect(message).to.contain(mined).and.to.contain('spec.head.maxAge allows 30m');
    expect((await scene.status('a')).headTime).to.equal(mined);

    // Only time passes; nothing else changes.
    await scene.change('a', { head: { maxAge: '3s' } });
    answer = healthy();
    await scene.condition('a', 'Degraded', 'False', 'AsExpected');
    await scene.condition('a', 'Degraded', 'True', 'HeadTooOld');
    await scene.change('a', { head: null });
  });

  it('and everything else that pods reported stays valid when one probe gets no answer', async () => {
    answer = { ready: false, reason: 'database cannot be read', code: 'database_unreachable' };
    const before = await scene.condition('a', 'Degraded', 'True', 'DatabaseUnreachable');
    const { resourceVersion } = (await scene.get('Middleware', 'a'))!.metadata;
    const seen = conditionsFrom(resourceVersion ?? '');

    // One round of probes of the three pods fails.
    const last = asked + 3;
    answer = undefined;
    await eventually(() => expect(asked).to.be.at.least(last), { everyMs: 1 });
    answer = { ...healthy(), node_state: 'node_unreachable' };
    await scene.condition('a', 'Degraded', 'True', 'NodeUnreachable');
    // The watch may tell it later than a read.
    await eventually(() => expect(seen.reasons).to.include('NodeUnreachable'));
    const others = (await seen.stop()).filter((reason) => reason !== 'DatabaseUnreachable');
    expect(new Set(others)).to.deep.equal(new Set(['NodeUnreachable']));
    expect(before.message).to.match(/Pod a-populator-blue-\S+ reports: database cannot be read/);
  });

  /** Records the reasons of Degraded in each state of the resource from now on. */
  function conditionsFrom(resourceVersion: string) {
    const end = new AbortController();
    const reasons: string[] = [];
    const path = scene.path('Middleware', 'a').replace(/\/a$/, '');
    const watching = (async () => {
      const query = { watch: 'true', resourceVersion };
      for await (const line of scene.plane.client.lines(path, { query, signal: end.signal })) {
        const { object } = JSON.parse(line) as { object: { status?: MiddlewareStatus } };
        const degraded = object.status?.conditions?.find(({ type }) => type === 'Degraded');
        if (degraded !== undefined) reasons.push(degraded.reason);
      }
    })().catch(() => undefined);
    return {
      reasons: reasons as readonly string[],
      async stop() {
        end.abort();
        await watching;
        return reasons;
      },
    };
  }
});
