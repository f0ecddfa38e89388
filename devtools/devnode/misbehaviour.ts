import { z } from 'zod';
import { MiddlewareError } from '../../src/observe/errors.js';

/** A way in which a node can be wrong, slow or broken. Several can be active at the same time. */
export interface Misbehaviour {
  /** Delays answers by this time, ms. */
  slowMs?: number;
  /** Never answers. */
  hang?: true;
  /** Answers with this status and without a body. */
  status?: 429 | 500 | 503;
  /** Seconds in `retry-after`, along with `status`. */
  retryAfter?: number;
  /** Announces the whole body, but closes the connection in the middle of it. */
  truncate?: true;
  /** Serves the chain as it was this many generations ago. */
  behind?: number;
  /** Claims to belong to another network. */
  networkId?: string;
  /** Claims to have another genesis block. */
  genesis?: string;
  /** Answers a request for a height with the block of another height. */
  wrongHeight?: true;
  /** Every second answer comes from another branch or, if there is none, from an older state of the chain. */
  disagree?: true;
  /** Share of the requests that are affected, 0 to 1; all if absent. */
  probability?: number;
  /** Regular expression for the affected paths; all if absent. */
  paths?: string | RegExp;
}

const Schema = z.strictObject({
  slowMs: z.int().nonnegative().optional(),
  hang: z.literal(true).optional(),
  status: z.union([z.literal(429), z.literal(500), z.literal(503)]).optional(),
  retryAfter: z.int().nonnegative().optional(),
  truncate: z.literal(true).optional(),
  behind: z.int().nonnegative().optional(),
  networkId: z.string().optional(),
  genesis: z.string().optional(),
  wrongHeight: z.literal(true).optional(),
  disagree: z.literal(true).optional(),
  probability: z.number().min(0).max(1).optional(),
  paths: z.union([z.string(), z.instanceof(RegExp)]).optional(),
});

export interface Misbehaviours {
  /** Replaces the active misbehaviours; null ends them all. Throws `invalid_misbehaviour` if `wanted` is not valid. */
  set(wanted: unknown): void;
  current(): readonly Misbehaviour[];
  /** The misbehaviours that affect a request of this path. */
  affecting(path: string): readonly Misbehaviour[];
}

/** `random` returns numbers from 0 to below 1. */
export function createMisbehaviours(random: () => number): Misbehaviours {
  let active: { misbehaviour: Misbehaviour; paths: RegExp | undefined }[] = [];

  function compiled(misbehaviour: Misbehaviour): RegExp | undefined {
    const { paths } = misbehaviour;
    try {
      return paths === undefined ? undefined : new RegExp(paths);
    } catch (cause) {
      throw new MiddlewareError('invalid_misbehaviour', `paths: ${(cause as Error).message}`, { cause });
    }
  }

  return {
    set(wanted) {
      const list = wanted === null ? [] : Array.isArray(wanted) ? wanted : [wanted];
      const parsed = z.array(Schema).safeParse(list);
      if (!parsed.success) {
        throw new MiddlewareError('invalid_misbehaviour', z.prettifyError(parsed.error));
      }
      active = (parsed.data as Misbehaviour[]).map((misbehaviour) => ({ misbehaviour, paths: compiled(misbehaviour) }));
    },
    current: () => active.map(({ misbehaviour }) => misbehaviour),
    affecting(path) {
      if (active.length === 0) return [];
      return active
        .filter(({ paths, misbehaviour: { probability } }) => {
          if (paths !== undefined && !paths.test(path)) return false;
          return probability === undefined || random() < probability;
        })
        .map(({ misbehaviour }) => misbehaviour);
    },
  };
}
