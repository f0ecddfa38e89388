import { setMaxListeners } from 'node:events';
import { watchEvents } from '../../../src/events/watch.js';

export interface Subscribers {
  /** Clients that were told of nothing yet. */
  silent(): number;
  /** Which key blocks of these clients were not told of, and what clients lost for good. */
  missing(hashes: readonly string[]): string[];
  stop(): Promise<void>;
}

/** Clients of key blocks that come back after every loss of their connection and go on where they were. */
export function subscribe(url: string, count: number): Subscribers {
  const end = new AbortController();
  setMaxListeners(count, end.signal);
  const lost: string[] = [];
  const told = Array.from({ length: count }, () => new Set<string>());
  const following = told.map((own, client) =>
    watchEvents({
      urls: [url],
      subscriptions: ['key_blocks'],
      onFrame(frame) {
        const { payload } = JSON.parse(frame) as { payload: { hash: string } };
        own.add(payload.hash);
      },
      onNotice(notice) {
        if (notice.startsWith('Events may be missing')) lost.push(`client ${client}: ${notice}`);
      },
      signal: end.signal,
    }),
  );
  return {
    silent: () => told.filter((own) => own.size === 0).length,
    missing: (hashes) => [
      ...lost,
      ...told.flatMap((own, client) =>
        hashes.filter((hash) => !own.has(hash)).map((hash) => `client ${client} was not told of ${hash}`),
      ),
    ],
    async stop() {
      end.abort();
      await Promise.all(following);
    },
  };
}
