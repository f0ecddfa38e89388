import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import { LABEL } from '../../src/operator/names.js';
import { statusLines } from '../../src/operator/plugin/view.js';
import type { Condition } from '../../src/operator/schema/status.js';
import { trimPod } from '../../src/operator/observe/trim.js';
import type { Deployment, Job, KubeCondition, Pod } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

const SERVERS = 'Deployment/sample-server-blue';
const POPULATOR = 'Deployment/sample-populator-blue';

function serving(): OperatorModel {
  const model = new OperatorModel();
  model.settle();
  expect(model.status.phase).to.equal('Serving');
  return model;
}

const condition = (model: OperatorModel, type: string): Condition => {
  const found = decide(model.observed()).status.conditions?.find((one) => one.type === type);
  if (found === undefined) throw new Error(`there is no condition ${type}`);
  return found;
};
const warnings = (model: OperatorModel): string[] =>
  decide(model.observed()).events.flatMap(({ type, reason }) => (type === 'Warning' ? [reason] : []));

/** Lets the Deployment have fewer ready pods than `wanted` since a time, s. */
function fallShort(model: OperatorModel, ref: string, wanted: number, ready: number, secondsAgo: number): void {
  const deployment = model.objects.get(ref) as Deployment;
  const at = new Date(model.now - secondsAgo * 1000).toISOString();
  const available: KubeCondition = { type: 'Available', status: 'False', lastTransitionTime: at };
  deployment.spec.replicas = wanted;
  deployment.status = {
    ...deployment.status,
    replicas: wanted,
    updatedReplicas: wanted,
    readyReplicas: ready,
    availableReplicas: ready,
    conditions: [available],
  };
}

/** Sets the status of a pod of the component, in the form that the cache has. */
function setStatus(model: OperatorModel, component: string, status: unknown): void {
  for (const [name, pod] of model.pods) {
    if (pod.metadata.labels?.[LABEL.component] !== component) continue;
    model.pods.set(name, trimPod({ ...pod, status }) as Pod);
    return;
  }
  throw new Error(`there is no pod of the ${component}`);
}

const waiting = (reason: string, message: string): unknown => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'mdw', ready: false, restartCount: 0, state: { waiting: { reason, message } } }],
});

describe('The condition Degraded', () => {
  for (const [what, ref, wanted, ready, reason] of [
    ['servers are added', SERVERS, 4, 2, 'ServersMissing'],
    ['the populator is replaced', POPULATOR, 1, 0, 'PopulatorDown'],
  ] as const) {
    it(`is False while ${what}, and True when that takes longer than usual`, () => {
      const model = serving();
      model.spec['server'] = { replicas: 4 };
      fallShort(model, ref, wanted, ready, 10);

      expect(condition(model, 'Degraded').status).to.equal('False');
      expect(condition(model, 'Reconciling')).to.include({ status: 'True', reason: 'RollingOut' });
      expect(warnings(model)).to.deep.equal([]);
      // Perhaps no object changes until then, so the resource must be reconciled by time.
      const { requeueAfterMs } = decide(model.observed());
      expect(requeueAfterMs).to.be.within(1, 110_000);

      model.now += 110_000;
      expect(condition(model, 'Degraded')).to.include({ status: 'True', reason });
      expect(warnings(model)).to.deep.equal([reason]);
    });
  }

  it('is False while a rollout makes progress', () => {
    const model = serving();
    fallShort(model, SERVERS, 2, 1, 600);
    const { status } = model.objects.get(SERVERS) as Deployment;
    const lastUpdateTime = new Date(model.now - 5_000).toISOString();
    status?.conditions?.push({ type: 'Progressing', status: 'True', lastUpdateTime });

    expect(condition(model, 'Degraded').status).to.equal('False');
  });

  for (const [what, state] of [
    ['waits for another start', { waiting: { reason: 'CrashLoopBackOff' } }],
    ['has just ended', { terminated: { exitCode: 137, reason: 'OOMKilled' } }],
    ['was started again', { running: {} }],
  ] as const) {
    it(`is True at once when the container of a pod fails: it ${what}`, () => {
      const ended = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
      const failing = {
        phase: 'Running',
        containerStatuses: [{ name: 'mdw', ready: false, restartCount: 2, state, lastState: ended }],
      };
      const model = serving();
      fallShort(model, POPULATOR, 1, 0, 1);
      setStatus(model, 'populator', failing);
      expect(condition(model, 'Degraded')).to.include({ status: 'True', reason: 'PopulatorDown' });
      expect(condition(model, 'Degraded').message).to.contain('OOMKilled');

      const other = serving();
      fallShort(other, SERVERS, 2, 1, 1);
      setStatus(other, 'server', failing);
      expect(condition(other, 'Degraded')).to.include({ status: 'True', reason: 'ServersFailing' });
    });
  }
});

describe('The condition Ready', () => {
  const away = (ofServer: (pod: string) => boolean): OperatorModel => {
    let isAway = false;
    const model = new OperatorModel({ reads: (pod) => !isAway || (pod.includes('server') && ofServer(pod)) });
    model.settle();
    isAway = true;
    return model;
  };

  it('is False while no server reads the database, though all take requests', () => {
    const model = away(() => false);
    expect(condition(model, 'Ready')).to.include({ status: 'False', reason: 'DatabaseUnreachable' });
    expect(condition(model, 'Ready').message).to.match(/^2 of 2 servers take requests, but none reads the database/);
    expect(condition(model, 'Degraded')).to.include({ status: 'True', reason: 'DatabaseUnreachable' });
    expect(decide(model.observed()).status).to.include({ phase: 'Degraded', readyReplicas: 2 });
  });

  it('is True while one server reads the database; Degraded names the other one', () => {
    let one = '';
    const model = away((pod) => pod === (one ||= pod));
    expect(condition(model, 'Ready')).to.include({ status: 'True', reason: 'Serving' });
    expect(condition(model, 'Ready').message).to.equal('2 of 2 servers take requests, 1 of them without the database');

    const alone = new OperatorModel({ reads: (pod) => !pod.includes('server') || pod === one });
    alone.settle();
    const { status, message } = condition(alone, 'Degraded');
    expect([status, alone.status.phase]).to.deep.equal(['True', 'Degraded']);
    expect(message).to.match(/^Pod sample-server-blue-\S+ reports: database cannot be read/);
  });
});

describe('A populator that is frozen', () => {
  it('makes Populated and Degraded unknown, with the lag that servers know, or with none and since when', () => {
    let silent: { lag?: number } | undefined;
    const model = new OperatorModel({ silent: () => silent });
    model.settle();
    expect(condition(model, 'Populated').status).to.equal('True');
    expect(model.status).to.include({ lag: 0 }).and.not.to.have.property('nodeSeenAt');

    silent = { lag: 3 };
    model.settle();
    for (const type of ['Populated', 'Degraded'])
      expect(condition(model, type), type).to.include({ status: 'Unknown', reason: 'PopulatorSilent' });
    expect(model.status).to.include({ lag: 3 });

    silent = { lag: 23 };
    model.settle();
    expect(condition(model, 'Degraded')).to.include({ status: 'True', reason: 'Behind' });

    silent = {};
    model.settle();
    const seen = new Date(model.now).toISOString().replace('.000Z', 'Z');
    model.now += 60_000;
    model.settle();
    expect(condition(model, 'Degraded')).to.include({ status: 'Unknown', reason: 'PopulatorSilent' });
    expect(model.status).to.include({ nodeSeenAt: seen }).and.not.to.have.property('lag');
    expect(statusLines(model.resource()).join('\n')).to.contain(`not seen since ${seen}`);

    silent = undefined;
    model.settle();
    expect(condition(model, 'Degraded').status).to.equal('False');
    expect(model.status).to.include({ lag: 0 }).and.not.to.have.property('nodeSeenAt');
  });

  it('is not missed where the resource asks for none', () => {
    const model = new OperatorModel({ spec: { populator: { enabled: false } }, silent: () => ({ lag: 1 }) });
    model.schemas.set('mdw', { height: 99, loading: false });
    model.settle();
    expect(condition(model, 'Degraded').status).to.equal('False');
  });
});

describe('The condition Reconciling', () => {
  it('says that pods are replaced because fields of others were removed, while that is so', () => {
    const model = serving();
    const removal = { text: 'Deployment/x: env', at: model.now, generation: model.generation };
    fallShort(model, SERVERS, 2, 1, 5);
    model.removed = { ...removal, replacesPods: true };
    expect(condition(model, 'Reconciling')).to.include({ status: 'True', reason: 'DriftRemoved' });

    // That is over, and a server is replaced for another reason.
    model.removed = { ...removal, replacesPods: false };
    expect(condition(model, 'Reconciling')).to.include({ status: 'True', reason: 'RollingOut' });

    // It may last on, and the resource was changed meanwhile.
    model.removed = { ...removal, replacesPods: true };
    model.generation += 1;
    expect(condition(model, 'Reconciling')).to.include({ status: 'True', reason: 'RollingOut' });
  });
});

describe('A resource that asks for no servers', () => {
  it('is ScaledToZero, not about to start', () => {
    const model = serving();
    model.spec['server'] = { replicas: 0 };
    model.settle();
    expect(condition(model, 'Ready')).to.include({ status: 'False', reason: 'ScaledToZero' });
    expect(model.status.phase).to.equal('ScaledToZero');
  });
});

describe('A resource that is paused from the start', () => {
  it('says so in each condition, and not that something is being made', () => {
    const model = new OperatorModel({ spec: { paused: true } });
    model.settle();
    for (const type of ['Ready', 'Migrated', 'Reconciling'])
      expect(condition(model, type), type).to.include({ status: 'False', reason: 'Paused' });
    expect(JSON.stringify(model.status.conditions)).to.not.contain('is being');
    expect(model.events).to.deep.equal([]);
  });
});

describe('A first install', () => {
  it('has no warning while the program of its migration starts', () => {
    let isStarting = true;
    const model = new OperatorModel({
      job: () => (isStarting ? 'hang' : undefined),
      waits: () => (isStarting ? { code: 'starting', reason: 'the process is starting' } : undefined),
    });
    model.settle();
    expect(condition(model, 'Migrated')).to.include({ status: 'False', reason: 'Running' });
    isStarting = false;
    model.settle();
    expect(model.status.phase).to.equal('Serving');
    expect(model.events).to.not.include('MigrationFailed');
  });
});

describe('The condition Stalled', () => {
  for (const [waitingReason, reason, todo] of [
    ['ErrImagePull', 'ImagePullBackOff', 'spec.image'],
    ['ImagePullBackOff', 'ImagePullBackOff', 'spec.imagePullSecrets'],
    ['ErrImageNeverPull', 'ErrImageNeverPull', 'spec.imagePullPolicy'],
    ['InvalidImageName', 'InvalidImageName', 'spec.image'],
    ['CreateContainerConfigError', 'CreateContainerConfigError', 'Secret'],
    ['CreateContainerError', 'CreateContainerError', 'kubectl describe'],
  ] as const) {
    it(`is True with the report of the kubelet when a server's pod has ${waitingReason}, until it starts`, () => {
      const model = serving();
      setStatus(model, 'server', waiting(waitingReason, 'what the kubelet says'));

      const { status, reason: is, message } = condition(model, 'Stalled');
      expect([status, is]).to.deep.equal(['True', reason]);
      expect(message).to.contain('what the kubelet says').and.to.contain(todo).and.to.contain('sample-server-blue');
      expect(condition(model, 'Ready').status).to.equal('True');
      expect(warnings(model)).to.deep.equal([reason]);
      setStatus(model, 'server', { phase: 'Running' });
      expect(condition(model, 'Stalled').status).to.equal('False');
    });
  }

  it('is False again while the migration of a corrected image runs', () => {
    let hangs = false;
    const model = new OperatorModel({ job: () => (hangs ? 'hang' : undefined) });
    model.settle();
    setStatus(model, 'server', waiting('ErrImagePull', 'not found'));
    expect(condition(model, 'Stalled').status).to.equal('True');

    hangs = true;
    model.spec['image'] = 'mdw:2';
    model.generation++;
    expect(condition(model, 'Stalled').status).to.equal('False');
    expect(condition(model, 'Reconciling')).to.include({ status: 'True', reason: 'Migrating' });
  });

  it("is True when the populator's pod cannot start", () => {
    const model = serving();
    setStatus(model, 'populator', waiting('ErrImagePull', 'not found'));

    expect(condition(model, 'Stalled')).to.include({ status: 'True', reason: 'ImagePullBackOff' });
  });

  it('is True when the new populator, for which the new servers wait, gets no pod', () => {
    const model = serving();
    model.spec['image'] = 'mdw:2';
    model.generation++;
    model.settle(() => JSON.stringify((model.objects.get(POPULATOR) as Deployment).spec).includes('mdw:2'));
    const populator = model.objects.get(POPULATOR) as Deployment;
    const conditions = [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }];
    populator.status = { observedGeneration: populator.metadata.generation!, conditions };

    expect(condition(model, 'Stalled')).to.include({ status: 'True', reason: 'PodsRefused' });
    expect(condition(model, 'Stalled').message).to.contain('exceeded quota');
  });

  for (const [component, first] of [
    ['survey', 'copies'],
    ['migration', 'migrate'],
  ] as const) {
    it(`is True when the pod of the ${component} cannot start; Ready and Migrated report the same reason`, () => {
      const model = new OperatorModel({ job: ([what]) => (what === first ? 'hang' : undefined) });
      model.settle();
      setStatus(model, component, waiting('ImagePullBackOff', 'not found'));

      for (const [type, is] of [
        ['Stalled', 'True'],
        ['Migrated', 'False'],
        ['Ready', 'False'],
      ] as const) {
        expect(condition(model, type), type).to.include({ status: is, reason: 'ImagePullBackOff' });
        expect(condition(model, type).message, type).to.contain('not found');
      }
    });
  }

  it('is True when the migration has no pod for half a minute; Ready and Migrated report the same reason', () => {
    const model = new OperatorModel({ job: () => 'hang' });
    model.settle();
    const job = [...model.objects.values()].find(({ kind }) => kind === 'Job') as Job;
    const begun = Date.parse(job.metadata.creationTimestamp ?? '');
    const [name, pod] = [...model.pods].find(([key]) => key.startsWith(job.metadata.name))!;
    model.now = begun + 60_000;
    expect(condition(model, 'Stalled').status, 'with a pod').to.equal('False');

    model.pods.delete(name);
    job.status = { active: 1 };
    expect(condition(model, 'Stalled').status, 'with a pod that is not seen yet').to.equal('False');
    job.status = { failed: 1 };
    expect(condition(model, 'Stalled').status, 'after one that was deleted by hand').to.equal('False');
    job.status = {};
    for (const [type, is] of [
      ['Stalled', 'True'],
      ['Migrated', 'False'],
      ['Ready', 'False'],
    ] as const) {
      expect(condition(model, type), type).to.include({ status: is, reason: 'MigrationNotStarted' });
      expect(condition(model, type).message, type).to.contain(`kubectl describe job ${job.metadata.name}`);
    }
    model.now = begun + 29_000;
    expect(condition(model, 'Stalled').status, 'before').to.equal('False');
    expect(decide(model.observed()).requeueAfterMs).to.be.within(1, 1_000);
    model.now = begun + 60_000;
    model.pods.set(name, pod);
    expect(condition(model, 'Stalled').status, 'at last').to.equal('False');
  });

  it('ignores a container that is being created, and a pod that is being deleted', () => {
    const model = serving();
    setStatus(model, 'server', waiting('ContainerCreating', ''));
    expect(condition(model, 'Stalled').status).to.equal('False');

    setStatus(model, 'server', waiting('ErrImagePull', 'not found'));
    for (const pod of model.pods.values()) pod.metadata.deletionTimestamp = new Date(model.now).toISOString();
    expect(condition(model, 'Stalled').status).to.equal('False');
  });

  it('is True when a pod cannot be scheduled for long, but not at once, because a machine may be added', () => {
    const model = serving();
    const unscheduled = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes are available: 3 Insufficient memory.',
      lastTransitionTime: new Date(model.now).toISOString(),
    };
    setStatus(model, 'populator', { phase: 'Pending', conditions: [unscheduled] });

    expect(condition(model, 'Stalled').status).to.equal('False');
    expect(decide(model.observed()).requeueAfterMs).to.be.within(1, 120_000);
    model.now += 120_000;
    expect(condition(model, 'Stalled')).to.include({ status: 'True', reason: 'Unschedulable' });
    expect(condition(model, 'Stalled').message).to.contain('Insufficient memory');
  });
});
