import type { Exchange, Layer } from '../exchange.js';
import { LRUCache } from 'lru-cache';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isFrom } from '../../observe/errors.js';
import type { Metrics } from '../../observe/metrics.js';
import { reachesMinHeight, MIN_HEIGHT } from '../min-height.js';
import { createMeter, requestIdOf } from './every-request.js';
import { MIN_ENCODED_BYTES, SHORT } from './etag-and-compression.js';
import { IGNORED_PARAMETERS } from './ignored-parameters.js';
import { prepare } from '../prepared.js';
import type { Prepared } from '../prepared.js';
import { createRequestedUrls } from './requested-urls.js';

export interface ResponseCache {
  /** The layer for endpoints whose answers change only with the copy. */
  middleware: Layer;
  /** Answers a plain request from the cache without any other layer; false if it did not. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** Clears the cache. To be called when the copy changes. */
  clear(): void;
}

interface CachedAnswer {
  prepared: Prepared;
  headers: Record<string, string>;
  /** All headers for plain requests, names and values in turn; made at the first plain request. */
  head: string[] | undefined;
  /** The answer depends on `Accept`. */
  varies: boolean;
  route: string;
  /** When it was made, ms. */
  at: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Max age of a cached answer, ms. It limits the damage if a change of the copy is ever missed. */
const MAX_AGE_MS = 10_000;

/** The same while the database cannot be read, ms: long enough for a failover, or for a restart after a crash. */
const MAX_AGE_ALONE_MS = 600_000;

/** Headers that are cached with an answer. */
const HEADERS = [
  'Content-Type',
  'Cache-Control',
  'Link',
  'x-chain-height',
  'x-chain-hash',
  'x-total-count',
  'x-limit-capped',
  'x-limit-capped-by',
  IGNORED_PARAMETERS,
];

/**
 * Caches answers that were made from the database alone, until the copy changes. An answer is cached from its second
 * request on. While the server cannot be notified of changes (`isListening` is false), the database is asked first, and a cached
 * answer is sent with its age if the database cannot be read.
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
    // Twice: compressed forms are added later, and are smaller than the body.
    sizeCalculation: ({ prepared }) => prepared.length * 2 + 1000,
  });
  const hits = metrics.cacheHits.labels({ result: 'hit' });
  const requested = createRequestedUrls();
  let epoch = 0;

  const meter = createMeter(metrics);

  const find = (url: string): CachedAnswer | undefined => {
    const known = answers.get(url);
    return known !== undefined && now() - known.at < MAX_AGE_MS ? known : undefined;
  };

  const store = (ctx: Exchange, url: string): void => {
    const answer = cacheable(ctx, now());
    if (answer !== undefined) answers.set(url, answer);
  };

  const serve = (ctx: Exchange, answer: CachedAnswer): void => {
    if (answer.route.startsWith('/v2/')) hits.inc();
    setAnswer(ctx, answer);
  };

  /** For a request whose statement failed; throws its error if no cached answer is new enough. */
  const serveAged = (ctx: Exchange, url: string, error: unknown): void => {
    const known = answers.get(url);
    const age = known === undefined ? Infinity : now() - known.at;
    if (known === undefined || age >= MAX_AGE_ALONE_MS || !isFrom('database', error)) throw error;
    if (!reachesMinHeight(ctx.req.headers, known.headers['x-chain-height'])) throw error;
    serve(ctx, known);
    ctx.set('Age', String(Math.ceil(age / 1000)));
  };

  return {
    middleware(ctx, next) {
      if (!isCacheable(ctx)) return next();
      const { url } = ctx;
      const orAged = (error: unknown): void => serveAged(ctx, url, error);
      if (!isListening()) return next().catch(orAged);
      const known = find(url);
      if (known !== undefined && reachesMinHeight(ctx.req.headers, known.headers['x-chain-height'])) {
        serve(ctx, known);
        return undefined;
      }
      // Most answers are requested only once: caching them would only fill the memory.
      if (!requested.checkAndAdd(url)) return next().catch(orAged);
      // An answer that was read before a change must not be cached after it.
      const epochBefore = epoch;
      return next().then(() => {
        if (epochBefore === epoch) store(ctx, url);
      }, orAged);
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

/** What is cached of an answer; undefined if it is not complete, or no success. */
function cacheable(ctx: Exchange, at: number): CachedAnswer | undefined {
  if (ctx.respond === false || ctx.status !== 200 || typeof ctx.body !== 'string') return undefined;
  const prepared = prepare(ctx.body);
  const { response } = ctx;
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = response.get(name);
    if (value !== undefined) headers[name] = value;
  }
  ctx.state.prepared = prepared;
  const varies = /\bAccept(,|$)/.test(response.get('Vary') ?? '');
  return { prepared, headers, head: undefined, varies, route: ctx.state.route as string, at };
}

function setAnswer(ctx: Exchange, { prepared, headers, varies, route }: CachedAnswer): void {
  ctx.status = 200;
  for (const name in headers) ctx.set(name, headers[name]!);
  if (varies) ctx.vary('Accept');
  ctx.state.route = route;
  ctx.state.prepared = prepared;
}

/** Values of `Accept` that may ask for another format than JSON. Those answers are streamed and cannot be cached. */
const OTHER_FORMATS = /csv|ndjson|text\/\*|json\s*;/i;

const isCacheable = ({ method, req: { headers } }: Exchange): boolean =>
  (method === 'GET' || method === 'HEAD') && acceptsCached(headers);

/** Whether the client certainly wants JSON. */
export const acceptsJson = ({ accept }: IncomingHttpHeaders): boolean =>
  accept === undefined || !OTHER_FORMATS.test(accept);

/** Whether the client accepts a cached answer. A browser that reloads a page sends `no-cache`, so it gets a new one. */
const acceptsCached = (headers: IncomingHttpHeaders): boolean =>
  headers['cache-control'] !== 'no-cache' && acceptsJson(headers);

/** Whether no header of the request changes the answer, except compression. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    (headers.host !== undefined || httpVersion !== '1.1') &&
    headers.origin === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['if-none-match'] === undefined &&
    headers[MIN_HEIGHT] === undefined &&
    acceptsCached(headers)
  );
}

/** The headers that the other layers would set for a plain request. */
function headOf({ prepared: { length, tag }, headers, varies }: CachedAnswer): string[] {
  const vary = ['Origin', ...(varies ? ['Accept'] : []), ...(length >= MIN_ENCODED_BYTES ? ['Accept-Encoding'] : [])];
  const own = {
    'X-Content-Type-Options': 'nosniff',
    Vary: vary.join(', '),
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': SHORT,
    ...headers,
  };
  return [...Object.entries(own).flat(), 'ETag', `"${tag}"`, 'Content-Length', String(length)];
}
