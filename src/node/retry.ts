import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the steps of a reader's retries, in milliseconds. */
export const READ_RETRIES: readonly number[] = [50, 200, 800];

interface RetryOptions {
  schedule: readonly number[];
  signal: AbortSignal;
  /** Min milliseconds to wait before trying again; undefined if trying again is of no use. */
  again: (error: unknown) => number | undefined;
  /** 0 to 1; spreads the waits over 50 to 100 % of the schedule. */
  random?: () => number;
}

/** Runs `job` until it succeeds, `again` sees no use in it, the schedule ends or the signal aborts; throws the last error. */
export async function withRetries<T>(job: () => Promise<T>, options: RetryOptions): Promise<T> {
  const random = options.random ?? Math.random;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await job();
    } catch (error) {
      const step = options.schedule[attempt];
      const minMs = step === undefined || options.signal.aborted ? undefined : options.again(error);
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
