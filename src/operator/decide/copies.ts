import { availability } from '../desired/availability.js';
import { migrationJob } from '../desired/migration.js';
import { populatorDeployment, serverDeployment } from '../desired/workloads.js';
import { ANNOTATION, hashOf, populatorName, serverName } from '../names.js';
import { observeCopy } from '../observe/copies.js';
import type { CopyState } from '../observe/copies.js';
import type { CopyPlan, Deployment, Job, KubeObject, World } from '../types.js';
import type { Blocker } from './blockers.js';
import { databaseId } from './database.js';

/** The state of one copy in this pass, and how far its pods may be changed. */
export interface CopyProgress {
  plan: CopyPlan;
  state: CopyState;
  migration: Job;
  /** The newest template may be applied. */
  mayPopulate: boolean;
  mayServe: boolean;
  /** Every Deployment has the newest template. */
  current: boolean;
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
  const populatorCurrent = !populates || hasTemplate(populator, populatorDeployment(world, plan));
  const populatorStarted = !populates || (populatorCurrent && state.populator.updated >= state.populator.wanted);
  const mayServe = mayPopulate && populatorStarted;
  const serversCurrent =
    plan.servers === 0 || hasTemplate(children.deployment(serverName(name, plan.color)), serverDeployment(world, plan));
  const current = mayPopulate && populatorCurrent && serversCurrent;
  return { plan, state, migration, mayPopulate, mayServe, current };
}

/** The identity of the database must be stored before pods use it, so that another resource with it is noticed. */
export const isKnown = (world: World, { migration }: CopyState): boolean =>
  databaseId(world, migration) === world.resource.status.databaseId;

const hasTemplate = (live: Deployment | undefined, wanted: Deployment): boolean =>
  live?.metadata.annotations?.[TEMPLATE] === templateOf(wanted);

const TEMPLATE = ANNOTATION.template;
const templateOf = (deployment: Deployment): string => hashOf(deployment.spec.template);

function withTemplate(deployment: Deployment): Deployment {
  const { metadata } = deployment;
  const annotations = { ...metadata.annotations, [TEMPLATE]: templateOf(deployment) };
  return { ...deployment, metadata: { ...metadata, annotations } };
}

/** The Deployments of a copy that may have their newest template, with what belongs to them. */
export function workloads(world: World, { plan, mayPopulate, mayServe }: CopyProgress): KubeObject[] {
  const { resource } = world;
  const populates = plan.populates && resource.spec.populator.enabled;
  const servers = mayServe && plan.servers !== 0 ? withTemplate(serverDeployment(world, plan)) : undefined;
  return [
    ...(mayPopulate && populates ? [withTemplate(populatorDeployment(world, plan))] : []),
    ...(servers ? [servers, ...availability(resource, plan, servers)] : []),
  ];
}
