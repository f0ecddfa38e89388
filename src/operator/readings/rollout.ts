import type { Deployment } from '../types.js';

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
