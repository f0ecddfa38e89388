import type { World } from '../types.js';
import { liveCopy } from './copy-plans.js';
import { differingText, loadSeries, progressText, verifySeries } from './jobs.js';
import { countHeights, parseHeights } from '../../config/heights.js';
import { endMessage } from './series.js';
import { servedBy, annotationsOf } from './live-service.js';
import type { Step } from './step.js';
import type { CurrentReload } from './current-reload.js';

/** The next step of an in-place reload of some heights. Each height is one database transaction. */
export function inPlace(world: World, current: CurrentReload): Step {
  const { heights, action, why, last, id } = current;
  const served = servedBy(world);
  const live = liveCopy(world, served);
  const base = { live: served.live, service: annotationsOf(served), copies: [live], jobs: [] };
  // Heights that were loaded so far stay: each matches the chain.
  if (action === 'Abort') return { ...base, phase: 'Aborted', message: why ? `Aborted: ${why}` : 'Aborted on request' };

  const target = { id, color: live.color, schema: live.schema };
  const total = countHeights(parseHeights(heights));
  const load = loadSeries(world, target, heights);
  const { requeueAfterMs } = load;
  if (load.state !== 'succeeded') {
    const details = { total, loaded: load.done ?? last?.loaded ?? 0 };
    if (load.state === 'failed')
      return { ...base, phase: 'Failed', message: `Loading failed: ${endMessage(load.outcome)}`, details };
    const message = progressText(load, 'Loading heights');
    return { ...base, jobs: [load.job], phase: 'Loading', message, details, requeueAfterMs };
  }
  const { verify: asked } = world.resource.spec.reload;
  const details = { total, loaded: total };
  const loaded = `Loaded ${total} heights into the copy that serves`;
  if (asked === 'none') return { ...base, phase: 'Complete', message: loaded, details };
  const verify = verifySeries(world, target, asked === 'all' ? heights : asked, undefined);
  const counts = { ...details, verified: verify.done ?? 0 };
  if (verify.state === 'succeeded')
    return {
      ...base,
      phase: 'Complete',
      message: `${loaded}; they match the chain`,
      details: { ...details, verified: total },
    };
  if (verify.state === 'failed') {
    const differing = differingText(verify.outcome.report);
    const message = `The heights do not match the chain: ${endMessage(verify.outcome)}`;
    return { ...base, phase: 'Failed', message, details: { ...counts, differing } };
  }
  const message = progressText(verify, 'Comparing heights with the chain');
  return {
    ...base,
    jobs: [verify.job],
    phase: 'Verifying',
    message,
    details: counts,
    requeueAfterMs: verify.requeueAfterMs,
  };
}
