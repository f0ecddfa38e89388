import { setTimeout as pause } from 'node:timers/promises';
import type { Devnode } from './start.js';

interface Pace {
  /** Time between key blocks, ms; 0 for no key blocks. */
  keyMs: number;
  /** Time between micro blocks, ms; 0 for no micro blocks. */
  microMs: number;
  /** One of this many key blocks is built on an earlier micro block; 0 for never. */
  microForkEvery: number;
}

/** Adds blocks at fixed intervals until aborted. */
export async function growByTheClock(devnode: Devnode, pace: Pace, signal: AbortSignal): Promise<void> {
  let keyBlocks = 0;
  let microBlocks = 0;

  async function keyBlock(): Promise<void> {
    keyBlocks += 1;
    const forks = pace.microForkEvery > 0 && keyBlocks % pace.microForkEvery === 0 && microBlocks > 0;
    await (forks ? devnode.microFork({ drop: 1 }) : devnode.mineKeyBlock());
    microBlocks = 0;
  }

  async function microBlock(): Promise<void> {
    await devnode.addMicroBlock();
    microBlocks += 1;
  }

  await Promise.all([repeat(keyBlock, pace.keyMs, signal), repeat(microBlock, pace.microMs, signal)]);
}

async function repeat(work: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  if (everyMs === 0) return;
  for (;;) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await work();
  }
}
