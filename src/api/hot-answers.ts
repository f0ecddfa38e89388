import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../observe/metrics.js';
import { prepare } from './finish.js';
import type { Prepared } from './finish.js';

export interface HotAnswers {
  middleware: Middleware;
  /** Forgets everything: the copy has changed. */
  clear(): void;
}

interface Hot {
  prepared: Prepared;
  headers: Record<string, string>;
  route: string;
}

const MOST_BYTES = 32 * 1024 * 1024;
const LARGEST = 1024 * 1024;

/** Headers that belong to the answer itself. */
const HEADERS = ['Content-Type', 'Cache-Control', 'x-chain-height', 'x-chain-hash'];

/**
 * Keeps answers under /v2 that came from the database, until the copy changes. While nobody tells of changes
 * (`isTold`), nothing is kept.
 */
export function createHotAnswers(options: { metrics: Metrics; isTold: () => boolean }): HotAnswers {
  const { metrics, isTold } = options;
  const answers = new LRUCache<string, Hot>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST,
    // Encoded forms come later and are smaller.
    sizeCalculation: ({ prepared }) => prepared.bytes.length * 2 + 1000,
  });
  const hits = metrics.cacheHits.labels({ result: 'hit' });
  let epoch = 0;

  return {
    async middleware(ctx, next) {
      if (!isKeepable(ctx) || !isTold()) {
        await next();
        return;
      }
      const { url } = ctx;
      const known = answers.get(url);
      if (known !== undefined) {
        hits.inc();
        ctx.status = 200;
        ctx.set(known.headers);
        ctx.state.route = known.route;
        ctx.state.prepared = known.prepared;
        return;
      }
      // An answer read before a change must not be kept after it.
      const begun = epoch;
      await next();
      if (begun !== epoch || ctx.respond === false || ctx.status !== 200 || typeof ctx.body !== 'string') return;
      const prepared = prepare(ctx.body);
      const headers = Object.fromEntries(
        HEADERS.filter((name) => ctx.res.hasHeader(name)).map((name) => [name, ctx.response.get(name)]),
      );
      ctx.state.prepared = prepared;
      answers.set(url, { prepared, headers, route: String(ctx._matchedRoute as unknown) });
    },
    clear() {
      epoch++;
      answers.clear();
    },
  };
}

const isKeepable = ({ method, url }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && url.startsWith('/v2/') && !url.includes('?');
