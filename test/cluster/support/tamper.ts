import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';

export interface Tampering {
  /** Called before each request; may throw in its place. */
  before?: (path: string, request: KubeRequest) => void | Promise<void>;
  /** Called after each answer; may throw in its place. */
  after?: (path: string, request: KubeRequest) => void | Promise<void>;
  /** Lines of watches as they come; what it returns is passed on. */
  line?: (path: string, line: string) => string[];
  /** Watches that begin or go on while this is true stay open, and nothing comes. */
  silent?: () => boolean;
}

/** A client that meets the faults a real API server cannot be asked for. */
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

/** A client that notes the paths of writes of children as they are sent. */
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
