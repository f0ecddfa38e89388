/** A pause that can be ended early. A call of `wake` while nothing is paused ends the next pause at once. */
interface WakeablePause {
  wake(): void;
  /** Resolves after a time, on `wake`, or when the signal aborts. */
  pause(ms: number): Promise<void>;
}

export function createWakeablePause(signal: AbortSignal): WakeablePause {
  let isWoken = false;
  let endPause: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      endPause?.();
    },
    pause: (ms) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          endPause = undefined;
          isWoken = false;
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal.addEventListener('abort', end);
        endPause = end;
        if (isWoken || signal.aborted) end();
      }),
  };
}
