import { availability } from '../desired/availability.js';
import { migrationJob, revisionOf } from '../desired/migration.js';
import { populatorDeployment, serverDeployment } from '../desired/workloads.js';
import { populatorName, serverName } from '../names.js';
import { observeCopy } from '../observe/copies.js';
import type { CopyState } from '../observe/copies.js';
import type { CopyPlan, Deployment, Job, KubeObject, Middleware, World } from '../types.js';
import type { Blocker } from './blockers.js';
import { databaseId } from './database.js';
import { frozen, hasTemplate, hasOlderTemplate, withTemplate } from './template.js';

/** The state of one copy in this pass, and how far its pods may be changed. */
export interface CopyProgress {
  plan: CopyPlan;
  state: CopyState;
  migration: Job;
  /** The newest template may be applied. */
  mayPopulate: boolean;
  mayServe: boolean;
  /** That of the populator has the newest template; the servers wait for its pod. */
  populatorCurrent: boolean;
  /** Every Deployment has the newest template. */
  current: boolean;
  /** Something is left as another version of the operator made it. */
  held: boolean;
}

/** The schema first, then the populator, then the servers: each waits until the one before has the newest template. */
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
  const held =
    world.frozen &&
    ((populates && hasOlderTemplate(populator, populatorDeployment(world, plan))) ||
      (plan.servers !== 0 && hasOlderTemplate(servers, serverDeployment(world, plan))) ||
      revisionOf(migrationJob({ ...world, frozen: false }, plan)) !== revisionOf(migration));
  return { plan, state, migration, mayPopulate, mayServe, populatorCurrent, current, held };
}

/** All pods there should be are there, of the newest template, and ready. */
export const isSettled = ({ plan, state }: CopyProgress, { spec }: Middleware): boolean =>
  (plan.servers === 0 || state.servers.settled) &&
  (!plan.populates || !spec.populator.enabled || state.populator.settled);

/** The identity of the database must be stored before pods use it, so that another resource with it is noticed. */
export const isKnown = (world: World, { migration }: CopyState): boolean =>
  databaseId(world, migration) === world.resource.status.databaseId;

const populatorOf = (world: World, plan: CopyPlan): Deployment => frozen(world, populatorDeployment(world, plan));
const serversOf = (world: World, plan: CopyPlan): Deployment => frozen(world, serverDeployment(world, plan));

/** The Deployments of a copy that may have their newest template, with what belongs to them. */
export function workloads(world: World, { plan, mayPopulate, mayServe }: CopyProgress): KubeObject[] {
  const { resource } = world;
  const populates = plan.populates && resource.spec.populator.enabled;
  const servers = mayServe && plan.servers !== 0 ? withTemplate(serversOf(world, plan)) : undefined;
  return [
    ...(mayPopulate && populates ? [withTemplate(populatorOf(world, plan))] : []),
    ...(servers ? [servers, ...availability(resource, plan, servers)] : []),
  ];
}
