/** The time between key blocks, as the server says it of its network. */

/** Ms; undefined until the server has said it, and where it does not know it. */
let blockMs: number | undefined;

export function setBlockTime(milliseconds: number | undefined): void {
  blockMs = milliseconds;
}

/** A shorter pause means nothing, however fast blocks come, ms. */
const LEAST_MS = 30_000;

/** Whether a head of this age is old: the next key block should have come. */
export const isOldHead = (ageMs: number): boolean => blockMs !== undefined && ageMs > Math.max(blockMs, LEAST_MS);
