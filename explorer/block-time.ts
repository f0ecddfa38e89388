/** The time between key blocks, as the server says it of its network. */

/** That of the main network: for a network of which the server does not know it, as in `/v3`, ms. */
const USUAL_MS = 180_000;
/** A shorter pause means nothing, however fast blocks come, ms. */
const LEAST_MS = 30_000;

let blockMs = USUAL_MS;

/** `milliseconds`: null where the server does not know it. */
export function setBlockTime(milliseconds: number | null): void {
  blockMs = milliseconds ?? USUAL_MS;
}

/** Whether a head of this age is old: the next key block should have come. */
export const isOldHead = (ageMs: number): boolean => ageMs > Math.max(blockMs, LEAST_MS);
