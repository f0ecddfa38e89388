import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import type { ChainNode, GenerationOutline } from '../node/client.js';
import { work } from '../chain/work/target.js';
import { microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { Block } from '../store/write/blocks.js';
import { checkLinks } from '../store/write/commit.js';
import { POPULATORS_STAGE, stagedEnds, stagedKeyHash, unstage } from '../store/write/staged.js';
import type { Database } from '../store/connection/database.js';
import { createBranchBlocks } from './branch-blocks.js';
import type { BranchBlocks } from './branch-blocks.js';
import { commonLength } from './plan.js';
import { mustHaveWork } from './proof-of-work.js';
import { inBatches, inconsistent, readGenerations, readMicroBlocks } from './source.js';
import type { SyncContext } from './context.js';

/** Where new generations are put: after `base`, once what stands from `removeFrom` on is removed and `first` is added. */
export interface BranchPoint {
  base: string | null;
  removeFrom: bigint | null;
  first: Block[];
}

/** Brings a stored generation's micro blocks to those that the node's chain has in the end. */
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

/** A branch that was read, and where it belongs: after the stored block `base`, in the place of what is stored from `removeFrom` on. */
interface Branch {
  base: string;
  removeFrom: bigint;
  /** Hash of its last block. */
  endsWith: string;
  blocks: BranchBlocks;
}

/**
 * The highest height at or below `from` at which the stored key block is on the node's chain; throws if there is none.
 * Agreement at a height means agreement at all below.
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

/** Doubles its steps down from `from` and then halves them; `floor` if no height above it agrees. */
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

/** How far the headers of a node's branch were read, for the next round to go on from. */
interface Claim {
  /** Hash of the stored key block after which the branch begins. */
  ancestor: string;
  height: number;
  hash: string;
  work: bigint;
}

/** What this process last saw of a branch, by copy. */
const claims = new WeakMap<Database, Claim>();

/** Key blocks asked for at a time. */
const HEADERS = 32;

/**
 * Whether the key blocks of the node's branch above the common ancestor claim more work than `stored`. Only then is it worth
 * reading what is in it; whether the claim holds is found out with that.
 */
export async function claimsMoreWork(
  context: SyncContext,
  ancestor: number,
  current: GenerationOutline,
  stored: bigint,
): Promise<boolean> {
  const { database, node, signal } = context;
  const top = current.keyBlock.height;
  const base = (await storedKeyBlock(database, ancestor))!.hash;
  const seen = claims.get(database);
  const goesOn = seen?.ancestor === base && seen.height <= top && (await hashAt(node, seen.height)) === seen.hash;
  let claim: Claim = goesOn ? seen : { ancestor: base, height: ancestor, hash: base, work: 0n };
  while (claim.work <= stored && claim.height < top) {
    signal.throwIfAborted();
    const heights = Array.from({ length: Math.min(HEADERS, top - claim.height) }, (_, i) => claim.height + 1 + i);
    const blocks = await Promise.all(heights.map((height) => node.keyBlock(height)));
    let { hash } = claim;
    for (const [i, block] of blocks.entries()) {
      if (block === null) throw inconsistent(`the node has no key block ${heights[i]} any more`);
      if (block.prevKeyHash !== hash) throw inconsistent(`key block ${block.hash} does not follow ${hash}`);
      hash = block.hash;
    }
    claim = { ...claim, height: heights.at(-1)!, hash, work: claim.work + work(blocks.map((block) => block!.target)) };
    claims.set(database, claim);
  }
  return claim.work > stored;
}

const hashAt = async (node: ChainNode, height: number): Promise<string | undefined> =>
  (await node.keyBlock(height))?.hash;

/**
 * Reads the node's branch from the common ancestor up to the head that was seen; each block is known to follow the one before it, and
 * each key block to have the work that it claims, where the network has any. What a round before has read and staged is not read
 * again as long as the node's chain still holds it, whichever node that was; after a fault it goes on from there.
 */
export async function readBranch(context: SyncContext, ancestor: number, current: GenerationOutline): Promise<Branch> {
  const { node, window, batch, signal, edgeBits } = context;
  const { height, hash } = current.keyBlock;
  const staged = await resumed(context, ancestor, current);
  const { base, removeFrom, from, first } = staged ?? (await begun(context, ancestor));
  const blocks = createBranchBlocks(context, staged !== null);
  try {
    await blocks.add(first);
    let last = (await blocks.lastHash()) ?? base;
    for await (const read of inBatches(readGenerations(node, from, height, window), batch)) {
      signal.throwIfAborted();
      last = checkLinks(last, read);
      mustHaveWork(read, edgeBits);
      await blocks.add(read);
    }
    if ((await blocks.keyHash(height)) !== hash) {
      throw inconsistent(`the node's branch changed at ${height} while it was read`);
    }
    return { base, removeFrom, endsWith: last, blocks };
  } catch (error) {
    if (!signal.aborted) await blocks.keep();
    throw error;
  }
}

/** Where the branch leaves what is stored, and the first generation that is still to be read. */
interface Begun {
  base: string;
  removeFrom: bigint;
  from: number;
  /** What comes before that generation and is not staged. */
  first: Block[];
}

async function begun(context: SyncContext, ancestor: number): Promise<Begun> {
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

/** What is staged already, down to where the node's chain has it; null when that is nothing. */
async function resumed(
  { database, node }: SyncContext,
  ancestor: number,
  { keyBlock, microHashes }: GenerationOutline,
): Promise<Begun | null> {
  const ends = await stagedEnds(database, POPULATORS_STAGE);
  if (ends === null) return null;
  const base = ends.first.prevHash;
  const block = await storedKeyBlock(database, ancestor);
  const hashes = [block!.hash, ...(await microHashesAt(database, ancestor))];
  const kept = hashes.indexOf(base);
  if (kept < 0) return null;
  const isWhole = kept === hashes.length - 1;
  const removeFrom = isWhole ? keyPosition(ancestor + 1) : microPosition(ancestor, kept + 1);
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
  // It may have been read before the last of its micro blocks was made.
  await unstage(database, POPULATORS_STAGE, keyPosition(agreed));
  return { base, removeFrom, from: agreed, first: [] };
}
