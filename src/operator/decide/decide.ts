import { idlePlan, planCopies } from '../reload/plan.js';
import type { Decision, Observed } from '../types.js';
import { readWorld } from '../world/world.js';
import type { World } from '../world/world.js';
import { blockers } from './blockers.js';
import { conditions } from './conditions.js';
import { copies } from './copies.js';
import { database } from './database.js';
import type { Findings, Step } from './findings.js';
import { status } from './status.js';
import { upgrade } from './upgrade.js';
import { children } from './children.js';

/** The steps of a pass, in order. Each adds to what those before it found. */
const STEPS: readonly Step[] = [
  // Which copies there must be, and which one serves after this pass.
  reload,
  // Whether somebody has to act before anything may be changed.
  blockers,
  // How far schema, populator and servers of each copy are.
  copies,
  // Which database they use.
  database,
  // What of that clients of the resource see.
  conditions,
  // Whether pods get a new version.
  upgrade,
  status,
  // What is written besides the status, if anything may be.
  children,
];

/**
 * The next step towards what the resource asks for. It is computed only from what exists: the same observation gives the same
 * decision, so an operator that restarts continues where the last one stopped.
 */
export function decide(observed: Observed): Decision {
  const world = readWorld(observed);
  let found = unchanged(world);
  for (const step of STEPS) found = { ...found, ...step(world, found) };
  const { want, keeps, status: next, events, requeueAfterMs } = found;
  return { want, keeps, status: next, events, requeueAfterMs };
}

function reload(world: World, { plan }: Findings): Partial<Findings> {
  return { plan: planCopies(world, plan) };
}

/** Nothing is changed: from this the steps begin. */
function unchanged(world: World): Findings {
  const plan = idlePlan(world);
  const [copy] = plan.copies;
  const live = {
    plan: copy!,
    state: world.live,
    ...{ known: false, mayPopulate: false, mayServe: false, populatorCurrent: false },
  };
  return {
    ...{ plan, blocker: undefined, live: { ...live, current: false, frozen: false }, copies: [], settled: false },
    ...{
      jobFault: undefined,
      jobFaultDueMs: undefined,
      moving: false,
      databaseId: undefined,
      claim: undefined,
      conditions: [],
    },
    upgrade: { status: {}, events: [], begins: false },
    ...{ want: [], keeps: () => true, status: world.resource.status, events: [], requeueAfterMs: undefined },
  };
}
