import { setTimeout as pause } from 'node:timers/promises';

/** Result of the work, or undefined if it takes longer than `ms`. The work is not cancelled then; its result is ignored. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const end = new AbortController();
  const timeout = pause(ms, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    end.abort();
  }
}
