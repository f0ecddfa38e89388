import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { isIPv6 } from 'node:net';
import { refuse } from './reply.js';

interface Bucket {
  left: number;
  /** When so many were left, ms. */
  at: number;
}

const MOST_ADDRESSES = 50_000;

/**
 * So many requests a second from one address, as many at once. The address is that of the connection: whatever a client
 * says of itself does not count.
 */
export function limitRate(perSecond: number, now: () => number): Middleware {
  const buckets = new LRUCache<string, Bucket>({ max: MOST_ADDRESSES });
  return (ctx, next) => {
    const client = clientOf(ctx.req.socket.remoteAddress ?? '');
    const time = now();
    const bucket = buckets.get(client) ?? { left: perSecond, at: time };
    bucket.left = Math.min(perSecond, bucket.left + ((time - bucket.at) * perSecond) / 1000);
    bucket.at = time;
    buckets.set(client, bucket);
    const allowed = bucket.left >= 1;
    if (allowed) bucket.left -= 1;
    ctx.set('RateLimit-Limit', String(perSecond));
    ctx.set('RateLimit-Remaining', String(Math.floor(bucket.left)));
    // Seconds until the whole number is there again, or on refusal until the next request is allowed.
    ctx.set('RateLimit-Reset', String(Math.ceil((perSecond - bucket.left) / perSecond)));
    if (allowed) return next();
    ctx.set('Retry-After', String(Math.ceil((1 - bucket.left) / perSecond)));
    refuse(ctx, 429, `More than ${perSecond} requests per second`);
    return undefined;
  };
}

/** One who has an IPv6 address has the 2^64 addresses of its network. */
function clientOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - rest.length).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
