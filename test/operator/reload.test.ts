import { expect } from 'chai';
import { abort, promote, rollBack } from '../../src/operator/plugin/actions.js';
import type { Action } from '../../src/operator/plugin/actions.js';
import type { Middleware } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd, ModelOptions } from '../support/operator-model.js';

const phase = (model: OperatorModel): string | undefined => model.status.reload?.phase;
const message = (model: OperatorModel): string => model.status.reload?.message ?? '';
const at = (model: OperatorModel, wanted: string) => () => phase(model) === wanted;

function serving(options: ModelOptions = {}): OperatorModel {
  const model = new OperatorModel(options);
  model.settle();
  expect(model.live()).to.equal('blue');
  expect(model.status.readyReplicas).to.equal(2);
  return model;
}

/** Ends of Jobs as the test lists them; after the list, Jobs succeed. */
const jobResults = (of: Record<string, (attempt: number) => JobEnd | undefined>): Pick<ModelOptions, 'job'> => ({
  job([what = ''], _schema, { metadata }) {
    const attempt = Number(metadata.annotations?.['chain-middleware.io/attempt'] ?? 0);
    return of[what]?.(attempt);
  },
});
const killed: JobEnd = { exitCode: 137 };
const differs = (heights = '7'): JobEnd => ({
  exitCode: 1,
  report: {
    ok: false,
    code: 'differs',
    differing: heights,
    message: `height ${heights}: transaction th_1 differs from the node's`,
  },
});

/** All objects of the blue copy, with the number of writes. */
const blue = (model: OperatorModel): string =>
  JSON.stringify(
    [...model.objects]
      .filter(([ref]) => ref.endsWith('-blue') || ref === 'Service/sample')
      .map(([ref, { metadata, spec }]) => [ref, metadata, spec]),
  );

const BEFORE_PROMOTION = ['Preparing', 'Migrating', 'Loading', 'Verifying', 'Starting', 'AwaitingPromotion'];

describe('A reload of the whole chain', () => {
  it('loads another copy, lets it serve, keeps the old one and then drops it', () => {
    const model = serving();
    const seen = new Set<string>();
    model.reload({ id: 'one' });
    model.settle(() => (seen.add(phase(model) ?? ''), false));
    expect(phase(model)).to.equal('Complete');
    expect(model.served).to.deep.equal(['blue', 'green']);
    expect([...model.schemas.keys()]).to.deep.equal(['mdw_green']);
    expect(model.faults).to.deep.equal([]);
    expect([...seen]).to.include.members([
      'Preparing',
      'Migrating',
      'Loading',
      'Verifying',
      'Starting',
      'Retaining',
      'Retiring',
    ]);
    expect(model.events).to.include.members(['ReloadStarted', 'ReloadPromoted', 'ReloadComplete']);
  });

  it('alternates between the colors, one reload after the other, and lists past reloads', () => {
    const model = serving();
    for (const id of ['one', 'two', 'three']) {
      model.reload({ id });
      model.settle();
    }
    expect(model.served).to.deep.equal(['blue', 'green', 'blue', 'green']);
    expect(model.status.reloads?.map(({ id, result }) => `${id} ${result}`)).to.deep.equal([
      'two Complete',
      'one Complete',
    ]);
    expect(model.faults).to.deep.equal([]);
  });

  it('writes nothing after its end, in any number of passes', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle();
    const { writes } = model;
    model.now += 3_600_000;
    for (let i = 0; i < 5; i++) model.pass();
    // Ended Jobs are deleted after their retention time; nothing else is written.
    model.settle();
    expect(model.writes - writes).to.be.lessThan(6);
    const rest = model.writes;
    for (let i = 0; i < 5; i++) model.pass();
    expect(model.writes).to.equal(rest);
  });

  it('waits for Promote when promotion is manual, and Promote twice promotes once', () => {
    const model = serving();
    model.reload({ id: 'one', promotion: 'Manual' });
    model.settle();
    expect(phase(model)).to.equal('AwaitingPromotion');
    expect(model.live()).to.equal('blue');
    model.reload({ action: 'Promote', actionFor: 'one' });
    model.settle(at(model, 'Retaining'));
    model.reload({ action: 'Promote', actionFor: 'one', promotion: 'Automatic' });
    model.settle();
    model.reload({ action: 'Promote', actionFor: 'one', promotion: 'Manual' });
    model.settle();
    expect(model.served).to.deep.equal(['blue', 'green']);
    expect(model.events.filter((reason) => reason === 'ReloadPromoted')).to.have.length(1);
  });

  for (const where of BEFORE_PROMOTION) {
    it(`leaves the copy that serves unchanged when it is aborted while ${where}`, () => {
      const model = serving();
      const before = blue(model);
      model.reload({ id: 'one', promotion: 'Manual' });
      model.settle(at(model, where));
      expect(phase(model)).to.equal(where);
      model.reload({ action: 'Abort', actionFor: 'one' });
      model.settle();
      expect(phase(model)).to.equal('Aborted');
      expect(blue(model)).to.equal(before);
      expect([...model.schemas.keys()]).to.deep.equal(['mdw']);
      expect([...model.objects.keys()].filter((ref) => ref.includes('green'))).to.deep.equal([]);
      expect(model.faults).to.deep.equal([]);
      model.reload({ action: undefined });
      model.settle();
      expect(phase(model), 'an abort is final').to.equal('Aborted');
    });

    it(`is aborted when the resource names another while ${where}, which then runs to its end`, () => {
      const model = serving();
      model.reload({ id: 'one', promotion: 'Manual' });
      model.settle(at(model, where));
      model.reload({ id: 'two', promotion: 'Automatic' });
      model.settle();
      expect(model.status.reload).to.include({ id: 'two', phase: 'Complete' });
      expect(model.status.reloads).to.have.length(1);
      expect(model.status.reloads?.[0]).to.include({
        id: 'one',
        result: 'Aborted',
        message: 'Aborted: spec.reload.id names two now',
      });
      expect(model.served).to.deep.equal(['blue', 'green']);
      expect(model.faults).to.deep.equal([]);
    });
  }

  it('is aborted when its name is removed from the resource', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Loading'));
    model.reload({ id: undefined });
    model.settle();
    expect(model.status.reload).to.include({ phase: 'Aborted', message: 'Aborted: spec.reload.id was removed' });
  });

  it('is not aborted after promotion: the message says so, and the old copy is retained', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Retaining'));
    model.reload({ action: 'Abort', actionFor: 'one' });
    model.pass();
    expect(model.live()).to.equal('green');
    expect(message(model)).to.match(/too late for Abort: Rollback/);
    expect(model.objects.has('Deployment/sample-server-blue')).to.equal(true);
    model.settle();
    expect(phase(model)).to.equal('Complete');
    expect(model.faults).to.deep.equal([]);
  });

  it('is rolled back at once while the old copy is retained, and the new copy is dropped', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Retaining'));
    model.act();
    model.reload({ action: 'Rollback', actionFor: 'one' });
    const { now } = model;
    model.settle(at(model, 'RollingBack'));
    expect(model.live()).to.equal('blue');
    expect(model.now).to.equal(now);
    model.settle();
    expect(phase(model)).to.equal('RolledBack');
    expect([...model.schemas.keys()]).to.deep.equal(['mdw']);
    expect(model.served).to.deep.equal(['blue', 'green', 'blue']);
    expect(model.faults).to.deep.equal([]);
    model.reload({ id: 'two', action: undefined });
    model.settle();
    expect(model.served.at(-1)).to.equal('green');
  });

  it('is not promoted when Rollback is requested before promotion', () => {
    const model = serving();
    model.reload({ id: 'one', action: 'Rollback', actionFor: 'one' });
    model.settle();
    expect(phase(model)).to.equal('AwaitingPromotion');
    expect(model.served).to.deep.equal(['blue']);
  });

  it('does not roll back to a copy without ready servers', () => {
    let broken = false;
    const model = serving({ serves: (schema) => !(broken && schema === 'mdw') });
    model.reload({ id: 'one' });
    model.settle(at(model, 'Retaining'));
    broken = true;
    model.act();
    model.reload({ action: 'Rollback', actionFor: 'one' });
    model.pass();
    expect(model.live()).to.equal('green');
    broken = false;
    model.settle();
    expect(phase(model)).to.equal('RolledBack');
    expect(model.faults).to.deep.equal([]);
  });

  it('fails when the verification finds a difference, names it, and leaves the copy that serves unchanged', () => {
    const model = serving(jobResults({ '-v': () => differs() }));
    const before = blue(model);
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Failed');
    expect(message(model)).to.match(/height 7: transaction th_1 differs/);
    expect(model.status.reload?.differing).to.equal('7');
    expect(blue(model)).to.equal(before);
    expect([...model.schemas.keys()]).to.deep.equal(['mdw']);
    expect(model.events).to.include('ReloadFailed');
  });

  it('fails when projections differ, also those that belong to no height', () => {
    const report = {
      ok: false,
      code: 'differs',
      differing: '',
      cut: true,
      message: 'ranks: row 1 follows from nothing',
    };
    const model = serving(jobResults({ '-v': () => ({ exitCode: 1, report }) }));
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Failed');
    expect(message(model)).to.match(/ranks: row 1 follows from nothing/);
  });

  it('compares again only the heights that differed, and continues when the cause was the moving head', () => {
    const args: string[][] = [];
    const model = serving({
      job(given, _schema, { metadata }) {
        if (given[0] !== '-v') return undefined;
        const attempt = metadata.annotations?.['chain-middleware.io/attempt'];
        args.push(given);
        return attempt === '0' ? differs('99-100') : undefined;
      },
    });
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Complete');
    expect(args).to.deep.equal([
      ['-v', '0-100', '--quiet', '--against', 'mdw'],
      ['-v', '99-100', '--quiet', '--against', 'mdw'],
    ]);
  });

  it('retries after the loading Job is killed, from the last reported height, and never counts that as success', () => {
    const loads: string[] = [];
    const model = serving({
      job([what = '', heights = ''], _schema, { metadata }) {
        if (what !== '-H') return undefined;
        loads.push(heights);
        return metadata.annotations?.['chain-middleware.io/attempt'] === '2' ? undefined : killed;
      },
      done: ([what, heights]) => (what === '-H' ? (heights === '0-100' ? 40 : 10) : undefined),
    });
    model.reload({ id: 'one' });
    model.settle();
    // The height above the last reported one may be incomplete, and is loaded again.
    expect(loads).to.deep.equal(['0-100', '39-100', '48-100']);
    expect(phase(model)).to.equal('Complete');
  });

  it('fails when loading or verifying never ends', () => {
    for (const what of ['-H', '-v', 'drop']) {
      const model = serving(jobResults({ [what]: () => killed }));
      model.reload({ id: 'one' });
      model.settle();
      expect(phase(model), what).to.equal('Failed');
      expect(model.served, what).to.deep.equal(['blue']);
    }
  });

  it('starts a Job again that somebody deletes', () => {
    let hang = true;
    const model = serving({ job: ([what]) => (what === '-H' && hang ? 'hang' : undefined) });
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Loading');
    const [job] = model.jobs('load');
    model.remove(`Job/${job!.metadata.name}`);
    model.settle();
    expect(model.jobs('load')).to.have.length(1);
    hang = false;
    model.settle();
    expect(phase(model)).to.equal('Complete');
  });

  it('uses a new image for the loading Job when the old one does not start', () => {
    const model = serving({
      job([what], _schema, { spec }) {
        const image = (spec as { template: { spec: { containers: { image: string }[] } } }).template.spec.containers[0]
          ?.image;
        return what === '-H' && image !== 'mdw:good' ? 'hang' : undefined;
      },
    });
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Loading');
    model.spec = { ...model.spec, image: 'mdw:good' };
    model.generation++;
    model.settle();
    expect(phase(model)).to.equal('Complete');
    expect(model.faults).to.deep.equal([]);
  });

  it('does not promote while servers of the new copy are not ready', () => {
    const model = serving({ serves: (schema) => schema === 'mdw' });
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Starting');
    expect(model.served).to.deep.equal(['blue']);
    model.reload({ action: 'Abort', actionFor: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Aborted');
  });

  it('does not promote while servers of the new copy are ready without their database, nor roll back to such ones', () => {
    let away = 'green';
    const model = serving({ reads: (pod) => !pod.includes(`server-${away}`) });
    model.reload({ id: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Starting');
    expect(model.served).to.deep.equal(['blue']);

    away = 'no';
    model.settle(() => phase(model) === 'Retaining');
    expect(model.served).to.deep.equal(['blue', 'green']);
    away = 'blue';
    model.reload({ action: 'Rollback', actionFor: 'one' });
    for (let pass = 0; pass < 10; pass++) model.pass();
    expect(model.served).to.deep.equal(['blue', 'green']);
    away = 'no';
    model.settle();
    expect(model.served).to.deep.equal(['blue', 'green', 'blue']);
  });

  it('fails and promotes nothing when the data of the new copy was dropped by hand', () => {
    const model = serving();
    model.reload({ id: 'one', promotion: 'Manual' });
    model.settle();
    model.schemas.delete('mdw_green');
    model.act();
    model.act();
    model.schemas.get('mdw_green')!.loading = true;
    model.reload({ action: 'Promote', actionFor: 'one' });
    model.pass();
    expect(phase(model)).to.equal('Failing');
    model.settle();
    expect(model.served).to.deep.equal(['blue']);
  });

  it('decides nothing while paused, and continues afterwards', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Starting'));
    model.spec = { ...model.spec, paused: true };
    model.act();
    model.settle();
    expect(phase(model)).to.equal('Starting');
    expect(model.live()).to.equal('blue');
    model.spec = { ...model.spec, paused: false };
    model.settle();
    expect(phase(model)).to.equal('Complete');
  });

  it('has as many servers as an autoscaler set, before and after promotion', () => {
    const model = serving({ spec: { server: { autoscaling: { minReplicas: 2, maxReplicas: 9 } } } });
    const servers = (color: string) =>
      (model.objects.get(`Deployment/sample-server-${color}`)?.spec as { replicas?: number } | undefined)?.replicas;
    (model.objects.get('Deployment/sample-server-blue')!.spec as { replicas: number }).replicas = 7;
    model.act();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Retaining'));
    expect([servers('blue'), servers('green')]).to.deep.equal([7, 7]);
    expect(model.faults).to.deep.equal([]);
  });

  it('is not promoted by editing the selector: the selector is restored', () => {
    const model = serving();
    const service = model.objects.get('Service/sample')! as unknown as { spec: { selector: Record<string, string> } };
    service.spec.selector['chain-middleware.io/color'] = 'green';
    model.pass();
    expect(model.live()).to.equal('blue');
    expect(model.objects.has('Deployment/sample-server-green')).to.equal(false);
  });

  it('still knows which copy serves after the Service was deleted', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Retaining'));
    model.pass();
    model.objects.delete('Service/sample');
    model.pass();
    expect(model.live()).to.equal('green');
    model.settle();
    expect(phase(model)).to.equal('Complete');
  });
});

describe('The action of a reload', () => {
  const reloadMessage = (model: OperatorModel): string =>
    model.status.conditions?.find(({ type }) => type === 'Reloading')?.message ?? '';
  /** Reload `one` got this action from the plugin. The action stayed in the resource. */
  const after = (act: (resource: Middleware) => Action, when: string): OperatorModel => {
    const model = serving();
    model.reload({ id: 'one', promotion: 'Manual' });
    model.settle(at(model, when));
    const { reload } = (act(model.resource()).patch as { spec: { reload: Record<string, unknown> } }).spec;
    model.reload(reload);
    model.settle();
    return model;
  };

  for (const [what, act, end, id] of [
    ['Promote', promote, 'Complete', 'one'],
    ['Abort', abort, 'Aborted', 'one'],
  ] as const) {
    it(`applies to one reload: ${what} that stayed in the resource is ignored for the next one, and that is reported`, () => {
      const model = after(act, 'AwaitingPromotion');
      expect(model.status.reload).to.include({ id: 'one', phase: end });
      const { length } = model.served;
      model.reload({ id: 'two' });
      model.settle();
      expect(model.status.reload).to.include({ id: 'two', phase: 'AwaitingPromotion' });
      expect(model.served).to.have.length(length);
      expect(reloadMessage(model)).to.contain(`spec.reload.action ${what} is ignored: it is for reload ${id}`);
      expect(message(model)).to.contain('set spec.reload.action to Promote and actionFor to two');

      model.reload({ action: 'Promote', actionFor: 'two' });
      model.settle();
      expect(model.status.reload).to.include({ id: 'two', phase: 'Complete' });
      expect(reloadMessage(model)).to.not.contain('ignored');
    });
  }

  it('Rollback that stayed in the resource does not block the next reload', () => {
    const model = after(promote, 'AwaitingPromotion');
    model.reload({ id: 'two', promotion: 'Automatic' });
    model.settle(at(model, 'Retaining'));
    model.act();
    const { reload } = (rollBack(model.resource()).patch as { spec: { reload: Record<string, unknown> } }).spec;
    model.reload(reload);
    model.settle();
    expect(model.status.reload).to.include({ id: 'two', phase: 'RolledBack' });

    model.reload({ id: 'three' });
    model.settle();
    expect(model.status.reload).to.include({ id: 'three', phase: 'Complete' });
  });

  it('for another reload is also ignored by an in-place reload', () => {
    const model = after(abort, 'Loading');
    model.reload({ id: 'two', heights: '3-4' });
    model.settle();
    expect(model.status.reload).to.include({ id: 'two', phase: 'Complete' });
  });

  it('is ignored while it names no reload, and that is reported', () => {
    const model = serving();
    model.reload({ id: 'one', promotion: 'Manual', action: 'Promote' });
    model.settle();
    expect(phase(model)).to.equal('AwaitingPromotion');
    expect(reloadMessage(model)).to.contain(
      'spec.reload.action Promote is ignored: spec.reload.actionFor names no reload',
    );
  });

  it('may be set before its reload begins', () => {
    const model = serving();
    model.reload({ id: 'one', promotion: 'Manual', action: 'Promote', actionFor: 'one' });
    model.settle();
    expect(phase(model)).to.equal('Complete');
  });

  it('rolls back while another reload already waits for the end of this one', () => {
    const model = serving();
    model.reload({ id: 'one' });
    model.settle(at(model, 'Retaining'));
    model.act();
    model.reload({ id: 'two', promotion: 'Manual', action: 'Rollback', actionFor: 'one' });
    model.settle(at(model, 'RollingBack'));
    expect(model.live()).to.equal('blue');
    model.settle();
    expect(model.status.reloads?.[0]).to.include({ id: 'one', result: 'RolledBack' });
    expect(model.status.reload).to.include({ id: 'two', phase: 'AwaitingPromotion' });
  });
});
