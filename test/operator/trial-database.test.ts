import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import { withTemplate } from '../../src/operator/desired/template.js';
import { LABEL } from '../../src/operator/names.js';
import { trimPod } from '../../src/operator/observe/trim.js';
import type { Condition } from '../../src/operator/schema/status.js';
import type { Pod, StatefulSet, Observed } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

const SET = 'StatefulSet/sample-postgres';
const POD = 'sample-postgres-0';

/** A resource whose trial database has this pod. */
function withPod(status?: object): OperatorModel {
  const model = new OperatorModel({ spec: { database: { trial: {} } } });
  model.pass();
  if (status === undefined) return model;
  const labels = { [LABEL.instance]: 'sample', [LABEL.component]: 'database' };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: POD, namespace: 'test', labels }, status };
  model.pods.set(POD, trimPod(pod) as Pod);
  const set = model.objects.get(SET) as StatefulSet;
  model.objects.set(SET, { ...set, status: { replicas: 1 } });
  return model;
}

const condition = (observed: Observed, type: string): Condition | undefined =>
  decide(observed).status.conditions?.find((one) => one.type === type);
const container = (state: object) => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'postgres', ready: false, restartCount: 3, ...state }],
});
const MISSING: Observed['database'] = { reason: 'SecretMissing', message: 'Secret sample-postgres is not there' };

describe('A trial database', () => {
  it('whose image cannot be pulled is reported in Stalled, with its field', () => {
    const waiting = { state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } };
    expect(condition(withPod(container(waiting)).observed(), 'Stalled')).to.deep.include({
      status: 'True',
      reason: 'ImagePullBackOff',
      message: `Pod ${POD} cannot start: no such image; correct spec.database.trial`,
    });
  });

  it('without a volume is reported in Stalled after two minutes', () => {
    const model = withPod();
    const lastTransitionTime = new Date(model.now).toISOString();
    const unbound = {
      ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime },
      message: 'pod has unbound immediate PersistentVolumeClaims',
    };
    const stuck = withPod({ phase: 'Pending', conditions: [unbound] });
    expect(condition(stuck.observed(), 'Stalled')?.status).to.equal('False');
    stuck.now += 120_000;
    const shown = condition(stuck.observed(), 'Stalled');
    expect(shown).to.include({ status: 'True', reason: 'Unschedulable' });
    expect(shown?.message).to.contain('unbound immediate PersistentVolumeClaims; add nodes or storage');
  });

  it('that never had a pod is reported in Stalled', () => {
    const model = withPod();
    model.now += 30_000;
    expect(condition(model.observed(), 'Stalled')).to.include({ status: 'True', reason: 'DatabaseNotStarted' });
    model.status.databaseId = 'known';
    // A deleted pod is created again.
    expect(condition(model.observed(), 'Stalled')?.reason).to.not.equal('DatabaseNotStarted');
  });

  it('that fails is named as the cause when pods cannot reach their database', () => {
    const model = withPod({ phase: 'Running' });
    model.settle();
    expect(model.status.phase).to.equal('Serving');
    const failed = { lastState: { terminated: { exitCode: 1, reason: 'Error' } } };
    const { status } = withPod(container(failed)).pods.get(POD)!;
    model.pods.set(POD, { ...model.pods.get(POD)!, status: status! });
    model.schemas.clear();
    const shown = condition(model.observed(), 'Degraded');
    expect(shown).to.include({ status: 'True', reason: 'DatabaseUnreachable' });
    expect(shown?.message).to.contain(`of pod ${POD} fails (Error, status 1): check its log`);
  });

  it('gets a Secret only if there is none, and before its pod', () => {
    const secrets = (observed: Observed): string[] =>
      decide(observed).want.flatMap(({ kind, metadata }) => (kind === 'Secret' ? [metadata.name] : []));
    const model = new OperatorModel({ spec: { database: { trial: {} } } });
    const newPassword = 'new';
    expect(secrets({ ...model.observed(), database: MISSING, newPassword })).to.deep.equal(['sample-postgres']);
    expect(secrets({ ...model.observed(), newPassword })).to.deep.equal([]);
    model.pass();
    expect(secrets({ ...model.observed(), database: MISSING, newPassword })).to.deep.equal([]);
    expect(condition({ ...model.observed(), database: MISSING, newPassword }, 'Stalled')?.message).to.contain(
      'is not there. The operator made this Secret once, with the role in PostgreSQL',
    );
  });

  it('keeps its pod until its resource is upgraded, if a newer operator would change the pod', () => {
    const model = withPod({ phase: 'Running' });
    model.settle();
    const podOf = (observed: Observed) =>
      (decide(observed).want.find(({ kind }) => kind === 'StatefulSet') as StatefulSet).spec.template;
    const set = model.objects.get(SET) as StatefulSet;
    const { template } = set.spec;
    const before = { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: 7 } };
    model.objects.set(SET, withTemplate({ ...set, spec: { ...set.spec, template: before } }));
    expect(podOf(model.observed()).spec).to.include({ terminationGracePeriodSeconds: 30 });
    model.operator = { ...model.operator, operatorVersion: '2' };
    expect(podOf(model.observed()).spec).to.include({ terminationGracePeriodSeconds: 7 });
  });
});
