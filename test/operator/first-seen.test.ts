import { expect } from 'chai';
import { CHILD_KINDS, OPTIONAL_KINDS } from '../../src/operator/kube/kinds.js';
import { ANNOTATION } from '../../src/operator/names.js';
import type { Condition, MiddlewareStatus } from '../../src/operator/schema/status.js';
import type { Job } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';
import type { ModelOptions } from '../support/operator-model.js';
import { shareOf } from '../support/share.js';

const STATES = [
  ...['Preparing', 'Migrating', 'Loading', 'Verifying', 'Starting', 'AwaitingPromotion', 'Promoting', 'Retaining'],
  ...['Retiring', 'Complete', 'Aborting', 'Aborted', 'RollingBack', 'RolledBack'],
];

/** A resource whose reload `one` is in this phase, or has just reached it. */
function reloaded(until: string, options: ModelOptions = {}): OperatorModel {
  const model = new OperatorModel(options);
  model.settle();
  const promotion = until === 'AwaitingPromotion' ? 'Manual' : 'Automatic';
  model.reload({ id: 'one', promotion });
  const action = { Aborting: 'Abort', Aborted: 'Abort', RollingBack: 'Rollback', RolledBack: 'Rollback' }[until];
  if (action !== undefined) {
    model.settle(() => model.status.reload?.phase === (action === 'Abort' ? 'Verifying' : 'Retaining'));
    model.reload({ action, actionFor: 'one' });
  }
  model.settle(() => model.status.reload?.phase === until);
  expect(model.status.reload?.phase).to.equal(until);
  return model;
}

const other = (color: string): string => (color === 'blue' ? 'green' : 'blue');
const condition = (model: OperatorModel, type: string): Condition | undefined =>
  model.status.conditions?.find((one) => one.type === type);
const argsOf = ({ spec }: Job): string =>
  (spec as { template: { spec: { containers: { args: string[] }[] } } }).template.spec.containers[0]!.args.join(' ');
const jobsOf = (model: OperatorModel): string[] =>
  [...model.objects.values()].filter(({ kind }) => kind === 'Job').map((job) => argsOf(job as Job));

describe('A resource that is deleted and applied again', () => {
  for (const state of shareOf(STATES)) {
    for (const [how, kept] of [
      ['without its status', () => ({})],
      ['with its status', (status: MiddlewareStatus) => status],
    ] as const) {
      it(`while a reload is ${state}, ${how}, serves from the copy that served, and starts and drops nothing`, () => {
        const model = reloaded(state);
        const live = model.live()!;
        const [served, unserved] = [model.copy(live), model.copy(other(live))];
        model.recreate(kept(model.status));
        model.settle();
        expect(model.faults).to.deep.equal([]);
        expect(model.live()).to.equal(live);
        expect(model.copy(live)).to.equal(served);
        expect(model.copy(other(live)), 'the other copy').to.equal(unserved);
        expect(model.status.readyReplicas).to.equal(2);
        expect(model.status.reload?.id).to.equal('one');
        expect(jobsOf(model).filter((args) => !args.startsWith('migrate'))).to.deep.equal([]);

        model.reload({ id: 'two', promotion: 'Automatic', action: undefined });
        model.settle();
        expect(model.status.reload).to.include({ id: 'two', phase: 'Complete' });
        expect(model.live()).to.equal(other(live));
        expect(model.faults).to.deep.equal([]);
      });
    }
  }

  it('reads before it migrates, and makes no Service, populator or server until it knows which copy serves', () => {
    let hangs = false;
    const model = reloaded('Complete', { job: ([what]) => (what === 'copies' && hangs ? 'hang' : undefined) });
    hangs = true;
    model.recreate();
    model.settle();
    expect(jobsOf(model)).to.deep.equal(['copies --other mdw_green']);
    const kinds = new Set([...model.objects.values()].map(({ kind }) => kind));
    expect([...kinds]).to.not.include.members(['Deployment']);
    expect(model.live()).to.equal(undefined);
    expect(model.status).to.not.have.any.keys('activeColor', 'uid', 'databaseId');
    expect(condition(model, 'Ready')).to.include({ status: 'False', reason: 'Surveying' });
    expect(condition(model, 'Reconciling')).to.include({ status: 'True', reason: 'Surveying' });
  });

  it('loses no object that a copy is served with, nor one that protects it, while it is not known which copy serves', () => {
    let hangs = true;
    const model = new OperatorModel({ job: ([what]) => (what === 'copies' && hangs ? 'hang' : undefined) });
    const kinds = [...CHILD_KINDS, ...OPTIONAL_KINDS];
    const metadata = { name: 'sample-unwanted' };
    const containers = [{ args: ['-s'], env: [{ name: 'DATABASE_SCHEMA', value: 'another' }] }];
    for (const { apiVersion, kind } of kinds)
      model.apply({ apiVersion, kind, metadata, spec: { template: { spec: { containers } } } });
    const left = (): string[] =>
      kinds.map(({ kind }) => kind).filter((kind) => model.objects.has(`${kind}/sample-unwanted`));
    const { now } = model;
    model.settle(() => model.now > now + 3_600_000);
    // No copy is served with these.
    const beside = ['ServiceMonitor', 'PodMonitor', 'PrometheusRule', 'ScheduledBackup'];
    expect(left()).to.deep.equal(kinds.map(({ kind }) => kind).filter((kind) => !beside.includes(kind)));

    hangs = false;
    model.settle();
    // When it is known, they go, but for a database, which stays by default, and a Job that ended recently.
    expect(model.live()).to.equal('blue');
    expect(left()).to.deep.equal(['Job', 'Cluster']);
  });

  it('lists the reloads that the database knows, and starts none of them again', () => {
    const model = reloaded('Complete');
    model.reload({ id: 'two' });
    model.settle();
    model.recreate();
    model.settle();
    expect(model.status.reload).to.include({ id: 'two', phase: 'Complete' });
    expect(model.status.reloads?.map(({ id, result }) => `${id} ${result}`)).to.deep.equal(['one Complete']);
    model.reload({ id: 'one' });
    model.settle();
    expect(model.live()).to.equal('blue');
    expect(model.status.reload).to.include({ id: 'two' });
  });

  it('is not reloaded either if its database is new', () => {
    const model = new OperatorModel({ spec: { reload: { id: 'first' } } });
    model.settle();
    expect(model.status.reload).to.include({
      ...{ id: 'first', phase: 'Complete' },
      message: 'It was in the resource when the operator first saw it, so it counts as done',
    });
    expect([...model.schemas.keys()]).to.deep.equal(['mdw']);
  });

  it('decides nothing while it is paused', () => {
    const model = reloaded('Complete');
    model.recreate();
    model.spec = { ...model.spec, paused: true };
    model.settle();
    expect(model.status.activeColor).to.equal(undefined);
    model.spec = { ...model.spec, paused: false };
    model.settle();
    expect(model.live()).to.equal('green');
  });

  it('of an older version, whose databases have no record, serves from the copy that is complete', () => {
    const model = reloaded('Complete');
    delete model.copy('green')!.serving;
    model.recreate();
    model.settle();
    expect(model.live()).to.equal('green');
    expect(model.faults).to.deep.equal([]);
  });

  it('is Stalled while the database cannot be read, changes nothing, and continues when it can be read', () => {
    const report = { ok: false, code: 'missing_right', message: 'no right to use the schema mdw_green' };
    let mayRead = true;
    const model = reloaded('Complete', {
      job: ([what]) => (what === 'copies' && !mayRead ? { exitCode: 78, report } : undefined),
    });
    mayRead = false;
    model.recreate();
    model.settle(() => condition(model, 'Stalled')?.status === 'True');
    expect(condition(model, 'Stalled')).to.include({ reason: 'DatabaseRights' });
    expect(condition(model, 'Stalled')?.message).to.contain('no right to use the schema mdw_green');
    expect(new Set(jobsOf(model))).to.deep.equal(new Set(['copies --other mdw_green']));
    mayRead = true;
    model.settle();
    expect(model.live()).to.equal('green');
    expect(condition(model, 'Stalled')?.status).to.equal('False');
  });

  it('asks again if the Job succeeded without an answer', () => {
    let isLost = false;
    const model = reloaded('Complete', {
      job: ([what]) => (what === 'copies' && isLost ? { exitCode: 0, report: {}, isLost } : undefined),
    });
    isLost = true;
    model.recreate();
    const { now } = model;
    model.settle(() => model.now > now + 60_000);
    expect(model.live()).to.equal(undefined);
    expect(new Set(jobsOf(model))).to.deep.equal(new Set(['copies --other mdw_green']));
    isLost = false;
    model.settle();
    expect(model.live()).to.equal('green');
  });

  it('under an older backup of the copy that the record names serves from the copy with more proven work', () => {
    const model = reloaded('Retaining');
    Object.assign(model.copy('green')!, { height: 60 });
    model.recreate();
    model.settle();
    expect(model.live()).to.equal('blue');
    expect(model.faults).to.deep.equal([]);
  });
});

describe('A resource of an older version, whose status has no uid and whose databases have no record', () => {
  /** As the operator of that version left it. */
  const older = (state: string, ran: string[] = []): OperatorModel => {
    const model = reloaded(state, {
      job(args) {
        ran.push(args.join(' '));
        return undefined;
      },
    });
    delete model.status.uid;
    for (const data of model.schemas.values()) delete data.serving;
    for (const job of model.jobs('record')) model.remove(`Job/${job.metadata.name}`);
    model.operator = { ...model.operator, defaultImage: 'mdw:2', operatorVersion: '2' };
    ran.length = 0;
    return model;
  };

  for (const state of STATES.filter((one) => one !== 'Promoting')) {
    it(`while a reload is ${state}, continues: nothing is read first, no reload begins, and no copy is lost`, () => {
      const ran: string[] = [];
      const model = older(state, ran);
      const live = model.live()!;
      const { length } = model.served;
      const ended = ['Complete', 'Aborted', 'RolledBack'].includes(state);
      const unserved = model.copy(other(live));
      const last = model.status.reload;
      model.settle();
      expect(model.faults).to.deep.equal([]);
      expect(ran.filter((args) => args.startsWith('copies'))).to.deep.equal([]);
      expect(model.status.uid).to.equal(model.uid);
      expect(model.status.reload?.id).to.equal('one');
      expect(model.events.filter((reason) => reason === 'ReloadStarted')).to.have.length(1);
      expect(model.status.readyReplicas).to.equal(2);
      const promotes = ['Preparing', 'Migrating', 'Loading', 'Verifying', 'Starting'].includes(state);
      expect(model.served.slice(length)).to.deep.equal(promotes ? [other(live)] : []);
      if (ended) {
        expect(new Set(ran.map((args) => args.split(' ')[0]))).to.deep.equal(new Set(['migrate']));
        expect(model.copy(other(live))).to.equal(unserved);
        expect(model.status.reload).to.deep.equal(last);
      }
    });
  }

  it('is deleted in its next reload and applied again: the copy serves that an older version promoted', () => {
    const model = older('Complete');
    model.settle();
    model.reload({ id: 'two' });
    model.settle(() => model.status.reload?.phase === 'Starting');
    expect([model.live(), model.copy('blue')?.height, model.copy('blue')?.loading]).to.deep.equal([
      'green',
      100,
      false,
    ]);
    model.recreate();
    model.settle();
    expect(model.live()).to.equal('green');
    expect(model.faults).to.deep.equal([]);
  });
});

describe('An operator that is replaced by one with a newer image', () => {
  it('lets the reload that is under way end, before the pods have the newer image', () => {
    let isNewer = false;
    const images = new Set<string>();
    const model = reloaded('Verifying', {
      job([what = ''], _schema, { spec }) {
        const { image } = (spec as { template: { spec: { containers: { image: string }[] } } }).template.spec
          .containers[0]!;
        if (isNewer && what !== 'migrate') images.add(`${what} ${image}`);
        return undefined;
      },
    });
    isNewer = true;
    model.operator = { ...model.operator, defaultImage: 'mdw:2', operatorVersion: '2' };
    model.settle(() => model.status.reload?.phase === 'Complete');
    expect(model.status.reload?.phase).to.equal('Complete');
    expect([...images])
      .to.include.members(['record mdw:2', 'drop mdw:2'])
      .and.to.not.include('record mdw:1');
  });
});

describe('A resource whose status is lost', () => {
  for (const state of STATES) {
    it(`while a reload is ${state} serves from the same copy, and loses none that has more proven work`, () => {
      const model = reloaded(state);
      const live = model.live()!;
      const { length } = model.served;
      model.status = {};
      model.settle();
      expect(model.faults).to.deep.equal([]);
      // Objects of the resource show that a reload is under way, so it continues.
      const continues = ['Preparing', 'Migrating', 'Loading', 'Verifying', 'Starting', 'Promoting'].includes(state);
      expect(model.served.slice(length)).to.deep.equal(continues ? [other(live)] : []);
      expect(model.status.reload?.phase).to.be.oneOf(
        continues ? ['Complete'] : [state, 'Complete', 'Aborted', 'RolledBack'],
      );
      expect(model.status.readyReplicas).to.equal(2);
    });
  }
});

describe('The annotations of the live Service', () => {
  const edit = (model: OperatorModel, annotations: Record<string, string>): void => {
    Object.assign(model.objects.get('Service/sample')!.metadata.annotations!, annotations);
  };

  for (const state of STATES) {
    it(`select no other copy when somebody edits them while a reload is ${state}`, () => {
      const model = reloaded(state);
      model.pass();
      const live = model.live()!;
      const { length } = model.served;
      edit(model, { [ANNOTATION.live]: other(live) });
      model.settle();
      expect(model.faults).to.deep.equal([]);
      // The reload goes on.
      const ends = ['Preparing', 'Migrating', 'Loading', 'Verifying', 'Starting', 'Promoting'].includes(state)
        ? [other(live)]
        : [];
      expect(model.served.slice(length)).to.deep.equal(ends);
      expect(model.live()).to.equal(ends[0] ?? live);
      expect(model.status.readyReplicas).to.equal(2);
    });
  }
});

describe('The copy that serves', () => {
  it('is left for the other one when its data is gone and the other one is complete', () => {
    const model = reloaded('Retaining');
    model.schemas.set('mdw_green', { height: -1, loading: true, serving: [] });
    model.settle(() => {
      // Loading takes long.
      Object.assign(model.copy('green')!, { height: 7, loading: true });
      return model.live() === 'blue';
    });
    model.settle();
    expect(model.live()).to.equal('blue');
    expect(model.copy('blue')).to.include({ height: 100, loading: false });
  });
});

describe('The old copy of a reload', () => {
  it('is kept while it has more proven work than the copy that serves; Degraded reports that until it is dropped', () => {
    let proves = true;
    const model = reloaded('Starting', { proves: () => proves });
    proves = false;
    model.settle(() => model.status.reload?.phase === 'Retaining');
    model.copy('green')!.proven = 40;
    model.settle(() => condition(model, 'Degraded')?.status === 'True');
    expect(condition(model, 'Degraded')).to.include({ reason: 'CopyKept' });
    expect(condition(model, 'Degraded')?.message).to.contain('has more proven work').and.to.contain('mdw drop');
    expect(condition(model, 'Reloading')?.message).to.contain('has more proven work');
    expect(model.status.reload?.phase).to.equal('Retiring');
    const { now } = model;
    model.settle(() => model.now > now + 86_400_000);
    expect(model.copy('blue')).to.not.equal(undefined);
    expect(jobsOf(model).length, 'Jobs that are kept').to.be.below(300);
    proves = true;
    model.settle();
    expect(model.status.reload?.phase).to.equal('Complete');
    expect(model.copy('blue')).to.equal(undefined);
    expect(condition(model, 'Degraded')?.status).to.equal('False');
  });

  it('is dropped although it has more proven work if a person aborts the reload that loaded it', () => {
    const model = reloaded('AwaitingPromotion', { proves: () => false });
    model.copy('blue')!.proven = 40;
    model.reload({ action: 'Abort', actionFor: 'one' });
    model.settle();
    expect(model.status.reload?.phase).to.equal('Aborted');
    expect(model.copy('green')).to.equal(undefined);
  });

  it('is not dropped by an abort that nobody named: another reload in the resource', () => {
    const model = reloaded('AwaitingPromotion', { proves: () => false });
    model.copy('blue')!.proven = 40;
    model.reload({ id: 'two' });
    model.settle(() => condition(model, 'Degraded')?.reason === 'CopyKept');
    expect(model.copy('green')).to.not.equal(undefined);
    expect(model.status.reload).to.include({ id: 'one', phase: 'Aborting' });
  });

  it('that an aborted reload found in its schema is not dropped by the abort, if it has more proven work', () => {
    const model = new OperatorModel({ proves: () => false });
    model.settle();
    model.schemas.set('mdw_green', { height: 100, loading: false, serving: [] });
    model.copy('blue')!.proven = 40;
    model.reload({ id: 'one' });
    model.settle(() => condition(model, 'Degraded')?.reason === 'CopyKept');
    expect(model.status.reload?.phase).to.equal('Preparing');
    model.reload({ action: 'Abort', actionFor: 'one' });
    const { now } = model;
    model.settle(() => model.now > now + 3_600_000);
    expect(model.copy('green')).to.not.equal(undefined);
  });
});
