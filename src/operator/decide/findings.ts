import { planCopies } from '../reload/plan.js';
import { isPaused } from '../resource.js';
import type { Plan, World } from '../types.js';
import { findBlocker } from './blockers.js';
import type { Blocker } from './blockers.js';
import { progressOf } from './copies.js';
import type { CopyProgress } from './copies.js';

/** The state of a resource in one pass; children, status and conditions follow from it. */
export interface Findings {
  plan: Plan;
  /** The copy that serves; absent when the plan has none. */
  live: CopyProgress | undefined;
  copies: readonly CopyProgress[];
  blocker: Blocker | undefined;
  /** Every Deployment has the newest template. */
  settled: boolean;
  paused: boolean;
}

export function findingsOf(world: World): Findings {
  const blocker = findBlocker(world);
  const plan = planCopies(world);
  const copies = plan.copies.map((copy) => progressOf(world, copy, blocker));
  return {
    plan,
    live: copies.find(({ plan: { color } }) => color === plan.live),
    copies,
    blocker,
    settled: copies.every(({ current }) => current),
    paused: isPaused(world.resource),
  };
}
