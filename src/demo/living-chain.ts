import { setTimeout as pause } from 'node:timers/promises';
import { AETTOS_PER_COIN } from '../chain/protocol/rewards.js';
import { createIdentities } from '../devnode/generate/identities.js';

/** What the chain is made from; remembered, so that the next run has the same chain. */
interface Origin {
  seed: string;
  /** Time of the genesis block, ms. */
  startTime: number;
}

/** Generations that are there at the first start. */
export const FIRST_GENERATIONS = 300;
export const GENERATION_MS = 20_000;
/** Aettos that the account of the demo's key begins with. */
export const GIFT = 10_000n * AETTOS_PER_COIN;
const STEPS = 4;
const STEP_MS = GENERATION_MS / STEPS;
/** Generations between the planned end of the first ones and the first start: none of their times may lie in the future. */
const SPARE = 2;

/** From one micro fork to the next, in which the key block replaces the last micro block, as on the real network. */
const GENERATIONS_PER_FORK = 5;

interface Growing {
  mineKeyBlock(): Promise<void>;
  addMicroBlock(): Promise<void>;
  microFork(options: { drop: number }): Promise<void>;
}

/** Of the account that most transactions are from. */
export const busiestAccount = ({ seed }: Origin): string => createIdentities(seed).account(0).id;

export const newOrigin = (now: number): Origin => ({
  seed: 'demo',
  startTime: now - (FIRST_GENERATIONS + SPARE) * GENERATION_MS,
});

/** A key block and a micro block at once, so that the chain is not as old as the last run, and has what waited then. */
export async function wake(chain: Growing): Promise<void> {
  await chain.mineKeyBlock();
  await chain.addMicroBlock();
}

/**
 * Lets a chain that was woken grow until aborted, a block every five seconds: three micro blocks to a key block. Time in
 * which it did not run is not made up for.
 */
export async function live(chain: Growing, signal: AbortSignal): Promise<void> {
  for (let step = 2; ; step++) {
    await pause(STEP_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await take(chain, step);
  }
}

function take(chain: Growing, step: number): Promise<void> {
  if (step % STEPS !== 0) return chain.addMicroBlock();
  return (step / STEPS) % GENERATIONS_PER_FORK === 0 ? chain.microFork({ drop: 1 }) : chain.mineKeyBlock();
}
