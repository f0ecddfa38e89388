import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';

export interface Tampering {
  /** Called before each request; may throw instead of it. */
  before?: (path: string, request: KubeRequest) => void | Promise<void>;
  /** Called after each answer; may throw instead of it. */
  after?: (path: string, request: KubeRequest) => void | Promise<void>;
  /** Changes the lines of watches: its result is passed on. */
  line?: (path: string, line: string) => string[];
  /** While this is true, watches stay open and deliver nothing. */
  silent?: () => boolean;
}

/** A client with faults that a real API server cannot be made to produce. */
export function tampered(client: KubeClient, { before, after, line, silent }: Tampering): KubeClient {
  return {
    async request<T>(path: string, request: KubeRequest = {}) {
      await before?.(path, request);
      const answer = await client.request<T>(path, request);
      await after?.(path, request);
      return answer;
    },
    async *lines(path, request) {
      await before?.(path, request);
      for await (const one of client.lines(path, request)) {
        if (silent?.() === true) await aborted(request.signal);
        yield* line === undefined ? [one] : line(path, one);
      }
    },
    close: () => client.close(),
  };
}

/** Writes of children and status; neither Events nor the lease. */
export const isWrite = (path: string, { method = 'GET' }: KubeRequest): boolean =>
  method !== 'GET' && !path.includes('/leases') && !path.includes('/events');

/** A client that records the paths of writes of children as they are sent. */
export const notingWrites =
  (written: string[]) =>
  (client: KubeClient): KubeClient =>
    tampered(client, {
      before(path, request) {
        if (isWrite(path, request) && !path.endsWith('/status')) written.push(path);
      },
    });

const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
