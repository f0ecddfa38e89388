import { countHeights, parseHeights } from '../../config/heights.js';
import { schemaOf } from '../readings/colors.js';
import type { CurrentReload } from '../world/current-reload.js';
import { endMessage } from '../world/series.js';
import type { World } from '../world/world.js';
import { differingText, loadSeries, progressText, verifySeries } from './jobs.js';
import type { State } from './state.js';

/** The state of an in-place reload of some heights. Each height is one database transaction. */
export function inPlace(world: World, current: CurrentReload): State {
  const { heights, action, why, last, id } = current;
  const { served, resource } = world;
  const base = { other: 'untouched', served } as const;
  // Heights that were loaded so far stay: each matches the chain.
  if (action === 'Abort') return { ...base, phase: 'Aborted', message: why ? `Aborted: ${why}` : 'Aborted on request' };

  const target = { id, color: served.live, schema: schemaOf(resource, served.live) };
  const total = countHeights(parseHeights(heights));
  const load = loadSeries(world, target, heights);
  const { requeueAfterMs } = load;
  if (load.state !== 'succeeded') {
    const details = { total, loaded: load.done ?? last?.loaded ?? 0 };
    if (load.state === 'failed')
      return { ...base, phase: 'Failed', message: `Loading failed: ${endMessage(load.outcome)}`, details };
    const message = progressText(load, 'Loading heights');
    return { ...base, job: load.job, phase: 'Loading', message, details, requeueAfterMs };
  }
  const { verify: asked } = resource.spec.reload;
  const details = { total, loaded: total };
  const loaded = `Loaded ${total} heights into the copy that serves`;
  if (asked === 'none') return { ...base, phase: 'Complete', message: loaded, details };
  const verify = verifySeries(world, target, asked === 'all' ? heights : asked, undefined);
  if (verify.state === 'succeeded') {
    const message = `${loaded}; they match the chain`;
    return { ...base, phase: 'Complete', message, details: { ...details, verified: total } };
  }
  const counts = { ...details, verified: verify.done ?? 0 };
  if (verify.state === 'failed') {
    const differing = differingText(verify.outcome.report);
    const message = `The heights do not match the chain: ${endMessage(verify.outcome)}`;
    return { ...base, phase: 'Failed', message, details: { ...counts, differing } };
  }
  return {
    ...{ ...base, phase: 'Verifying', job: verify.job, details: counts, requeueAfterMs: verify.requeueAfterMs },
    message: progressText(verify, 'Comparing heights with the chain'),
  };
}
