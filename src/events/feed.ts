import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Database } from '../store/connection/database.js';
import { listen } from '../store/connection/listen.js';
import type { Listener } from '../store/connection/listen.js';
import type { ChainEvent } from './chain-event.js';
import { endOfLog, findStart, readLog } from './log.js';
import type { LogPosition, Point } from './log.js';
import { createRecent } from './recent.js';
import { waitOrAbort } from '../runtime/repeat.js';

interface FeedOptions {
  database: Database;
  logger: Logger;
  /** Called before a batch of new events is published. */
  beforeEvents: () => void;
  /** Called after some events, before the event loop runs other tasks. */
  onYield: () => void;
  /** Called with each event once, in the order of the log. */
  onEvent: (event: ChainEvent) => void;
  /** Called when the log no longer has the next event, or is another log: clients cannot continue with it. */
  onLost: () => void;
}

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

const BATCH = 500;
/** Pause between two reads of the log without a notification, ms. */
const POLL_MS = 2_000;
/** The same while no notification can arrive, ms. */
const UNNOTIFIED_POLL_MS = 250;
const MAX_PAUSE_MS = 2_000;
/** Other tasks may run after this time, ms, or after this number of events. */
const SLICE_MS = 10;
const SLICE_EVENTS = 32;

/** Follows the event log. It also polls: a notification only makes the next read earlier, so none is lost with it. */
export function createFeed({ database, logger, beforeEvents, onYield, onEvent, onLost }: FeedOptions): Feed {
  const recent = createRecent();
  const end = new AbortController();
  let position = 0;
  let mark: string | undefined;
  let cursor: string | undefined;
  let listener: Listener | undefined;
  let following: Promise<void> | undefined;
  let woken = false;
  let wake: () => void = () => undefined;
  let waitingForRead: (() => void)[] = [];

  const readNow = (): void => {
    woken = true;
    wake();
  };

  /** Waits for a notification, or until it is time to poll. */
  async function untilWoken(): Promise<void> {
    if (!woken && !end.signal.aborted) {
      const timeout = listener?.listening() === true ? POLL_MS : UNNOTIFIED_POLL_MS;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    woken = false;
  }

  async function seekEnd(): Promise<void> {
    ({ seq: position, mark, cursor } = await endOfLog(database));
    recent.clear();
  }

  /** Reads and publishes all new events. */
  async function readNew(): Promise<void> {
    for (;;) {
      const { head, continues, events } = await readLog(database, { seq: position, mark }, BATCH);
      const first = events[0];
      if (!continues) {
        logger.warn({ position, head, first: first?.seq }, 'Event log does not continue from the last published event');
        await seekEnd();
        onLost();
        return;
      }
      if (first !== undefined) beforeEvents();
      let started = performance.now();
      for (const [i, event] of events.entries()) {
        if (event.announced) {
          onEvent(event);
          cursor = event.cursor;
        }
        recent.add(event);
        position = event.seq;
        mark = event.mark;
        if ((i + 1) % SLICE_EVENTS === 0 || performance.now() - started > SLICE_MS) {
          onYield();
          await yieldToOthers();
          started = performance.now();
        }
      }
      onYield();
      if (events.length < BATCH) return;
    }
  }

  /** Logs a failure and waits, longer after each one in a row. */
  async function afterFailure(error: unknown, failures: number): Promise<void> {
    logger[failures === 0 ? 'warn' : 'debug']({ err: error }, 'Could not read the event log, will retry');
    const wait = backoffMs(failures, 50, MAX_PAUSE_MS);
    await waitOrAbort(wait, end.signal);
  }

  async function follow(): Promise<void> {
    let failures = 0;
    while (!end.signal.aborted) {
      await untilWoken();
      try {
        await readNew();
        failures = 0;
        const resolves = waitingForRead;
        waitingForRead = [];
        resolves.forEach((resolve) => resolve());
      } catch (error) {
        await afterFailure(error, failures++);
        woken = true;
      }
    }
  }

  return {
    async start() {
      for (let failures = 0, found = false; !found && !end.signal.aborted; failures++) {
        found = await seekEnd().then(
          () => true,
          (error: unknown) => afterFailure(error, failures).then(() => false),
        );
      }
      if (end.signal.aborted) return;
      listener = listen({ database, logger, onWake: readNow });
      following = follow();
    },
    position: () => position,
    cursor: () => cursor,
    nextRead: () =>
      new Promise((resolve) => {
        waitingForRead.push(resolve);
        if (waitingForRead.length === 1) readNow();
      }),
    recentAfter: (seq, limit) => recent.after(seq, limit),
    async readAfter(after, limit) {
      const { continues, events } = await readLog(database, after, limit);
      return continues ? events : undefined;
    },
    findRecent(since) {
      const seq = recent.seqOf(since);
      return seq === undefined ? undefined : { seq };
    },
    find: (since) => findStart(database, since),
    async close() {
      end.abort();
      readNow();
      await listener?.close();
      await following;
      waitingForRead.forEach((resolve) => resolve());
    },
  };
}
