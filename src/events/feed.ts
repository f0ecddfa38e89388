import { backoffMs } from '../runtime/backoff.js';
import { repeat, waitOrAbort } from '../runtime/repeat.js';
import { createWakeablePause } from '../runtime/wakeable-pause.js';
import { listen } from '../store/connection/listen.js';
import type { Listener } from '../store/connection/listen.js';
import type { ChainEvent } from './chain-event.js';
import { findStart, readLog } from './log.js';
import type { LogPosition, Point } from './log.js';
import { createTail } from './tail.js';
import type { TailOptions } from './tail.js';

export interface Feed {
  /** Finds the end of the log, from which events are published. Retries while the database cannot be reached. */
  start(): Promise<void>;
  /** Number of the last published event. */
  position(): number;
  /** The cursor after the last published event; undefined while nothing is stored. */
  cursor(): string | undefined;
  /** Resolves after the next read of the log. */
  nextRead(): Promise<void>;
  /** The events after number `seq`, at most `limit`; undefined if they are no longer in memory. */
  recentAfter(seq: number, limit: number): readonly ChainEvent[] | undefined;
  /** The events after `after` in the database, at most `limit`; undefined if the log does not continue from there. */
  readAfter(after: LogPosition, limit: number): Promise<readonly ChainEvent[] | undefined>;
  /** The point of the cursor of an event that is in memory. */
  findRecent(since: string): Point | undefined;
  /** The point that a client names by a cursor or a hash, from the database; undefined if it is not known. */
  find(since: string): Promise<Point | undefined>;
  close(): Promise<void>;
}

/** Pause between two reads of the log without a notification, ms. */
const POLL_MS = 2_000;
/** The same while no notification can arrive, ms. */
const UNNOTIFIED_POLL_MS = 250;
const MAX_PAUSE_MS = 2_000;

/** Follows the event log. It also polls: a notification only makes the next read earlier, so none is lost with it. */
export function createFeed(options: TailOptions): Feed {
  const { database, logger } = options;
  const tail = createTail(options);
  const end = new AbortController();
  const { wake, pause } = createWakeablePause(end.signal);
  let listener: Listener | undefined;
  let following: Promise<void> | undefined;
  let failures = 0;
  let waitingForRead: (() => void)[] = [];

  /** Logs a failure and waits, longer after each one in a row. */
  async function afterFailure(error: unknown): Promise<void> {
    logger[failures === 0 ? 'warn' : 'debug']({ err: error }, 'Could not read the event log, will retry');
    await waitOrAbort(backoffMs(failures++, 50, MAX_PAUSE_MS), end.signal);
  }

  function endWaits(): void {
    const waiting = waitingForRead;
    waitingForRead = [];
    waiting.forEach((resolve) => resolve());
  }

  const follow = (): Promise<void> =>
    repeat({
      signal: end.signal,
      pause,
      async runOnce() {
        await tail.readNew();
        failures = 0;
        endWaits();
        return listener?.listening() === true ? POLL_MS : UNNOTIFIED_POLL_MS;
      },
      onFault: (error) => afterFailure(error).then(() => 0),
    });

  return {
    async start() {
      for (let found = false; !found && !end.signal.aborted;) {
        found = await tail.seekEnd().then(
          () => true,
          (error: unknown) => afterFailure(error).then(() => false),
        );
      }
      if (end.signal.aborted) return;
      failures = 0;
      listener = listen({ database, logger, onWake: wake });
      following = follow();
    },
    position: tail.position,
    cursor: tail.cursor,
    nextRead: () =>
      new Promise((resolve) => {
        waitingForRead.push(resolve);
        if (waitingForRead.length === 1) wake();
      }),
    recentAfter: tail.recentAfter,
    async readAfter(after, limit) {
      const { continues, events } = await readLog(database, after, limit);
      return continues ? events : undefined;
    },
    findRecent: tail.findRecent,
    find: (since) => findStart(database, since),
    async close() {
      end.abort();
      await listener?.close();
      await following;
      endWaits();
    },
  };
}
