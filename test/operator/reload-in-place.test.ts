import { expect } from 'chai';
import { jobOutcome } from '../../src/operator/readings/jobs.js';
import type { Job } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd, ModelOptions } from '../support/operator-model.js';

const DAY = 24 * 3_600_000;

function serving(options: ModelOptions = {}): OperatorModel {
  const model = new OperatorModel(options);
  model.settle();
  return model;
}

/** Records the arguments of Jobs, and lets them end as given. */
function noting(end: (args: string[], attempt: number) => JobEnd | undefined = () => undefined) {
  const asked: string[] = [];
  const job: ModelOptions['job'] = (args, schema, { metadata }) => {
    if (args[0] === '-H' || args[0] === '-v') asked.push(`${args.join(' ')} in ${schema}`);
    return end(args, Number(metadata.annotations?.['chain-middleware.io/attempt']));
  };
  return { asked, job };
}

const differs = (heights: string): JobEnd => ({
  exitCode: 1,
  report: { ok: false, code: 'differs', differing: heights, message: `2 not OK; height ${heights}` },
});

describe('A reload of some heights', () => {
  it('loads them into the copy that serves and compares them with the chain, without a change of any Deployment', () => {
    const { asked, job } = noting();
    const model = serving({ job });
    const before = JSON.stringify([...model.objects].filter(([ref]) => ref.startsWith('Deployment/')));
    model.reload({ id: 'one', heights: '3-4,9' });
    model.settle();
    expect(asked).to.deep.equal(['-H 3-4,9 in mdw', '-v 3-4,9 --quiet in mdw']);
    expect(model.status.reload).to.include({ phase: 'Complete', inPlace: true, total: 3, loaded: 3, verified: 3 });
    expect(JSON.stringify([...model.objects].filter(([ref]) => ref.startsWith('Deployment/')))).to.equal(before);
    expect(model.faults).to.deep.equal([]);
  });

  it('retries only the heights that failed', () => {
    const failed: JobEnd = {
      exitCode: 1,
      report: { ok: false, code: 'heights_failed', failing: '9', message: 'height 9' },
    };
    const { asked, job } = noting(([what], attempt) => (what === '-H' && attempt === 0 ? failed : undefined));
    const model = serving({ job });
    model.reload({ id: 'one', heights: '3-4,9' });
    model.settle();
    expect(asked.slice(0, 2)).to.deep.equal(['-H 3-4,9 in mdw', '-H 9 in mdw']);
    expect(model.status.reload?.phase).to.equal('Complete');
  });

  it('fails with the reason when the heights cannot be loaded, or still do not match the chain', () => {
    const cases: [JobEnd, string, RegExp][] = [
      [{ exitCode: 137 }, '-H', /^Loading failed: /],
      [differs('4'), '-v', /^The heights do not match the chain: .*height 4/],
    ];
    for (const [end, what, message] of cases) {
      const model = serving(noting(([given]) => (given === what ? end : undefined)));
      model.reload({ id: 'one', heights: '3-4' });
      model.settle();
      expect(model.status.reload?.phase).to.equal('Failed');
      expect(model.status.reload?.message).to.match(message);
    }
  });

  it('ends at once when it is aborted', () => {
    const model = serving({ job: ([what]) => (what === '-H' ? 'hang' : undefined) });
    model.reload({ id: 'one', heights: '3' });
    model.settle();
    expect(model.jobs('load')).to.have.length(1);
    model.reload({ action: 'Abort', actionFor: 'one' });
    model.settle();
    expect(model.status.reload?.phase).to.equal('Aborted');
    expect(model.jobs('load')).to.deep.equal([]);
  });
});

describe('The verification at intervals', () => {
  const spec = { verification: { interval: '48h' } };
  const intervals = (model: OperatorModel, count: number): void => {
    for (let i = 0; i < count; i++) {
      model.now += 2 * DAY;
      model.settle();
    }
  };

  it('compares everything once per interval, and reports when it ended', () => {
    const { asked, job } = noting();
    const model = serving({ spec, job });
    expect(asked).to.deep.equal([]);
    intervals(model, 3);
    expect(asked).to.have.length(3);
    expect(asked[0]).to.equal('-v 0-100 --quiet in mdw');
    expect(model.status.verification?.finishedAt).to.be.a('string');
    expect(model.status.verification?.differing).to.equal(undefined);
  });

  it('reports each time the result of a Job of its own, also while the Jobs of earlier intervals are kept', () => {
    const altered = [false, true, true, false, false];
    const { asked, job } = noting(([what]) =>
      what === '-v' && altered[rounds] ? differs('7-8') : { exitCode: 0, report: { ok: true, message: 'all OK' } },
    );
    let rounds = 0;
    const model = new OperatorModel({ spec: { verification: { interval: '1m' } }, job });
    const reports = altered.map((_, round) => {
      rounds = round;
      const before = model.status.verification?.finishedAt;
      model.settle(() => ![before, undefined].includes(model.status.verification?.finishedAt));
      return model.status.verification ?? {};
    });

    expect(reports.map(({ differing }) => differing)).to.deep.equal([undefined, '7-8', '7-8', undefined, undefined]);
    expect(asked.filter((args) => args.startsWith('-v 0-100'))).to.have.length(5);
    expect(new Set(reports.map(({ job: name }) => name)).size).to.equal(5);
    for (const { job: name, jobUid, finishedAt = '' } of reports) {
      const { metadata, status } = model.objects.get(`Job/${name}`) as Job;
      expect(jobUid).to.equal(metadata.uid);
      const ended = Date.parse(status?.conditions?.[0]?.lastTransitionTime ?? '');
      expect(Date.parse(finishedAt)).to.equal(Math.floor(ended / 1000) * 1000);
    }
    expect(model.events.filter((reason) => reason.startsWith('Data'))).to.deep.equal([
      'DataVerified',
      'DataDiffers',
      'DataDiffers',
      'DataVerified',
      'DataVerified',
    ]);
  });

  it('begins another comparison when the status was lost, and does not report the Job of an older one', () => {
    const { asked, job } = noting();
    const model = new OperatorModel({ spec: { verification: { interval: '1h' } }, job });
    const report = () => (model.status.verification?.finishedAt === undefined ? undefined : model.status.verification);
    model.settle(() => report() !== undefined);
    const first = report()?.job;
    delete model.status.verification;
    model.now += DAY / 2;
    model.settle(() => report() !== undefined);
    expect(asked).to.have.length(2);
    expect(report()?.job).to.be.a('string').and.not.equal(first);
  });

  it('compares the heights that it named when it began, although no pod tells them any more', () => {
    const { asked, job } = noting();
    const model = new OperatorModel({ spec: { verification: { interval: '1h' } }, job });
    model.settle(() => model.status.verification?.startedAt !== undefined);
    expect(model.status.verification?.heights).to.equal('0-100');
    const observed = model.observed.bind(model);
    model.observed = () => ({ ...observed(), health: new Map() });
    model.settle(() => model.status.verification?.finishedAt !== undefined);
    expect(asked).to.deep.equal(['-v 0-100 --quiet in mdw']);
  });

  it('reports heights that differ, and changes nothing unless repair is allowed', () => {
    const { asked, job } = noting(([what]) => (what === '-v' ? differs('7-8') : undefined));
    const model = serving({ spec, job });
    intervals(model, 1);
    expect(asked.filter((args) => args.startsWith('-H'))).to.deep.equal([]);
    expect(model.status.verification?.differing).to.equal('7-8');
    expect(model.events).to.include('DataDiffers');
  });

  it('reports rows that no reload of a height repairs, and loads none', () => {
    const report = { ok: false, code: 'differs', differing: '', cut: true, message: 'days: amount of row 2020-01-01' };
    const { asked, job } = noting(([what]) => (what === '-v' ? { exitCode: 1, report } : undefined));
    const model = serving({ spec: { ...spec, reload: { repair: true } }, job });
    intervals(model, 1);
    expect(asked).to.deep.equal(['-v 0-100 --quiet in mdw']);
    expect(model.status.verification?.message).to.match(/days: amount/);
    expect(model.events).to.include('DataDiffers').and.not.include('DataVerified');
  });

  it('reloads heights that differ in place where repair is allowed, and compares them again', () => {
    let mended = false;
    const { asked, job } = noting(([what]) => {
      if (what === '-H') mended = true;
      return what === '-v' && !mended ? differs('7-8') : undefined;
    });
    const model = serving({ spec: { ...spec, reload: { repair: true } }, job });
    intervals(model, 1);
    expect(asked.slice(-2)).to.deep.equal(['-H 7-8 in mdw', '-v 7-8 --quiet in mdw']);
    expect(model.status.verification?.message).to.match(/heights 7-8 were reloaded and now match the chain/);
    expect(model.events).to.include('DataRepaired');
    expect(model.faults).to.deep.equal([]);
  });

  it('does not begin while a reload is in progress', () => {
    const { asked, job } = noting(([what]) => (what === '-H' ? 'hang' : undefined));
    const model = serving({ spec, job });
    model.reload({ id: 'one' });
    model.settle(() => model.status.reload?.phase === 'Loading');
    model.now += 3 * DAY;
    for (let i = 0; i < 5; i++) {
      model.pass();
      model.act();
    }
    expect(asked.filter((args) => args.startsWith('-v'))).to.deep.equal([]);
  });
});

describe('The outcome of a Job', () => {
  it('is not read from a pod of an earlier Job of the same name', () => {
    const { job } = noting(() => ({ exitCode: 0, report: { ok: true, message: 'of the first' } }));
    const model = new OperatorModel({ spec: { verification: { interval: '1h' } }, job });
    model.settle(() => model.status.verification?.finishedAt !== undefined);
    const ref = `Job/${model.status.verification?.job}`;
    const named = model.objects.get(ref) as Job;
    expect(jobOutcome(model.observed(), named).report.message).to.equal('of the first');
    const again = { ...named, metadata: { ...named.metadata, uid: 'another' } };
    expect(jobOutcome(model.observed(), again).report.message).to.contain('its pod was deleted');
  });
});
