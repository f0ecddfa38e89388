import type { Decision, World } from '../types.js';
import { lookAgainMs } from './again.js';
import { findingsOf } from './findings.js';
import { keeper } from './keep.js';
import { statusOf, transitions } from './status.js';
import { wantedChildren } from './want.js';

/**
 * One step towards what the resource asks for, computed only from what exists: the same world gives the same decision,
 * so an operator that restarts continues where the last one stopped.
 */
export function decide(world: World): Decision {
  const findings = findingsOf(world);
  const status = statusOf(world, findings);
  const changes = transitions(world.resource.status, status);
  // Nothing is touched while paused; only the status is kept up to date.
  if (findings.paused) {
    return { want: [], keeps: () => true, status, events: changes, againAfterMs: undefined };
  }
  return {
    want: wantedChildren(world, findings),
    keeps: keeper(world, findings),
    status,
    events: [...changes, ...findings.plan.events],
    againAfterMs: lookAgainMs(world, findings),
  };
}
