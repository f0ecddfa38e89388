import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import type { ChainNode, GenerationOutline } from '../node/client.js';
import { BEGAN_ANEW } from '../node/health.js';
import { MiddlewareError } from '../observe/errors.js';
import { keyHeadersBelow, lastHash, readHead, storedKeyBlock, workAbove } from '../store/chain-state.js';
import type { StoredHead } from '../store/chain-state.js';
import { holdReorg, isReorgAccepted } from '../store/held-reorg.js';
import type { HeldReorg } from '../store/held-reorg.js';
import { placeKeyBlock } from '../store/facts/blocks.js';
import type { Block } from '../store/facts/blocks.js';
import { commit } from '../store/write/commit.js';
import type { Change } from '../store/write/commit.js';
import { POPULATORS_STAGE, unstage } from '../store/write/staged.js';
import { preferredBranch } from './agreement.js';
import { claimsMoreWork, closeGeneration, commonAncestor, readBranch } from './branch.js';
import type { BranchPoint } from './branch.js';
import { checkedGenerations } from './key-blocks.js';
import { plan } from './plan.js';
import { inBatches, inconsistent, oneAhead, readGenerations, readMicroBlocks } from './source.js';
import type { SyncContext } from './context.js';

/**
 * `ok`: the copy has the node's head. `behind`: the node's head is lower than the stored one, or its branch is not the one to store.
 * `reorg_held`: the node's branch replaces so many key blocks that a second node or the administrator must confirm it.
 */
export type SyncState = 'ok' | 'behind' | 'reorg_held';

export interface SyncResult {
  state: SyncState;
  /** Set in the state `reorg_held`. */
  held?: HeldReorg;
  /** Why the node's chain is not the one to follow. */
  rejectReason?: string;
  /** The branch shares only the genesis block, and no node has the stored one: the chain may have begun anew. */
  isAnew?: true;
  /** The stored head when the round began. */
  headBefore: StoredHead | null;
  changed: boolean;
}

/**
 * One round: brings the copy to the head of the node, whose running generation is `current`.
 *
 * Throws if answers of the node do not fit together: its chain moved between two requests, or the node contradicts itself. Each commit
 * leaves a valid chain, so the next round starts from what is stored.
 */
export async function syncOnce(context: SyncContext, current: GenerationOutline): Promise<SyncResult> {
  const { database } = context;
  const nodeHeight = current.keyBlock.height;
  const head = await readHead(database);
  const storedAtNodeHeight =
    head !== null && nodeHeight < head.height
      ? ((await storedKeyBlock(database, nodeHeight))?.hash ?? null)
      : (head?.hash ?? null);
  const next = plan(head, current, () => storedAtNodeHeight);
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

/** Adds micro blocks to the running generation. They replace the stored ones after the first `keep`. */
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
  if (replaces) context.onReorg(0);
}

/**
 * Where generation `from` follows the stored chain; `fork` if its key block does not follow the stored head's. The last stored generation
 * may lack micro blocks, or end with micro blocks on which the next leader did not build (a micro reorg).
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

/** Heights below the node's head from which on blocks no longer change: a commit lost in a crash is read again with the same contents. */
const DEEP = 100;

/**
 * Stores generations in batches, one commit each. After each commit the copy is a valid chain. `depth` is the number of key blocks that
 * the first commit removes.
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
  const rest =
    from === to ? readRunning(context.node, current) : readGenerations(context.node, from, to, context.window);
  // Also in the first load: blocks that claim too much work would never be replaced by the right chain.
  const blocks = withFirst(branch.first, checkedGenerations(rest, context));
  for await (const batch of oneAhead(inBatches(blocks, context.batch))) {
    context.signal.throwIfAborted();
    const last = heightOf(batch.at(-1)!.position);
    await store(context, last, { base, removeFrom, blocks: batch, mayBeLost: to - last >= DEEP });
    if (removeFrom !== null) context.onReorg(depth);
    base = batch.at(-1)!.hash;
    removeFrom = null;
  }
}

const LESS_WORK = 'shows a branch that has no more work than the stored one';
/** Why a branch without provable work does not replace the stored one. */
const UNWANTED = {
  of_others: 'shows a branch without provable work, and another node has the stored one',
  not_longer: 'shows a branch without provable work that is no longer than the stored one',
} as const;

/**
 * Replaces the stored branch, up to the height `storedHead`, by the node's branch if that has more work. This is the rule of the protocol;
 * heights do not matter. A node that lost blocks, is behind or is on a branch of its own has less work, so nothing is deleted for it. A
 * branch of equal work does not replace the stored one either. If the work cannot be checked, see `whyUnwanted`.
 */
async function replaceBranch(
  context: SyncContext,
  head: StoredHead,
  current: GenerationOutline,
  storedHead = head.height,
): Promise<SyncResult> {
  const { database, node } = context;
  const nodeHeight = current.keyBlock.height;
  const behind = (rejectReason: string): SyncResult => ({
    state: 'behind',
    rejectReason,
    headBefore: head,
    changed: false,
  });
  // Another node may answer at the address by now. A node of another network can share the first blocks and have a heavier chain.
  // `status` throws if the node is not of the chain that this copy holds.
  await node.status();
  const ancestor = await commonAncestor(context, Math.min(storedHead, nodeHeight));
  const isProvable = context.network?.work !== undefined;
  const stored = isProvable ? await workAbove(database, ancestor, storedHead) : 0n;
  if (isProvable && !(await claimsMoreWork(context, ancestor, current, stored))) return behind(LESS_WORK);
  const unwanted = isProvable ? undefined : await whyUnwanted(context, ancestor, { nodeHeight, storedHead });
  if (unwanted === 'not_longer' && ancestor === 0)
    return { ...behind(`${UNWANTED.not_longer}; it shares only the genesis block: ${BEGAN_ANEW}`), isAnew: true };
  if (unwanted !== undefined) return behind(UNWANTED[unwanted]);
  const { blocks, ...change } = await readBranch(context, ancestor, current);
  // The work that the headers claimed decided whether to read the branch. The blocks that were read decide whether it replaces the stored one.
  if (isProvable && (await blocks.work()) <= stored) {
    await blocks.stage();
    return behind(LESS_WORK);
  }
  const held = { hash: current.keyBlock.hash, height: nodeHeight, depth: head.height - ancestor };
  if (await mustWait(context, held)) {
    await blocks.stage();
    return hold(context, head, held);
  }
  try {
    await store(context, nodeHeight, { ...change, blocks: blocks.all() });
  } catch (error) {
    // The staged blocks or the stored chain changed: the next round reads the branch again.
    if (error instanceof MiddlewareError && error.code === 'chain_moved') await unstage(database, POPULATORS_STAGE);
    throw error;
  }
  await unstage(database, POPULATORS_STAGE);
  context.onReorg(held.depth);
  return { state: 'ok', headBefore: head, changed: true };
}

/**
 * Why a branch without provable work, above the height `ancestor`, does not replace the stored one; undefined if it does. What it claims of its
 * targets costs nothing, so the nodes decide. If no other node confirms or contradicts the followed one, the branch must be longer: a node that
 * lost blocks deletes nothing.
 */
async function whyUnwanted(
  { database, node, keyBlocksAt }: SyncContext,
  ancestor: number,
  { nodeHeight, storedHead }: { nodeHeight: number; storedHead: number },
): Promise<keyof typeof UNWANTED | undefined> {
  const [theirs, stored] = [await node.keyBlock(ancestor + 1), await storedKeyBlock(database, ancestor + 1)];
  const preferred =
    theirs === null ? 'nobody' : preferredBranch(await keyBlocksAt(ancestor + 1), theirs.hash, stored?.hash);
  if (preferred === 'stored') return 'of_others';
  if (preferred === 'branch' || nodeHeight > storedHead) return undefined;
  return 'not_longer';
}

async function hold({ database }: SyncContext, head: StoredHead, held: HeldReorg): Promise<SyncResult> {
  await holdReorg(database, held);
  return { state: 'reorg_held', held, rejectReason: reasonToHold(held), headBefore: head, changed: false };
}

const reasonToHold = ({ hash, height, depth }: HeldReorg): string =>
  `a reorg that removes ${depth} key blocks, to ${hash} at ${height}, waits for a second node or mdw accept-reorg`;

/** Proven work is enough. Without it, a single node must not be able to replace a long part of the chain. */
async function mustWait(context: SyncContext, { hash, height, depth }: HeldReorg): Promise<boolean> {
  if (context.network?.work !== undefined || !(await isDeep(context, depth))) return false;
  return !(await isReorgAccepted(context.database)) && !(await context.confirms(height, hash));
}

/** Whether the last `depth` stored key blocks are more than a branch may replace: by their number, or by the time from the one below them on. */
async function isDeep({ database, maxUnprovenReorg: max }: SyncContext, depth: number): Promise<boolean> {
  if ('blocks' in max) return depth > max.blocks;
  const top = (await readHead(database))!.height;
  const [newest] = await keyHeadersBelow(database, top + 1, 1);
  const [oldest] = await keyHeadersBelow(database, top - depth + 1, 1);
  return oldest === undefined || newest!.time - oldest.time > max.ms;
}

/**
 * Replaces everything above the highest height, at or below `from`, at which the stored key block is on the node's chain. This is for a
 * copy with gaps, whose parts may be of different branches. `from` is the highest height below the lowest gap, or -1 if nothing is stored
 * there. Only the work of that lowest part counts.
 */
export async function replaceAbove(context: SyncContext, from: number): Promise<SyncResult> {
  const head = await readHead(context.database);
  const current = await context.node.currentGeneration();
  return from < 0 ? replaceAll(context, head!, current) : replaceBranch(context, head!, current, from);
}

/** Loads the node's chain from its first block on. The first commit removes all stored blocks: they are above a gap, so their work does not count. */
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

/** Blocks of the running generation; reads its micro blocks. */
async function* readRunning(node: ChainNode, { keyBlock, microHashes }: GenerationOutline): AsyncGenerator<Block[]> {
  yield [placeKeyBlock(keyBlock), ...(await readMicroBlocks(node, keyBlock, microHashes, 0))];
}

async function* withFirst(first: readonly Block[], rest: AsyncIterable<Block[]>): AsyncGenerator<Block[]> {
  if (first.length > 0) yield [...first];
  yield* rest;
}
