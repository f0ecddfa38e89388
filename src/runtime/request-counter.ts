import { LRUCache } from 'lru-cache';
import { clientOf } from './client-of.js';

/** The token bucket of one client. */
interface Bucket {
  remaining: number;
  /** When `remaining` was computed, ms. */
  at: number;
}

const MAX_ADDRESSES = 50_000;

/** What a client may still request after this request. */
export interface Quota {
  /** Whether this request is allowed. */
  allowed: boolean;
  /** Number of further requests, with a fraction; below 0 while messages wait. */
  remaining: number;
}

/** Counts what clients request, by address (`clientOf`), in this process or in another one. */
export interface RequestCounter {
  /** Max requests and messages a second. */
  readonly perSecond: number;
  /** Counts a request that is refused if it is not allowed. */
  count(address: string): Quota | Promise<Quota>;
  /** Counts a message, which is handled in any case. Returns after how many ms. */
  delayOf(address: string): number | Promise<number>;
}

interface LocalRequestCounter extends RequestCounter {
  count(address: string): Quota;
  delayOf(address: string): number;
}

/** Counts in token buckets: each client has `perSecond` requests a second, which may all come at once. */
export function createRequestCounter(perSecond: number, now: () => number): LocalRequestCounter {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });
  const bucketOf = (address: string): Bucket => {
    const client = clientOf(address);
    const time = now();
    const bucket = buckets.get(client) ?? { remaining: perSecond, at: time };
    bucket.remaining = Math.min(perSecond, bucket.remaining + ((time - bucket.at) * perSecond) / 1000);
    bucket.at = time;
    buckets.set(client, bucket);
    return bucket;
  };
  return {
    perSecond,
    count(address) {
      const bucket = bucketOf(address);
      const allowed = bucket.remaining >= 1;
      if (allowed) bucket.remaining -= 1;
      return { allowed, remaining: bucket.remaining };
    },
    delayOf(address) {
      const bucket = bucketOf(address);
      bucket.remaining -= 1;
      return Math.max(0, (-bucket.remaining * 1000) / perSecond);
    },
  };
}

/** Seconds until the next request is allowed. */
export const retryAfter = ({ remaining }: Quota, perSecond: number): string =>
  String(Math.ceil((1 - remaining) / perSecond));
