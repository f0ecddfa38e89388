import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../observe/metrics.js';
import { createMeter, requestIdOf } from './edge.js';
import { LEAST_ENCODED, prepare, SHORT } from './finish.js';
import type { Prepared } from './finish.js';

export interface ResponseCache {
  /** Layer of the endpoints whose answers change only with the copy. */
  middleware: Middleware;
  /** Gives a kept answer to a request that wants it as it is, past all other layers; false: it did not. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** Forgets everything: the copy has changed. */
  clear(): void;
}

interface Hot {
  prepared: Prepared;
  headers: Record<string, string>;
  /** Names and values of all headers in turn, for those who want it as it is. */
  head: string[];
  /** Another `Accept` may get another form. */
  varies: boolean;
  route: string;
  /** When it was made, ms. */
  at: number;
}

const MOST_BYTES = 32 * 1024 * 1024;
const LARGEST = 1024 * 1024;

/** Longest time for which an answer is given again, ms: should a change ever go untold, it is not for long. */
const LONGEST_MS = 10_000;

/** Headers that belong to the answer itself. */
const HEADERS = [
  'Content-Type',
  'Cache-Control',
  'Link',
  'x-chain-height',
  'x-chain-hash',
  'x-total-count',
  'x-limit-capped',
  'x-limit-capped-by',
];

/**
 * Keeps answers that were made from the database alone, until the copy changes. While nobody tells of changes
 * (`isTold`), nothing is kept.
 */
export function createResponseCache(options: {
  metrics: Metrics;
  isTold: () => boolean;
  now: () => number;
}): ResponseCache {
  const { metrics, isTold, now } = options;
  const answers = new LRUCache<string, Hot>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST,
    // Encoded forms come later and are smaller.
    sizeCalculation: ({ prepared }) => prepared.length * 2 + 1000,
  });
  const hits = metrics.cacheHits.labels({ result: 'hit' });
  let epoch = 0;

  const meter = createMeter(metrics);

  const find = (url: string): Hot | undefined => {
    const known = answers.get(url);
    return known !== undefined && now() - known.at < LONGEST_MS ? known : undefined;
  };

  const tell = (ctx: Context, { prepared, headers, varies, route }: Hot): void => {
    if (route.startsWith('/v2/')) hits.inc();
    ctx.status = 200;
    for (const name in headers) ctx.res.setHeader(name, headers[name]!);
    if (varies) ctx.vary('Accept');
    ctx.state.route = route;
    ctx.state.prepared = prepared;
  };

  const keep = (ctx: Context, url: string): void => {
    if (ctx.respond === false || ctx.status !== 200 || typeof ctx.body !== 'string') return;
    const prepared = prepare(ctx.body);
    const { res } = ctx;
    const headers = Object.fromEntries(
      HEADERS.filter((name) => res.hasHeader(name)).map((name) => [name, ctx.response.get(name)]),
    );
    ctx.state.prepared = prepared;
    const varies = /\bAccept(,|$)/.test(ctx.response.get('Vary'));
    const head = headOf(prepared, headers, varies);
    answers.set(url, { prepared, headers, head, varies, route: ctx.state.route as string, at: now() });
  };

  return {
    middleware(ctx, next) {
      if (!isKeepable(ctx) || !isTold()) return next();
      const { url } = ctx;
      const known = find(url);
      if (known !== undefined) {
        tell(ctx, known);
        return undefined;
      }
      // An answer read before a change must not be kept after it.
      const begun = epoch;
      return next().then(() => {
        if (begun === epoch) keep(ctx, url);
      });
    },
    answer(req, res) {
      const known = isPlain(req) && isTold() ? find(req.url ?? '') : undefined;
      if (known === undefined) return false;
      const { prepared, head, route } = known;
      if (prepared.length >= LEAST_ENCODED && req.headers['accept-encoding'] !== undefined) return false;
      meter(res, 'GET', () => route);
      if (route.startsWith('/v2/')) hits.inc();
      res.writeHead(200, ['x-request-id', requestIdOf(req), ...head]).end(prepared.body);
      return true;
    },
    clear() {
      epoch++;
      answers.clear();
    },
  };
}

/** Forms other than JSON are made while they are sent. */
const OTHER_FORMS = /csv|ndjson|text\/\*/i;

const isKeepable = ({ method, req: { headers } }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && takesKept(headers);

/** Whoever reloads wants what the database holds at this moment. */
const takesKept = (headers: IncomingHttpHeaders): boolean =>
  headers['cache-control'] !== 'no-cache' && !OTHER_FORMS.test(headers.accept ?? '');

/** Whether nothing in the request asks for anything but the answer itself. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    (headers.host !== undefined || httpVersion !== '1.1') &&
    headers.origin === undefined &&
    headers['if-none-match'] === undefined &&
    takesKept(headers)
  );
}

/** What the other layers would set for a request without an origin. */
function headOf({ length, tag }: Prepared, headers: Record<string, string>, varies: boolean): string[] {
  const vary = ['Origin', ...(varies ? ['Accept'] : []), ...(length >= LEAST_ENCODED ? ['Accept-Encoding'] : [])];
  const own = { Vary: vary.join(', '), 'Access-Control-Allow-Origin': '*', 'Cache-Control': SHORT, ...headers };
  return [...Object.entries(own).flat(), 'ETag', `"${tag}"`, 'Content-Length', String(length)];
}
