import { isFrom } from '../observe/errors.js';
import type { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import { backoffMs } from '../runtime/backoff.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import type { GapFiller } from './gaps.js';
import { replaceAbove } from './sync.js';
import type { SyncResult } from './sync.js';

interface GapFillTaskOptions {
  filler: GapFiller;
  logger: Logger;
  /** Pause after a first fault, ms. */
  pauseMs: number;
  /** Called with a fault of the node during a step that runs while the head is followed. */
  onNodeFault: (fault: MiddlewareError) => void;
}

/** Fills gaps, step by step, while the head is followed. */
interface GapFillTask {
  /** True at the start and after `checkAgain`, until no gap is found. */
  mayHaveGaps(): boolean;
  /** Makes the next `fill` look for gaps again. */
  checkAgain(): void;
  /**
   * Starts a step or continues the running one; with `wait`, until some heights are stored. Returns whether what is stored changed, or
   * why the node's other branch does not replace the stored one.
   */
  fill(context: SyncContext, wait: boolean): Promise<boolean | SyncResult>;
  /** Resolves when the running step has ended; undefined when none is running. */
  stepEnded(): Promise<void> | undefined;
}

export function createGapFillTask({ filler, logger, pauseMs, onNodeFault }: GapFillTaskOptions): GapFillTask {
  let mayHaveGaps = true;
  let step: { outcome: ReturnType<GapFiller['fillNext']>; ended: Promise<void>; hasEnded: boolean } | undefined;
  let failures = 0;
  let notBefore = -Infinity;

  function begin(context: SyncContext, wait: boolean): void {
    const outcome = filler.fillNext({
      inBackground: !wait,
      network: context.network,
      genesisHash: context.genesisHash,
    });
    const ended = outcome.then(
      () => undefined,
      () => undefined,
    );
    const begun = { outcome, ended, hasEnded: false };
    void ended.then(() => (begun.hasEnded = true));
    step = begun;
  }

  return {
    mayHaveGaps: () => mayHaveGaps,
    checkAgain() {
      mayHaveGaps = true;
    },
    async fill(context, wait) {
      if (step === undefined) {
        if (!wait && performance.now() < notBefore) return false;
        begin(context, wait);
      }
      if (step === undefined || (!wait && !step.hasEnded)) return false;
      const { outcome } = step;
      step = undefined;
      try {
        const result = await outcome;
        failures = 0;
        if (result === 'none') mayHaveGaps = false;
        if (result === 'none' || result === 'filled') return result === 'filled';
        const replaced = await replaceAbove(context, result.above);
        return replaced.changed || replaced;
      } catch (error) {
        const fault = asMiddlewareError(error);
        // A fault of the node in the background must not stop following the head.
        if (wait || !isFrom('node', fault)) throw fault;
        onNodeFault(fault);
        if (failures === 0)
          logger.warn({ code: fault.code, reason: fault.message }, 'Failed to fill a gap, will retry');
        notBefore = performance.now() + backoffMs(failures++, pauseMs, MAX_PAUSE_MS);
        return false;
      }
    },
    stepEnded: () => step?.ended,
  };
}
