import { setTimeout as pause } from 'node:timers/promises';

/** What the work comes to, or undefined when it takes longer, ms. It is not ended then: nobody waits for it any more. */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const end = new AbortController();
  const late = pause(ms, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    end.abort();
  }
}
