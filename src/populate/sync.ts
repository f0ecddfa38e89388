import { keyPosition, microPosition } from '../chain/position.js';
import type { ChainNode, GenerationOutline } from '../node/client.js';
import { MiddlewareError } from '../observe/errors.js';
import { lastHash, readHead, storedKeyBlock, workAbove } from '../store/chain-state.js';
import type { StoredHead } from '../store/chain-state.js';
import { holdReorg, isReorgAccepted } from '../store/held-reorg.js';
import type { HeldReorg } from '../store/held-reorg.js';
import { placeKeyBlock } from '../store/write/blocks.js';
import type { Block } from '../store/write/blocks.js';
import { commit } from '../store/write/commit.js';
import type { Change } from '../store/write/commit.js';
import { POPULATORS_STAGE, unstage } from '../store/write/staged.js';
import { claimsMoreWork, closeGeneration, commonAncestor, readBranch } from './branch.js';
import type { BranchPoint } from './branch.js';
import { plan } from './plan.js';
import { mustHaveWork } from './proof-of-work.js';
import { inBatches, inconsistent, readGenerations, readMicroBlocks } from './source.js';
import type { SyncContext } from './context.js';

/**
 * `ok`: the database has the node's head; `behind`: the node is not as far as the database or shows a lighter branch;
 * `reorg_held`: its branch takes back so much that somebody has to vouch for it.
 */
export type SyncState = 'ok' | 'behind' | 'reorg_held';

export interface SyncResult {
  state: SyncState;
  /** What is held back. */
  held?: HeldReorg;
  /** Why the node's chain is not the one to follow. */
  doubt?: string;
  /** The stored head when the round began. */
  headBefore: StoredHead | null;
  changed: boolean;
}

/**
 * One round: brings the stored head to the node's, whose running generation is `current`.
 *
 * Whatever does not fit together (the chain moved between two questions, a node that contradicts itself) ends the round
 * with an error after which nothing is half done; the next round starts from what is stored.
 */
export async function syncOnce(context: SyncContext, current: GenerationOutline): Promise<SyncResult> {
  const { database } = context;
  const nodeHeight = current.keyBlock.height;
  const head = await readHead(database);
  const storedAtTop =
    head !== null && nodeHeight < head.height
      ? ((await storedKeyBlock(database, nodeHeight))?.hash ?? null)
      : (head?.hash ?? null);
  const next = plan(head, current, () => storedAtTop);
  switch (next.do) {
    case 'nothing':
      return { state: next.state, headBefore: head, changed: false };
    case 'micro':
      await growGeneration(context, head!, current, next.keep);
      return { state: 'ok', headBefore: head, changed: true };
    case 'append': {
      const branch = await branchPoint(context, head, next.from, current);
      if (branch !== 'fork') {
        await append(context, branch, next.from, current);
        return { state: 'ok', headBefore: head, changed: true };
      }
      return replaceBranch(context, head!, current);
    }
    case 'fork':
      return replaceBranch(context, head!, current);
  }
}

/** New micro blocks of the running generation; a proven other branch replaces those after the first `keep`. */
async function growGeneration(
  context: SyncContext,
  head: StoredHead,
  current: GenerationOutline,
  keep: number,
): Promise<void> {
  const { keyBlock, microHashes } = current;
  const blocks = await readMicroBlocks(context.node, keyBlock, microHashes, keep);
  const replaces = keep < head.microHashes.length;
  await store(context, keyBlock.height, {
    base: head.microHashes[keep - 1] ?? head.hash,
    removeFrom: replaces ? microPosition(head.height, keep + 1) : null,
    blocks,
    ...(replaces && { endsWith: microHashes.at(-1)! }),
  });
  if (replaces) context.onFork(0);
}

/**
 * How generation `from` follows the stored head. The stored generation below may lack its last micro blocks, or end with
 * micro blocks on which the next leader did not build (a micro fork).
 */
async function branchPoint(
  { node }: SyncContext,
  head: StoredHead | null,
  from: number,
  current: GenerationOutline,
): Promise<BranchPoint | 'fork'> {
  if (head === null) return { base: null, removeFrom: null, first: [] };
  const next = from === current.keyBlock.height ? current.keyBlock : await node.keyBlock(from);
  if (next === null) throw inconsistent(`the node has no key block ${from} any more`);
  if (next.prevKeyHash !== head.hash) return 'fork';
  if (next.prevHash === lastHash(head)) return { base: lastHash(head), removeFrom: null, first: [] };
  return closeGeneration(node, head.height, head.hash, head.microHashes);
}

/** So far below the node's head no block is replaced any more: what a crash took would be read again as it was. */
const DEEP = 100;

/**
 * Stores generations in batches, each a commit of its own: after any of them the database is a valid chain. `depth` is the
 * number of key blocks that the first one takes back.
 */
async function append(
  context: SyncContext,
  branch: BranchPoint,
  from: number,
  current: GenerationOutline,
  depth = 0,
): Promise<void> {
  const to = current.keyBlock.height;
  let base = branch.base;
  let removeFrom = branch.removeFrom;
  const { edgeBits } = context;
  const rest =
    from === to ? readRunning(context.node, current) : readGenerations(context.node, from, to, context.window);
  const blocks = withFirst(branch.first, rest);
  for await (const batch of inBatches(blocks, context.batch)) {
    context.signal.throwIfAborted();
    // Also in the first load: blocks that claim more work than the chain has would stay for ever.
    mustHaveWork(batch, edgeBits);
    const last = heightOfLast(batch);
    await store(context, last, { base, removeFrom, blocks: batch, mayBeLost: to - last >= DEEP });
    if (removeFrom !== null) context.onFork(depth);
    base = batch.at(-1)!.hash;
    removeFrom = null;
  }
}

/**
 * Replaces the stored branch, up to `storedTop`, by the node's, if that has more work: as the protocol has it, at whatever
 * height the two end. A node that lost blocks, is behind or on a branch of its own shows a lighter one: nothing is deleted
 * for that, nor for one of equal work.
 */
async function replaceBranch(
  context: SyncContext,
  head: StoredHead,
  current: GenerationOutline,
  storedTop = head.height,
): Promise<SyncResult> {
  const { database, node } = context;
  const nodeHeight = current.keyBlock.height;
  const behind: SyncResult = {
    state: 'behind',
    doubt: 'shows a branch that has no more work than the stored one',
    headBefore: head,
    changed: false,
  };
  // Asked again, because another node may answer at the address by now: one of another network can share all the first
  // blocks, and its chain can be heavier. The status is checked against the chain this database holds.
  await node.status();
  const ancestor = await commonAncestor(context, Math.min(storedTop, nodeHeight));
  const stored = await workAbove(database, ancestor, storedTop);
  if (!(await claimsMoreWork(context, ancestor, current, stored))) return behind;
  const { blocks, ...place } = await readBranch(context, ancestor, current);
  // What the headers claimed was only worth the reading.
  if ((await blocks.work()) <= stored) {
    await blocks.keep();
    return behind;
  }
  const held = { hash: current.keyBlock.hash, height: nodeHeight, depth: head.height - ancestor };
  if (await mustWait(context, held)) {
    await blocks.keep();
    return hold(context, head, held);
  }
  try {
    await store(context, nodeHeight, { ...place, blocks: blocks.all() });
  } catch (error) {
    // What was staged, or where it belongs, is not what it was: the next round begins again.
    if (error instanceof MiddlewareError && error.code === 'chain_moved') await unstage(database, POPULATORS_STAGE);
    throw error;
  }
  await unstage(database, POPULATORS_STAGE);
  context.onFork(held.depth);
  return { state: 'ok', headBefore: head, changed: true };
}

async function hold({ database }: SyncContext, head: StoredHead, held: HeldReorg): Promise<SyncResult> {
  await holdReorg(database, held);
  return { state: 'reorg_held', held, doubt: doubtOf(held), headBefore: head, changed: false };
}

const doubtOf = ({ hash, height, depth }: HeldReorg): string =>
  `a reorg that takes back ${depth} key blocks, to ${hash} at ${height}, waits for a second node or mdw accept-reorg`;

/** Work that is proven speaks for itself. Without, one node alone must not be able to undo a long past. */
async function mustWait(context: SyncContext, { hash, height, depth }: HeldReorg): Promise<boolean> {
  if (context.edgeBits !== undefined || depth <= context.maxUnprovenReorg) return false;
  return !(await isReorgAccepted(context.database)) && !(await context.confirms(height, hash));
}

/**
 * Replaces everything above the last height, at or below `from`, that is on the node's chain. For a database with holes,
 * whose parts may be of different branches; `from` is the head of its lowest part, which alone has work that counts, or -1
 * where nothing is stored below the lowest hole.
 */
export async function replaceAbove(context: SyncContext, from: number): Promise<SyncResult> {
  const head = await readHead(context.database);
  const current = await context.node.currentGeneration();
  return from < 0 ? replaceAll(context, head!, current) : replaceBranch(context, head!, current, from);
}

/** Loads the node's chain from its first block on. The first batch removes what is stored, none of which has work that counts. */
async function replaceAll(context: SyncContext, head: StoredHead, current: GenerationOutline): Promise<SyncResult> {
  await context.node.status();
  const held = { hash: current.keyBlock.hash, height: current.keyBlock.height, depth: head.height + 1 };
  if (await mustWait(context, held)) return hold(context, head, held);
  await append(context, { base: null, removeFrom: keyPosition(0), first: [] }, 0, current, held.depth);
  return { state: 'ok', headBefore: head, changed: true };
}

async function store(context: SyncContext, height: number, change: Change): Promise<void> {
  const committed = await commit(context.database, context.fence, change);
  context.onCommit(committed, height);
}

/** The running generation, of which only the micro blocks are still to be read. */
async function* readRunning(node: ChainNode, { keyBlock, microHashes }: GenerationOutline): AsyncGenerator<Block[]> {
  yield [placeKeyBlock(keyBlock), ...(await readMicroBlocks(node, keyBlock, microHashes, 0))];
}

async function* withFirst(first: readonly Block[], rest: AsyncIterable<Block[]>): AsyncGenerator<Block[]> {
  if (first.length > 0) yield [...first];
  yield* rest;
}

function heightOfLast(blocks: readonly Block[]): number {
  const last = blocks.at(-1)!;
  return last.kind === 'key' ? last.keyBlock.height : last.microBlock.height;
}
