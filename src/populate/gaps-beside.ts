import { isFrom } from '../observe/errors.js';
import type { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import { backoffMs } from '../runtime/backoff.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import type { GapFiller } from './gaps.js';
import { replaceAbove } from './sync.js';
import type { SyncResult } from './sync.js';

interface GapsBesideOptions {
  filler: GapFiller;
  logger: Logger;
  /** Pause after a first fault, ms. */
  pauseMs: number;
  /** Called with faults of the node that the head does not wait for. */
  onNodeFault: (fault: MiddlewareError) => void;
}

/** Gaps, filled beside what is done to the head. */
interface GapsBeside {
  /** False from when none was found until one is suspected. */
  mayExist(): boolean;
  suspect(): void;
  /**
   * Begins or goes on, with `wait` until some heights are stored; returns whether what is stored changed, or why the node's other branch
   * does not replace it.
   */
  fill(context: SyncContext, wait: boolean): Promise<boolean | SyncResult>;
  /** Resolves when what is under way is over; undefined when nothing is. */
  over(): Promise<void> | undefined;
}

export function createGapsBeside({ filler, logger, pauseMs, onNodeFault }: GapsBesideOptions): GapsBeside {
  let mayExist = true;
  let step: { outcome: ReturnType<GapFiller['fillNext']>; over: Promise<void>; isOver: boolean } | undefined;
  let failures = 0;
  let notBefore = -Infinity;

  function begin(context: SyncContext, wait: boolean): void {
    const outcome = filler.fillNext({ beside: !wait, edgeBits: context.edgeBits });
    const over = outcome.then(
      () => undefined,
      () => undefined,
    );
    const begun = { outcome, over, isOver: false };
    void over.then(() => (begun.isOver = true));
    step = begun;
  }

  return {
    mayExist: () => mayExist,
    suspect() {
      mayExist = true;
    },
    async fill(context, wait) {
      if (step === undefined) {
        if (!wait && performance.now() < notBefore) return false;
        begin(context, wait);
      }
      if (step === undefined || (!wait && !step.isOver)) return false;
      const { outcome } = step;
      step = undefined;
      try {
        const ended = await outcome;
        failures = 0;
        if (ended === 'none') mayExist = false;
        if (ended === 'none' || ended === 'filled') return ended === 'filled';
        const result = await replaceAbove(context, ended.above);
        return result.changed || result;
      } catch (error) {
        const fault = asMiddlewareError(error);
        // The head goes on.
        if (wait || !isFrom('node', fault)) throw fault;
        onNodeFault(fault);
        if (failures === 0)
          logger.warn({ code: fault.code, reason: fault.message }, 'Filling a gap failed, will retry');
        notBefore = performance.now() + backoffMs(failures++, pauseMs, MAX_PAUSE_MS);
        return false;
      }
    },
    over: () => step?.over,
  };
}
