import { work } from '../chain/work/target.js';
import type { Block } from '../store/facts/blocks.js';
import { POPULATORS_STAGE, stageBlocks, stagedEnds, stagedKeyHash, stagedWork } from '../store/write/staged.js';
import type { Staged } from '../store/write/staged.js';
import type { SyncContext } from './context.js';
import { fitsInto } from './source.js';

/**
 * The blocks of a branch while it is read. They are in memory while they fit into the window of what is fetched ahead. A longer branch is
 * in the stage, from where the next round can continue it.
 */
export interface BranchBlocks {
  add(blocks: readonly Block[]): Promise<void>;
  /** Moves the blocks from memory to the stage. */
  stage(): Promise<void>;
  lastHash(): Promise<string | undefined>;
  /** Null if there is no key block of the height. */
  keyHash(height: number): Promise<string | null>;
  /** Work of the key blocks, as their targets claim it. */
  work(): Promise<bigint>;
  /** All blocks in the form that a commit takes: themselves, or the name of the stage. */
  all(): readonly Block[] | Staged;
}

export function createBranchBlocks({ database, fence, window }: SyncContext, isStaged: boolean): BranchBlocks {
  /** Undefined once the blocks are in the stage. */
  let inMemory: Block[] | undefined = isStaged ? undefined : [];

  /** Writes under the lease, so that two populators cannot mix their blocks. */
  async function writeToStage(blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return;
    await database.transaction(async (tx) => {
      await fence(tx);
      await stageBlocks(tx, POPULATORS_STAGE, blocks);
    });
  }

  async function stage(): Promise<void> {
    const blocks = inMemory ?? [];
    inMemory = undefined;
    await writeToStage(blocks);
  }

  return {
    stage,
    async add(blocks) {
      if (inMemory === undefined) return writeToStage(blocks);
      inMemory.push(...blocks);
      if (!fitsInto(window, inMemory)) await stage();
    },
    async lastHash() {
      return inMemory === undefined ? (await stagedEnds(database, POPULATORS_STAGE))?.last.hash : inMemory.at(-1)?.hash;
    },
    async keyHash(height) {
      if (inMemory === undefined) return stagedKeyHash(database, POPULATORS_STAGE, height);
      return inMemory.find((block) => block.kind === 'key' && block.keyBlock.height === height)?.hash ?? null;
    },
    async work() {
      if (inMemory === undefined) return stagedWork(database, POPULATORS_STAGE);
      return work(inMemory.flatMap((block) => (block.kind === 'key' ? [block.keyBlock.target] : [])));
    },
    all: () => inMemory ?? POPULATORS_STAGE,
  };
}
