/** Pause before the next attempt, ms: `firstMs` if there was no retry yet, doubled for each of the `retries`, at most `maxMs`. */
export const backoffMs = (retries: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** retries);
