import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
export const waitOrAbort = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

interface Work {
  signal: AbortSignal;
  /** Does the work once. Resolves to the pause before the next time, ms. */
  runOnce: () => Promise<number>;
  /** Returns the pause after a fault, ms. What it throws ends the work. Not called when the signal has aborted. */
  onFault: (error: unknown) => number | Promise<number>;
  /** By default it ends when the signal aborts. */
  pause?: (ms: number) => Promise<void>;
}

/** Does the work again and again until the signal aborts. */
export async function repeat({
  signal,
  runOnce,
  onFault,
  pause = (ms) => waitOrAbort(ms, signal),
}: Work): Promise<void> {
  while (!signal.aborted) {
    let ms: number;
    try {
      ms = await runOnce();
    } catch (error) {
      if (signal.aborted) return;
      ms = await onFault(error);
    }
    if (ms > 0 && !signal.aborted) await pause(ms);
  }
}
