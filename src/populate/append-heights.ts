import type { ChainNode } from '../node/client.js';
import { lastHash, readHead } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { besideWriterOfLists } from '../store/lease.js';
import { commit } from '../store/write/commit.js';
import type { Committed } from '../store/write/commit.js';
import { mustHaveWork } from './proof-of-work.js';
import { inBatches, readGenerations } from './source.js';

export interface AppendOptions {
  database: Database;
  node: ChainNode;
  signal?: AbortSignal;
  onHeight?: (height: number, written: Committed) => void;
  /** Key blocks must have a proof of work in graphs of this size; none is asked for if undefined. */
  edgeBits?: number | undefined;
}

/** Fewer heights are not worth the trouble. */
const MIN_HEIGHTS = 16;
/** As for a populator: what keeps both the node and the database busy within bounded memory. */
const WINDOW = { generations: 64, transactions: 3_000, characters: 6_000_000 };
const BATCH = { blocks: 500, transactions: 1_500, characters: 3_000_000 };

/**
 * Loads heights that come right above everything stored in batches, many times faster than one by one: a whole chain into
 * an empty copy. Returns the first height that it did not load: all of them when something else is stored above, and
 * those from where the node's blocks do not join what is stored.
 */
export async function appendHeights(options: AppendOptions, from: number, to: number): Promise<number> {
  const { database, node, signal, onHeight, edgeBits } = options;
  const head = await readHead(database);
  if (from !== (head?.height ?? -1) + 1 || to - from + 1 < MIN_HEIGHTS) return from;
  let base = head === null ? null : lastHash(head);
  let next = from;
  try {
    for await (const batch of inBatches(readGenerations(node, from, to, WINDOW), BATCH)) {
      signal?.throwIfAborted();
      mustHaveWork(batch, edgeBits);
      const { heights, ...rest } = await commit(database, besideWriterOfLists, {
        base,
        removeFrom: null,
        blocks: batch,
      });
      base = batch.at(-1)!.hash;
      next += heights;
      // The last of them stands for the transactions of all.
      for (let height = next - heights; height < next; height++) {
        const isLast = height === next - 1;
        onHeight?.(height, { ...(isLast ? rest : { transactions: 0, invalid: 0, unproven: [] }), heights: 1 });
      }
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    // One by one it will turn out what is wrong, and with which height.
  }
  return next;
}
