import cors from '@koa/cors';
import type { Middleware } from 'koa';
import type { Layer } from '../exchange.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../observe/metrics.js';
import { whenClosed } from '../../runtime/when-closed.js';
import { refuse } from '../reply.js';

/** The outermost layers, which all requests pass. */

/** The request id that the client sent if it is valid, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

export const requestId: Layer = (ctx, next) => {
  const id = requestIdOf(ctx.req);
  ctx.state.requestId = id;
  ctx.set('x-request-id', id);
  return next();
};

/** No answer may be taken for another type than its own: it would have the origin of the explorer. */
export const noSniff: Layer = (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  return next();
};

/** Answers the preflight request that a browser sends before some requests to another origin. */
const shareWithOrigin = cors({
  origin: (ctx) => ctx.get('Origin') || '*',
  credentials: (ctx) => ctx.get('Origin') !== '',
  allowMethods: 'GET,HEAD,POST,OPTIONS',
  maxAge: 600,
});

export const preflight: Middleware = (ctx, next): unknown =>
  ctx.method === 'OPTIONS' ? shareWithOrigin(ctx, next) : next();

const EXPOSED =
  'age,x-chain-height,x-chain-hash,x-ignored-parameters,x-limit-capped,x-limit-capped-by,x-total-count,link,etag,x-request-id,retry-after,ratelimit-limit,ratelimit-remaining,ratelimit-reset';

/**
 * Allows requests from web pages of any origin, with credentials: the origin is sent back, because browsers refuse `*`
 * with credentials. The headers are set first, so errors and forwarded answers have them too. Most requests have no origin
 * and skip the headers that only web pages need.
 */
export const crossOrigin: Layer = (ctx, next) => {
  if (ctx.method === 'OPTIONS') return next();
  const { origin } = ctx.req.headers;
  ctx.set('Vary', 'Origin');
  ctx.set('Access-Control-Allow-Origin', origin || '*');
  if (origin) ctx.set('Access-Control-Allow-Credentials', 'true');
  if (origin !== undefined) ctx.set('Access-Control-Expose-Headers', EXPOSED);
  return next();
};

/** Refuses a request of HTTP/1.1 without the header `Host`. Node.js would refuse it too, but without a body. */
export const requireHost: Layer = (ctx, next) => {
  if (ctx.req.httpVersion !== '1.1' || ctx.req.headers.host !== undefined) return next();
  refuse(ctx, 400, 'The header host is missing');
  return undefined;
};

/**
 * Refuses a body in another transfer encoding than `chunked`: it would be read as if it were encoded otherwise, here or at
 * the node. What follows on the connection is not read.
 */
export const requireChunked: Layer = (ctx, next) => {
  const encoding = ctx.req.headers['transfer-encoding'];
  if (encoding === undefined || encoding.trim().toLowerCase() === 'chunked') return next();
  ctx.set('Connection', 'close');
  refuse(ctx, 400, 'The only transfer encoding is chunked');
  return undefined;
};

/** Closes each connection after its answer while the server drains: open ones would delay its end. */
export function closeWhenDraining(draining: () => boolean): Layer {
  return async (ctx, next) => {
    await next();
    if (draining() && !ctx.headerSent) ctx.set('Connection', 'close');
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Starts to measure a request. It is counted, with its time, when it ends; `route` is called then. */
type Meter = (res: ServerResponse, method: string, route: () => string) => void;

export function createMeter(metrics: Metrics): Meter {
  // The lookup of labels is the most expensive part here. There are few combinations, so they are cached.
  const counters = memoized((route, method, status) => metrics.httpRequests.labels({ route, method, status }));
  const timers = memoized((route, method) => metrics.httpRequestSeconds.labels({ route, method }));
  return (res, method, route) => {
    const started = performance.now();
    const label = METHODS.has(method) ? method : 'other';
    whenClosed(res, () => {
      // 499, as web servers log it: the client disconnected before its answer was complete.
      const status = res.writableFinished ? String(res.statusCode) : '499';
      const matched = route();
      counters(matched, label, status).inc();
      timers(matched, label, '').observe((performance.now() - started) / 1000);
    });
  };
}

/** Counts requests and their times, by the route of their endpoint or by a word such as `forward`. */
export function measure(meter: Meter): Layer {
  return (ctx, next) => {
    meter(ctx.res, ctx.method, () => (ctx.state.route as string | undefined) ?? 'none');
    return next();
  };
}

function memoized<T>(make: (route: string, method: string, status: string) => T) {
  const made = new Map<string, T>();
  return (route: string, method: string, status: string): T => {
    const key = `${method} ${status} ${route}`;
    let one = made.get(key);
    if (one === undefined) made.set(key, (one = make(route, method, status)));
    return one;
  };
}
