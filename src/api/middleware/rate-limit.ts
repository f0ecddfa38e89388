import type { Exchange, Layer } from '../exchange.js';
import { isIPv6 } from 'node:net';
import { refuse } from '../reply.js';
import type { CountRequest, Quota } from './request-buckets.js';

/**
 * Limits the requests a second from one address. The address is that of the connection, because a client can send any
 * header about itself.
 */
export function limitRate(perSecond: number, count: CountRequest): Layer {
  const pass = (ctx: Exchange, next: () => Promise<void>, { allowed, remaining }: Quota): Promise<void> | undefined => {
    ctx.set('RateLimit-Limit', String(perSecond));
    ctx.set('RateLimit-Remaining', String(Math.floor(remaining)));
    // Seconds until the full number of requests is available again.
    ctx.set('RateLimit-Reset', String(Math.ceil((perSecond - remaining) / perSecond)));
    if (allowed) return next();
    // Seconds until the next request is allowed.
    ctx.set('Retry-After', String(Math.ceil((1 - remaining) / perSecond)));
    refuse(ctx, 429, `More than ${perSecond} requests per second`);
    return undefined;
  };
  return (ctx, next) => {
    const quota = count(clientOf(ctx.req.socket.remoteAddress ?? ''));
    return quota instanceof Promise ? quota.then((known) => pass(ctx, next, known)) : pass(ctx, next, quota);
  };
}

/** The address; of IPv6 the network (/64), because one client usually has all 2^64 addresses of its network. */
function clientOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - rest.length).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
