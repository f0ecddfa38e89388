import { attemptBefore } from '../desired/migration.js';
import { LABEL, populatorName, refOf, serverName } from '../names.js';
import type { Component } from '../names.js';
import { endOf, hasCompleted, hasFailed } from '../readings/jobs.js';
import { durationMs } from '../schema/parts.js';
import type { Decision, Deployment, Job, KubeObject } from '../types.js';
import { isLaterAttempt } from '../world/series.js';
import type { World } from '../world/world.js';
import type { Findings } from './findings.js';

/** Kinds that no copy is served with. All others stay as they are while it is not known which copy serves. */
const BESIDE = new Set(['ScheduledBackup', 'ServiceMonitor', 'PodMonitor', 'PrometheusRule']);

/**
 * Which unwanted objects stay: objects whose change is not due yet, objects that running pods still need, and Jobs that
 * ended recently. All others are deleted.
 */
export function retentionOf(world: World, { copies, plan }: Findings): Decision['keeps'] {
  const { resource, children, now } = world;
  const retainMs = durationMs(resource.spec.retention.jobs);
  if (world.question?.isOpen === true) {
    return (object) =>
      isSurvey(object)
        ? endOf(object as Job) === undefined || endedRecently(object as Job, retainMs, now)
        : !BESIDE.has(object.kind);
  }
  const { name } = resource.metadata;
  /** Whether it failed, and a later attempt reported a result: the alerts of the cluster would report what is over. */
  const isReplaced = (job: Job): boolean =>
    hasFailed(job) && children.jobs().some((other) => isLaterAttempt(other, job) && hasCompleted(other));
  const held = new Set(plan.jobs.map(({ name: job }) => `Job/${job}`));
  for (const { plan: copy, state, mayPopulate, mayServe } of copies) {
    // The report of a migration is needed until the next migration has reported.
    for (const job of [children.job(state.migrationJob.name), attemptBefore(world, state.migrationJob)]) {
      if (job !== undefined && endOf(job) !== undefined && !isReplaced(job)) held.add(refOf(job));
    }
    const server = serverName(name, copy.color);
    if (copy.populates && !mayPopulate) held.add(`Deployment/${populatorName(name, copy.color)}`);
    if (copy.servers !== 0 && !mayServe) {
      for (const kind of ['Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'])
        held.add(`${kind}/${server}`);
    }
  }
  const configs = new Set<string>();
  for (const object of children.all()) {
    if (object.kind === 'Deployment') configs.add(configOf(object as Deployment));
  }
  return (object) =>
    held.has(refOf(object)) ||
    (object.kind === 'ConfigMap' && configs.has(object.metadata.name)) ||
    (object.kind === 'Cluster' && resource.spec.retention.database === 'Keep') ||
    (object.kind === 'Job' &&
      !isSurvey(object) &&
      endedRecently(object as Job, retainMs, now) &&
      !isReplaced(object as Job));
}

/** An answer is never used for a later question. */
const isSurvey = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Job' && metadata.labels?.[LABEL.component] === ('survey' satisfies Component);

function configOf({ spec }: Deployment): string {
  const [container] = spec.template.spec.containers;
  const from = container?.['envFrom'] as { configMapRef?: { name: string } }[] | undefined;
  // The own ConfigMap comes after those of a pod template, because the last one wins.
  return from?.at(-1)?.configMapRef?.name ?? '';
}

/** Whether a Job ended less than `retainMs` ago. */
function endedRecently(job: Job, retainMs: number, now: number): boolean {
  const end = endOf(job);
  return end !== undefined && now - end < retainMs;
}
