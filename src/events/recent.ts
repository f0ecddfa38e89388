import { partsOf } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';

const MAX_EVENTS = 5_000;
const MAX_CHARACTERS = 8 * 2 ** 20;

interface Recent {
  add(event: ChainEvent): void;
  /** The events after number `seq`, at most `limit`; undefined if they are no longer in memory. */
  after(seq: number, limit: number): readonly ChainEvent[] | undefined;
  /** Number of the event with this cursor; undefined if it is no longer in memory. */
  seqOf(cursor: string): number | undefined;
  clear(): void;
}

/** Caches the last events, so that many clients can reconnect at once without any query to the database. */
export function createRecent(): Recent {
  let events: ChainEvent[] = [];
  let cursors = new Map<string, number>();
  let characters = 0;

  /** Drops the older half. Dropping events one by one would move all others each time. */
  function dropOlderHalf(): void {
    const newer = events.slice(Math.ceil(events.length / 2));
    clear();
    newer.forEach(add);
  }

  function clear(): void {
    events = [];
    cursors = new Map();
    characters = 0;
  }

  function add(event: ChainEvent): void {
    if (events.length > 0 && event.seq !== events.at(-1)!.seq + 1) clear();
    events.push(event);
    if (event.announced) cursors.set(event.cursor, event.seq);
    for (const { data } of partsOf(event)) characters += data.length;
    if (events.length > MAX_EVENTS || characters > MAX_CHARACTERS) dropOlderHalf();
  }

  return {
    add,
    clear,
    after(seq, limit) {
      const first = events[0];
      if (first === undefined || seq + 1 < first.seq) return undefined;
      return events.slice(seq + 1 - first.seq, seq + 1 - first.seq + limit);
    },
    seqOf: (cursor) => cursors.get(cursor),
  };
}
