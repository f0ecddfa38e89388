import type { Exchange, Layer } from '../exchange.js';
import { refuse } from '../reply.js';
import { retryAfter } from '../../runtime/request-counter.js';
import type { Quota, RequestCounter } from '../../runtime/request-counter.js';

/**
 * Limits the requests a second from one address. The address is that of the connection, because a client can send any
 * header about itself.
 */
export function limitRate({ perSecond, count }: RequestCounter): Layer {
  const pass = (ctx: Exchange, next: () => Promise<void>, quota: Quota): Promise<void> | undefined => {
    ctx.set('RateLimit-Limit', String(perSecond));
    ctx.set('RateLimit-Remaining', String(Math.max(0, Math.floor(quota.remaining))));
    // Seconds until the full number of requests is available again.
    ctx.set('RateLimit-Reset', String(Math.ceil((perSecond - quota.remaining) / perSecond)));
    if (quota.allowed) return next();
    ctx.set('Retry-After', retryAfter(quota, perSecond));
    refuse(ctx, 429, `More than ${perSecond} requests per second`);
    return undefined;
  };
  return (ctx, next) => {
    const quota = count(ctx.req.socket.remoteAddress ?? '');
    return quota instanceof Promise ? quota.then((known) => pass(ctx, next, known)) : pass(ctx, next, quota);
  };
}
