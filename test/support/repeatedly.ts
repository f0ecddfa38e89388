import { setTimeout as pause } from 'node:timers/promises';

/** Work that is done again and again. */
export interface Repeated {
  /** Waits for what is under way. Throws what the work threw. */
  stop(): Promise<void>;
}

/** Repeats the work, with a pause between its end and its next begin. */
export function repeatedly(pauseMs: number, work: () => Promise<unknown>): Repeated {
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      await work();
      await pause(pauseMs);
    }
  })();
  working.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      return working;
    },
  };
}
