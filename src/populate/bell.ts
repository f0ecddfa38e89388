/** Wakes one who rests. A ring that nobody rests to hear is kept for the next who does. */
interface Bell {
  ring(): void;
  /** Resolves after a time, when it rings, or when the signal aborts. */
  rest(ms: number): Promise<void>;
}

export function createBell(signal: AbortSignal): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    rest: (ms) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          wake = undefined;
          isRung = false;
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal.addEventListener('abort', end);
        wake = end;
        if (isRung || signal.aborted) end();
      }),
  };
}
