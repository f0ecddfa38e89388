import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import type { ChainNode, GenerationOutline } from '../node/client.js';
import { work } from '../chain/work/target.js';
import { microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { Block } from '../store/facts/blocks.js';
import { checkLinks } from '../store/write/commit.js';
import { POPULATORS_STAGE, stagedEnds, stagedKeyHash, unstage } from '../store/write/staged.js';
import type { Database } from '../store/connection/database.js';
import { createBranchBlocks } from './branch-blocks.js';
import type { BranchBlocks } from './branch-blocks.js';
import { checkedGenerations, createKeyBlockCheck } from './key-blocks.js';
import { commonLength } from './plan.js';
import { inBatches, inconsistent, readGenerations, readMicroBlocks } from './source.js';
import type { SyncContext } from './context.js';

/** Where new generations follow the stored chain. */
export interface BranchPoint {
  /** Hash of the last stored block that stays; null if there is none. */
  base: string | null;
  /** Position from which stored blocks are removed; null if none are. */
  removeFrom: bigint | null;
  /** Blocks to store before the new generations: missing micro blocks of the generation below. */
  first: Block[];
}

/** Compares the micro blocks of a stored generation with those of the node, and reads the missing ones. */
export async function closeGeneration(
  node: ChainNode,
  height: number,
  hash: string,
  stored: readonly string[],
): Promise<BranchPoint & { base: string }> {
  const closed = await node.generation(height);
  if (closed?.keyBlock.hash !== hash) throw inconsistent(`generation ${height} changed while it was read`);
  const keep = commonLength(stored, closed.microHashes);
  return {
    base: stored[keep - 1] ?? hash,
    removeFrom: keep < stored.length ? microPosition(height, keep + 1) : null,
    first: await readMicroBlocks(node, closed.keyBlock, closed.microHashes, keep),
  };
}

/** A branch that was read. */
interface Branch {
  /** Hash of the stored block that it follows. */
  base: string;
  /** Position from which it replaces stored blocks. */
  removeFrom: bigint;
  /** Hash of its last block. */
  endsWith: string;
  blocks: BranchBlocks;
}

/**
 * The highest height, at or below `from`, at which the stored key block is on the node's chain. Below it all stored key blocks are. Throws if
 * not even the genesis block is.
 */
export async function commonAncestor({ database, node }: SyncContext, from: number): Promise<number> {
  const height = await highestAgreed(from, -1, async (at) => {
    const [stored, onChain] = await Promise.all([storedKeyBlock(database, at), node.keyBlock(at)]);
    if (onChain === null) throw inconsistent(`the node has no key block ${at} any more`);
    return stored?.hash === onChain.hash;
  });
  if (height < 0) throw inconsistent('the node is of another chain: not even the genesis block is the stored one');
  return height;
}

/**
 * The highest height, at or below `from`, for which `agrees`; `floor` if there is none above it. Goes down in doubling steps, then bisects:
 * reorgs are usually short.
 */
async function highestAgreed(
  from: number,
  floor: number,
  agrees: (height: number) => Promise<boolean>,
): Promise<number> {
  let high = from + 1;
  let low = from;
  for (let step = 1; low > floor && !(await agrees(low)); step *= 2) {
    high = low;
    low = Math.max(floor, low - step);
  }
  while (high - low > 1) {
    const middle = Math.floor((high + low) / 2);
    if (await agrees(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Key blocks of a node's branch that were read and checked so far, from which the next round continues. */
interface Claim {
  /** Hash of the stored key block that the branch follows. */
  ancestor: string;
  /** Height and hash of the last key block that was read. */
  height: number;
  hash: string;
  /** Sum of their work. */
  work: bigint;
}

/** The last branch whose key blocks this process read, by copy. */
const claims = new WeakMap<Database, Claim>();

/** Key blocks requested concurrently. */
const KEY_BLOCKS = 32;

/**
 * Whether the key blocks of the node's branch above the common ancestor have more work than `stored`. If not, the branch need not be read.
 * Only checked key blocks count: a branch without work must not keep this process busy.
 */
export async function claimsMoreWork(
  context: SyncContext,
  ancestor: number,
  current: GenerationOutline,
  stored: bigint,
): Promise<boolean> {
  const { database, node, signal } = context;
  const head = current.keyBlock.height;
  const base = (await storedKeyBlock(database, ancestor))!.hash;
  const last = claims.get(database);
  const isContinued = last?.ancestor === base && last.height <= head && (await hashAt(node, last.height)) === last.hash;
  let claim: Claim = isContinued ? last : { ancestor: base, height: ancestor, hash: base, work: 0n };
  const check = createKeyBlockCheck(context);
  while (claim.work <= stored && claim.height < head) {
    signal.throwIfAborted();
    const heights = Array.from({ length: Math.min(KEY_BLOCKS, head - claim.height) }, (_, i) => claim.height + 1 + i);
    const blocks = await Promise.all(heights.map((height) => node.keyBlock(height)));
    let { hash } = claim;
    for (const [i, block] of blocks.entries()) {
      if (block === null) throw inconsistent(`the node has no key block ${heights[i]} any more`);
      if (block.prevKeyHash !== hash) throw inconsistent(`key block ${block.hash} does not follow ${hash}`);
      hash = block.hash;
      await check([block]);
    }
    claim = { ...claim, height: heights.at(-1)!, hash, work: claim.work + work(blocks.map((block) => block!.target)) };
    claims.set(database, claim);
  }
  return claim.work > stored;
}

const hashAt = async (node: ChainNode, height: number): Promise<string | undefined> =>
  (await node.keyBlock(height))?.hash;

/**
 * Reads the node's branch from the common ancestor up to the running generation `current`. Checks that each block follows the one before it
 * and that each key block follows the rules of the network. Blocks that an earlier round staged are not read
 * again if they are on the node's chain, even if they came from another node. After a fault the next round continues from the staged blocks.
 */
export async function readBranch(context: SyncContext, ancestor: number, current: GenerationOutline): Promise<Branch> {
  const { node, window, batch, signal } = context;
  const { height, hash } = current.keyBlock;
  const staged = await continueStaged(context, ancestor, current);
  const { base, removeFrom, from, first } = staged ?? (await startBranch(context, ancestor));
  const blocks = createBranchBlocks(context, staged !== null);
  try {
    await blocks.add(first);
    let last = (await blocks.lastHash()) ?? base;
    const checked = checkedGenerations(readGenerations(node, from, height, window), context);
    for await (const read of inBatches(checked, batch)) {
      signal.throwIfAborted();
      last = checkLinks(last, read);
      await blocks.add(read);
    }
    if ((await blocks.keyHash(height)) !== hash) {
      throw inconsistent(`the node's branch changed at ${height} while it was read`);
    }
    return { base, removeFrom, endsWith: last, blocks };
  } catch (error) {
    if (!signal.aborted) await blocks.stage();
    throw error;
  }
}

/** Where to start reading a branch. */
interface Start extends Pick<Branch, 'base' | 'removeFrom'> {
  /** First generation that is not read yet. */
  from: number;
  /** Blocks before that generation that are not staged. */
  first: Block[];
}

/** Empties the stage and starts at the common ancestor. */
async function startBranch(context: SyncContext, ancestor: number): Promise<Start> {
  const { database, node } = context;
  await unstage(database, POPULATORS_STAGE);
  const block = await storedKeyBlock(database, ancestor);
  const { base, removeFrom, first } = await closeGeneration(
    node,
    ancestor,
    block!.hash,
    await microHashesAt(database, ancestor),
  );
  return { base, removeFrom: removeFrom ?? keyPosition(ancestor + 1), from: ancestor + 1, first };
}

/** Continues the staged blocks: removes those that are not on the node's chain. Null if no staged block can be used. */
async function continueStaged(
  { database, node }: SyncContext,
  ancestor: number,
  { keyBlock, microHashes }: GenerationOutline,
): Promise<Start | null> {
  const ends = await stagedEnds(database, POPULATORS_STAGE);
  if (ends === null) return null;
  const base = ends.first.prevHash;
  const block = await storedKeyBlock(database, ancestor);
  const hashes = [block!.hash, ...(await microHashesAt(database, ancestor))];
  const baseIndex = hashes.indexOf(base);
  if (baseIndex < 0) return null;
  const isLast = baseIndex === hashes.length - 1;
  const removeFrom = isLast ? keyPosition(ancestor + 1) : microPosition(ancestor, baseIndex + 1);
  if (ends.last.hash === (microHashes.at(-1) ?? keyBlock.hash))
    return { base, removeFrom, from: keyBlock.height + 1, first: [] };
  const agreed = await highestAgreed(heightOf(ends.last.position), ancestor, async (height) => {
    const [staged, onChain] = await Promise.all([
      stagedKeyHash(database, POPULATORS_STAGE, height),
      node.keyBlock(height),
    ]);
    return staged !== null && staged === onChain?.hash;
  });
  if (agreed === ancestor) return null;
  // The last common generation is read again: it may have been staged before its last micro block was made.
  await unstage(database, POPULATORS_STAGE, keyPosition(agreed));
  return { base, removeFrom, from: agreed, first: [] };
}
