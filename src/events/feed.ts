import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../observe/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Database } from '../store/database.js';
import { listen } from '../store/listen.js';
import type { Listener } from '../store/listen.js';
import type { ChainEvent } from './chain-event.js';
import { endOfLog, findStart, readLog } from './log.js';
import type { Point } from './log.js';
import { createRecent } from './recent.js';

export interface FeedOptions {
  database: Database;
  logger: Logger;
  /** Called before the first of some new events is told. */
  onNews: () => void;
  /** Called when some events were told, before others get a turn. */
  onPause: () => void;
  /** Told of each event once, in the order of the log. */
  onEvent: (event: ChainEvent) => void;
  /** The log no longer has what comes next, or became another one: what was told until now leads nowhere. */
  onLost: () => void;
}

export interface Feed {
  /** Finds the end of the log, from which on events are told; waits for a database that is away. */
  start(): Promise<void>;
  /** Number of the last event told. */
  position(): number;
  /** The point after the last event told; undefined while nothing is stored. */
  cursor(): string | undefined;
  /** Resolves when the log was looked at again. */
  looked(): Promise<void>;
  /** The events after one, at most `limit`; undefined if the log does not reach back to them. */
  readAfter(seq: number, limit: number): Promise<readonly ChainEvent[] | undefined>;
  find(since: string): Promise<Point | undefined>;
  close(): Promise<void>;
}

const BATCH = 500;
/** Look at the log that often, whether woken or not. */
const POLL_MS = 2_000;
/** The same while the database cannot wake us. */
const UNHEARD_POLL_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** Others get a turn after that long, or that many events. */
const SLICE_MS = 10;
const SLICE_EVENTS = 32;

/** Follows the event log. What cannot be read now is read later: the log is the truth, and waking only makes it fast. */
export function createFeed({ database, logger, onNews, onPause, onEvent, onLost }: FeedOptions): Feed {
  const recent = createRecent();
  const end = new AbortController();
  let position = 0;
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
    ({ seq: position, cursor } = await endOfLog(database));
    recent.clear();
  }

  async function look(): Promise<void> {
    for (;;) {
      const { head, events } = await readLog(database, position, BATCH);
      const first = events[0];
      if (head < position || (first !== undefined && first.seq !== position + 1)) {
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

  /** Waits after a failure, longer with each one after the first. */
  async function afterFailure(error: unknown, failures: number): Promise<void> {
    logger[failures === 0 ? 'warn' : 'debug']({ err: error }, 'Cannot read the event log, will try again');
    const wait = backoffMs(failures, 50, LONGEST_PAUSE_MS);
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
    async readAfter(seq, limit) {
      const here = recent.after(seq, limit);
      if (here !== undefined) return here;
      const { head, events } = await readLog(database, seq, limit);
      const first = events[0];
      return head < seq || (first !== undefined && first.seq !== seq + 1) ? undefined : events;
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
