import type { Observed } from '../types.js';
import { USUAL_MS } from './pods.js';
import type { PodFault } from './pods.js';

type Clock = Pick<Observed, 'now'>;

/** Whether a state that began at `since` has lasted longer than a usual rollout. */
export const isUnusual = (since: number | undefined, { now }: Clock, usualMs = USUAL_MS): boolean =>
  since !== undefined && now - since >= usualMs;

/** Whether somebody has to act: at once, or because the fault has lasted longer than usual. */
export const needsAction = (block: PodFault | undefined, clock: Clock): boolean =>
  block !== undefined && (block.since === undefined || isUnusual(block.since, clock, block.usualMs));

/** Time until the next of these faults has lasted longer than usual, ms; undefined if none will. */
export function unusualAfter(faults: Pick<PodFault, 'since' | 'usualMs'>[], { now }: Clock): number | undefined {
  const rests = faults.flatMap(({ since, usualMs = USUAL_MS }) => (since === undefined ? [] : since + usualMs - now));
  const next = Math.min(...rests.filter((rest) => rest > 0));
  return Number.isFinite(next) ? next : undefined;
}
