import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Database } from '../store/connection/database.js';
import { listen } from '../store/connection/listen.js';
import type { Listener } from '../store/connection/listen.js';
import type { ChainEvent } from './chain-event.js';
import { endOfLog, findStart, readLog } from './log.js';
import type { Behind, Point } from './log.js';
import { createRecent } from './recent.js';

interface FeedOptions {
  database: Database;
  logger: Logger;
  /** Called before a batch of new events is published. */
  onNews: () => void;
  /** Called after some events, before other tasks get a turn. */
  onPause: () => void;
  /** Called with each event once, in the order of the log. */
  onEvent: (event: ChainEvent) => void;
  /** The log no longer has the next event, or is another log: clients cannot continue from what they got. */
  onLost: () => void;
}

export interface Feed {
  /** Finds the end of the log, where publishing begins; waits while the database cannot be reached. */
  start(): Promise<void>;
  /** Number of the last event published. */
  position(): number;
  /** The cursor after the last event published; undefined while nothing is stored. */
  cursor(): string | undefined;
  /** Resolves after the next read of the log. */
  looked(): Promise<void>;
  /** The events after one, at most `limit`; undefined if the log does not continue from that one. */
  readAfter(after: Behind, limit: number): Promise<readonly ChainEvent[] | undefined>;
  find(since: string): Promise<Point | undefined>;
  close(): Promise<void>;
}

const BATCH = 500;
/** Pause between two reads of the log without a notification, ms. */
const POLL_MS = 2_000;
/** The same while the database cannot notify. */
const UNHEARD_POLL_MS = 250;
const MAX_PAUSE_MS = 2_000;
/** Other tasks get a turn after this time, ms, or this number of events. */
const SLICE_MS = 10;
const SLICE_EVENTS = 32;

/** Follows the event log. A failed read is repeated: notifications only save time, no event depends on them. */
export function createFeed({ database, logger, onNews, onPause, onEvent, onLost }: FeedOptions): Feed {
  const recent = createRecent();
  const end = new AbortController();
  let position = 0;
  let mark: string | undefined;
  let cursor: string | undefined;
  let listener: Listener | undefined;
  let running: Promise<void> | undefined;
  let woken = false;
  let wake: () => void = () => undefined;
  let waiting: (() => void)[] = [];

  const poke = (): void => {
    woken = true;
    wake();
  };

  async function nextTurn(): Promise<void> {
    if (!woken && !end.signal.aborted) {
      const timeout = listener?.listening() === true ? POLL_MS : UNHEARD_POLL_MS;
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

  async function goToEnd(): Promise<void> {
    ({ seq: position, mark, cursor } = await endOfLog(database));
    recent.clear();
  }

  async function look(): Promise<void> {
    for (;;) {
      const { head, continues, events } = await readLog(database, { seq: position, mark }, BATCH);
      const first = events[0];
      if (!continues) {
        logger.warn({ position, head, first: first?.seq }, 'The event log does not continue where it was left');
        await goToEnd();
        onLost();
        return;
      }
      if (first !== undefined) onNews();
      let begun = performance.now();
      for (const [i, event] of events.entries()) {
        if (event.announced) {
          onEvent(event);
          cursor = event.cursor;
        }
        recent.add(event);
        position = event.seq;
        mark = event.mark;
        if ((i + 1) % SLICE_EVENTS === 0 || performance.now() - begun > SLICE_MS) {
          onPause();
          await breathe();
          begun = performance.now();
        }
      }
      onPause();
      if (events.length < BATCH) return;
    }
  }

  /** Waits after a failure, longer with each further one. */
  async function afterFailure(error: unknown, failures: number): Promise<void> {
    logger[failures === 0 ? 'warn' : 'debug']({ err: error }, 'Cannot read the event log, will try again');
    const wait = backoffMs(failures, 50, MAX_PAUSE_MS);
    await pause(wait, undefined, { signal: end.signal }).catch(() => undefined);
  }

  async function follow(): Promise<void> {
    let failures = 0;
    while (!end.signal.aborted) {
      await nextTurn();
      try {
        await look();
        failures = 0;
        const done = waiting;
        waiting = [];
        done.forEach((resolve) => resolve());
      } catch (error) {
        await afterFailure(error, failures++);
        woken = true;
      }
    }
  }

  return {
    async start() {
      for (let failures = 0, found = false; !found && !end.signal.aborted; failures++) {
        found = await goToEnd().then(
          () => true,
          (error: unknown) => afterFailure(error, failures).then(() => false),
        );
      }
      if (end.signal.aborted) return;
      listener = listen({ database, logger, onWake: poke });
      running = follow();
    },
    position: () => position,
    cursor: () => cursor,
    looked: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) poke();
      }),
    async readAfter(after, limit) {
      const here = recent.after(after.seq, limit);
      if (here !== undefined) return here;
      const { continues, events } = await readLog(database, after, limit);
      return continues ? events : undefined;
    },
    async find(since) {
      const seq = recent.seqOf(since);
      return seq === undefined ? findStart(database, since) : { seq };
    },
    async close() {
      end.abort();
      poke();
      await listener?.close();
      await running;
      waiting.forEach((resolve) => resolve());
    },
  };
}
