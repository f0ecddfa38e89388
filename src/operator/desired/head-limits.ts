import { durationMs } from '../schema/parts.js';
import type { Middleware } from '../types.js';

/** Time between key blocks unless the resource names another one: that of the main network. */
const BLOCK_TIME = '3m';
/** Limits of a resource that has none of its own: so many times between key blocks behind the node, and so old. */
const LAG_MS = 15 * 60_000;
const AGE_BLOCKS = 10;
/** A shorter limit would report each pause of a node. */
const LEAST_AGE_MS = 2 * 60_000;

interface HeadLimits {
  /** Max key blocks that the database may be behind. */
  maxLag: number;
  /** Max age of its newest key block, ms, and the same as it is written in a resource. */
  maxAgeMs: number;
  maxAge: string;
}

/** How far the head may be behind, and how old it may be: as the resource says, or by the time between key blocks. */
export function headLimits({ spec: { head, network } }: Pick<Middleware, 'spec'>): HeadLimits {
  const blockMs = Math.max(1_000, durationMs(network?.blockTime ?? BLOCK_TIME));
  const age = Math.max(AGE_BLOCKS * blockMs, LEAST_AGE_MS);
  const maxAge = head.maxAge ?? (age % 60_000 === 0 ? `${age / 60_000}m` : `${age / 1000}s`);
  return {
    maxLag: head.maxLag ?? Math.max(5, Math.ceil(LAG_MS / blockMs)),
    maxAgeMs: durationMs(maxAge),
    maxAge,
  };
}
