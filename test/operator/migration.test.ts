import { expect } from 'chai';
import { retryAt } from '../../src/operator/desired/migration.js';
import { ANNOTATION } from '../../src/operator/names.js';
import type { Job } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

describe('a migration whose database or node is away', () => {
  for (const [code, reason, condition] of [
    ['database_unreachable', 'waiting for the database db:5432: connect ECONNREFUSED', 'DatabaseUnreachable'],
    ['node_unreachable', 'waiting for the node http://node:3013: connect ECONNREFUSED', 'NodeUnreachable'],
  ] as const) {
    it(`is one Job that waits, and the conditions say why: ${condition}`, () => {
      let away = true;
      const model = new OperatorModel({
        job: ([what]) => (what === 'migrate' && away ? 'hang' : { exitCode: 0 }),
        waits: ([what]) => (what === 'migrate' && away ? { code, reason } : undefined),
      });
      model.settle();
      const said = (type: string) => model.status.conditions?.find((one) => one.type === type);

      for (const type of ['Migrated', 'Ready']) {
        expect(said(type)).to.include({ status: 'False', reason: condition });
        expect(said(type)?.message).to.contain(reason);
      }
      expect(said('Stalled')?.status).to.equal('False');
      expect(model.status.migration).to.include({ state: 'Running', message: reason });
      expect(model.jobs('migrate')).to.have.length(1);

      away = false;
      model.settle();
      expect(said('Ready')?.status).to.equal('True');
      expect(model.jobs('migrate')).to.have.length(1);
    });
  }

  it('is not said to be lasting when its time is over, and is tried again soon however often that was', () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const failed = (attempt: number, reason: string): Job =>
      ({
        metadata: { name: 'x', annotations: { [ANNOTATION.attempt]: String(attempt) } },
        status: { conditions: [{ type: 'Failed', status: 'True', reason, lastTransitionTime }] },
      }) as unknown as Job;
    const pause = (attempt: number, reason: string): number =>
      retryAt(failed(attempt, reason)) - Date.parse(lastTransitionTime);

    expect([0, 5, 50].map((attempt) => pause(attempt, 'DeadlineExceeded'))).to.deep.equal([10_000, 10_000, 10_000]);
    expect([0, 5, 50].map((attempt) => pause(attempt, 'BackoffLimitExceeded'))).to.deep.equal([
      10_000, 320_000, 600_000,
    ]);
  });
});
