import type { Exchange } from '../exchange.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Cost } from '../endpoint.js';
import { createSemaphore } from '../../runtime/semaphore.js';
import type { Semaphore } from '../../runtime/semaphore.js';

/** Heavy requests get half of the database connections at most; the rest stays free for light ones. */
export interface Admission {
  /** Runs the work of a request when it is admitted. Throws if there is no room, or if its client disconnects. */
  admit<T>(cost: Cost, ctx: Exchange, work: () => Promise<T>): Promise<T>;
  /** The database with each statement admitted as light, or heavy. */
  light(db: Queryable): Queryable;
  heavy(db: Queryable): Queryable;
}

/** Ms; below the usual timeouts of clients and proxies. */
const MAX_WAIT_MS = 3_000;
const MAX_LIGHT_WAITING = 1_000;
/** For each connection: light ones of one kind share a statement. */
const LIGHT_A_CONNECTION = 8;

export function createAdmission(poolSize: number): Admission {
  const max = Math.max(1, Math.floor(poolSize / 2));
  const heavy = createSemaphore({ max, waiting: 4 * max, waitMs: MAX_WAIT_MS });
  const light = createSemaphore({
    max: LIGHT_A_CONNECTION * poolSize,
    waiting: MAX_LIGHT_WAITING,
    waitMs: MAX_WAIT_MS,
  });
  return {
    light: (db) => through(light, db),
    heavy: (db) => through(heavy, db),
    async admit(cost, ctx, work) {
      if (cost === 'none') return work();
      const semaphore = cost === 'heavy' ? heavy : light;
      const exit = semaphore.tryEnter() ?? (await waitFor(semaphore, ctx));
      try {
        return await work();
      } finally {
        exit();
      }
    },
  };
}

/** Stops waiting when the client disconnects. */
async function waitFor(semaphore: Semaphore, ctx: Exchange): Promise<() => void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  ctx.res.once('close', leave);
  try {
    return await semaphore.enter(gone.signal);
  } finally {
    ctx.res.off('close', leave);
  }
}

const through = (semaphore: Semaphore, db: Queryable): Queryable => ({
  async query(statement) {
    const exit = semaphore.tryEnter() ?? (await semaphore.enter());
    try {
      return await db.query(statement);
    } finally {
      exit();
    }
  },
});
