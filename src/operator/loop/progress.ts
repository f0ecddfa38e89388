import { isSame } from '../apply/compare.js';
import type { MiddlewareStatus } from '../schema/status.js';

/** Min time between two writes of progress, ms: heights change all the time. With the time until they are read they are true within 15 s. */
const PROGRESS_MS = 10_000;

/** Limits how often a status is written. A change of progress figures alone waits; any other change is written at once. */
export function createProgress(clock: () => number = () => performance.now()) {
  /** When progress figures were written last, by the uid of the resource. */
  const writtenAt = new Map<string, number>();
  const onlyProgress = (before: MiddlewareStatus, after: MiddlewareStatus): boolean =>
    isSame(partsOf(before).lasting, partsOf(after).lasting);

  return {
    /** Time until the status may be written, ms; 0 or less means now. */
    restMs(uid: string, before: MiddlewareStatus, after: MiddlewareStatus): number {
      const last = writtenAt.get(uid);
      return last === undefined || !onlyProgress(before, after) ? 0 : last + PROGRESS_MS - clock();
    },
    /** Records a write. A write that changes no figures does not delay the next figures. */
    written(uid: string, before: MiddlewareStatus, after: MiddlewareStatus): void {
      const isSameProgress = isSame(partsOf(before).figures, partsOf(after).figures);
      if (!isSameProgress || onlyProgress(before, after)) writtenAt.set(uid, clock());
    },
    forget: (uid: string): void => void writtenAt.delete(uid),
  };
}

function partsOf(status: MiddlewareStatus) {
  const { height, headTime, nodeHeight, lag, reload, conditions, ...rest } = status;
  const { loaded, verified, height: loadedHeight, lag: loadedLag, message: _m, ...reloadRest } = reload ?? {};
  // Messages contain heights, so they are not compared.
  const kept = conditions?.map(({ message: _text, ...condition }) => ({ ...condition, message: '' }));
  return {
    figures: { height, headTime, nodeHeight, lag, loaded, verified, loadedHeight, loadedLag },
    lasting: { ...rest, conditions: kept, ...(reload && { reload: reloadRest }) },
  };
}
