import type { Exchange } from '../exchange.js';
import { whenClosed } from '../../runtime/when-closed.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Cost } from '../endpoint.js';
import { createSemaphore } from '../../runtime/semaphore.js';
import type { Semaphore } from '../../runtime/semaphore.js';

/** Limits the requests that use the database or the compiler at a time. Heavy ones get at most half of the connections to the database. */
export interface Admission {
  /** Runs the work of a request when it is admitted. Throws if it is not admitted in time, or if its client disconnects. */
  admit<T>(cost: Cost, ctx: Exchange, work: () => Promise<T>): Promise<T>;
  /** The database, with each statement admitted on its own, as light. */
  light(db: Queryable): Queryable;
  /**
   * The same for an export, whose statements are heavy. Each waits for its turn as long as it takes, because an export that has begun
   * must not end early; it throws when `left` aborts. The caller limits the number of exports.
   */
  ofExport(db: Queryable, left: AbortSignal): Queryable;
}

/** Max time that a request waits for admission, ms. Shorter than the usual timeouts of clients and proxies. */
const MAX_WAIT_MS = 3_000;
/** Max light requests that wait. */
const MAX_LIGHT_WAITING = 1_000;
/** Light requests at a time for each connection: several of one kind share a statement. */
const LIGHT_PER_CONNECTION = 8;
/** Requests at a time that ask the compiler: as many as it has connections. */
const MAX_COMPILING = 8;

export function createAdmission(poolSize: number): Admission {
  const max = Math.max(1, Math.floor(poolSize / 2));
  const heavy = createSemaphore({ max, waiting: 4 * max, waitMs: MAX_WAIT_MS });
  const light = createSemaphore({
    max: LIGHT_PER_CONNECTION * poolSize,
    waiting: MAX_LIGHT_WAITING,
    waitMs: MAX_WAIT_MS,
  });
  const compile = createSemaphore({ max: MAX_COMPILING, waiting: 4 * MAX_COMPILING, waitMs: MAX_WAIT_MS });
  const semaphores = { heavy, light, compile };
  return {
    light: (db) => admitting(() => light.tryEnter() ?? light.enter(), db),
    ofExport: (db, left) => admitting(() => heavy.tryEnter() ?? heavy.enterInTurn(left), db),
    async admit(cost, ctx, work) {
      if (cost === 'none') return work();
      const semaphore = semaphores[cost];
      const release = semaphore.tryEnter() ?? (await waitFor(semaphore, ctx));
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Waits for the semaphore; throws when the client disconnects. */
async function waitFor(semaphore: Semaphore, ctx: Exchange): Promise<() => void> {
  const disconnected = new AbortController();
  const stop = whenClosed(ctx.res, () => disconnected.abort());
  try {
    return await semaphore.enter(disconnected.signal);
  } finally {
    stop();
  }
}

type Enter = () => (() => void) | Promise<() => void>;

const admitting = (enter: Enter, db: Queryable): Queryable => ({
  async query(statement) {
    const release = await enter();
    try {
      return await db.query(statement);
    } finally {
      release();
    }
  },
});
