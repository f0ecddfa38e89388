import { setTimeout as pause } from 'node:timers/promises';

/** The first answer of `look` that is no failure; its last failure when the time, ms, is over. */
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
