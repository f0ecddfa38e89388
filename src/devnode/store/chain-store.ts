/**
 * All blocks and transactions a simulated node has ever seen, main chain and abandoned branches alike. Texts lie in a file; memory holds
 * where they are. Blocks and transactions go by number, in the order in which they came.
 */
import { createHashIndex } from './hash-index.js';
import { counts, offsets, references, states } from './column.js';
import { createTextFile } from './text-file.js';

export const NONE = -1;

/** A transaction inside a micro block; `text` is the whole envelope. */
export interface StoredTransaction {
  hash: Uint8Array;
  text: string;
}

export interface NewKeyBlock {
  id: string;
  hash: Uint8Array;
  text: string;
  height: number;
  parent: number;
  /** Sum of the difficulties of the branch up to and including this block. */
  work: bigint;
}

export interface NewMicroBlock {
  id: string;
  hash: Uint8Array;
  text: string;
  parent: number;
  transactions: StoredTransaction[];
}

/** Whether a transaction is in a block of the main chain, waits for one, or was forgotten by the node. */
export type TransactionState = 'included' | 'pending' | 'dropped';
const INCLUDED = 0;
const PENDING = 1;
const DROPPED = 2;

export type ChainStore = ReturnType<typeof createChainStore>;

const TRANSACTIONS_OPEN = '{"transactions":[';
const TRANSACTIONS_CLOSE = ']}';

export function createChainStore() {
  const file = createTextFile();
  const ids: string[] = [];
  const work: bigint[] = [];
  const blocks = {
    index: createHashIndex(),
    textAt: offsets(),
    textLength: counts(),
    transactionsAt: offsets(),
    transactionsLength: counts(),
    /** First inclusion and number of inclusions. */
    first: counts(),
    count: counts(),
    parent: references(),
    key: references(),
    height: counts(),
  };
  const inclusions = { at: offsets(), length: counts(), transaction: counts(), block: counts() };
  const transactions = { index: createHashIndex(), state: states(), inclusion: references() };
  const mainKeys = references();
  const pool = new Set<number>();
  let top = NONE;

  function addBlock(id: string, hash: Uint8Array, text: string, parent: number, height: number): number {
    const block = ids.length;
    ids.push(id);
    blocks.index.put(hash, block);
    const at = file.append(text);
    blocks.textAt.push(at);
    blocks.textLength.push(file.size - at);
    blocks.parent.push(parent);
    blocks.height.push(height);
    return block;
  }

  /** The block is known by hash at once and in the main chain only after `setTop`. */
  function addKeyBlock(added: NewKeyBlock): number {
    const block = addBlock(added.id, added.hash, added.text, added.parent, added.height);
    work.push(added.work);
    blocks.key.push(block);
    blocks.transactionsAt.push(0);
    blocks.transactionsLength.push(0);
    blocks.first.push(inclusions.at.length);
    blocks.count.push(0);
    return block;
  }

  function addMicroBlock(added: NewMicroBlock): number {
    const block = addBlock(added.id, added.hash, added.text, added.parent, blocks.height.get(added.parent));
    work.push(work[added.parent]!);
    blocks.key.push(blocks.key.get(added.parent));
    blocks.first.push(inclusions.at.length);
    blocks.count.push(added.transactions.length);
    const start = file.append(TRANSACTIONS_OPEN);
    added.transactions.forEach(({ hash, text }, index) => {
      if (index > 0) file.append(',');
      const at = file.append(text);
      let transaction = transactions.index.find(hash);
      if (transaction === NONE) {
        transaction = transactions.state.length;
        transactions.index.put(hash, transaction);
        transactions.state.push(DROPPED);
        transactions.inclusion.push(inclusions.at.length);
      }
      inclusions.at.push(at);
      inclusions.length.push(file.size - at);
      inclusions.transaction.push(transaction);
      inclusions.block.push(block);
    });
    file.append(TRANSACTIONS_CLOSE);
    blocks.transactionsAt.push(start);
    blocks.transactionsLength.push(file.size - start);
    return block;
  }

  const isKey = (block: number): boolean => blocks.key.get(block) === block;

  function detach(block: number): void {
    if (isKey(block)) mainKeys.truncate(blocks.height.get(block));
    for (const inclusion of inclusionsOf(block)) {
      const transaction = inclusions.transaction.get(inclusion);
      transactions.state.set(transaction, PENDING);
      pool.add(transaction);
    }
  }

  function attach(block: number): void {
    if (isKey(block)) mainKeys.push(block);
    for (const inclusion of inclusionsOf(block)) {
      const transaction = inclusions.transaction.get(inclusion);
      transactions.state.set(transaction, INCLUDED);
      transactions.inclusion.set(transaction, inclusion);
      pool.delete(transaction);
    }
  }

  function inclusionsOf(block: number): number[] {
    const first = blocks.first.get(block);
    return Array.from({ length: blocks.count.get(block) }, (_, index) => first + index);
  }

  const isMain = (block: number): boolean => {
    const height = blocks.height.get(block);
    if (isKey(block)) return mainKeys.length > height && mainKeys.get(height) === block;
    for (let other = lastOfGeneration(height); other > NONE && !isKey(other); other = blocks.parent.get(other)) {
      if (other === block) return true;
    }
    return false;
  };

  /** Last block of the main chain with that height; NONE if there is no such generation. */
  function lastOfGeneration(height: number): number {
    if (height >= mainKeys.length) return NONE;
    return height + 1 === mainKeys.length ? top : blocks.parent.get(mainKeys.get(height + 1));
  }

  /**
   * Makes the branch that ends in `block` the main chain. Transactions of blocks that leave it become pending, unless the new branch has them too;
   * the oldest comes first.
   */
  function setTop(block: number): void {
    const added: number[] = [];
    let common = block;
    while (common !== NONE && common !== top && !(top !== NONE && isMain(common))) {
      added.push(common);
      common = blocks.parent.get(common);
    }
    const removed: number[] = [];
    for (let old = top; old !== common; old = blocks.parent.get(old)) removed.push(old);
    removed.reverse();
    // Heights shrink to the lowest key block that leaves, whatever the order.
    for (const old of removed) detach(old);
    if (common !== NONE) mainKeys.truncate(blocks.height.get(common) + 1);
    top = block;
    added.reverse();
    for (const fresh of added) attach(fresh);
  }

  return {
    file,
    addKeyBlock,
    addMicroBlock,
    setTop,
    isKey,
    isMain,
    lastOfGeneration,
    top: () => top,
    blockCount: () => ids.length,
    transactionCount: () => transactions.state.length,
    /** Height of the newest key block of the main chain. */
    height: () => mainKeys.length - 1,
    keyAt: (height: number): number => (height < mainKeys.length ? mainKeys.get(height) : NONE),
    findBlock: blocks.index.find,
    id: (block: number): string => ids[block]!,
    work: (block: number): bigint => work[block]!,
    parent: blocks.parent.get,
    heightOf: blocks.height.get,
    keyOf: blocks.key.get,
    blockText: (block: number): Buffer => file.read(blocks.textAt.get(block), blocks.textLength.get(block)),
    transactionsText: (block: number): Buffer =>
      file.read(blocks.transactionsAt.get(block), blocks.transactionsLength.get(block)),
    inclusionsOf,
    countOf: blocks.count.get,
    inclusionText: (inclusion: number): Buffer =>
      file.read(inclusions.at.get(inclusion), inclusions.length.get(inclusion)),
    transactionOf: inclusions.transaction.get,
    blockOfInclusion: inclusions.block.get,
    findTransaction: transactions.index.find,
    /** Its place in the main chain, or the last one it had. */
    inclusionOf: transactions.inclusion.get,
    stateOf(transaction: number): TransactionState {
      const state = transactions.state.get(transaction);
      return state === INCLUDED ? 'included' : state === PENDING ? 'pending' : 'dropped';
    },
    /** Pending transactions, the longest waiting first. */
    pool: (): ReadonlySet<number> => pool,
    /** Forgets a pending transaction. */
    drop(transaction: number): void {
      if (pool.delete(transaction)) transactions.state.set(transaction, DROPPED);
    },
    close: file.close,
  };
}
