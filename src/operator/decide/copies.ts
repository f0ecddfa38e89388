import { availability } from '../desired/availability.js';
import { migrationJob, revisionOf } from '../desired/migration.js';
import { populatorDeployment, serverDeployment } from '../desired/workloads.js';
import { populatorName, serverName } from '../names.js';
import { observeCopy } from '../copies.js';
import type { CopyState } from '../copies.js';
import type { CopyPlan, Deployment, Job, KubeObject, Middleware, World } from '../types.js';
import type { Blocker } from './blockers.js';
import { databaseId } from './database.js';
import { withFrozenTemplate, hasTemplate, hasOlderTemplate, withTemplate } from './template.js';

/** The state of one copy in this pass, and how far its pods may be changed. */
export interface CopyProgress {
  plan: CopyPlan;
  state: CopyState;
  migration: Job;
  /** The newest template may be applied. */
  mayPopulate: boolean;
  mayServe: boolean;
  /** The Deployment of the populator has the newest template; the servers wait for its pod. */
  populatorCurrent: boolean;
  /** Every Deployment has the newest template. */
  current: boolean;
  /** A pod template, or the migration, stays as another version of the operator made it. */
  frozen: boolean;
}

/** The order is schema, populator, servers: each of them waits until the one before it has the newest template. */
export function progressOf(world: World, plan: CopyPlan, blocker: Blocker | undefined): CopyProgress {
  const { resource, children } = world;
  const { name } = resource.metadata;
  const state = observeCopy(world, plan);
  const migration = migrationJob(world, plan);
  const mayPopulate = blocker === undefined && state.migration.state === 'succeeded' && isKnown(world, state);
  const populates = plan.populates && resource.spec.populator.enabled;
  const populator = children.deployment(populatorName(name, plan.color));
  const servers = children.deployment(serverName(name, plan.color));
  const populatorCurrent = mayPopulate && (!populates || hasTemplate(populator, populatorOf(world, plan)));
  const populatorStarted = !populates || (populatorCurrent && state.populator.updated >= state.populator.wanted);
  const mayServe = mayPopulate && populatorStarted;
  const serversCurrent = plan.servers === 0 || hasTemplate(servers, serversOf(world, plan));
  const current = populatorCurrent && serversCurrent;
  const isFrozen =
    world.frozen &&
    ((populates && hasOlderTemplate(populator, populatorDeployment(world, plan))) ||
      (plan.servers !== 0 && hasOlderTemplate(servers, serverDeployment(world, plan))) ||
      revisionOf(migrationJob({ ...world, frozen: false }, plan)) !== revisionOf(migration));
  return { plan, state, migration, mayPopulate, mayServe, populatorCurrent, current, frozen: isFrozen };
}

/** All wanted pods exist, have the newest template, and are ready. */
export const isSettled = ({ plan, state }: CopyProgress, { spec }: Middleware): boolean =>
  (plan.servers === 0 || state.servers.settled) &&
  (!plan.populates || !spec.populator.enabled || state.populator.settled);

/**
 * Whether the status has the identity of the database. Pods use the database only after that, so that another resource
 * with the same database is noticed.
 */
export const isKnown = (world: World, { migration }: CopyState): boolean =>
  databaseId(world, migration) === world.resource.status.databaseId;

const populatorOf = (world: World, plan: CopyPlan): Deployment =>
  withFrozenTemplate(world, populatorDeployment(world, plan));
const serversOf = (world: World, plan: CopyPlan): Deployment =>
  withFrozenTemplate(world, serverDeployment(world, plan));

/** The Deployments of a copy that may have their newest template now, each with its disruption budget and autoscaler. */
export function workloads(world: World, { plan, mayPopulate, mayServe }: CopyProgress): KubeObject[] {
  const { resource } = world;
  const populates = plan.populates && resource.spec.populator.enabled;
  const servers = mayServe && plan.servers !== 0 ? withTemplate(serversOf(world, plan)) : undefined;
  return [
    ...(mayPopulate && populates ? [withTemplate(populatorOf(world, plan))] : []),
    ...(servers ? [servers, ...availability(resource, plan, servers)] : []),
  ];
}
