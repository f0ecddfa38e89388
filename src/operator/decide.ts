import { ANNOTATION, hashOf, populatorName, refOf, serverName } from './names.js';
import { observeCopy } from './copies.js';
import { endOf } from './jobs.js';
import type { CopyState } from './copies.js';
import { availability } from './desired/availability.js';
import { cluster } from './desired/cluster.js';
import { configMap } from './desired/config.js';
import { ingress } from './desired/ingress.js';
import { migrationJob, retryAt } from './desired/migration.js';
import { monitors } from './desired/monitors.js';
import { networkPolicy } from './desired/network-policy.js';
import { liveService, metricsService, serviceAccount } from './desired/services.js';
import { populatorDeployment, serverDeployment } from './desired/workloads.js';
import { findObstacle } from './obstacles.js';
import type { Obstacle } from './obstacles.js';
import { planCopies } from './reload/plan.js';
import { durationMs } from './schema/parts.js';
import { isPaused } from './resource.js';
import { removalShownMs } from './conditions.js';
import { statusOf, transitions } from './status.js';
import type { CopyPlan, Decision, Deployment, Job, KubeObject, World } from './types.js';

/** What a pass found out of one copy, and how far its pods may be changed. */
export interface CopyProgress {
  plan: CopyPlan;
  state: CopyState;
  migration: Job;
  /** Pods of the newest template may come. */
  mayPopulate: boolean;
  mayServe: boolean;
  /** Every Deployment has the newest template. */
  current: boolean;
}

/**
 * One step towards what the resource asks for, from nothing but what there is: the same world gives the same decision,
 * so that an operator that begins in the middle goes on where the last one stopped.
 */
export function decide(world: World): Decision {
  const { resource } = world;
  const paused = isPaused(resource);
  const obstacle = findObstacle(world);
  const plan = planCopies(world);
  const copies = plan.copies.map((copy) => progressOf(world, copy, obstacle));
  const live = copies.find(({ plan: { color } }) => color === plan.live);
  const want = [
    serviceAccount(resource),
    configMap(resource),
    ...cluster(world),
    ...networkPolicy(world),
    metricsService(resource),
    ...(obstacle === undefined ? copies.map(({ migration }) => migration) : []),
    ...(obstacle === undefined ? plan.jobs : []),
    ...copies.flatMap((copy) => workloads(world, copy)),
    liveService(resource, plan.live, plan.service),
    ...ingress(resource),
    ...monitors(world),
  ];
  const settled = copies.every(({ current }) => current);
  const status = statusOf(world, { plan, live, obstacle, copies, settled, paused });
  // Nothing is touched while paused; only the status goes on telling.
  if (paused) {
    const events = transitions(resource.status, status);
    return { want: [], keeps: () => true, status, events, againAfterMs: undefined };
  }
  return {
    want,
    keeps: keeper(world, copies, plan.jobs),
    status,
    events: [...transitions(resource.status, status), ...plan.events],
    againAfterMs: earliest([
      plan.againAfterMs,
      removalShownMs(world),
      ...copies.map(({ state }) => state.unusualAfterMs),
      ...copies.map((copy) => retryPause(world, copy)),
      ...copies.map(({ state }) => (isKnown(world, state) ? undefined : 0)),
    ]),
  };
}

/** The schema first, then the populator, then the servers: each waits until the one before has the newest template. */
function progressOf(world: World, plan: CopyPlan, obstacle: Obstacle | undefined): CopyProgress {
  const { resource, children } = world;
  const { name } = resource.metadata;
  const state = observeCopy(world, plan);
  const migration = migrationJob(world, plan);
  const mayPopulate = obstacle === undefined && state.migration.state === 'succeeded' && isKnown(world, state);
  const populates = plan.populates && resource.spec.populator.enabled;
  const populator = children.deployment(populatorName(name, plan.color));
  const populatorCurrent = !populates || hasTemplate(populator, populatorDeployment(world, plan));
  const populatorStarted = !populates || (populatorCurrent && state.populator.updated >= state.populator.wanted);
  const mayServe = mayPopulate && populatorStarted;
  const serversCurrent =
    plan.servers === 0 || hasTemplate(children.deployment(serverName(name, plan.color)), serverDeployment(world, plan));
  const current = mayPopulate && populatorCurrent && serversCurrent;
  return { plan, state, migration, mayPopulate, mayServe, current };
}

/** Which database it is has to be written down before pods use it: then another resource with the same one is noticed. */
const isKnown = ({ resource }: World, { migration: { report } }: CopyState): boolean =>
  report.database === undefined || report.database === resource.status.databaseId;

const hasTemplate = (live: Deployment | undefined, wanted: Deployment): boolean =>
  live?.metadata.annotations?.[TEMPLATE] === templateOf(wanted);

const TEMPLATE = ANNOTATION.template;
const templateOf = (deployment: Deployment): string => hashOf(deployment.spec.template);

function withTemplate(deployment: Deployment): Deployment {
  const { metadata } = deployment;
  const annotations = { ...metadata.annotations, [TEMPLATE]: templateOf(deployment) };
  return { ...deployment, metadata: { ...metadata, annotations } };
}

function workloads(world: World, { plan, mayPopulate, mayServe }: CopyProgress): KubeObject[] {
  const { resource } = world;
  const populates = plan.populates && resource.spec.populator.enabled;
  const servers = mayServe && plan.servers !== 0 ? withTemplate(serverDeployment(world, plan)) : undefined;
  return [
    ...(mayPopulate && populates ? [withTemplate(populatorDeployment(world, plan))] : []),
    ...(servers ? [servers, ...availability(resource, plan, servers)] : []),
  ];
}

/**
 * What is wanted no more goes, but not what is only not yet due to be changed, nor what running pods still need, nor
 * Jobs whose end somebody may want to look at.
 */
function keeper(world: World, copies: CopyProgress[], jobs: readonly KubeObject[]): Decision['keeps'] {
  const { resource, children, now } = world;
  const { name } = resource.metadata;
  const held = new Set(jobs.map(refOf));
  for (const { plan: copy, mayPopulate, mayServe } of copies) {
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
    (object.kind === 'Job' && isKept(object as Job, durationMs(resource.spec.retention.jobs), now));
}

function configOf({ spec }: Deployment): string {
  const [container] = spec.template.spec.containers;
  const from = container?.['envFrom'] as { configMapRef?: { name: string } }[] | undefined;
  return from?.[0]?.configMapRef?.name ?? '';
}

/** Ended, and not longer ago than `retainMs`. */
function isKept(job: Job, retainMs: number, now: number): boolean {
  const end = endOf(job);
  return end !== undefined && now - end < retainMs;
}

function retryPause(world: World, { state, migration }: CopyProgress): number | undefined {
  const job = world.children.job(migration.metadata.name);
  if (state.migration.state !== 'failed' || job === undefined) return undefined;
  return Math.max(retryAt(job) - world.now, 0) + 100;
}

const earliest = (times: (number | undefined)[]): number | undefined => {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
};
