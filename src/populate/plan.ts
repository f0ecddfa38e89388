import type { StoredHead } from '../store/chain-state.js';
import type { GenerationOutline } from '../node/client.js';

/** What the head of the database needs to become the head of the node. */
type Plan =
  /** Nothing: both have the same top, or the node is not as far as the database. */
  | { do: 'nothing'; state: 'ok' | 'behind' }
  /** The running generation goes on: its micro blocks from number `keep` + 1 are to be read; later stored ones are replaced. */
  | { do: 'micro'; keep: number }
  /** Generations from this one on are to be read. */
  | { do: 'append'; from: number }
  /** The stored head is not on the node's chain, or the node has another block at its own top. */
  | { do: 'fork' };

/**
 * Compares the stored head with the node's. Pure.
 *
 * A node that only knows less (a lower height, fewer micro blocks of the same generation) is behind: nothing may be
 * deleted for it. Only another block in the same place shows another branch.
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

/** Number of equal hashes at the start of both lists. */
export function commonLength(stored: readonly string[], node: readonly string[]): number {
  let length = 0;
  while (length < stored.length && stored[length] === node[length]) length++;
  return length;
}
