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
      expect(decide(model.world()).events).to.deep.equal([]);

      change(model, { hibernated: undefined });
      expect([servers(model), hasPopulator(model)]).to.deep.equal([3, true]);
      expect(model.status).to.include({ phase: 'Serving', databaseId, activeSchema });
    });
  }
});
