import type { Context } from 'koa';
import type { Queryable } from '../store/database.js';
import type { Cost } from './endpoint.js';
import { createGate } from './gate.js';
import type { Gate } from './gate.js';

/** Requests that may make the database work for long have half its connections at most; the others keep the rest. */
export interface Admission {
  /** Does the work of a request when there is room for it. Throws when there is none, or its client goes away. */
  admit<T>(cost: Cost, ctx: Context, work: () => Promise<T>): Promise<T>;
  /** The database, for work that is light, or heavy, whatever the request. */
  light(db: Queryable): Queryable;
  heavy(db: Queryable): Queryable;
}

/** Ms; below the time for which clients and proxies usually wait. */
const LONGEST_WAIT_MS = 3_000;
const MOST_LIGHT_WAITING = 1_000;

export function createAdmission(poolSize: number): Admission {
  const most = Math.max(1, Math.floor(poolSize / 2));
  const heavy = createGate({ most, waiting: 4 * most, waitMs: LONGEST_WAIT_MS });
  const light = createGate({ most: 2 * poolSize, waiting: MOST_LIGHT_WAITING, waitMs: LONGEST_WAIT_MS });
  return {
    light: (db) => through(light, db),
    heavy: (db) => through(heavy, db),
    async admit(cost, ctx, work) {
      if (cost === 'none') return work();
      const gate = cost === 'heavy' ? heavy : light;
      const exit = gate.tryEnter() ?? (await waitFor(gate, ctx));
      try {
        return await work();
      } finally {
        exit();
      }
    },
  };
}

/** Gives up with the client. */
async function waitFor(gate: Gate, ctx: Context): Promise<() => void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  ctx.res.once('close', leave);
  try {
    return await gate.enter(gone.signal);
  } finally {
    ctx.res.off('close', leave);
  }
}

const through = (gate: Gate, db: Queryable): Queryable => ({
  async query(statement) {
    const exit = gate.tryEnter() ?? (await gate.enter());
    try {
      return await db.query(statement);
    } finally {
      exit();
    }
  },
});
