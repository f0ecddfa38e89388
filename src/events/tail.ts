/** The end of the event log: what is new is read, kept in memory for a while, and published once, in the order of the log. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Logger } from '../observe/logger.js';
import type { Database } from '../store/connection/database.js';
import type { ChainEvent } from './chain-event.js';
import { endOfLog, readLog } from './log.js';
import type { Point } from './log.js';
import { createRecent } from './recent.js';

export interface TailOptions {
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

interface Tail {
  /** Finds the end of the log, from which events are published. */
  seekEnd(): Promise<void>;
  /** Reads and publishes all new events. */
  readNew(): Promise<void>;
  /** Number of the last published event. */
  position(): number;
  /** The cursor after the last published event; undefined while nothing is stored. */
  cursor(): string | undefined;
  /** The events after number `seq`, at most `limit`; undefined if they are no longer in memory. */
  recentAfter(seq: number, limit: number): readonly ChainEvent[] | undefined;
  /** The point of the cursor of an event that is in memory. */
  findRecent(since: string): Point | undefined;
}

const BATCH = 500;
/** Other tasks may run after this time, ms, or after this number of events. */
const SLICE_MS = 10;
const SLICE_EVENTS = 32;

export function createTail({ database, logger, beforeEvents, onYield, onEvent, onLost }: TailOptions): Tail {
  const recent = createRecent();
  let position = 0;
  let mark: string | undefined;
  let cursor: string | undefined;

  async function seekEnd(): Promise<void> {
    ({ seq: position, mark, cursor } = await endOfLog(database));
    recent.clear();
  }

  async function publish(events: readonly ChainEvent[]): Promise<void> {
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
  }

  return {
    seekEnd,
    async readNew() {
      for (;;) {
        const { head, continues, events } = await readLog(database, { seq: position, mark }, BATCH);
        const first = events[0];
        if (!continues) {
          logger.warn(
            { position, head, first: first?.seq },
            'Event log does not continue from the last published event',
          );
          await seekEnd();
          onLost();
          return;
        }
        if (first !== undefined) beforeEvents();
        await publish(events);
        if (events.length < BATCH) return;
      }
    },
    position: () => position,
    cursor: () => cursor,
    recentAfter: (seq, limit) => recent.after(seq, limit),
    findRecent(since) {
      const seq = recent.seqOf(since);
      return seq === undefined ? undefined : { seq };
    },
  };
}
