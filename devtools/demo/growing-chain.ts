import { AETTOS_PER_COIN } from '../../src/chain/protocol/rewards.js';
import { createIdentities } from '../devnode/generate/identities.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';

/** The values from which the chain is generated. They are stored, so that the next run continues the same chain. */
interface Origin {
  seed: string;
  /** Time of the genesis block, ms. */
  startTime: number;
}

/** Number of generations at the first start. */
export const FIRST_GENERATIONS = 300;
export const GENERATION_MS = 20_000;
/** Aettos of the account of the demo's key at the start. */
export const GIFT = 10_000n * AETTOS_PER_COIN;
const STEPS = 4;
const STEP_MS = GENERATION_MS / STEPS;
/** Number of generations between the planned time of the last initial one and the first start, so that no block time is in the future. */
const SPARE = 2;

/** One of this many key blocks replaces the last micro block (a micro fork), as happens on the real network. */
const GENERATIONS_PER_FORK = 5;

interface Growing {
  mineKeyBlock(): Promise<void>;
  addMicroBlock(): Promise<void>;
  microFork(options: { drop: number }): Promise<void>;
}

/** ak_ of the account that sends most transactions. */
export const busiestAccount = ({ seed }: Origin): string => createIdentities(seed).account(0).id;

export const newOrigin = (now: number): Origin => ({
  seed: 'demo',
  startTime: now - (FIRST_GENERATIONS + SPARE) * GENERATION_MS,
});

/** Adds a key block and a micro block immediately, so that the chain has a current block, and includes transactions that waited at the last end. */
export async function addFirstBlocks(chain: Growing): Promise<void> {
  await chain.mineKeyBlock();
  await chain.addMicroBlock();
}

/**
 * Adds a block every five seconds until aborted: three micro blocks for each key block. Call `addFirstBlocks` before. Blocks for the time in which
 * the demo did not run are not added.
 */
export async function growUntilAborted(chain: Growing, signal: AbortSignal): Promise<void> {
  for (let step = 2; ; step++) {
    await waitOrAbort(STEP_MS, signal);
    if (signal.aborted) return;
    await addBlock(chain, step);
  }
}

function addBlock(chain: Growing, step: number): Promise<void> {
  if (step % STEPS !== 0) return chain.addMicroBlock();
  return (step / STEPS) % GENERATIONS_PER_FORK === 0 ? chain.microFork({ drop: 1 }) : chain.mineKeyBlock();
}
