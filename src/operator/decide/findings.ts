import { needsAction } from '../readings/duration.js';
import { planCopies } from '../reload/plan.js';
import { surveySeries } from '../reload/survey.js';
import { isPaused } from '../resource.js';
import type { CopyPlan, Plan, World } from '../types.js';
import { findBlocker } from './blockers.js';
import type { Blocker } from './blockers.js';
import { progressOf } from './copies.js';
import type { CopyProgress } from './copies.js';
import { claimBlocker, claimOf } from './claims.js';
import { databaseBlocker, databaseId, isAccepted, otherDatabase } from './database.js';

/** The state of a resource in one pass. Children, status and conditions are derived from it. */
export interface Findings {
  plan: Plan;
  /** The copy that serves; absent when the plan has none. */
  live: CopyProgress | undefined;
  copies: readonly CopyProgress[];
  blocker: Blocker | undefined;
  /** Every Deployment has the newest template. */
  settled: boolean;
  /** The Secret names another database than the one that servers answer from. */
  moving: boolean;
  /** Identity of the database that servers answer from. */
  databaseId: string | undefined;
  /** By which the resource claims it: hashes of the ids of its copies. */
  claim: string[] | undefined;
  paused: boolean;
}

/** While it is not known which copy serves, the Job that reads it takes the place of the migration. */
function surveyed(world: World, copy: CopyProgress): CopyProgress {
  if (world.question?.isOpen !== true) return copy;
  const { job, before, ...series } = surveySeries(world, world.question);
  const isFailed = series.state === 'waiting' || series.state === 'failed';
  const { state: found, report, ...rest } = series.outcome;
  // Only a migration reports the identity of the database.
  const outcome = { ...rest, report: { ...report, database: undefined, copies: undefined } };
  const migration = { ...outcome, state: isFailed ? 'failed' : found === 'missing' ? 'missing' : 'running' } as const;
  const fault = needsAction(outcome.blocked, world) ? outcome.blocked : undefined;
  const blocked = { ...copy.state.blocked, migration: fault };
  const state = { ...copy.state, migration, migrationBefore: before, blocked };
  return { ...copy, state, migration: job, mayPopulate: false, mayServe: false, current: false };
}

export function findingsOf(world: World): Findings {
  const plan = planCopies(world);
  const isLive = ({ color }: CopyPlan): boolean => color === plan.live;
  const served = plan.copies.find(isLive);
  const blocker = findBlocker(world) ?? databaseBlocker(world, served) ?? claimBlocker(world, served);
  const copies = plan.copies.map((copy) => surveyed(world, progressOf(world, copy, blocker)));
  const live = copies.find(({ plan: copy }) => isLive(copy));
  const settled = copies.every(({ current }) => current);
  const other = live && otherDatabase(world, live.state.migration);
  const arrived = settled && live?.state.servers.settled === true;
  return {
    plan,
    live,
    copies,
    blocker,
    settled,
    moving: other !== undefined && !(arrived && isAccepted(world, other)),
    databaseId:
      world.question?.isOpen === true
        ? undefined
        : ((arrived ? other : undefined) ?? (live && databaseId(world, live.state.migration))),
    claim: claimOf(world, live?.state.migration, blocker),
    paused: isPaused(world.resource),
  };
}
