import type { Network } from '../chain/networks.js';
import type { ChainNode } from '../node/client.js';
import { lastHash, readHead } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { fenceBesideWriterOfLists } from '../store/lease.js';
import { commit } from '../store/write/commit.js';
import type { Committed } from '../store/write/commit.js';
import { checkedGenerations } from './key-blocks.js';
import { inBatches, oneAhead, readGenerations } from './source.js';

export interface AppendOptions {
  database: Database;
  node: ChainNode;
  signal?: AbortSignal;
  onHeight?: (height: number, written: Committed) => void;
  /** Its rules must be followed by key blocks; undefined: none are checked. */
  network?: Network | undefined;
  /** Hash of key block 0 of this copy, if it is known. */
  genesisHash?: string | undefined;
}

/** Min heights to load in batches; for fewer the gain is too small. */
const MIN_HEIGHTS = 16;
/** Sizes that keep node and database busy within bounded memory, as in a populator. */
const WINDOW = { generations: 64, transactions: 3_000, characters: 6_000_000 };
const BATCH = { blocks: 500, transactions: 1_500, characters: 3_000_000 };

/**
 * Loads heights that directly follow the stored head, in batches. This is many times faster than one by one, for example for a whole chain
 * into an empty copy. Returns the first height that it did not load: `from` if the heights do not follow the head or are too few, and the
 * first height of the failed batch after a fault.
 */
export async function appendHeights(options: AppendOptions, from: number, to: number): Promise<number> {
  const { database, node, signal, onHeight, network, genesisHash } = options;
  const head = await readHead(database);
  if (from !== (head?.height ?? -1) + 1 || to - from + 1 < MIN_HEIGHTS) return from;
  let base = head === null ? null : lastHash(head);
  let next = from;
  try {
    const checked = checkedGenerations(readGenerations(node, from, to, WINDOW), {
      database,
      node,
      network,
      genesisHash,
    });
    for await (const batch of oneAhead(inBatches(checked, BATCH))) {
      signal?.throwIfAborted();
      const { heights, ...rest } = await commit(database, fenceBesideWriterOfLists, {
        base,
        removeFrom: null,
        blocks: batch,
      });
      base = batch.at(-1)!.hash;
      next += heights;
      // One commit stored all these heights: its transactions are reported with the last one.
      for (let height = next - heights; height < next; height++) {
        const isLast = height === next - 1;
        onHeight?.(height, { ...(isLast ? rest : { transactions: 0, invalid: 0, unproven: [] }), heights: 1 });
      }
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    // The caller loads the rest one by one, which shows the height at fault and its error.
  }
  return next;
}
