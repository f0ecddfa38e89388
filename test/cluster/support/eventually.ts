import { setTimeout as pause } from 'node:timers/promises';
import { GIVE_UP_MS } from '../../support/patience.js';

/** Calls `look` until it succeeds, and returns its result. If that takes too long, throws its last error. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { everyMs = 50, giveUpMs = GIVE_UP_MS } = {},
): Promise<T> {
  const end = performance.now() + giveUpMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(everyMs);
  }
}
