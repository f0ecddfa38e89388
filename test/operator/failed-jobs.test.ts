import { expect } from 'chai';
import type { Job } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd } from '../support/operator-model.js';

const WORDS = ['migrate', 'load', 'verify', 'drop', 'record', 'survey', 'accept'];

/** Names of failed Jobs, about each of which the usual alert of a cluster fires after a quarter of an hour. */
const failedOf = (model: OperatorModel): string[] =>
  WORDS.flatMap((word) => model.jobs(word))
    .filter(({ status }) => status?.conditions?.some(({ type }) => type === 'Failed') === true)
    .map(({ metadata }) => metadata.name);

const refused = (code: string, more: object = {}): JobEnd => ({
  exitCode: 1,
  report: { ok: false, code, message: code, ...more },
});
const killed: JobEnd = { exitCode: 137 };

describe('a Job of an operation that did not succeed', () => {
  /** A resource that serves, and whose Jobs end like this from then on. */
  function serving(): { model: OperatorModel; ends: Record<string, (nth: number) => JobEnd | undefined> } {
    const ends: Record<string, (nth: number) => JobEnd | undefined> = {};
    const counts: Record<string, number> = {};
    const model = new OperatorModel({
      job: ([what = '']) => ends[what]?.((counts[what] = (counts[what] ?? 0) + 1)),
    });
    model.settle();
    return { model, ends };
  }

  it('completes when it found a difference, and the reload reports that', () => {
    const { model, ends } = serving();
    ends['-v'] = () => refused('differs', { differing: '7' });
    model.reload({ id: 'one' });
    model.settle();
    expect(model.status.reload).to.include({ phase: 'Failed', differing: '7' });
    expect(model.jobs('verify')).to.not.deep.equal([]);
    expect(failedOf(model)).to.deep.equal([]);
  });

  it('completes when heights could not be loaded, and those that failed are tried again', () => {
    const { model, ends } = serving();
    ends['-H'] = (nth) => (nth === 1 ? refused('heights_failed', { failing: '3,9' }) : undefined);
    const loaded: string[] = [];
    model.reload({ id: 'one' });
    model.settle(() => {
      failedOf(model).forEach((name) => expect.fail(`${name} failed`));
      loaded.push(...model.jobs('load').map((job) => argsOf(job)));
      return false;
    });
    expect(model.status.reload?.phase).to.equal('Complete');
    expect(loaded).to.include('-H 3,9');
  });

  it('fails when a signal ended it: Kubernetes replaces the pod if it was evicted', () => {
    const { model, ends } = serving();
    ends['-H'] = (nth) => (nth === 1 ? { ...(refused('interrupted') as object), exitCode: 1 } : undefined);
    let isSeen = false;
    model.reload({ id: 'one' });
    model.settle(() => {
      isSeen ||= failedOf(model).length > 0;
      return false;
    });
    expect(isSeen).to.equal(true);
    expect(model.status.reload?.phase).to.equal('Complete');
  });

  it('is deleted as soon as a later attempt has ended, if it was killed', () => {
    for (const [what, word] of [
      ['-H', 'load'],
      ['-v', 'verify'],
      ['drop', 'drop'],
    ] as const) {
      const { model, ends } = serving();
      let last = 0;
      ends[what] = (nth) => ((last = nth) <= 2 ? killed : undefined);
      model.reload({ id: 'one' });
      model.settle(() => model.status.reload?.phase === 'Complete');
      model.pass();
      expect(last, what).to.be.greaterThan(2);
      expect(model.jobs(word), what).to.not.deep.equal([]);
      expect(failedOf(model), what).to.deep.equal([]);
    }
  });

  it('is deleted as soon as a later attempt has ended, if it was a migration', () => {
    let last = 0;
    const model = new OperatorModel({ job: ([what]) => (what === 'migrate' && ++last <= 2 ? killed : undefined) });
    model.settle(() => model.status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True');
    expect(last).to.equal(3);
    expect(failedOf(model)).to.deep.equal([]);
  });

  it('is no success if it completed while nobody looked, and its pod is gone: it is done again', () => {
    for (const [what, word] of [
      ['-v', 'verify'],
      ['-H', 'load'],
    ] as const) {
      const { model, ends } = serving();
      let isGone = false;
      ends[what] = (nth) => (nth === 1 ? refused('differs', { differing: '7' }) : undefined);
      model.reload({ id: 'one' });
      model.settle(() => {
        const [job] = model.jobs(word);
        if (!isGone && job?.status?.conditions !== undefined) {
          isGone = model.pods.delete(`${job.metadata.name}-pod`);
          const [type] = job.status.conditions.map((one) => one.type);
          expect(type).to.equal('Complete');
        }
        return false;
      });
      expect(isGone).to.equal(true);
      expect(model.status.reload?.phase).to.equal('Complete');
      expect(model.jobs(word).length, word).to.be.greaterThan(1);
    }
  });
});

const argsOf = ({ spec }: Job): string =>
  (spec as { template: { spec: { containers: { args?: string[] }[] } } }).template.spec.containers[0]!.args!.join(' ');
