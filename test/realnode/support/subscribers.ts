import { setMaxListeners } from 'node:events';
import { watchEvents } from '../../../src/events/watch.js';

export interface Subscribers {
  /** Clients that have received no event yet. */
  silent(): number;
  /** Which of these key blocks clients did not receive, and which events clients lost for good. */
  missing(hashes: readonly string[]): string[];
  stop(): Promise<void>;
}

/** Clients that subscribe to key blocks, and reconnect and resume after every lost connection. */
export function subscribe(url: string, count: number): Subscribers {
  const end = new AbortController();
  setMaxListeners(count, end.signal);
  const lost: string[] = [];
  const received = Array.from({ length: count }, () => new Set<string>());
  const following = received.map((own, client) =>
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
    silent: () => received.filter((own) => own.size === 0).length,
    missing: (hashes) => [
      ...lost,
      ...received.flatMap((own, client) =>
        hashes.filter((hash) => !own.has(hash)).map((hash) => `client ${client} did not receive ${hash}`),
      ),
    ],
    async stop() {
      end.abort();
      await Promise.all(following);
    },
  };
}
