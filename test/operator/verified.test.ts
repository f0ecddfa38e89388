import { expect } from 'chai';
import type { Condition } from '../../src/operator/schema/status.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd } from '../support/operator-model.js';

const DAY = 86_400_000;

const condition = (model: OperatorModel, type: string): Condition =>
  model.status.conditions!.find((one) => one.type === type)!;

const report = (model: OperatorModel, rows: number | undefined): void => {
  const schema = model.schemas.get('mdw')!;
  if (rows === undefined) delete schema.differingRows;
  else schema.differingRows = rows;
  model.settle();
};

describe('The condition Verified', () => {
  it('is unknown until something was verified, and then what the populator found in the background', () => {
    const model = new OperatorModel();
    model.settle();
    expect(condition(model, 'Verified')).to.include({ status: 'Unknown', reason: 'NotVerified' });
    expect(condition(model, 'Degraded').status).to.equal('False');

    report(model, 0);
    expect(condition(model, 'Verified')).to.include({ status: 'True', reason: 'NothingDiffers' });

    report(model, 3);
    expect(condition(model, 'Verified')).to.include({ status: 'False', reason: 'RowsDiffer' });
    expect(condition(model, 'Verified').message).to.contain('found 3 rows');
    expect(condition(model, 'Degraded')).to.include({ status: 'True', reason: 'RowsDiffer' });
    expect(condition(model, 'Ready').status).to.equal('True');
    expect(model.status.phase).to.equal('Degraded');
    expect(model.events).to.include('RowsDiffer');

    report(model, 0);
    expect(condition(model, 'Verified').status).to.equal('True');
    expect(condition(model, 'Degraded').status).to.equal('False');
  });

  it('is the result of the newest comparison, also while the next one runs or does not finish', () => {
    let end: JobEnd | undefined;
    const model = new OperatorModel({
      spec: { verification: { interval: '48h' } },
      job: ([what]) => (what === '-v' ? end : undefined),
    });
    model.settle();
    const compared = (next: JobEnd): Condition => {
      end = next;
      model.now += 2 * DAY;
      model.settle();
      return condition(model, 'Verified');
    };
    const differing = { ok: false, code: 'differs', differing: '7-8', message: '2 heights differ: 7-8' };

    expect(compared({ exitCode: 0, report: { ok: true, message: 'all OK' } })).to.include({
      status: 'True',
      reason: 'ComparisonMatches',
    });
    const differs = compared({ exitCode: 1, report: differing });
    expect(differs).to.include({ status: 'False', reason: 'ComparisonDiffers' });
    expect(differs.message).to.contain('2 heights differ: 7-8');
    expect(condition(model, 'Degraded')).to.include({ status: 'True', reason: 'ComparisonDiffers' });

    expect(compared('hang').reason).to.equal('ComparisonDiffers');
    end = { exitCode: 0, report: { ok: true, message: 'all OK' } };
    model.now += DAY;
    model.settle();
    expect(condition(model, 'Verified').status).to.not.equal('Unknown');
  });

  it('is compared again after the interval although nothing happens in between', () => {
    const model = new OperatorModel({ spec: { verification: { interval: '48h' } } });
    model.settle();
    model.now += 2 * DAY;
    let after: number | undefined;
    for (let round = 0; model.status.verification?.finishedAt === undefined && round < 100; round++) {
      after = model.pass().requeueAfterMs;
      model.act();
    }

    expect(model.status.verification).to.include({ result: 'Matches' });
    expect(after, 'time until the pass after the one that reported the result').to.be.at.most(2 * DAY);
  });

  it('is not about a copy that was replaced', () => {
    const differing = { ok: false, code: 'differs', differing: '7-8', message: '2 heights differ: 7-8' };
    let altered = true;
    const model = new OperatorModel({
      spec: { verification: { interval: '48h' } },
      job: ([what]) => (what === '-v' && altered ? { exitCode: 1, report: differing } : undefined),
    });
    model.settle();
    model.now += 2 * DAY;
    model.settle();
    expect(condition(model, 'Verified').reason).to.equal('ComparisonDiffers');
    altered = false;
    model.now += 1_000;
    model.reload({ id: 'one' });
    model.settle(() => model.status.activeSchema !== 'mdw');
    model.settle();
    expect(condition(model, 'Verified')).to.include({ status: 'Unknown', reason: 'NotVerified' });
  });
});
