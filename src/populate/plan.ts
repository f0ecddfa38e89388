import type { StoredHead } from '../store/chain-state.js';
import type { GenerationOutline } from '../node/client.js';

/** How to bring the stored head to the node's head. */
type Plan =
  /** Nothing: both have the same head, or the node's head is lower. */
  | { do: 'nothing'; state: 'ok' | 'behind' }
  /** The running generation has other micro blocks: those from number `keep` + 1 on are read, and replace the stored ones from there on. */
  | { do: 'micro'; keep: number }
  /** Generations from `from` on are read. */
  | { do: 'append'; from: number }
  /** The stored key block at the height of the node's head is not the node's. */
  | { do: 'fork' };

/**
 * Compares the stored head with the node's. Pure. `storedAt` returns the stored key block's hash at a height.
 *
 * A node that only has fewer blocks (a lower height, fewer micro blocks of the same generation) is behind: nothing may be deleted for it.
 * Only a different block at the same position shows another branch.
 */
export function plan(
  head: StoredHead | null,
  node: GenerationOutline,
  storedAt: (height: number) => string | null,
): Plan {
  const { keyBlock, microHashes } = node;
  if (head === null) return { do: 'append', from: 0 };
  if (keyBlock.height > head.height) return { do: 'append', from: head.height + 1 };
  if (storedAt(keyBlock.height) !== keyBlock.hash) return { do: 'fork' };
  if (keyBlock.height < head.height) return { do: 'nothing', state: 'behind' };
  const keep = commonLength(head.microHashes, microHashes);
  if (keep === microHashes.length) return { do: 'nothing', state: keep === head.microHashes.length ? 'ok' : 'behind' };
  return { do: 'micro', keep };
}

/** Length of the common prefix. */
export function commonLength(stored: readonly string[], node: readonly string[]): number {
  let length = 0;
  while (length < stored.length && stored[length] === node[length]) length++;
  return length;
}
