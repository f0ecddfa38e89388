import type { Context, Middleware } from 'koa';
import type { ParsedUrlQuery } from 'node:querystring';
import type { Queryable } from '../store/database.js';
import { createGate } from './gate.js';
import type { Gate } from './gate.js';
import { given } from './parse.js';
import { lenientInteger } from './schemas/parameters.js';

/** Requests that may make the database work for long have half its connections at most; the others keep the rest. */
export interface Load {
  middleware: Middleware;
  /** The database, for work that is light, or heavy, whatever the request. */
  light(db: Queryable): Queryable;
  heavy(db: Queryable): Queryable;
}

/** Ms; below the time for which clients and proxies usually wait. */
const LONGEST_WAIT_MS = 3_000;
const MOST_LIGHT_WAITING = 1_000;

export function createLoad(poolSize: number): Load {
  const most = Math.max(1, Math.floor(poolSize / 2));
  const heavy = createGate({ most, waiting: 4 * most, waitMs: LONGEST_WAIT_MS });
  const light = createGate({ most: 2 * poolSize, waiting: MOST_LIGHT_WAITING, waitMs: LONGEST_WAIT_MS });
  return {
    light: (db) => through(light, db),
    heavy: (db) => through(heavy, db),
    async middleware(ctx, next) {
      const weight = weightOf(ctx.path, ctx.query);
      if (weight === 'none') {
        await next();
        return;
      }
      const gate = weight === 'heavy' ? heavy : light;
      const exit = gate.tryEnter() ?? (await waitFor(gate, ctx));
      try {
        await next();
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

export type Weight = 'none' | 'light' | 'heavy';

/** Those that wait for something other than the database, and those that must always be told. */
const UNWEIGHED = /^\/middleware\/(events|compilers|contracts\/verify|api)$/;

const SINGLE =
  /^\/middleware\/(status|(size|count|reward|height|names\/hash|contracts\/transactions\/creation|transactions\/rate)\/.*|.*\/count|names\/auctions\/[^/]+\/info)$/;

const RANGE = /^\/middleware\/(?:(?:new\/)?generations|transactions\/interval)\/(\d{1,15})\/(\d{1,15})$/;
const SEARCH = /^\/middleware\/names\/(?!active$)[^/]+$/;

/** Rows and heights up to which a list is light, whatever its page: a far one costs what the first one does. */
const FEW_ROWS = 100n;
const FEW_HEIGHTS = 20;

export function weightOf(path: string, query: ParsedUrlQuery): Weight {
  if (!path.startsWith('/middleware/') || UNWEIGHED.test(path)) return 'none';
  if (SINGLE.test(path)) return 'light';
  if (SEARCH.test(path)) return 'heavy';
  const [, from, to] = RANGE.exec(path) ?? [];
  if (from !== undefined && Number(to) - Number(from) <= FEW_HEIGHTS) return 'light';
  const limit = given(lenientInteger, 'limit', query);
  return limit === undefined || limit > FEW_ROWS ? 'heavy' : 'light';
}
