import { setTimeout as pause } from 'node:timers/promises';
import type { KubeClient, KubeRequest } from './client.js';
import { KubeError } from './errors.js';

/** Max pause before the retry, ms. If the server asks for a longer one, the caller must try again later. */
const MAX_PAUSE_MS = 1_000;
const PAUSE_MS = 50;

/**
 * A client that repeats a request once after a passing fault: no answer, a server error, or "too many requests" with a short
 * time to wait. A POST is not repeated, because it may have been executed.
 */
export function retryingOnce(client: KubeClient): KubeClient {
  return {
    ...client,
    async request<T>(path: string, request: KubeRequest = {}): Promise<T> {
      try {
        return await client.request<T>(path, request);
      } catch (error) {
        const wait = request.method === 'POST' || request.signal?.aborted ? undefined : pauseAfter(error);
        if (wait === undefined) throw error;
        await pause(wait * (1 + Math.random() / 2), undefined, { signal: request.signal });
        return client.request<T>(path, request);
      }
    },
  };
}

/** Time until the second attempt, ms; undefined if there must be none. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof KubeError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status !== 0 && status !== 429 && status < 500) return undefined;
  const wait = retryAfterSeconds === undefined ? PAUSE_MS : retryAfterSeconds * 1000;
  if (status === 429 && retryAfterSeconds === undefined) return undefined;
  return wait <= MAX_PAUSE_MS ? wait : undefined;
}
