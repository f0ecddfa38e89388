import { CONTAINER, DATABASE_CONTAINER, LABEL } from '../names.js';
import type { Deployment, Job, KubeObject, Pod } from '../types.js';

/** What is wrong with a pod. */
export interface PodFault {
  reason: string;
  /** What the kubelet or the scheduler reports, and what to do. */
  message: string;
  /** For faults that may end by themselves: when it began, ms since 1970. */
  since?: number;
  /** How long it usually lasts, ms; `USUAL_MS` unless given. */
  usualMs?: number;
}

/** Max time of a usual rollout, and of adding a machine to the cluster, ms. */
export const USUAL_MS = 120_000;

const PULL = {
  reason: 'ImagePullBackOff',
  todo: 'correct spec.image or spec.imagePullSecrets, or see that the nodes reach the registry',
};

/** Reasons of the kubelet for a container that does not start; pulling fails under two names in turn. */
const START_FAULTS: Record<string, { reason: string; todo: string }> = {
  ErrImagePull: PULL,
  ImagePullBackOff: PULL,
  RegistryUnavailable: PULL,
  ErrImageNeverPull: {
    reason: 'ErrImageNeverPull',
    todo: 'load the image onto the nodes, or change spec.imagePullPolicy',
  },
  InvalidImageName: { reason: 'InvalidImageName', todo: 'correct spec.image' },
  CreateContainerConfigError: {
    reason: 'CreateContainerConfigError',
    todo: 'make or correct the Secret or ConfigMap that it names',
  },
  CreateContainerError: { reason: 'CreateContainerError', todo: 'look at the pod with kubectl describe' },
};

const todoFor = (container: string): string =>
  container === DATABASE_CONTAINER
    ? 'correct spec.database.trial'
    : `correct container ${container} in the podTemplate`;

/** Why a pod does not start, if somebody has to act. */
export function startFaultOf({ metadata, status }: Pod): PodFault | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  for (const { name, state } of status?.containerStatuses ?? []) {
    const block = START_FAULTS[state?.waiting?.reason ?? ''];
    if (block === undefined) continue;
    const reported = state?.waiting?.message ?? block.reason;
    const todo = name === CONTAINER ? block.todo : todoFor(name);
    return { reason: block.reason, message: `Pod ${metadata.name} cannot start: ${reported}; ${todo}` };
  }
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return undefined;
  const todo =
    metadata.labels?.[LABEL.component] === 'database'
      ? 'add nodes or storage, or correct spec.database.trial'
      : 'add nodes, or correct resources, nodeSelector, affinity or tolerations';
  return {
    reason: 'Unschedulable',
    message: `Pod ${metadata.name} finds no node: ${scheduled.message ?? 'unschedulable'}; ${todo}`,
    since: Date.parse(scheduled.lastTransitionTime ?? '') || 0,
  };
}

/** Why no pod of a Deployment is made, if the API server refuses them: a policy, a quota, a class that does not exist. */
export function refusalOf(deployment: Deployment | undefined): PodFault | undefined {
  const refusal = deployment?.status?.conditions?.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  if (deployment === undefined || refusal === undefined) return undefined;
  const reported = refusal.message ?? 'the API server refuses them';
  const message = `Pods of Deployment ${deployment.metadata.name} cannot be made: ${reported}; correct the resource, or what refuses them`;
  return { reason: 'PodsRefused', message };
}

/** Max time in which the controller of Jobs makes a pod, ms. */
const POD_MADE_MS = 30_000;

/** That a Job has no pod. */
export function missingJobPod(job: Job): PodFault | undefined {
  const { active = 0, failed = 0 } = job.status ?? {};
  // One that failed, or was deleted by hand, was made: the next one comes.
  if (active > 0 || failed > 0) return undefined;
  const isMigration = job.metadata.labels?.[LABEL.component] === 'migration';
  return missingPodOf(job, isMigration ? 'MigrationNotStarted' : 'JobNotStarted');
}

/** That what makes pods has made none. Why, the API server tells in Events alone, which the operator may not read. */
export function missingPodOf({ kind, metadata }: KubeObject, reason: string): PodFault {
  const { name, creationTimestamp = '' } = metadata;
  return {
    reason,
    message: `No pod of ${kind} ${name} is made: kubectl describe ${kind.toLowerCase()} ${name} says what refuses it, for example a policy or a quota; correct that`,
    since: Date.parse(creationTimestamp) || 0,
    usualMs: POD_MADE_MS,
  };
}

/** Why a pod that was started does not run: its container ended with a failure and is not ready since. */
export function failureOf({ metadata, status }: Pod): PodFault | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  for (const { name, ready, state, lastState } of status?.containerStatuses ?? []) {
    const ended = state?.terminated ?? lastState?.terminated;
    const crashes = state?.waiting?.reason === 'CrashLoopBackOff';
    if (ready || (!crashes && (ended?.exitCode ?? 0) === 0)) continue;
    const why = ended === undefined ? 'CrashLoopBackOff' : `${ended.reason ?? 'Error'}, status ${ended.exitCode}`;
    const which = name === CONTAINER ? 'The container' : `Container ${name}`;
    const message = `${which} of pod ${metadata.name} fails (${why}): look at its log with kubectl logs --previous`;
    return { reason: 'PodFailing', message };
  }
  return undefined;
}
