import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import { readAnnounced } from '../store/announced.js';
import { headHeight, microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { DbTransaction } from '../store/connection/database.js';
import type { Block } from '../store/facts/blocks.js';
import { announceRemoved, announceRollback, announceStored } from '../store/write/events.js';

/** Writes the events for generations that replace stored ones at the announced head or above it. */
interface HeadAnnouncements {
  /** Call it before each generation is written. At the first block that differs from the stored one, the rest of the chain is rolled back. */
  before(blocks: readonly Block[]): Promise<void>;
  /** Call it after the last one. Announces the blocks that now follow the announced head, up to the first gap. */
  end(): Promise<void>;
}

/**
 * For generations up to the height `to`, which are then written in order. Undefined if the announced head is above `to`: such generations are
 * the stored ones, or mend them, because they join what is stored above. No event reports these.
 */
export async function headAnnouncements(tx: DbTransaction, to: number): Promise<HeadAnnouncements | undefined> {
  const head = await headHeight(tx);
  let announced = await readAnnounced(tx);
  const announcedHeight = announced === undefined ? head : heightOf(announced.end - 1n);
  if (head === null || announcedHeight === null || to < announcedHeight) return undefined;
  let differs = false;
  let isRolledBack = false;
  return {
    async before(blocks) {
      if (differs) return;
      const height = heightOf(blocks[0]!.position);
      const keyBlock = await storedKeyBlock(tx, height);
      const stored = keyBlock === null ? [] : [keyBlock.hash, ...(await microHashesAt(tx, height))];
      const common = samePrefix(stored, blocks);
      if (common === stored.length && common === blocks.length) return;
      differs = true;
      isRolledBack = common < stored.length || height < head;
      if (!isRolledBack) return;
      const from = common === 0 ? keyPosition(height) : microPosition(height, common);
      announced = await announceRollback(tx, from, common === 0 ? blocks[0]!.prevHash : stored[common - 1]!, announced);
    },
    async end() {
      if (!differs || announced === undefined) return;
      await announceStored(tx, announced);
      if (isRolledBack) await announceRemoved(tx);
    },
  };
}

/** Number of blocks, from the first on, that are the stored ones. */
function samePrefix(stored: readonly string[], blocks: readonly Block[]): number {
  const other = stored.findIndex((hash, i) => blocks[i]?.hash !== hash);
  return other === -1 ? stored.length : other;
}
