import { greenSchema } from '../../config/copy-schemas.js';
import { ANNOTATION, LABEL, populatorName, serverName, trialName } from '../names.js';
import { jobOutcome } from './jobs.js';
import type { JobOutcome } from './jobs.js';
import { attemptBefore, migrationJob } from '../desired/migration.js';
import type { Color } from '../schema/status.js';
import { USUAL_MS, startFaultOf, failureOf, refusalOf, missingPodOf } from './pods.js';
import type { PodFault } from './pods.js';
import type { CopyPlan, Deployment, Middleware, Pod, PodHealth, StatefulSet, World } from '../types.js';

/**
 * Color of the copy that serves, as the database or the live Service says; without a Service, the color of the status.
 */
export function liveColor(world: Pick<World, 'resource' | 'children' | 'served'>): Color {
  return world.served?.live ?? serviceColor(world) ?? world.resource.status.activeColor ?? 'blue';
}

/**
 * Color in the annotation of the live Service: editing the selector promotes nothing. Without the annotation, the color of the
 * selector; undefined without a Service.
 */
export function serviceColor({ resource, children }: Pick<World, 'resource' | 'children'>): Color | undefined {
  const service = children.service(resource.metadata.name);
  const written = service?.metadata.annotations?.[ANNOTATION.live];
  if (written === 'blue' || written === 'green') return written;
  const selected = service?.spec.selector?.[LABEL.color];
  return selected === 'blue' || selected === 'green' ? selected : undefined;
}

export const otherColor = (color: Color): Color => (color === 'blue' ? 'green' : 'blue');

/** Database schema of the copy with this color. */
export const schemaOf = ({ spec }: Middleware, color: Color): string =>
  color === 'blue' ? spec.database.schema : greenSchema(spec.database.schema);

/** Number of servers: as the resource asks, or as its autoscaler has set it, within its limits. */
export function wantedServers({ spec }: Middleware, live: Deployment | undefined): number {
  const { replicas, autoscaling } = spec.server;
  if (autoscaling === undefined) return replicas;
  const { minReplicas, maxReplicas } = autoscaling;
  return Math.min(Math.max(live?.spec.replicas ?? minReplicas, minReplicas), maxReplicas);
}

/** State of one Deployment. */
interface Rollout {
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

/** Health that a pod of the copy reports, and the name of the pod. */
interface CopyHealth extends PodHealth {
  pod: string;
}

export interface CopyState {
  color: Color;
  schema: string;
  migration: JobOutcome;
  /** The failed attempt before it. */
  migrationBefore: JobOutcome | undefined;
  populator: Rollout;
  servers: Rollout;
  /** Servers that take requests though they cannot read the database. */
  cutOff: readonly CopyHealth[];
  /** Number of servers that take requests and read the database. */
  reading: number;
  /** Health as the populator reports it, or the server with the highest head if the populator does not. */
  health: CopyHealth | undefined;
  /** Why pods do not start, if somebody has to act. */
  blocked: Record<'database' | 'migration' | 'populator' | 'servers', PodFault | undefined>;
  /** Why pods do not run. */
  failing: Record<'database' | 'populator' | 'servers', PodFault | undefined>;
  /** Time until something lasts longer than usual, ms. */
  unusualAfterMs: number | undefined;
}

/** Returns the whole state of a copy. */
export function observeCopy(world: World, copy: Pick<CopyPlan, 'color' | 'schema' | 'reload'>): CopyState {
  const { resource, children } = world;
  const { name } = resource.metadata;
  const { color, schema } = copy;
  const migration = migrationJob(world, copy);
  const deployment = {
    servers: children.deployment(serverName(name, color)),
    populator: children.deployment(populatorName(name, color)),
  };
  const servers = rollout(deployment.servers);
  const populator = rollout(deployment.populator);
  const outcome = jobOutcome(world, children.job(migration.metadata.name));
  const before = attemptBefore(world, migration);
  const podsOf = (component: string) => children.pods({ [LABEL.component]: component, [LABEL.color]: color });
  const [populators, serving] = [podsOf('populator'), podsOf('server')];
  const databases = children.pods({ [LABEL.component]: 'database' });
  const blocks = {
    database: [missingDatabasePod(world), ...databases.map(startFaultOf)],
    migration: [outcome.blocked],
    populator: [refusalOf(deployment.populator), ...populators.map(startFaultOf)],
    servers: [refusalOf(deployment.servers), ...serving.map(startFaultOf)],
  };
  const cutOff = answersOf(world, color, 'server').filter(({ withoutDatabase }) => withoutDatabase === true);
  const lasting = (some: (PodFault | undefined)[]) => some.find((block) => needsAction(block, world));
  const faults = [
    { since: populator.shortSince },
    { since: servers.shortSince },
    ...Object.values(blocks).flatMap((some) => some.flatMap((block) => block ?? [])),
  ];
  return {
    color,
    schema,
    migration: outcome,
    migrationBefore: before && jobOutcome(world, before),
    populator,
    servers,
    cutOff,
    reading: Math.max(servers.ready - cutOff.length, 0),
    health: copyHealth(world, color),
    blocked: {
      database: lasting(blocks.database),
      migration: lasting(blocks.migration),
      populator: lasting(blocks.populator),
      servers: lasting(blocks.servers),
    },
    failing: {
      database: firstFailure(databases),
      populator: firstFailure(populators),
      servers: firstFailure(serving),
    },
    unusualAfterMs: unusualAfter(faults, world),
  };
}

/** The fault that no pod of a new trial database was created. A pod that somebody deletes is created again. */
function missingDatabasePod({ resource, children }: World): PodFault | undefined {
  const { metadata, status } = resource;
  const set = children.get('StatefulSet', trialName(metadata.name)) as StatefulSet | undefined;
  const isNew = status.databaseId === undefined && (set?.status?.replicas ?? 0) === 0;
  return set !== undefined && isNew ? missingPodOf(set, 'DatabaseNotStarted') : undefined;
}

function firstFailure(pods: readonly Pod[]): PodFault | undefined {
  return pods.map(failureOf).find((failure) => failure !== undefined);
}

/** Whether a state that began at `since` has lasted longer than a usual rollout. */
export const isUnusual = (since: number | undefined, { now }: World, usualMs = USUAL_MS): boolean =>
  since !== undefined && now - since >= usualMs;

/** Whether somebody has to act: at once, or because the fault has lasted longer than usual. */
export const needsAction = (block: PodFault | undefined, world: World): boolean =>
  block !== undefined && (block.since === undefined || isUnusual(block.since, world, block.usualMs));

/** Time until the next of these faults has lasted longer than usual, ms; undefined if none will. */
export function unusualAfter(faults: Pick<PodFault, 'since' | 'usualMs'>[], { now }: World): number | undefined {
  const rests = faults.flatMap(({ since, usualMs = USUAL_MS }) => (since === undefined ? [] : since + usualMs - now));
  const next = Math.min(...rests.filter((rest) => rest > 0));
  return Number.isFinite(next) ? next : undefined;
}

/** What the pods of a component of a copy have answered. */
const answersOf = ({ children, health }: World, color: Color, component: string): CopyHealth[] =>
  children.pods({ [LABEL.component]: component, [LABEL.color]: color }).flatMap(({ metadata: { name: pod } }) => {
    const answer = health.get(pod);
    return answer === undefined ? [] : [{ ...answer, pod }];
  });

function copyHealth(world: World, color: Color): CopyHealth | undefined {
  const byHeight = (a: PodHealth, b: PodHealth): number => (b.height ?? -1) - (a.height ?? -1);
  const [populator] = answersOf(world, color, 'populator');
  const [server] = answersOf(world, color, 'server').sort(byHeight);
  // The last answer of a frozen populator is used for some probes. Servers know before that it reports nothing.
  return server?.populatorSilent === true ? server : (populator ?? server);
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
