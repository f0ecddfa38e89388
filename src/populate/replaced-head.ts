import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import { headHeight, microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { DbTransaction } from '../store/connection/database.js';
import { transactionsOf } from '../store/write/blocks.js';
import type { Block } from '../store/write/blocks.js';
import { announceBlocks, announceLeft, announceRollback, isLive } from '../store/write/events.js';

/** Announces what changes when generations up to the head, or above it, are put in the place of what is stored. */
interface HeadAnnouncements {
  /** Before a generation is written: where it begins to differ from the stored one, the rest of the chain is rolled back. */
  before(blocks: readonly Block[]): Promise<void>;
  /** After it is written. */
  after(blocks: readonly Block[]): Promise<void>;
  /** After the last one. */
  end(): Promise<void>;
}

/**
 * For generations up to the height `to`, in order; undefined where the head is above them. Blocks below the head that lead to what is
 * stored above them are those that are stored, or mend them: nobody is sent an event of these.
 */
export async function announceHead(tx: DbTransaction, to: number): Promise<HeadAnnouncements | undefined> {
  const head = await headHeight(tx);
  if (head === null || to < head) return undefined;
  const live = await isLive(tx);
  let from: bigint | undefined;
  let isRolledBack = false;
  return {
    async before(blocks) {
      if (from !== undefined) return;
      const height = heightOf(blocks[0]!.position);
      // Heights with a hole below them: the populator fills it, and announces neither.
      if (height > head + 1) return;
      const keyBlock = await storedKeyBlock(tx, height);
      const stored = keyBlock === null ? [] : [keyBlock.hash, ...(await microHashesAt(tx, height))];
      const kept = samePrefix(stored, blocks);
      if (kept === stored.length && kept === blocks.length) return;
      from = kept === 0 ? keyPosition(height) : microPosition(height, kept);
      isRolledBack = kept < stored.length || height < head;
      const base = kept === 0 ? blocks[0]!.prevHash : stored[kept - 1]!;
      if (isRolledBack) await announceRollback(tx, from, base, live);
    },
    async after(blocks) {
      if (from === undefined || !live) return;
      const first = from;
      const come = blocks.filter(({ position }) => position >= first);
      await announceBlocks(tx, come, transactionsOf(come));
    },
    async end() {
      if (isRolledBack && live) await announceLeft(tx);
    },
  };
}

/** How many blocks, from the first on, are those that are stored. */
function samePrefix(stored: readonly string[], blocks: readonly Block[]): number {
  const other = stored.findIndex((hash, i) => blocks[i]?.hash !== hash);
  return other === -1 ? stored.length : other;
}
