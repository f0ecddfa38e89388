import { revisionOf } from '../desired/migration.js';
import { hasOlderTemplate, hasTemplate, withFrozenTemplate } from '../desired/template.js';
import { populatorDeployment, serverDeployment } from '../desired/workloads.js';
import { populatorName, serverName } from '../names.js';
import { lastMigrationFault } from '../migration-fault.js';
import { needsAction, unusualAfter } from '../readings/pods.js';
import type { CopyPlan, Deployment, Middleware } from '../types.js';
import type { CopyState } from '../world/copies.js';
import { copyIn } from '../world/world.js';
import type { World } from '../world/world.js';
import { isKnown } from './database.js';
import type { Blocker, CopyProgress, Step } from './findings.js';

/** How far each copy of the plan may be changed. */
export const copies: Step = (world, { plan, blocker }) => {
  const all = plan.copies.map((copy) => progressOf(world, copy, blocker));
  const jobFaults = plan.jobs.flatMap(({ blocked }) => blocked ?? []);
  return {
    copies: all,
    live: all.find(({ plan: { color } }) => color === plan.served.live)!,
    settled: all.every(({ current }) => current),
    jobFault: jobFaults.find((fault) => needsAction(fault, world)),
    jobFaultDueMs: unusualAfter(jobFaults, world),
  };
};

/** The order is schema, populator, servers: each of them waits until the one before it has the newest template. */
function progressOf(world: World, plan: CopyPlan, blocker: Blocker | undefined): CopyProgress {
  const { resource, children } = world;
  const { name } = resource.metadata;
  const state = copyIn(world, plan.color);
  const known = isKnown(world, state.migration);
  const mayPopulate = blocker === undefined && state.migration.state === 'succeeded' && known;
  const populates = plan.populates && resource.spec.populator.enabled;
  const populator = children.deployment(populatorName(name, plan.color));
  const servers = children.deployment(serverName(name, plan.color));
  const wanted = { populator: populatorDeployment(world, plan), servers: serverDeployment(world, plan) };
  const hasNewest = (deployment: Deployment | undefined, newest: Deployment): boolean =>
    hasTemplate(deployment, withFrozenTemplate(world, newest));
  const populatorCurrent = mayPopulate && (!populates || hasNewest(populator, wanted.populator));
  const populatorStarted = !populates || (populatorCurrent && state.populator.updated >= state.populator.wanted);
  const frozen =
    world.frozen &&
    ((populates && hasOlderTemplate(populator, wanted.populator)) ||
      (plan.servers !== 0 && hasOlderTemplate(servers, wanted.servers)) ||
      revisionOf(world, plan) !== state.migrationJob.revision);
  const progress = {
    ...{ plan, state, known, mayPopulate, populatorCurrent, frozen },
    mayServe: mayPopulate && populatorStarted,
    current: populatorCurrent && (plan.servers === 0 || hasNewest(servers, wanted.servers)),
  };
  return world.question?.isOpen === true ? surveyed(world, progress, world.question) : progress;
}

/** While it is not known which copy serves, the Job that reads it takes the place of the migration. */
function surveyed(world: World, copy: CopyProgress, { survey }: NonNullable<World['question']>): CopyProgress {
  const isFailed = survey.state === 'waiting' || survey.state === 'failed';
  const { state: found, report, ...rest } = survey.outcome;
  // Only a migration reports the identity of the database.
  const outcome = { ...rest, report: { ...report, database: undefined, copies: undefined } };
  const migration = { ...outcome, state: isFailed ? 'failed' : found === 'missing' ? 'missing' : 'running' } as const;
  const fault = needsAction(outcome.blocked, world) ? outcome.blocked : undefined;
  const blocked = { ...copy.state.blocked, migration: fault };
  const migrationJob = { ...copy.state.migrationJob, name: survey.job.name };
  const before = { migrationBefore: survey.before, migrationFault: lastMigrationFault(migration, survey.before) };
  const state: CopyState = { ...copy.state, migrationJob, migration, ...before, blocked };
  return { ...copy, state, known: isKnown(world, migration), mayPopulate: false, mayServe: false, current: false };
}

/** All wanted pods exist, have the newest template, and are ready. */
export const isSettled = ({ plan, state }: CopyProgress, { spec }: Middleware): boolean =>
  (plan.servers === 0 || state.servers.settled) &&
  (!plan.populates || !spec.populator.enabled || state.populator.settled);
