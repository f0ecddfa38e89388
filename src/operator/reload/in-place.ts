import type { World } from '../types.js';
import { liveCopy } from './copy-plans.js';
import { differingText, loadSeries, progressText, verifySeries } from './jobs.js';
import { countHeights, parseHeights } from '../../config/heights.js';
import { lastWords } from './series.js';
import { servedBy, written } from './served.js';
import type { Step } from './step.js';
import type { Subject } from './subject.js';

/** The next step of an in-place reload of some heights, one database transaction for each height. */
export function inPlace(world: World, subject: Subject): Step {
  const { heights, wish, why, last, id } = subject;
  const served = servedBy(world);
  const live = liveCopy(world, served);
  const base = { live: served.live, service: written(served), copies: [live], jobs: [] };
  // What was loaded so far stays: each height is as the chain has it.
  if (wish === 'Abort') return { ...base, phase: 'Aborted', message: why ? `Aborted: ${why}` : 'Aborted as asked for' };

  const target = { id, color: live.color, schema: live.schema };
  const total = countHeights(parseHeights(heights));
  const load = loadSeries(world, target, heights);
  const { againAfterMs } = load;
  if (load.state !== 'succeeded') {
    const details = { total, loaded: load.done ?? last?.loaded ?? 0 };
    if (load.state === 'failed')
      return { ...base, phase: 'Failed', message: `Loading failed: ${lastWords(load.outcome)}`, details };
    const message = progressText(load, 'Heights are loaded');
    return { ...base, jobs: [load.job], phase: 'Loading', message, details, againAfterMs };
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
      message: `${loaded}; they are as the chain has them`,
      details: { ...details, verified: total },
    };
  if (verify.state === 'failed') {
    const differing = differingText(verify.outcome.report);
    const message = `The heights are not as the chain has them: ${lastWords(verify.outcome)}`;
    return { ...base, phase: 'Failed', message, details: { ...counts, differing } };
  }
  const message = progressText(verify, 'Heights are compared with the chain');
  return {
    ...base,
    jobs: [verify.job],
    phase: 'Verifying',
    message,
    details: counts,
    againAfterMs: verify.againAfterMs,
  };
}
