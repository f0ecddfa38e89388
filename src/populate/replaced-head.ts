import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import { readAnnounced } from '../store/announced.js';
import { headHeight, microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { DbTransaction } from '../store/connection/database.js';
import type { Block } from '../store/write/blocks.js';
import { announceRemoved, announceRollback, announceStored } from '../store/write/events.js';

/** Announces what changes when generations up to the announced head, or above it, are put in the place of what is stored. */
interface HeadAnnouncements {
  /** Before a generation is written: where it begins to differ from the stored one, the rest of the chain is rolled back. */
  before(blocks: readonly Block[]): Promise<void>;
  /** After the last one: what follows the announced head now, up to the first hole. */
  end(): Promise<void>;
}

/**
 * For generations up to the height `to`, in order; undefined where the announced head is above them. Blocks below it that lead to what is
 * stored above them are those that are stored, or mend them: nobody is sent an event of these.
 */
export async function announceHead(tx: DbTransaction, to: number): Promise<HeadAnnouncements | undefined> {
  const head = await headHeight(tx);
  let announced = await readAnnounced(tx);
  const followed = announced === undefined ? head : heightOf(announced.end - 1n);
  if (head === null || followed === null || to < followed) return undefined;
  let differs = false;
  let isRolledBack = false;
  return {
    async before(blocks) {
      if (differs) return;
      const height = heightOf(blocks[0]!.position);
      const keyBlock = await storedKeyBlock(tx, height);
      const stored = keyBlock === null ? [] : [keyBlock.hash, ...(await microHashesAt(tx, height))];
      const kept = samePrefix(stored, blocks);
      if (kept === stored.length && kept === blocks.length) return;
      differs = true;
      isRolledBack = kept < stored.length || height < head;
      if (!isRolledBack) return;
      const from = kept === 0 ? keyPosition(height) : microPosition(height, kept);
      announced = await announceRollback(tx, from, kept === 0 ? blocks[0]!.prevHash : stored[kept - 1]!, announced);
    },
    async end() {
      if (!differs || announced === undefined) return;
      await announceStored(tx, announced);
      if (isRolledBack) await announceRemoved(tx);
    },
  };
}

/** How many blocks, from the first on, are those that are stored. */
function samePrefix(stored: readonly string[], blocks: readonly Block[]): number {
  const other = stored.findIndex((hash, i) => blocks[i]?.hash !== hash);
  return other === -1 ? stored.length : other;
}
