import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import { trimPod } from '../../src/operator/observe/trim.js';
import type { Condition } from '../../src/operator/schema/status.js';
import type { Job, Pod } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

/** A resource that serves, with a Job that does not end. `begin` changes the resource so that the Job starts. */
function withJob(what: string, begin: (model: OperatorModel) => void): OperatorModel {
  const word = { load: '-H', verify: '-v' }[what] ?? what;
  const model = new OperatorModel({ job: ([first]) => (first === word ? 'hang' : undefined) });
  model.settle();
  begin(model);
  model.settle(() => model.jobs(what).length > 0);
  model.act();
  return model;
}

const stalled = (model: OperatorModel): Condition =>
  decide(model.observed()).status.conditions!.find(({ type }) => type === 'Stalled')!;
const jobOf = (model: OperatorModel, what: string): Job => model.jobs(what)[0]!;

/** Sets the status of the pod of a Job. */
function fare(model: OperatorModel, job: Job, status: object): void {
  const name = `${job.metadata.name}-pod`;
  model.pods.set(name, trimPod({ ...model.pods.get(name)!, status }) as Pod);
}

const JOBS: [string, string, (model: OperatorModel) => void][] = [
  ['that empties the schema', 'drop', (model) => model.reload({ id: 'one' })],
  ['that loads the chain', 'load', (model) => model.reload({ id: 'one' })],
  ['that compares the new copy', 'verify', (model) => model.reload({ id: 'one' })],
  ['that loads some heights', 'load', (model) => model.reload({ id: 'one', heights: '5' })],
  [
    'that compares at intervals',
    'verify',
    (model) => {
      model.spec['verification'] = { interval: '1h' };
      model.now += 3_600_000;
    },
  ],
];

for (const [which, what, begin] of JOBS) {
  describe(`A Job ${which}`, () => {
    it('is reported in Stalled when its image cannot be pulled, while clients are served', () => {
      const model = withJob(what, begin);
      const job = jobOf(model, what);
      expect(stalled(model).status).to.equal('False');
      const waiting = { reason: 'ImagePullBackOff', message: 'not found' };
      const containerStatuses = [{ name: 'mdw', ready: false, restartCount: 0, state: { waiting } }];
      fare(model, job, { phase: 'Pending', containerStatuses });

      expect(stalled(model)).to.include({ status: 'True', reason: 'ImagePullBackOff' });
      expect(stalled(model).message).to.contain(
        `Pod ${job.metadata.name}-pod cannot start: not found; correct spec.image`,
      );
      const ready = decide(model.observed()).status.conditions!.find(({ type }) => type === 'Ready');
      expect(ready?.status).to.equal('True');
    });

    it('is reported in Stalled when its pod cannot be scheduled for two minutes', () => {
      const model = withJob(what, begin);
      const lastTransitionTime = new Date(model.now).toISOString();
      const message = '0/3 nodes are available: insufficient memory';
      const scheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
      fare(model, jobOf(model, what), { phase: 'Pending', conditions: [scheduled] });

      expect(stalled(model).status).to.equal('False');
      const { requeueAfterMs = Infinity } = decide(model.observed());
      expect(requeueAfterMs, 'it is looked at again').to.be.at.most(120_000);
      model.now += 120_000;
      expect(stalled(model)).to.include({ status: 'True', reason: 'Unschedulable' });
      expect(stalled(model).message).to.contain(message);
    });

    it('is reported in Stalled when it has no pod for half a minute', () => {
      const model = withJob(what, begin);
      const job = jobOf(model, what);
      model.pods.delete(`${job.metadata.name}-pod`);
      model.now = Date.parse(job.metadata.creationTimestamp!);

      expect(stalled(model).status).to.equal('False');
      expect(decide(model.observed()).requeueAfterMs ?? Infinity, 'it is looked at again').to.be.at.most(30_000);
      model.now += 30_000;
      expect(stalled(model)).to.include({ status: 'True', reason: 'JobNotStarted' });
      expect(stalled(model).message).to.contain(`kubectl describe job ${job.metadata.name}`);
    });
  });
}
