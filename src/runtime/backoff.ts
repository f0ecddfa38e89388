/** Pause before the next attempt, ms: `firstMs` after the first failure, doubled with each of the `retries` so far, up to `maxMs`. */
export const backoffMs = (retries: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** retries);
