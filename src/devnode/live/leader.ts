import type { LiveChain } from './types.js';

interface Leader {
  /** To be called after a post. */
  onPosted(): void;
  close(): void;
}

/** Makes a micro block some time after a post, and after a change of the chain as long as something waits. */
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
