import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import type { Deployment } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

describe('A resource that hibernates', () => {
  const change = (model: OperatorModel, fields: Record<string, unknown>): void => {
    model.spec = { ...model.spec, ...fields };
    model.generation++;
    model.settle();
  };
  const servers = (model: OperatorModel): number | undefined =>
    (model.objects.get('Deployment/sample-server-blue') as Deployment | undefined)?.spec.replicas;
  const hasPopulator = (model: OperatorModel): boolean => model.objects.has('Deployment/sample-populator-blue');
  const condition = (model: OperatorModel, type: string): unknown => {
    const { status, reason } = model.status.conditions!.find((one) => one.type === type)!;
    return `${status} ${reason}`;
  };

  for (const server of [{ replicas: 3 }, { autoscaling: { minReplicas: 3, maxReplicas: 5 } }]) {
    it(`runs nothing, keeps its data, says so, and wakes as it was: ${Object.keys(server).join()}`, () => {
      const model = new OperatorModel({ spec: { server } });
      model.settle();
      expect([servers(model), hasPopulator(model)]).to.deep.equal([3, true]);
      const { height, databaseId, activeSchema } = model.status;

      change(model, { hibernated: true });
      expect([servers(model), hasPopulator(model)]).to.deep.equal([0, false]);
      expect(model.status).to.include({ phase: 'Hibernated', height, databaseId, activeSchema, servers: '0/0' });
      expect(condition(model, 'Ready')).to.equal('False Hibernated');
      expect(condition(model, 'Degraded')).to.equal('False Hibernated');
      expect(condition(model, 'Reconciling')).to.equal('False Done');
      expect(decide(model.observed()).events).to.deep.equal([]);

      change(model, { hibernated: undefined });
      expect([servers(model), hasPopulator(model)]).to.deep.equal([3, true]);
      expect(model.status).to.include({ phase: 'Serving', databaseId, activeSchema });
    });
  }

  it('fails a reload that is asked for, and one that loads, and keeps the copy that serves', () => {
    for (const isRunning of [false, true]) {
      const model = new OperatorModel({ job: ([what]) => (what === '-H' ? 'hang' : undefined) });
      model.settle();
      const begin = (): void => {
        model.reload({ id: 'one' });
        model.settle();
      };
      if (isRunning) begin();
      expect(model.status.reload?.phase).to.equal(isRunning ? 'Loading' : undefined);
      change(model, { hibernated: true });
      if (!isRunning) begin();
      expect(model.status.reload).to.include({
        phase: 'Failed',
        message: 'spec.hibernated is true: no populator would follow the chain in the new copy',
      });
      expect(model.jobs('load')).to.deep.equal([]);
      expect([model.live(), [...model.schemas.keys()]]).to.deep.equal(['blue', ['mdw']]);
      change(model, { hibernated: undefined });
      expect([servers(model), hasPopulator(model)]).to.deep.equal([2, true]);
    }
  });

  it('begins no comparison that becomes due', () => {
    const model = new OperatorModel();
    model.settle();
    change(model, { hibernated: true });
    const passHours = (hours: number): void => {
      model.now += hours * 3_600_000;
      for (let i = 0; i < 5; i++) {
        model.pass();
        model.act();
      }
    };
    model.spec = { ...model.spec, verification: { interval: '1h' } };
    model.generation++;
    passHours(3);
    expect([model.jobs('verify'), model.status.verification]).to.deep.equal([[], undefined]);

    model.spec = { ...model.spec, hibernated: undefined };
    model.generation++;
    passHours(1);
    passHours(0);
    expect(model.status.verification?.startedAt).to.be.a('string');
  });
});
