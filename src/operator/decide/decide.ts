import type { Decision, Observed } from '../types.js';
import { requeueMs } from './requeue.js';
import { findingsOf } from './findings.js';
import { retentionOf } from './retention.js';
import { withServed } from './served.js';
import { statusOf, transitions } from './status.js';
import { withImage } from './upgrade.js';
import { wantedChildren } from './want.js';

/**
 * The next step towards what the resource asks for. It is computed only from what exists: the same world gives the same
 * decision, so an operator that restarts continues where the last one stopped.
 */
export function decide(observed: Observed): Decision {
  const world = withServed(withImage(observed));
  const findings = findingsOf(world);
  const { status, upgrade } = statusOf(world, findings);
  const changes = transitions(world.resource.status, status);
  // While the resource is paused, or asks for what is not allowed, only its status is written.
  if (findings.paused || findings.blocker?.refused === true) {
    return { want: [], keeps: () => true, status, events: changes, requeueAfterMs: undefined };
  }
  return {
    want: wantedChildren(world, findings),
    keeps: retentionOf(world, findings),
    status,
    events: [...changes, ...upgrade.events, ...findings.plan.events],
    requeueAfterMs: upgrade.begins ? 0 : requeueMs(world, findings),
  };
}
