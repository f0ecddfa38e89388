import { work } from '../chain/work/target.js';
import type { Block } from '../store/write/blocks.js';
import { POPULATORS_STAGE, stageBlocks, stagedEnds, stagedKeyHash, stagedWork } from '../store/write/staged.js';
import type { Staged } from '../store/write/staged.js';
import type { SyncContext } from './context.js';
import { fitsInto } from './source.js';

/**
 * The blocks of a branch while it is read: in memory as long as they are no more than what is fetched ahead anyway, from then on in
 * the stage, where the next round finds them.
 */
export interface BranchBlocks {
  add(blocks: readonly Block[]): Promise<void>;
  /** Puts those in memory into the stage. */
  keep(): Promise<void>;
  lastHash(): Promise<string | undefined>;
  /** Null where there is no key block of the height. */
  keyHash(height: number): Promise<string | null>;
  /** As the targets of the key blocks claim it. */
  work(): Promise<bigint>;
  /** Where a commit finds them. */
  all(): readonly Block[] | Staged;
}

export function createBranchBlocks({ database, fence, window }: SyncContext, isStaged: boolean): BranchBlocks {
  /** Undefined once they are in the stage. */
  let held: Block[] | undefined = isStaged ? undefined : [];

  /** Under the lease: two populators must not mix what they read. */
  async function stage(blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return;
    await database.transaction(async (tx) => {
      await fence(tx);
      await stageBlocks(tx, POPULATORS_STAGE, blocks);
    });
  }

  async function keep(): Promise<void> {
    const blocks = held ?? [];
    held = undefined;
    await stage(blocks);
  }

  return {
    keep,
    async add(blocks) {
      if (held === undefined) return stage(blocks);
      held.push(...blocks);
      if (!fitsInto(window, held)) await keep();
    },
    async lastHash() {
      return held === undefined ? (await stagedEnds(database, POPULATORS_STAGE))?.last.hash : held.at(-1)?.hash;
    },
    async keyHash(height) {
      if (held === undefined) return stagedKeyHash(database, POPULATORS_STAGE, height);
      return held.find((block) => block.kind === 'key' && block.keyBlock.height === height)?.hash ?? null;
    },
    async work() {
      if (held === undefined) return stagedWork(database, POPULATORS_STAGE);
      return work(held.flatMap((block) => (block.kind === 'key' ? [block.keyBlock.target] : [])));
    },
    all: () => held ?? POPULATORS_STAGE,
  };
}
