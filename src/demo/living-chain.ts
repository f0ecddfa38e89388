import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';

/** What the chain is made from; remembered, so that the next run has the same chain. */
export interface Origin {
  seed: string;
  /** Time of the genesis block, ms. */
  startTime: number;
}

/** Generations that are there at the first start. */
export const FIRST_GENERATIONS = 300;
export const GENERATION_MS = 20_000;
const STEPS = 4;
const STEP_MS = GENERATION_MS / STEPS;

/** Every so many generations the last micro block gives way to the key block: a micro fork, as on the real network. */
const GENERATIONS_PER_FORK = 5;

export interface Growing {
  mineKeyBlock(): Promise<void>;
  addMicroBlock(): Promise<void>;
  microFork(options: { drop: number }): Promise<void>;
}

export const newOrigin = (now: number): Origin => ({
  seed: 'demo',
  startTime: now - FIRST_GENERATIONS * GENERATION_MS,
});

/**
 * Lets the chain grow until aborted: a key block, then micro blocks, one every five seconds. Which blocks there are
 * depends on the origin and the clock alone. So a chain made anew after a restart first repeats what there was, block by
 * block, and makes up for the time in between.
 */
export async function live(chain: Growing, origin: Origin, signal: AbortSignal, now = Date.now): Promise<void> {
  const first = origin.startTime + FIRST_GENERATIONS * GENERATION_MS;
  for (let step = 0; !signal.aborted; step++) {
    const wait = first + (step + 1) * STEP_MS - now();
    if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined);
    else await breathe();
    if (signal.aborted) return;
    await take(chain, step);
  }
}

function take(chain: Growing, step: number): Promise<void> {
  if (step % STEPS !== 0) return chain.addMicroBlock();
  return (step / STEPS) % GENERATIONS_PER_FORK === 0 && step > 0 ? chain.microFork({ drop: 1 }) : chain.mineKeyBlock();
}

/** Generations that `live` makes up for at once. */
export const missing = (origin: Origin, now: number): number =>
  Math.max(0, Math.floor((now - origin.startTime) / GENERATION_MS) - FIRST_GENERATIONS);
