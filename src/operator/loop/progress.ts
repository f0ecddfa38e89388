import { isSame } from '../apply/compare.js';
import type { MiddlewareStatus } from '../schema/status.js';

/** Min time between two writes of progress, ms: heights change all the time. */
const PROGRESS_MS = 15_000;

/** Says when a status may be written. What lasts is written at once. */
export function createProgress(clock: () => number = () => performance.now()) {
  /** When progress was written last, by the uid of the resource. */
  const at = new Map<string, number>();
  const onlyProgress = (before: MiddlewareStatus, after: MiddlewareStatus): boolean =>
    isSame(partsOf(before).lasting, partsOf(after).lasting);

  return {
    /** Time until it may be written, ms; none above 0 when that is now. */
    restMs(uid: string, before: MiddlewareStatus, after: MiddlewareStatus): number {
      const last = at.get(uid);
      return last === undefined || !onlyProgress(before, after) ? 0 : last + PROGRESS_MS - clock();
    },
    /** A write without figures puts those that come next off no further. */
    written(uid: string, before: MiddlewareStatus, after: MiddlewareStatus): void {
      const isSameProgress = isSame(partsOf(before).figures, partsOf(after).figures);
      if (!isSameProgress || onlyProgress(before, after)) at.set(uid, clock());
    },
  };
}

function partsOf(status: MiddlewareStatus) {
  const { height, headTime, nodeHeight, lag, reload, conditions, ...rest } = status;
  const { loaded, verified, height: loadedHeight, lag: loadedLag, message: _m, ...reloadRest } = reload ?? {};
  // Messages contain heights too.
  const kept = conditions?.map(({ message: _text, ...condition }) => ({ ...condition, message: '' }));
  return {
    figures: { height, headTime, nodeHeight, lag, loaded, verified, loadedHeight, loadedLag },
    lasting: { ...rest, conditions: kept, ...(reload && { reload: reloadRest }) },
  };
}
