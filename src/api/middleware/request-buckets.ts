import { LRUCache } from 'lru-cache';

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
  /** Number of further requests, with a fraction. */
  remaining: number;
}

/** Counts a request of an address (or of an IPv6 network), in this process or in another one. */
export type CountRequest = (client: string) => Quota | Promise<Quota>;

/** Counts requests in token buckets: each client has `perSecond` requests a second, which may all come at once. */
export function createBuckets(perSecond: number, now: () => number): (client: string) => Quota {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });
  return (client) => {
    const time = now();
    const bucket = buckets.get(client) ?? { remaining: perSecond, at: time };
    bucket.remaining = Math.min(perSecond, bucket.remaining + ((time - bucket.at) * perSecond) / 1000);
    bucket.at = time;
    buckets.set(client, bucket);
    const allowed = bucket.remaining >= 1;
    if (allowed) bucket.remaining -= 1;
    return { allowed, remaining: bucket.remaining };
  };
}
