import { lastHash, readTip } from '../store/chain-state.js';
import { besideWriterAnew } from '../store/lease.js';
import { commit } from '../store/write/commit.js';
import type { ReplaceOptions } from './heights.js';
import { inBatches, readGenerations } from './source.js';

/** Fewer heights are not worth the trouble. */
const LEAST = 16;
/** As for a populator: what keeps both the node and the database busy within bounded memory. */
const WINDOW = { generations: 64, transactions: 3_000 };
const BATCH = { blocks: 500, transactions: 1_500 };

/**
 * Loads heights that come right above everything stored in batches, many times faster than one by one: a whole chain into
 * an empty copy. Returns the first height that it did not load: all of them when something else is stored above, and
 * those from where the node's blocks do not join what is stored.
 */
export async function appendHeights(options: ReplaceOptions, from: number, to: number): Promise<number> {
  const { database, node, signal, onHeight } = options;
  const tip = await readTip(database);
  if (from !== (tip?.height ?? -1) + 1 || to - from + 1 < LEAST) return from;
  let base = tip === null ? null : lastHash(tip);
  let next = from;
  try {
    for await (const batch of inBatches(readGenerations(node, from, to, WINDOW), BATCH)) {
      signal?.throwIfAborted();
      const { heights, ...rest } = await commit(database, besideWriterAnew, {
        base,
        removeFrom: null,
        blocks: [batch],
      });
      base = batch.at(-1)!.hash;
      next += heights;
      // The last of them stands for the transactions of all.
      for (let height = next - heights; height < next; height++) {
        const isLast = height === next - 1;
        onHeight?.(height, { ...(isLast ? rest : { transactions: 0, invalid: 0, wrongHashes: [] }), heights: 1 });
      }
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    // One by one it will turn out what is wrong, and with which height.
  }
  return next;
}
