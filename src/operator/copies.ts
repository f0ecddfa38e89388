import { ANNOTATION, LABEL, populatorName, serverName } from './names.js';
import { jobOutcome } from './jobs.js';
import type { JobOutcome } from './jobs.js';
import { migrationJob } from './desired/migration.js';
import type { Color } from './schema/status.js';
import type { CopyPlan, Deployment, Middleware, PodHealth, World } from './types.js';

/** Servers when the resource says nothing of their number. */
const DEFAULT_SERVERS = 2;

/**
 * The color that serves, as it was written on the live Service together with its selector: a selector that somebody
 * edited is no promotion. What the status says where there is no Service.
 */
export function liveColor({ resource, children }: World): Color {
  const service = children.service(resource.metadata.name);
  const written = service?.metadata.annotations?.[ANNOTATION.live];
  if (written === 'blue' || written === 'green') return written;
  const selected = service?.spec.selector?.[LABEL.color];
  if (selected === 'blue' || selected === 'green') return selected;
  return resource.status.activeColor ?? 'blue';
}

export const otherColor = (color: Color): Color => (color === 'blue' ? 'green' : 'blue');

/** Database schema of the copy of this color. */
export const schemaOf = ({ spec }: Middleware, color: Color): string =>
  color === 'blue' ? spec.database.schema : `${spec.database.schema}_green`;

/** Servers that the resource asks for, as long as no autoscaler decides. */
export function wantedServers({ spec }: Middleware, live: Deployment | undefined): number {
  const { replicas, autoscaling } = spec.server;
  if (autoscaling === undefined) return replicas ?? DEFAULT_SERVERS;
  const { minReplicas, maxReplicas } = autoscaling;
  return Math.min(Math.max(live?.spec.replicas ?? minReplicas, minReplicas), maxReplicas);
}

/** How one Deployment fares. */
export interface Rollout {
  exists: boolean;
  wanted: number;
  /** Pods there are, of whatever template. */
  pods: number;
  /** Pods that take requests. */
  ready: number;
  /** Pods of the newest template. */
  updated: number;
  /** The controller has seen the newest template, and all its pods are ready and no others are left. */
  settled: boolean;
  /** No new pod got ready within the deadline. */
  stuck: boolean;
}

export interface CopyState {
  color: Color;
  schema: string;
  migration: JobOutcome;
  populator: Rollout;
  servers: Rollout;
  /** Servers of this color that the live Service could send requests to. */
  readyEndpoints: number;
  /** What the populator says, or else the farthest server. */
  health: PodHealth | undefined;
}

/** Everything that is seen of a copy. */
export function observeCopy(world: World, copy: Pick<CopyPlan, 'color' | 'schema' | 'reload'>): CopyState {
  const { resource, children } = world;
  const { name } = resource.metadata;
  const { color, schema } = copy;
  const migration = migrationJob(world, copy);
  const servers = rollout(children.deployment(serverName(name, color)));
  return {
    color,
    schema,
    migration: jobOutcome(world, children.job(migration.metadata.name)),
    populator: rollout(children.deployment(populatorName(name, color))),
    servers,
    readyEndpoints: servers.ready,
    health: copyHealth(world, color),
  };
}

function copyHealth({ children, health }: World, color: Color): PodHealth | undefined {
  const answers = (component: string): PodHealth[] =>
    children
      .pods({ [LABEL.component]: component, [LABEL.color]: color })
      .flatMap(({ metadata }) => health.get(metadata.name) ?? []);
  const byHeight = (a: PodHealth, b: PodHealth): number => (b.height ?? -1) - (a.height ?? -1);
  return answers('populator')[0] ?? answers('server').sort(byHeight)[0];
}

/** A controller that is behind with its status must not pass for done. */
export function rollout(deployment: Deployment | undefined): Rollout {
  if (deployment === undefined) {
    return { exists: false, wanted: 0, pods: 0, ready: 0, updated: 0, settled: false, stuck: false };
  }
  const { spec, status = {}, metadata } = deployment;
  const wanted = spec.replicas ?? 1;
  const { replicas: pods = 0, readyReplicas: ready = 0, updatedReplicas: updated = 0, availableReplicas = 0 } = status;
  const seen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const settled = seen && updated === wanted && availableReplicas === wanted && pods === wanted;
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  const stuck = seen && progressing?.reason === 'ProgressDeadlineExceeded';
  return { exists: true, wanted, pods, ready, updated: seen ? updated : 0, settled, stuck };
}
