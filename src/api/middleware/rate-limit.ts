import type { Exchange, Layer } from '../exchange.js';
import { isIPv6 } from 'node:net';
import { refuse } from '../reply.js';
import type { Taken, TakeRequest } from './request-buckets.js';

/**
 * Limits the requests a second from one address. The address is that of the connection: what a client sends about itself is
 * not trusted.
 */
export function limitRate(perSecond: number, take: TakeRequest): Layer {
  const pass = (ctx: Exchange, next: () => Promise<void>, { allowed, left }: Taken): Promise<void> | undefined => {
    ctx.set('RateLimit-Limit', String(perSecond));
    ctx.set('RateLimit-Remaining', String(Math.floor(left)));
    // Seconds until the full number is available again, or, on refusal, until the next request is allowed.
    ctx.set('RateLimit-Reset', String(Math.ceil((perSecond - left) / perSecond)));
    if (allowed) return next();
    ctx.set('Retry-After', String(Math.ceil((1 - left) / perSecond)));
    refuse(ctx, 429, `More than ${perSecond} requests per second`);
    return undefined;
  };
  return (ctx, next) => {
    const taken = take(clientOf(ctx.req.socket.remoteAddress ?? ''));
    return taken instanceof Promise ? taken.then((known) => pass(ctx, next, known)) : pass(ctx, next, taken);
  };
}

/** IPv6 clients are limited by network: each usually has the 2^64 addresses of its own. */
function clientOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - rest.length).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
