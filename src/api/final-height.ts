import type { Depth } from '../config/checks.js';
import type { Queryable } from '../store/connection/database.js';
import type { Head } from '../store/queries/answer.js';
import { heightBefore } from '../store/queries/heights.js';

/** The highest height whose blocks no reorg is expected to remove, while this is the head; negative if there is none. */
export type FinalHeight = (head: Head) => number | Promise<number>;

/** `depth` below the head: key blocks, or a time of the chain. A time is looked up once for each head. */
export function createFinalHeight(db: Queryable, depth: Depth): FinalHeight {
  if ('blocks' in depth) return ({ height }) => height - depth.blocks;
  const { ms } = depth;
  let known: { hash: string; final: Promise<number> } | undefined;
  return ({ height, hash }) => {
    if (known?.hash === hash) return known.final;
    const asked = { hash, final: heightBefore(db, height, ms) };
    known = asked;
    asked.final.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.final;
  };
}
