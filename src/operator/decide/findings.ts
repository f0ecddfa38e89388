import type { PodFault } from '../readings/pods.js';
import type { Plan } from '../reload/plan.js';
import type { Condition, MiddlewareStatus } from '../schema/status.js';
import type { CopyPlan, Decision, EventDraft } from '../types.js';
import type { CopyState } from '../world/copies.js';
import type { World } from '../world/world.js';

/** Why a resource cannot be reconciled until somebody acts. Running pods stay unchanged. */
export interface Blocker {
  reason: string;
  /** What is wrong, and what to do. */
  message: string;
  /** The operator may not make what the resource asks for: nothing at all is made, changed or removed. */
  refused?: true;
}

/** Reason of the condition of a resource whose database belongs to another one. */
export const IN_USE = 'DatabaseInUse';

/** The state of one copy in this pass, and how far its pods may be changed. */
export interface CopyProgress {
  plan: CopyPlan;
  state: CopyState;
  /** The status has the identity of the database. */
  known: boolean;
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

/** What happens to the pods of a resource after a new version of the operator was installed. */
export interface Upgrade {
  status: NonNullable<MiddlewareStatus['upgrade']>;
  events: EventDraft[];
  /** It begins with the next pass. The status is written first, so that no other upgrade begins. */
  begins: boolean;
}

/** What the steps of one pass found and decided so far. */
export interface Findings extends Decision {
  plan: Plan;
  blocker: Blocker | undefined;
  /** The copy that serves. */
  live: CopyProgress;
  copies: readonly CopyProgress[];
  /** Every Deployment has the newest template. */
  settled: boolean;
  /** Why a pod of a Job of the plan does not start, if somebody has to act. */
  jobFault: PodFault | undefined;
  /** Time until such a fault has lasted longer than usual, ms. */
  jobFaultDueMs: number | undefined;
  /** The Secret names another database than the one that servers answer from. */
  moving: boolean;
  /** Identity of the database that servers answer from. */
  databaseId: string | undefined;
  /** By which the resource claims it: hashes of the ids of its copies. */
  claim: string[] | undefined;
  /** In the order in which they are shown. */
  conditions: Condition[];
  upgrade: Upgrade;
}

/** One step of a pass: what it adds to what the steps before it found. */
export type Step = (world: World, found: Findings) => Partial<Findings>;
