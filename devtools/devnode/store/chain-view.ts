import type { ChainStore } from './chain-store.js';
import { NONE } from './chain-store.js';

/** A view of the store: one branch as the main chain, up to one block. */
export interface ChainView {
  /** Newest block. */
  readonly head: number;
  /** Height of the newest key block. */
  readonly height: number;
  /** Key block of a height; NONE above the head. */
  keyAt(height: number): number;
  /** Last block of a generation. */
  lastOfGeneration(height: number): number;
  /** Whether a block belongs to this chain. */
  contains(block: number): boolean;
  /** Whether the node knows a block, in its chain or in another branch. */
  knows(block: number): boolean;
}

/** The main chain as it is. */
export function mainView(store: ChainStore): ChainView {
  return {
    get head() {
      return store.head();
    },
    get height() {
      return store.height();
    },
    keyAt: store.keyAt,
    lastOfGeneration: store.lastOfGeneration,
    contains: store.isMain,
    knows: () => true,
  };
}

/** The main chain up to the end of the generation at `height`, as a node that lags behind would serve it. */
export function agedView(store: ChainStore, height: number): ChainView {
  const visible = Math.max(0, Math.min(height, store.height()));
  return {
    head: store.lastOfGeneration(visible),
    height: visible,
    keyAt: (asked) => (asked > visible ? NONE : store.keyAt(asked)),
    lastOfGeneration: (asked) => (asked > visible ? NONE : store.lastOfGeneration(asked)),
    contains: (block) => store.heightOf(block) <= visible && store.isMain(block),
    knows: (block) => store.heightOf(block) <= visible,
  };
}

/** The branch that ends with the block `end`, as a node on the other side of a fork would serve it. */
export function branchView(store: ChainStore, end: number): ChainView {
  const keys = new Map<number, number>();
  const lasts = new Map<number, number>();
  const members = new Set<number>();
  let common = end;
  for (; common !== NONE && !store.isMain(common); common = store.parent(common)) {
    members.add(common);
    const height = store.heightOf(common);
    if (!lasts.has(height)) lasts.set(height, common);
    if (store.isKey(common)) keys.set(height, common);
  }
  const fork = common === NONE ? -1 : store.heightOf(common);
  if (common !== NONE && !lasts.has(fork)) lasts.set(fork, common);
  const height = store.heightOf(end);
  return {
    head: end,
    height,
    keyAt: (asked) => (asked > height ? NONE : (keys.get(asked) ?? store.keyAt(asked))),
    lastOfGeneration: (asked) => (asked > height ? NONE : (lasts.get(asked) ?? store.lastOfGeneration(asked))),
    // Block numbers ascend along a branch, so blocks of the main chain with a higher number are after the fork.
    contains: (block) => members.has(block) || (block <= common && store.isMain(block)),
    knows: () => true,
  };
}

/** Micro blocks of a generation, oldest first. */
export function microBlocksOf(store: ChainStore, view: ChainView, height: number): number[] {
  const found: number[] = [];
  for (let block = view.lastOfGeneration(height); !store.isKey(block); block = store.parent(block)) found.push(block);
  return found.reverse();
}

/** Last blocks of all branches, starting with the main chain. */
export function branchHeads(store: ChainStore): number[] {
  const parents = new Set<number>();
  for (let block = 0; block < store.blockCount(); block += 1) parents.add(store.parent(block));
  const ends: number[] = [];
  for (let block = store.blockCount() - 1; block >= 0; block -= 1) {
    if (!parents.has(block) && block !== store.head()) ends.push(block);
  }
  return [store.head(), ...ends];
}
