import { retryAt } from '../desired/migration.js';
import { unusualAfter } from '../readings/duration.js';
import { earliest } from '../times.js';
import type { World } from '../world/world.js';
import { removalShownMs } from './conditions.js';
import { isKnown } from './database.js';
import { headAgeRest } from './faults.js';
import type { CopyProgress, Findings } from './findings.js';

/** Time after which the resource is reconciled again although nothing changes, ms; undefined if nothing is due. */
export function requeueMs(world: World, { plan, live, copies, jobFaults }: Findings): number | undefined {
  return earliest(
    plan.requeueAfterMs,
    removalShownMs(world),
    headAgeRestMs(world, live),
    ...copies.map(({ state }) => state.unusualAfterMs),
    unusualAfter([...jobFaults], world),
    ...copies.map((copy) => retryPause(world, copy)),
    ...copies.map(({ state }) => (isKnown(world, state.migration) ? undefined : 0)),
  );
}

/** Time until the head is too old, ms. No change of an object reports that: the head gets old because nothing changes. */
function headAgeRestMs(world: World, live: CopyProgress): number | undefined {
  const rest = headAgeRest(world, live.state.health);
  return rest === undefined || rest <= 0 ? undefined : rest;
}

function retryPause({ children, now }: World, { state }: CopyProgress): number | undefined {
  const job = children.job(state.migrationJob.name);
  if (state.migration.state !== 'failed' || job === undefined) return undefined;
  const at = retryAt(job, state.migration);
  return Number.isFinite(at) ? Math.max(at - now, 0) + 100 : undefined;
}
