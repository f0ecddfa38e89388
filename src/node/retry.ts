import { setTimeout as delay } from 'node:timers/promises';

/** Pauses before the retries of a read, in milliseconds. */
export const READ_RETRIES: readonly number[] = [50, 200, 800];

interface RetryOptions {
  schedule: readonly number[];
  signal: AbortSignal;
  /** Min pause before a retry after this error, milliseconds; undefined if there must be no retry. */
  retryPauseMs: (error: unknown) => number | undefined;
  /** Returns 0 to 1; spreads the pauses over 50 to 100 % of the schedule. */
  random?: () => number;
}

/** Runs `job` until it succeeds. Throws the last error when `retryPauseMs` returns undefined, the schedule ends or the signal aborts. */
export async function withRetries<T>(job: () => Promise<T>, options: RetryOptions): Promise<T> {
  const random = options.random ?? Math.random;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await job();
    } catch (error) {
      const step = options.schedule[attempt];
      const minMs = step === undefined || options.signal.aborted ? undefined : options.retryPauseMs(error);
      if (minMs === undefined) throw error;
      const wait = Math.max(minMs, step! * (0.5 + random() / 2));
      try {
        await delay(wait, undefined, { signal: options.signal });
      } catch {
        throw error;
      }
    }
  }
}
