import cors from '@koa/cors';
import type { Middleware } from 'koa';
import type { Layer } from '../exchange.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../observe/metrics.js';
import { refuse } from '../reply.js';

/** The outermost layers, which every request passes. */

/** The request id that the client sent, if it is valid, or a new one. */
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

/** Answers what browsers ask before a request that is not simple. */
const shareWithOrigin = cors({
  origin: (ctx) => ctx.get('Origin') || '*',
  credentials: (ctx) => ctx.get('Origin') !== '',
  allowMethods: 'GET,HEAD,POST,OPTIONS',
  maxAge: 600,
});

export const preflight: Middleware = (ctx, next): unknown =>
  ctx.method === 'OPTIONS' ? shareWithOrigin(ctx, next) : next();

const EXPOSED =
  'x-chain-height,x-chain-hash,x-limit-capped,x-limit-capped-by,x-total-count,link,etag,x-request-id,retry-after,ratelimit-limit,ratelimit-remaining,ratelimit-reset';

/**
 * Any origin may call, with credentials: the origin is echoed, since browsers refuse `*` then. The headers are set
 * before anything else happens, so errors and forwarded answers carry them too. Requests without an origin, the majority,
 * skip the headers that only web pages need.
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

/** HTTP/1.1 requires it; Node.js itself would refuse without a body. */
export const mustNameHost: Layer = (ctx, next) => {
  if (ctx.req.httpVersion !== '1.1' || ctx.req.headers.host !== undefined) return next();
  refuse(ctx, 400, 'The header host is missing');
  return undefined;
};

/** Connections that stay open after their answer would hold up a server that drains. */
export function closeWhenDraining(draining: () => boolean): Layer {
  return async (ctx, next) => {
    await next();
    if (draining() && !ctx.headerSent) ctx.set('Connection', 'close');
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and times one request from now on; the route is read at its end. */
type Meter = (res: ServerResponse, method: string, route: () => string) => void;

export function createMeter(metrics: Metrics): Meter {
  // Looking up labels is the most expensive part here, and there are few of them, so they are remembered.
  const counters = remembered((route, method, status) => metrics.httpRequests.labels({ route, method, status }));
  const timers = remembered((route, method) => metrics.httpRequestSeconds.labels({ route, method }));
  return (res, method, route) => {
    const started = performance.now();
    const label = METHODS.has(method) ? method : 'other';
    res.once('close', () => {
      // 499, as web servers log it: the client went away before its answer was complete.
      const status = res.writableFinished ? String(res.statusCode) : '499';
      const matched = route();
      counters(matched, label, status).inc();
      timers(matched, label, '').observe((performance.now() - started) / 1000);
    });
  };
}

/** Counts and times requests by the path of their endpoint, or by how else they were answered. */
export function measure(meter: Meter): Layer {
  return (ctx, next) => {
    meter(ctx.res, ctx.method, () => (ctx.state.route as string | undefined) ?? 'none');
    return next();
  };
}

function remembered<T>(make: (route: string, method: string, status: string) => T) {
  const made = new Map<string, T>();
  return (route: string, method: string, status: string): T => {
    const key = `${method} ${status} ${route}`;
    let one = made.get(key);
    if (one === undefined) made.set(key, (one = make(route, method, status)));
    return one;
  };
}
