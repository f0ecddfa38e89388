import type { Tip } from '../store/chain-state.js';
import type { GenerationOutline } from '../node/client.js';

/** What the top of the database needs to become the top of the node. */
export type Plan =
  /** Nothing: both have the same top, or the node is not as far as the database. */
  | { do: 'nothing'; state: 'ok' | 'behind' }
  /** The running generation goes on: its micro blocks from number `keep` + 1 are to be read; later stored ones are replaced. */
  | { do: 'micro'; keep: number }
  /** Generations above the stored one are to be read. */
  | { do: 'append'; from: number; to: number }
  /** The stored top is not on the node's chain, or the node has another block at its own top. */
  | { do: 'fork' };

/**
 * Compares the stored top with the node's. Pure.
 *
 * A node that only knows less (a lower height, fewer micro blocks of the same generation) is behind: nothing may be
 * deleted for it. Only another block in the same place tells of another branch.
 */
export function plan(tip: Tip | null, node: GenerationOutline, storedAt: (height: number) => string | null): Plan {
  const { keyBlock, microHashes } = node;
  if (tip === null) return { do: 'append', from: 0, to: keyBlock.height };
  if (keyBlock.height > tip.height) return { do: 'append', from: tip.height + 1, to: keyBlock.height };
  if (storedAt(keyBlock.height) !== keyBlock.hash) return { do: 'fork' };
  if (keyBlock.height < tip.height) return { do: 'nothing', state: 'behind' };
  const keep = commonLength(tip.microHashes, microHashes);
  if (keep === microHashes.length) return { do: 'nothing', state: keep === tip.microHashes.length ? 'ok' : 'behind' };
  return { do: 'micro', keep };
}

/** Number of equal hashes at the start of both lists. */
export function commonLength(stored: readonly string[], node: readonly string[]): number {
  let length = 0;
  while (length < stored.length && stored[length] === node[length]) length++;
  return length;
}

/**
 * Whether a proven branch may replace the stored one: it is at least as high, or carries more work.
 *
 * A lower and lighter branch is what a node shows that has lost or not yet got the newer blocks.
 */
export const mayReplace = (
  branch: { height: number; work: bigint },
  stored: { height: number; work: bigint },
): boolean => branch.height >= stored.height || branch.work > stored.work;
