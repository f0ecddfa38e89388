import { expect } from 'chai';
import { migrationFault } from '../../src/operator/migration-fault.js';
import { retryAt } from '../../src/operator/desired/migration.js';
import { ANNOTATION } from '../../src/operator/names.js';
import type { Job } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

describe('a migration whose database or node is unavailable', () => {
  for (const [code, reason, condition] of [
    ['database_unreachable', 'waiting for the database db:5432: connect ECONNREFUSED', 'DatabaseUnreachable'],
    ['database_read_only', 'cannot execute INSERT in a read-only transaction', 'DatabaseReadOnly'],
    ['node_unreachable', 'waiting for the node http://node:3013: connect ECONNREFUSED', 'NodeUnreachable'],
  ] as const) {
    it(`is one Job that waits, and the conditions report why: ${condition}`, () => {
      let away = true;
      const model = new OperatorModel({
        job: ([what]) => (what === 'migrate' && away ? 'hang' : { exitCode: 0 }),
        waits: ([what]) => (what === 'migrate' && away ? { code, reason } : undefined),
      });
      model.settle();
      const conditionOf = (type: string) => model.status.conditions?.find((one) => one.type === type);

      for (const type of ['Migrated', 'Ready']) {
        expect(conditionOf(type)).to.include({ status: 'False', reason: condition });
        expect(conditionOf(type)?.message).to.contain(reason);
      }
      expect(conditionOf('Stalled')?.status).to.equal('False');
      expect(model.status.migration).to.include({ state: 'Running', message: reason });
      expect(model.jobs('migrate')).to.have.length(1);

      away = false;
      model.settle();
      expect(conditionOf('Ready')?.status).to.equal('True');
      expect(model.jobs('migrate')).to.have.length(1);
    });
  }

  it('that accepts no writes may be a standby, or a primary whose disk is full', () => {
    const { message } = migrationFault({ code: 'database_read_only', message: 'x' }, 75);
    expect(message)
      .to.match(/primary/)
      .and.match(/default_transaction_read_only/)
      .and.match(/disk/);
  });

  it('is not reported as lasting after a timeout, and is retried soon after any number of timeouts', () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const failed = (attempt: number, reason: string): Job =>
      ({
        metadata: { name: 'x', annotations: { [ANNOTATION.attempt]: String(attempt) } },
        status: { conditions: [{ type: 'Failed', status: 'True', reason, lastTransitionTime }] },
      }) as unknown as Job;
    const pause = (attempt: number, reason: string): number =>
      retryAt(failed(attempt, reason), { report: {} }) - Date.parse(lastTransitionTime);

    expect([0, 5, 50].map((attempt) => pause(attempt, 'DeadlineExceeded'))).to.deep.equal([10_000, 10_000, 10_000]);
    expect([0, 5, 50].map((attempt) => pause(attempt, 'BackoffLimitExceeded'))).to.deep.equal([
      10_000, 320_000, 600_000,
    ]);
  });
});

describe('a migration that fails in a Job that completes', () => {
  const report = { ok: false, code: 'invalid_config', status: 78, message: 'it is so' };
  const refused = () => {
    const model = new OperatorModel({
      job: ([what]) => (what === 'migrate' ? { exitCode: 0, report } : undefined),
    });
    model.settle();
    return model;
  };
  const reasons = (model: OperatorModel): unknown[] =>
    ['Stalled', 'Ready'].map((type) => model.status.conditions?.find((one) => one.type === type)?.reason);
  const pods = (model: OperatorModel): string[] =>
    [...model.objects.keys()].filter((ref) => ref.startsWith('Deployment/'));

  it('has failed, because its message says so', () => {
    const model = refused();
    expect(reasons(model)).to.deep.equal(['InvalidSettings', 'InvalidSettings']);
    expect(model.status.migration).to.include({ state: 'Failed', message: 'it is so' });
    expect(pods(model)).to.deep.equal([]);
  });

  it('is not taken for one that succeeded when the pod with the message is gone', () => {
    const model = refused();
    model.pods.clear();
    model.pass();
    expect(model.status.migration).to.include({ state: 'Failed', message: 'it is so' });
    expect(pods(model)).to.deep.equal([]);
  });

  it('is running while the end of its pod was not seen', () => {
    const model = refused();
    const [job] = model.jobs('migrate');
    model.pods.get(`${job!.metadata.name}-pod`)!.status = { phase: 'Running' };
    model.pass();
    expect(model.status.migration).to.include({ state: 'Running' });
    expect(pods(model)).to.deep.equal([]);
  });
});

describe('a migration that fails by a lasting fault', () => {
  const conditionOf = (model: OperatorModel, type: string) => {
    const { status, reason } = model.status.conditions?.find((one) => one.type === type) ?? {};
    return `${status} ${reason}`;
  };
  const failing = (code: string) => {
    const state = { fails: true };
    const model = new OperatorModel({
      job: ([what]) =>
        what === 'migrate' && state.fails ? { exitCode: 78, report: { code, message: 'it is so' } } : { exitCode: 0 },
    });
    return { model, state };
  };

  it('is retried at once, but only once, when it is wanted again after another migration succeeded', () => {
    const { model, state } = failing('database_untrusted');
    const ask = (limit: string): void => {
      model.spec['settings'] = { LIMIT_CAP: limit };
      model.generation++;
    };
    state.fails = false;
    model.settle();
    state.fails = true;
    ask('5');
    const failed = (times: number) => () =>
      conditionOf(model, 'Stalled') === 'True DatabaseUntrusted' && model.jobs('migrate').length === 1 + times;
    model.settle(failed(1));
    ask('10');
    state.fails = false;
    model.settle(() => conditionOf(model, 'Stalled').startsWith('False'));
    model.settle();
    state.fails = true;
    const { now } = model;
    ask('5');
    model.settle(
      () => model.jobs('migrate').length === 4 && conditionOf(model, 'Stalled') === 'True DatabaseUntrusted',
    );
    for (let pass = 0; pass < 5; pass++) {
      model.pass();
      model.act();
    }
    expect(model.jobs('migrate'), 'the first, the one that failed, another one, and it again').to.have.length(4);
    expect(model.now - now).to.be.below(60_000);

    state.fails = false;
    model.settle();
    expect(conditionOf(model, 'Ready')).to.equal('True Serving');
  });

  it('is not retried when a setting is wrong, until the resource changes', () => {
    const { model, state } = failing('invalid_config');
    model.settle();
    for (let days = 0; days < 3; days++) {
      model.now += 24 * 3_600_000;
      model.settle();
    }
    expect(model.jobs('migrate')).to.have.length(1);
    expect(conditionOf(model, 'Stalled')).to.equal('True InvalidSettings');

    state.fails = false;
    model.spec['settings'] = { LIMIT_CAP: '1000' };
    model.generation++;
    model.settle();
    expect(conditionOf(model, 'Stalled')).to.equal('False Progressing');
    expect(conditionOf(model, 'Ready')).to.equal('True Serving');
  });

  it('is retried at intervals when the fault is corrected elsewhere, and Stalled is True until then', () => {
    const { model, state } = failing('missing_right');
    const seen = new Set<string>();
    const begun = model.now;
    model.settle(() => {
      if (seen.size > 0 || model.status.migration?.state === 'Failed') {
        seen.add(conditionOf(model, 'Stalled')).add(conditionOf(model, 'Migrated'));
      }
      return model.now - begun > 3_600_000;
    });
    expect(model.jobs('migrate').length).to.be.within(6, 7);
    expect([...seen].sort()).to.deep.equal(['False DatabaseRights', 'True DatabaseRights']);

    state.fails = false;
    model.settle();
    expect(conditionOf(model, 'Ready')).to.equal('True Serving');
    expect(conditionOf(model, 'Stalled')).to.equal('False Progressing');
  });

  it('keeps Stalled True also where ended Jobs are not kept', () => {
    const { model } = failing('missing_right');
    model.spec['retention'] = { jobs: '0s' };
    const seen: string[] = [];
    const begun = model.now;
    model.settle(() => {
      seen.push(conditionOf(model, 'Stalled'));
      return model.now - begun > 3_600_000;
    });
    expect(seen.slice(seen.indexOf('True DatabaseRights'))).to.deep.equal(
      seen.slice(seen.indexOf('True DatabaseRights')).map(() => 'True DatabaseRights'),
    );
  });
});
