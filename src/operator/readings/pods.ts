import { CONTAINER, DATABASE_CONTAINER, LABEL } from '../names.js';
import type { Deployment, Job, KubeObject, Observed, Pod } from '../types.js';

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
const USUAL_MS = 120_000;

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

type Clock = Pick<Observed, 'now'>;

/** Whether a state that began at `since` has lasted longer than a usual rollout. */
export const isUnusual = (since: number | undefined, { now }: Clock, usualMs = USUAL_MS): boolean =>
  since !== undefined && now - since >= usualMs;

/** Whether somebody has to act: at once, or because the fault has lasted longer than usual. */
export const needsAction = (block: PodFault | undefined, clock: Clock): boolean =>
  block !== undefined && (block.since === undefined || isUnusual(block.since, clock, block.usualMs));

/** Time until the next of these faults has lasted longer than usual, ms; undefined if none will. */
export function unusualAfter(faults: Pick<PodFault, 'since' | 'usualMs'>[], { now }: Clock): number | undefined {
  const rests = faults.flatMap(({ since, usualMs = USUAL_MS }) => (since === undefined ? [] : since + usualMs - now));
  const next = Math.min(...rests.filter((rest) => rest > 0));
  return Number.isFinite(next) ? next : undefined;
}

/** State of one Deployment. */
export interface Rollout {
  exists: boolean;
  wanted: number;
  /** Existing pods, of any template version. */
  pods: number;
  /** Pods that take requests. */
  ready: number;
  /** Pods of the newest template. */
  updated: number;
  /** The controller has seen the newest template, all pods of it are ready, and no older pods exist. */
  settled: boolean;
  /** No new pod got ready within the deadline. */
  stuck: boolean;
  /** Since when fewer pods are ready than wanted, without any progress, ms since 1970; undefined if enough are ready. */
  shortSince: number | undefined;
}

/** Returns the state of a Deployment. While its controller has not seen the newest template, it counts as not settled. */
export function rollout(deployment: Deployment | undefined): Rollout {
  if (deployment === undefined) {
    const none = { wanted: 0, pods: 0, ready: 0, updated: 0 };
    return { exists: false, ...none, settled: false, stuck: false, shortSince: undefined };
  }
  const { spec, status = {}, metadata } = deployment;
  const wanted = spec.replicas ?? 1;
  const { replicas: pods = 0, readyReplicas: ready = 0, updatedReplicas: updated = 0, availableReplicas = 0 } = status;
  const seen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const settled = seen && updated === wanted && availableReplicas === wanted && pods === wanted;
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  const stuck = seen && progressing?.reason === 'ProgressDeadlineExceeded';
  const shortSince = seen && ready < wanted ? since(deployment) : undefined;
  return { exists: true, wanted, pods, ready, updated: seen ? updated : 0, settled, stuck, shortSince };
}

/** Since when too few pods are available, or when the rollout last made progress if that is later, ms since 1970. */
function since({ status }: Deployment): number | undefined {
  const of = (type: string) => status?.conditions?.find((one) => one.type === type);
  const available = of('Available');
  if (available?.status !== 'False') return undefined;
  const times = [available.lastTransitionTime, of('Progressing')?.lastUpdateTime];
  return Math.max(...times.map((time) => Date.parse(time ?? '') || 0));
}
