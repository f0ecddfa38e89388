import cors from '@koa/cors';
import type { Middleware } from 'koa';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../observe/metrics.js';
import { refuse } from './reply.js';

/** The outermost layers: what every request gets, whoever answers it. */

/** The client's own name for its request, if it is one, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

export const requestId: Middleware = (ctx, next) => {
  const id = requestIdOf(ctx.req);
  ctx.state.requestId = id;
  ctx.res.setHeader('x-request-id', id);
  return next();
};

/**
 * Any origin may call, with credentials: the origin is echoed, since browsers refuse `*` then. The headers are set
 * before anything else happens, so errors and forwarded answers carry them too.
 */
const shareWithOrigin: Middleware = cors({
  origin: (ctx) => ctx.get('Origin') || '*',
  credentials: (ctx) => ctx.get('Origin') !== '',
  allowMethods: 'GET,HEAD,POST,OPTIONS',
  exposeHeaders:
    'x-chain-height,x-chain-hash,x-limit-capped,x-limit-capped-by,x-total-count,link,etag,x-request-id,retry-after,ratelimit-limit,ratelimit-remaining,ratelimit-reset',
  maxAge: 600,
});

/** Most requests name no origin; for these it goes without what only pages need. */
export const crossOrigin: Middleware = (ctx, next) => {
  if (ctx.req.headers.origin !== undefined || ctx.method === 'OPTIONS')
    return shareWithOrigin(ctx, next) as Promise<void>;
  ctx.res.setHeader('Vary', 'Origin');
  ctx.res.setHeader('Access-Control-Allow-Origin', '*');
  return next();
};

/** As HTTP/1.1 wants it; Node.js itself would refuse without a body. */
export const mustNameHost: Middleware = (ctx, next) => {
  if (ctx.req.httpVersion !== '1.1' || ctx.req.headers.host !== undefined) return next();
  refuse(ctx, 400, 'The header host is missing');
  return undefined;
};

/** Connections that outlive their answer would hold up a server that takes leave. */
export function closeWhenDraining(draining: () => boolean): Middleware {
  return async (ctx, next) => {
    await next();
    if (draining() && !ctx.headerSent) ctx.set('Connection', 'close');
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and times one request from now on; the route is asked for at its end. */
export type Meter = (res: ServerResponse, method: string, route: () => string) => void;

export function createMeter(metrics: Metrics): Meter {
  // Finding the same labels again would cost more than all else here; there are few of them.
  const counters = remembered((route, method, status) => metrics.httpRequests.labels({ route, method, status }));
  const timers = remembered((route, method) => metrics.httpRequestSeconds.labels({ route, method }));
  return (res, method, route) => {
    const started = performance.now();
    const told = METHODS.has(method) ? method : 'other';
    res.once('close', () => {
      // 499, as web servers log it: the client went away before its answer was complete.
      const status = res.writableFinished ? String(res.statusCode) : '499';
      const matched = route();
      counters(matched, told, status).inc();
      timers(matched, told, '').observe((performance.now() - started) / 1000);
    });
  };
}

/** Counts and times requests by the path of their endpoint, or by what else became of them. */
export function measure(meter: Meter): Middleware {
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
