import type { Exchange, Layer } from '../exchange.js';
import { LRUCache } from 'lru-cache';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../observe/metrics.js';
import { isReached, MIN_HEIGHT } from '../min-height.js';
import { createMeter, requestIdOf } from './every-request.js';
import { MIN_ENCODED_BYTES, prepare, SHORT } from './etag-and-compression.js';
import type { Prepared } from './etag-and-compression.js';

export interface ResponseCache {
  /** Layer of the endpoints whose answers change only with the copy. */
  middleware: Layer;
  /** Sends a cached answer to a plain request, past all other layers; false if it did not. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** Drops all answers: the copy has changed. */
  clear(): void;
}

interface CachedAnswer {
  prepared: Prepared;
  headers: Record<string, string>;
  /** Names and values of all headers in turn, for plain requests; made for the first one. */
  head: string[] | undefined;
  /** The answer depends on `Accept`. */
  varies: boolean;
  route: string;
  /** When it was made, ms. */
  at: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Max age of a cached answer, ms: bounds the harm if a change should ever go unnoticed. */
const MAX_AGE_MS = 10_000;

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
 * Caches answers that were made from the database alone and asked for before, until the copy changes. Nothing is cached
 * while changes cannot be noticed (`isListening` is false).
 */
export function createResponseCache(options: {
  metrics: Metrics;
  isListening: () => boolean;
  now: () => number;
}): ResponseCache {
  const { metrics, isListening, now } = options;
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ANSWER_BYTES,
    // Encoded forms come later and are smaller.
    sizeCalculation: ({ prepared }) => prepared.length * 2 + 1000,
  });
  const hits = metrics.cacheHits.labels({ result: 'hit' });
  const asked = createAskedBefore();
  let epoch = 0;

  const meter = createMeter(metrics);

  const find = (url: string): CachedAnswer | undefined => {
    const known = answers.get(url);
    return known !== undefined && now() - known.at < MAX_AGE_MS ? known : undefined;
  };

  const serve = (ctx: Exchange, { prepared, headers, varies, route }: CachedAnswer): void => {
    if (route.startsWith('/v2/')) hits.inc();
    ctx.status = 200;
    for (const name in headers) ctx.set(name, headers[name]!);
    if (varies) ctx.vary('Accept');
    ctx.state.route = route;
    ctx.state.prepared = prepared;
  };

  const keep = (ctx: Exchange, url: string): void => {
    if (ctx.respond === false || ctx.status !== 200 || typeof ctx.body !== 'string') return;
    const prepared = prepare(ctx.body);
    const { response } = ctx;
    const headers: Record<string, string> = {};
    for (const name of HEADERS) {
      const value = response.get(name);
      if (value !== undefined) headers[name] = value;
    }
    ctx.state.prepared = prepared;
    const varies = /\bAccept(,|$)/.test(response.get('Vary') ?? '');
    answers.set(url, { prepared, headers, head: undefined, varies, route: ctx.state.route as string, at: now() });
  };

  return {
    middleware(ctx, next) {
      if (!isCacheable(ctx) || !isListening()) return next();
      const { url } = ctx;
      const known = find(url);
      if (known !== undefined && isReached(ctx.req.headers, known.headers['x-chain-height'])) {
        serve(ctx, known);
        return undefined;
      }
      // Most answers are asked for once: caching them would only fill the memory.
      if (!asked.before(url)) return next();
      // An answer read before a change must not be cached after it.
      const begun = epoch;
      return next().then(() => {
        if (begun === epoch) keep(ctx, url);
      });
    },
    answer(req, res) {
      const known = isPlain(req) && isListening() ? find(req.url ?? '') : undefined;
      if (known === undefined) return false;
      const { prepared, route } = known;
      if (prepared.length >= MIN_ENCODED_BYTES && req.headers['accept-encoding'] !== undefined) return false;
      meter(res, 'GET', () => route);
      if (route.startsWith('/v2/')) hits.inc();
      known.head ??= headOf(known);
      res.writeHead(200, ['x-request-id', requestIdOf(req), ...known.head]).end(prepared.body);
      return true;
    },
    clear() {
      epoch++;
      answers.clear();
    },
  };
}

/** Number of URLs that are remembered, a power of two. */
const REMEMBERED = 1 << 16;

/**
 * Whether a URL was asked for before, also before the copy changed. Only hashes are remembered, each in the place that its
 * last bits give: a URL whose place was taken by another one meanwhile counts as new.
 */
function createAskedBefore(): { before(url: string): boolean } {
  const hashes = new Int32Array(REMEMBERED);
  return {
    before(url) {
      // FNV-1a.
      let hash = 0x811c9dc5 | 0;
      for (let i = 0; i < url.length; i++) hash = Math.imul(hash ^ url.charCodeAt(i), 0x01000193);
      const place = hash & (REMEMBERED - 1);
      if (hashes[place] === hash) return true;
      hashes[place] = hash;
      return false;
    },
  };
}

/** Who may want another form than JSON: those are made while they are sent. */
const OTHER_FORMS = /csv|ndjson|text\/\*|json\s*;/i;

const isCacheable = ({ method, req: { headers } }: Exchange): boolean =>
  (method === 'GET' || method === 'HEAD') && acceptsCached(headers);

/** Whether a list is wanted as JSON. */
export const acceptsJson = ({ accept }: IncomingHttpHeaders): boolean =>
  accept === undefined || !OTHER_FORMS.test(accept);

/** A browser that reloads a page sends `no-cache`: it wants what the database holds now. */
const acceptsCached = (headers: IncomingHttpHeaders): boolean =>
  headers['cache-control'] !== 'no-cache' && acceptsJson(headers);

/** Whether the request asks for nothing but the answer itself. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    (headers.host !== undefined || httpVersion !== '1.1') &&
    headers.origin === undefined &&
    headers['if-none-match'] === undefined &&
    headers[MIN_HEIGHT] === undefined &&
    acceptsCached(headers)
  );
}

/** What the other layers would set for a request without an origin. */
function headOf({ prepared: { length, tag }, headers, varies }: CachedAnswer): string[] {
  const vary = ['Origin', ...(varies ? ['Accept'] : []), ...(length >= MIN_ENCODED_BYTES ? ['Accept-Encoding'] : [])];
  const own = { Vary: vary.join(', '), 'Access-Control-Allow-Origin': '*', 'Cache-Control': SHORT, ...headers };
  return [...Object.entries(own).flat(), 'ETag', `"${tag}"`, 'Content-Length', String(length)];
}
