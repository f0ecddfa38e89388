import { setTimeout as pause } from 'node:timers/promises';

/** Calls `look` until it succeeds, and returns its result. Throws its last error after the time, ms. */
export async function eventually<T>(look: () => T | Promise<T>, timeMs = 30_000, everyMs = 50): Promise<T> {
  const end = performance.now() + timeMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(everyMs);
  }
}
