import { retryAt } from '../desired/migration.js';
import type { World } from '../types.js';
import { removalShownMs } from './conditions.js';
import { isKnown } from './copies.js';
import type { CopyProgress } from './copies.js';
import { headAgeRest } from './faults.js';
import type { Findings } from './findings.js';
import { jobFaultDueMs } from './job-faults.js';
import { earliest } from '../times.js';

/** Time after which the resource is reconciled again although nothing changes, ms; undefined if nothing is due. */
export function requeueMs(world: World, { plan, live, copies }: Findings): number | undefined {
  return earliest(
    plan.requeueAfterMs,
    removalShownMs(world),
    headAgeRestMs(world, live),
    ...copies.map(({ state }) => state.unusualAfterMs),
    jobFaultDueMs(world, plan),
    ...copies.map((copy) => retryPause(world, copy)),
    ...copies.map(({ state }) => (isKnown(world, state) ? undefined : 0)),
  );
}

/** Time until the head is too old, ms. No change of an object reports that: the head gets old because nothing changes. */
function headAgeRestMs(world: World, live: CopyProgress | undefined): number | undefined {
  const rest = headAgeRest(world, live?.state.health);
  return rest === undefined || rest <= 0 ? undefined : rest;
}

function retryPause(world: World, { state, migration }: CopyProgress): number | undefined {
  const job = world.children.job(migration.metadata.name);
  if (state.migration.state !== 'failed' || job === undefined) return undefined;
  const at = retryAt(job, state.migration);
  return Number.isFinite(at) ? Math.max(at - world.now, 0) + 100 : undefined;
}
