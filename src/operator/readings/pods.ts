import { CONTAINER, DATABASE_CONTAINER, LABEL } from '../names.js';
import type { Deployment, Job, KubeObject, Pod } from '../types.js';

/** A fault of a pod. */
export interface PodFault {
  reason: string;
  /** The report of the kubelet or the scheduler, and what to do. */
  message: string;
  /** When it began, ms since 1970; only for faults that may end by themselves. */
  since?: number;
  /** Max time that it usually lasts, ms; default `USUAL_MS`. */
  usualMs?: number;
}

/** Max time of a usual rollout, and of adding a machine to the cluster, ms. */
export const USUAL_MS = 120_000;

const PULL = {
  reason: 'ImagePullBackOff',
  todo: 'correct spec.image or spec.imagePullSecrets, or check that the nodes reach the registry',
};

/** Reasons of the kubelet for a container that does not start. A failed pull alternates between two reasons. */
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
    todo: 'create or correct the Secret or ConfigMap that it names',
  },
  CreateContainerError: { reason: 'CreateContainerError', todo: 'check the pod with kubectl describe' },
};

const todoFor = (container: string): string =>
  container === DATABASE_CONTAINER
    ? 'correct spec.database.trial'
    : `correct container ${container} in the podTemplate`;

/** Why a pod does not start; undefined if it starts or nothing is known to prevent it. */
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
    message: `Pod ${metadata.name} cannot be scheduled: ${scheduled.message ?? 'no node is suitable'}; ${todo}`,
    since: Date.parse(scheduled.lastTransitionTime ?? '') || 0,
  };
}

/** Why the API server refuses pods of a Deployment, for example a policy, a quota, a class that does not exist. */
export function refusalOf(deployment: Deployment | undefined): PodFault | undefined {
  const refusal = deployment?.status?.conditions?.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  if (deployment === undefined || refusal === undefined) return undefined;
  const reported = refusal.message ?? 'the API server refuses them';
  const message = `Pods of Deployment ${deployment.metadata.name} cannot be created: ${reported}; correct the resource, or what refuses them`;
  return { reason: 'PodsRefused', message };
}

/** Max time that the Job controller needs to create a pod, ms. */
const POD_MADE_MS = 30_000;

/** The fault that a Job has no pod; undefined if it had one. */
export function missingJobPod(job: Job): PodFault | undefined {
  const { active = 0, failed = 0 } = job.status ?? {};
  // A pod was created, and failed or was deleted by hand: the controller creates the next one.
  if (active > 0 || failed > 0) return undefined;
  const component = job.metadata.labels?.[LABEL.component] ?? '';
  const isMigration = component === 'migration' || component === 'survey';
  return missingPodOf(job, isMigration ? 'MigrationNotStarted' : 'JobNotStarted');
}

/** The fault that an object has no pod. The API server reports the cause only in Events, which the operator may not read. */
export function missingPodOf({ kind, metadata }: KubeObject, reason: string): PodFault {
  const { name, creationTimestamp = '' } = metadata;
  return {
    reason,
    message: `No pod of ${kind} ${name} was created: kubectl describe ${kind.toLowerCase()} ${name} shows what refuses it, for example a policy or a quota; correct that`,
    since: Date.parse(creationTimestamp) || 0,
    usualMs: POD_MADE_MS,
  };
}

/** Why a started pod does not run: a container failed and is not ready again. Undefined if none did. */
export function failureOf({ metadata, status }: Pod): PodFault | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  for (const { name, ready, state, lastState } of status?.containerStatuses ?? []) {
    const ended = state?.terminated ?? lastState?.terminated;
    const crashes = state?.waiting?.reason === 'CrashLoopBackOff';
    if (ready || (!crashes && (ended?.exitCode ?? 0) === 0)) continue;
    const why = ended === undefined ? 'CrashLoopBackOff' : `${ended.reason ?? 'Error'}, status ${ended.exitCode}`;
    const which = name === CONTAINER ? 'The container' : `Container ${name}`;
    const message = `${which} of pod ${metadata.name} fails (${why}): check its log with kubectl logs --previous`;
    return { reason: 'PodFailing', message };
  }
  return undefined;
}
