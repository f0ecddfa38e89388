import { LRUCache } from 'lru-cache';

interface Bucket {
  left: number;
  /** When this number was computed, ms. */
  at: number;
}

const MAX_ADDRESSES = 50_000;

/** What is left to an address after one request. */
export interface Taken {
  allowed: boolean;
  /** Requests, with a fraction. */
  left: number;
}

/** Counts a request of an address (or of an IPv6 network), here or in another process. */
export type TakeRequest = (client: string) => Taken | Promise<Taken>;

/** `perSecond` requests a second from one address; as many may come at once. */
export function createBuckets(perSecond: number, now: () => number): (client: string) => Taken {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });
  return (client) => {
    const time = now();
    const bucket = buckets.get(client) ?? { left: perSecond, at: time };
    bucket.left = Math.min(perSecond, bucket.left + ((time - bucket.at) * perSecond) / 1000);
    bucket.at = time;
    buckets.set(client, bucket);
    const allowed = bucket.left >= 1;
    if (allowed) bucket.left -= 1;
    return { allowed, left: bucket.left };
  };
}
