import { expect } from 'chai';
import { OperatorModel } from './operator-model.js';
import type { ModelOptions } from './operator-model.js';

interface Procedure {
  title: string;
  options?: ModelOptions;
  /** Actions of administrators, each in a phase of the reload. */
  steps: { when?: string; reload: Record<string, unknown> }[];
  end: string;
  served: string[];
}

const differs = { exitCode: 1, report: { ok: false, code: 'differs', differing: '7', message: 'height 7 differs' } };

const PROCEDURES: Procedure[] = [
  { title: 'a whole reload', steps: [{ reload: { id: 'one' } }], end: 'Complete', served: ['blue', 'green'] },
  {
    title: 'a promotion by hand',
    steps: [
      { reload: { id: 'one', promotion: 'Manual' } },
      { when: 'AwaitingPromotion', reload: { action: 'Promote', actionFor: 'one' } },
    ],
    end: 'Complete',
    served: ['blue', 'green'],
  },
  {
    title: 'an abort while loading',
    steps: [{ reload: { id: 'one' } }, { when: 'Loading', reload: { action: 'Abort', actionFor: 'one' } }],
    end: 'Aborted',
    served: ['blue'],
  },
  {
    title: 'an abort of a copy that waits',
    steps: [
      { reload: { id: 'one', promotion: 'Manual' } },
      { when: 'AwaitingPromotion', reload: { action: 'Abort', actionFor: 'one' } },
    ],
    end: 'Aborted',
    served: ['blue'],
  },
  {
    title: 'a rollback',
    steps: [{ reload: { id: 'one' } }, { when: 'Retaining', reload: { action: 'Rollback', actionFor: 'one' } }],
    end: 'RolledBack',
    served: ['blue', 'green', 'blue'],
  },
  {
    title: 'a verification that fails',
    options: { job: ([what]) => (what === '-v' ? differs : undefined) },
    steps: [{ reload: { id: 'one' } }],
    end: 'Failed',
    served: ['blue'],
  },
  {
    title: 'a loading Job that is killed twice',
    options: {
      job: ([what], _schema, { metadata }) =>
        what === '-H' && Number(metadata.annotations?.['chain-middleware.io/attempt']) < 2
          ? { exitCode: 137 }
          : undefined,
    },
    steps: [{ reload: { id: 'one' } }],
    end: 'Complete',
    served: ['blue', 'green'],
  },
  {
    title: 'another reload in the middle of one',
    steps: [{ reload: { id: 'one' } }, { when: 'Verifying', reload: { id: 'two' } }],
    end: 'Complete',
    served: ['blue', 'green'],
  },
  {
    title: 'another reload while the old copy of one is kept',
    steps: [{ reload: { id: 'one' } }, { when: 'Retaining', reload: { id: 'two' } }],
    end: 'Complete',
    served: ['blue', 'green', 'blue'],
  },
  {
    title: 'some heights in place',
    steps: [{ reload: { id: 'one', heights: '3-4,9' } }],
    end: 'Complete',
    served: ['blue'],
  },
];

/** Runs the procedure. The operator is killed before write number `crashAt` after the first reload was requested. */
function run({ options, steps }: Procedure, crashAt = Infinity): { model: OperatorModel; writes: number } {
  const model = new OperatorModel(options ?? {});
  model.settle();
  const before = model.writes;
  model.crashAt = before + crashAt;
  const [first, ...rest] = steps;
  model.reload(first!.reload);
  for (const { when, reload } of rest) {
    model.settle(() => model.status.reload?.phase === when);
    model.reload(reload);
  }
  model.settle();
  return { model, writes: model.writes - before };
}

/**
 * Kills the operator before every write of a procedure, or before one in `every` writes (starting with a different one in each procedure).
 * The result must always be the same as without a kill.
 */
export function reloadCrashes({ every }: { every: number }): void {
  describe(`An operator that is killed in the middle of a reload, before one write in ${every}`, () => {
    for (const [index, procedure] of PROCEDURES.entries()) {
      it(`comes to the same end of ${procedure.title}`, () => {
        const { model: whole, writes } = run(procedure);
        expect(whole.status.reload?.phase).to.equal(procedure.end);
        expect(whole.served).to.deep.equal(procedure.served);
        expect(whole.faults).to.deep.equal([]);
        expect(writes).to.be.greaterThan(4);
        for (let crashAt = index % every; crashAt < writes; crashAt += every) {
          const { model } = run(procedure, crashAt);
          expect(model.crashAt, `killed before write ${crashAt}`).to.equal(Infinity);
          expect(model.end(), `killed before write ${crashAt}`).to.deep.equal(whole.end());
          expect(model.served, `killed before write ${crashAt}`).to.deep.equal(procedure.served);
          expect(model.faults, `killed before write ${crashAt}`).to.deep.equal([]);
        }
      });
    }
  });
}
