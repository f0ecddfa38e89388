import { keyPosition, microPosition } from '../chain/position.js';
import { work } from '../chain/work.js';
import type { ChainNode, GenerationOutline } from '../node/client.js';
import { lastHash, microHashesAt, readTip, storedKeyBlock, targetsAbove } from '../store/chain-state.js';
import type { Tip } from '../store/chain-state.js';
import type { Database, Transaction } from '../store/database.js';
import type { Block } from '../store/write/blocks.js';
import { commit } from '../store/write/commit.js';
import type { Change, Committed } from '../store/write/commit.js';
import { commonLength, mayReplace, plan } from './plan.js';
import { inBatches, inconsistent, readGenerations, readMicroBlocks } from './source.js';
import type { BatchSize, Window } from './source.js';

export interface SyncContext {
  database: Database;
  node: ChainNode;
  fence: (tx: Transaction) => Promise<void>;
  window: Window;
  batch: BatchSize;
  signal: AbortSignal;
  /** Told after each commit: what was stored and up to which height. */
  onCommit: (committed: Committed, height: number) => void;
  /** Told when stored blocks were replaced: key blocks taken back, 0 for a micro fork. */
  onFork: (depth: number) => void;
}

export interface SyncResult {
  /** `ok`: the database has the node's top; `behind`: the node is not as far as the database or shows a lighter branch. */
  state: 'ok' | 'behind';
  nodeHeight: number;
  changed: boolean;
}

/**
 * One round: brings the stored top to the node's top of this moment.
 *
 * Whatever does not fit together (the chain moved between two questions, a node that contradicts itself) ends the round
 * with an error after which nothing is half done; the next round starts from what is stored.
 */
export async function syncOnce(context: SyncContext): Promise<SyncResult> {
  const { database, node } = context;
  const current = await node.currentGeneration();
  const nodeHeight = current.keyBlock.height;
  const tip = await readTip(database);
  const storedAtTop =
    tip !== null && nodeHeight < tip.height
      ? ((await storedKeyBlock(database, nodeHeight))?.hash ?? null)
      : (tip?.hash ?? null);
  const next = plan(tip, current, () => storedAtTop);
  switch (next.do) {
    case 'nothing':
      return { state: next.state, nodeHeight, changed: false };
    case 'micro':
      await growGeneration(context, tip!, current, next.keep);
      return { state: 'ok', nodeHeight, changed: true };
    case 'append': {
      const branch = await branchPoint(context, tip, next.from);
      if (branch !== 'fork') {
        await append(context, branch, next.from, next.to);
        return { state: 'ok', nodeHeight, changed: true };
      }
      return replaceBranch(context, tip!, current);
    }
    case 'fork':
      return replaceBranch(context, tip!, current);
  }
}

/** New micro blocks of the running generation; a proven other branch replaces those after the first `keep`. */
async function growGeneration(context: SyncContext, tip: Tip, current: GenerationOutline, keep: number): Promise<void> {
  const { keyBlock, microHashes } = current;
  const blocks = await readMicroBlocks(context.node, keyBlock, microHashes, keep);
  const replaces = keep < tip.microHashes.length;
  await store(context, keyBlock.height, {
    base: tip.microHashes[keep - 1] ?? tip.hash,
    removeFrom: replaces ? microPosition(tip.height, keep + 1) : null,
    blocks: [blocks],
    ...(replaces && { endsWith: microHashes.at(-1)! }),
  });
  if (replaces) context.onFork(0);
}

/** Where new generations are put: after `base`, once what stands from `removeFrom` on is removed and `first` is added. */
interface BranchPoint {
  base: string | null;
  removeFrom: bigint | null;
  first: Block[];
  depth: number;
}

/**
 * How generation `from` follows the stored top. The stored generation below may lack its last micro blocks, or end with
 * micro blocks on which the next leader did not build (a micro fork).
 */
async function branchPoint({ node }: SyncContext, tip: Tip | null, from: number): Promise<BranchPoint | 'fork'> {
  if (tip === null) return { base: null, removeFrom: null, first: [], depth: 0 };
  const next = await node.keyBlock(from);
  if (next === null) throw inconsistent(`the node has no key block ${from} any more`);
  if (next.prevKeyHash !== tip.hash) return 'fork';
  if (next.prevHash === lastHash(tip)) return { base: lastHash(tip), removeFrom: null, first: [], depth: 0 };
  return closeGeneration(node, tip.height, tip.hash, tip.microHashes);
}

/** Brings a stored generation's micro blocks to those that the node's chain has in the end. */
async function closeGeneration(
  node: ChainNode,
  height: number,
  hash: string,
  stored: readonly string[],
): Promise<BranchPoint> {
  const closed = await node.generation(height);
  if (closed?.keyBlock.hash !== hash) throw inconsistent(`generation ${height} changed while it was read`);
  const keep = commonLength(stored, closed.microHashes);
  return {
    base: stored[keep - 1] ?? hash,
    removeFrom: keep < stored.length ? microPosition(height, keep + 1) : null,
    first: await readMicroBlocks(node, closed.keyBlock, closed.microHashes, keep),
    depth: 0,
  };
}

/** Stores generations in batches, each a commit of its own: after any of them the database is a valid chain. */
async function append(context: SyncContext, branch: BranchPoint, from: number, to: number): Promise<void> {
  let base = branch.base;
  let removeFrom = branch.removeFrom;
  const blocks = withFirst(branch.first, readGenerations(context.node, from, to, context.window));
  for await (const batch of inBatches(blocks, context.batch)) {
    context.signal.throwIfAborted();
    await store(context, heightOfLast(batch), { base, removeFrom, blocks: [batch] });
    if (removeFrom !== null) context.onFork(0);
    base = batch.at(-1)!.hash;
    removeFrom = null;
  }
}

/**
 * Replaces the stored branch by the node's, in one transaction, if the node's is proven (each block names the one
 * before it, from the common ancestor to the node's top) and is not just what a node shows that fell back.
 */
async function replaceBranch(
  context: SyncContext,
  tip: Tip,
  current: GenerationOutline,
  from = Math.min(tip.height, current.keyBlock.height),
): Promise<SyncResult> {
  const { database, node } = context;
  const nodeHeight = current.keyBlock.height;
  // Asked anew, because another node may answer at the address by now: one of another network can share all the first
  // blocks, and its chain can be longer. The status is checked against the chain this database holds.
  await node.status();
  const ancestor = await commonAncestor(context, Math.min(from, nodeHeight));
  const stored = { height: tip.height, work: work(await targetsAbove(database, ancestor)) };
  if (!mayReplace({ height: nodeHeight, work: 0n }, stored)) {
    const branchWork = work(await targetsOf(node, ancestor + 1, nodeHeight));
    if (!mayReplace({ height: nodeHeight, work: branchWork }, stored))
      return { state: 'behind', nodeHeight, changed: false };
  }
  const branch = await branchFrom(context, ancestor);
  await store(context, nodeHeight, {
    base: branch.base,
    removeFrom: branch.removeFrom ?? keyPosition(ancestor + 1),
    blocks: inBatches(
      withFirst(branch.first, readGenerations(node, ancestor + 1, nodeHeight, context.window)),
      context.batch,
    ),
    endsWith: current.microHashes.at(-1) ?? current.keyBlock.hash,
  });
  context.onFork(tip.height - ancestor);
  return { state: 'ok', nodeHeight, changed: true };
}

/**
 * Replaces everything above the last height, at or below `from`, that is on the node's chain. For a database with holes,
 * whose parts may be of different branches; `from` is the top of its lowest part.
 */
export async function replaceAbove(context: SyncContext, from: number): Promise<SyncResult> {
  const tip = await readTip(context.database);
  return replaceBranch(context, tip!, await context.node.currentGeneration(), from);
}

async function branchFrom({ database, node }: SyncContext, ancestor: number): Promise<Omit<BranchPoint, 'depth'>> {
  if (ancestor < 0) return { base: null, removeFrom: null, first: [] };
  const block = await storedKeyBlock(database, ancestor);
  return closeGeneration(node, ancestor, block!.hash, await microHashesAt(database, ancestor));
}

/**
 * The highest height at or below `from` at which the stored key block is on the node's chain; -1 if there is none.
 *
 * Agreement at a height means agreement at all below, so the search doubles its steps and then halves them.
 */
async function commonAncestor({ database, node }: SyncContext, from: number): Promise<number> {
  const agrees = async (height: number): Promise<boolean> => {
    const [stored, onChain] = await Promise.all([storedKeyBlock(database, height), node.keyBlock(height)]);
    if (onChain === null) throw inconsistent(`the node has no key block ${height} any more`);
    return stored?.hash === onChain.hash;
  };
  let high = from + 1;
  let low = from;
  for (let step = 1; low >= 0 && !(await agrees(low)); step *= 2) {
    high = low;
    low = Math.max(-1, low - step);
  }
  while (high - low > 1) {
    const middle = Math.floor((high + low) / 2);
    if (await agrees(middle)) low = middle;
    else high = middle;
  }
  if (low < 0) throw inconsistent('the node is of another chain: not even the genesis block is the stored one');
  return low;
}

async function targetsOf(node: ChainNode, from: number, to: number): Promise<bigint[]> {
  const targets: bigint[] = [];
  for (let height = from; height <= to; height++) {
    const block = await node.keyBlock(height);
    if (block === null) throw inconsistent(`the node has no key block ${height} any more`);
    targets.push(block.target);
  }
  return targets;
}

async function store(context: SyncContext, height: number, change: Change): Promise<void> {
  const committed = await commit(context.database, context.fence, change);
  context.onCommit(committed, height);
}

async function* withFirst(first: readonly Block[], rest: AsyncIterable<Block[]>): AsyncGenerator<Block[]> {
  if (first.length > 0) yield [...first];
  yield* rest;
}

function heightOfLast(blocks: readonly Block[]): number {
  const last = blocks.at(-1)!;
  return last.kind === 'key' ? last.keyBlock.height : last.microBlock.height;
}
