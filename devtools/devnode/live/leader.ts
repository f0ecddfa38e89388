import type { LiveChain } from './types.js';

interface Leader {
  /** Call it after a transaction was posted. */
  onPosted(): void;
  close(): void;
}

/** Adds a micro block some time after a post, and after each change of the chain while transactions wait in the pool. */
export function createLeader(chain: LiveChain, microBlockMs: number | undefined): Leader {
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (microBlockMs === undefined || timer !== undefined || chain.pool.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      chain.addMicroBlock();
    }, microBlockMs);
  }

  const stop = chain.onHeadChange(schedule);
  return {
    onPosted: schedule,
    close() {
      stop();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
