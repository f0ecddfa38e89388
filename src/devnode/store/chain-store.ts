/**
 * All blocks and transactions a simulated node has ever seen, main chain and abandoned branches alike. Texts lie in a file; memory holds
 * where they are. Blocks and transactions go by number, in the order in which they came. A chain that is kept writes each change into a journal
 * first, from which the memory is filled again.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MiddlewareError } from '../../observe/errors.js';
import { createHashIndex } from './hash-index.js';
import { counts, offsets, references, states } from './column.js';
import { openJournal } from './journal.js';
import type { Journal } from './journal.js';
import { createTextFile } from './text-file.js';

export const NONE = -1;

/** A transaction inside a micro block; `text` is the whole envelope. */
export interface StoredTransaction {
  hash: Uint8Array;
  text: string;
}

interface NewKeyBlock {
  id: string;
  hash: Uint8Array;
  text: string;
  height: number;
  parent: number;
  /** Sum of the difficulties of the branch up to and including this block. */
  work: bigint;
}

interface NewMicroBlock {
  id: string;
  hash: Uint8Array;
  text: string;
  parent: number;
  transactions: StoredTransaction[];
}

/** Whether a transaction is in a block of the main chain, waits for one, or was forgotten by the node. */
type TransactionState = 'included' | 'pending' | 'dropped';
const INCLUDED = 0;
const PENDING = 1;
const DROPPED = 2;

/** Where a text lies: offset and length. */
type TextSpan = readonly [number, number];

/** What happens to a store, in the form of the journal. Hashes are hexadecimal, as much of them as the index keeps. */
type Entry =
  | readonly ['format', number]
  | readonly ['key', id: string, hash: string, text: TextSpan, parent: number, height: number, work: string]
  | readonly [
      'micro',
      id: string,
      hash: string,
      text: TextSpan,
      parent: number,
      transactions: TextSpan,
      list: readonly (readonly [hash: string, text: TextSpan])[],
    ]
  | readonly ['top', block: number]
  | readonly ['drop', transaction: number]
  | readonly ['note', name: string, key: number | string, value: unknown];

/** Another number for every change of what the journal or the notes mean. */
const FORMAT = 1;

/** What its makers want to find again with the chain, by name and key; numbers, texts and lists of them. */
interface Annotations<V> {
  get(key: number | string): V | undefined;
  set(key: number | string, value: V): void;
}

export type ChainStore = ReturnType<typeof createChainStore>;

const TRANSACTIONS_OPEN = '{"transactions":[';
const TRANSACTIONS_CLOSE = ']}';
const HASH_BYTES = 8;

const shortened = (hash: Uint8Array): string => Buffer.from(hash.buffer, hash.byteOffset, HASH_BYTES).toString('hex');
const bytesOf = (hash: string): Uint8Array => Buffer.from(hash, 'hex');

const unusable = (folder: string, why: string, cause?: unknown): MiddlewareError =>
  new MiddlewareError('chain_unusable', `The chain in ${folder} ${why}: remove the folder to begin again`, {
    cause,
  });

/** With a folder, the chain in there goes on; it is kept at the end. */
export function createChainStore(folder?: string) {
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const file = createTextFile(folder === undefined ? undefined : join(folder, 'texts'));
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
  const annotations = new Map<string, Map<number | string, unknown>>();
  let head = NONE;
  let journal: Journal | undefined;

  function open(kept: string): Journal {
    let format: number | undefined;
    try {
      const opened = openJournal(join(kept, 'journal'), (line) => {
        const entry = line as Entry;
        if (entry[0] === 'format') format = entry[1];
        if (format !== FORMAT) throw unusable(kept, 'was written by another version');
        applyEntry(entry);
      });
      if (format === undefined) opened.append(['format', FORMAT]);
      const last = ids.length - 1;
      // The journal may have reached the disk before the texts when the machine lost its power.
      if (last >= 0 && !blockText(last).includes(ids[last]!)) throw new RangeError(`no text of block ${last}`);
      return opened;
    } catch (fault) {
      file.close();
      throw fault instanceof MiddlewareError ? fault : unusable(kept, 'is damaged', fault);
    }
  }

  /** Makes a change, which outlives the process before anybody can see it. */
  function logAndApply(entry: Entry): void {
    if (journal !== undefined) {
      file.flush();
      journal.append(entry);
    }
    applyEntry(entry);
  }

  function applyEntry(entry: Entry): void {
    switch (entry[0]) {
      case 'format':
        return;
      case 'key': {
        const [, id, hash, text, parent, height, sum] = entry;
        const block = addBlock(id, hash, text, parent, height);
        work.push(BigInt(sum));
        blocks.key.push(block);
        return addInclusions(block, [0, 0], []);
      }
      case 'micro': {
        const [, id, hash, text, parent, whole, list] = entry;
        const block = addBlock(id, hash, text, parent, blocks.height.get(parent));
        work.push(work[parent]!);
        blocks.key.push(blocks.key.get(parent));
        return addInclusions(block, whole, list);
      }
      case 'top':
        return switchTo(entry[1]);
      case 'drop':
        return dropFromPool(entry[1]);
      case 'note':
        annotationsOf(entry[1]).set(entry[2], entry[3]);
    }
  }

  function addBlock(id: string, hash: string, [at, length]: TextSpan, parent: number, height: number): number {
    const block = ids.length;
    ids.push(id);
    blocks.index.put(bytesOf(hash), block);
    blocks.textAt.push(at);
    blocks.textLength.push(length);
    blocks.parent.push(parent);
    blocks.height.push(height);
    return block;
  }

  function addInclusions(
    block: number,
    [start, size]: TextSpan,
    list: readonly (readonly [hash: string, text: TextSpan])[],
  ): void {
    blocks.transactionsAt.push(start);
    blocks.transactionsLength.push(size);
    blocks.first.push(inclusions.at.length);
    blocks.count.push(list.length);
    for (const [short, [at, length]] of list) {
      const hash = bytesOf(short);
      let transaction = transactions.index.find(hash);
      if (transaction === NONE) {
        transaction = transactions.state.length;
        transactions.index.put(hash, transaction);
        transactions.state.push(DROPPED);
        transactions.inclusion.push(inclusions.at.length);
      }
      inclusions.at.push(at);
      inclusions.length.push(length);
      inclusions.transaction.push(transaction);
      inclusions.block.push(block);
    }
  }

  function blockText(block: number): Buffer {
    return file.read(blocks.textAt.get(block), blocks.textLength.get(block));
  }

  function write(text: string): TextSpan {
    const at = file.append(text);
    return [at, file.size - at];
  }

  /** The block is known by hash at once and in the main chain only after `setHead`. */
  function addKeyBlock({ id, hash, text, height, parent, work: sum }: NewKeyBlock): number {
    logAndApply(['key', id, shortened(hash), write(text), parent, height, String(sum)]);
    return ids.length - 1;
  }

  function addMicroBlock({ id, hash, text, parent, transactions: list }: NewMicroBlock): number {
    const place = write(text);
    const start = file.append(TRANSACTIONS_OPEN);
    const placed = list.map((transaction, index) => {
      if (index > 0) file.append(',');
      return [shortened(transaction.hash), write(transaction.text)] as const;
    });
    file.append(TRANSACTIONS_CLOSE);
    logAndApply(['micro', id, shortened(hash), place, parent, [start, file.size - start], placed]);
    return ids.length - 1;
  }

  function annotationsOf(name: string): Map<number | string, unknown> {
    const known = annotations.get(name);
    if (known !== undefined) return known;
    const made = new Map<number | string, unknown>();
    annotations.set(name, made);
    return made;
  }

  function dropFromPool(transaction: number): void {
    if (pool.delete(transaction)) transactions.state.set(transaction, DROPPED);
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
    return height + 1 === mainKeys.length ? head : blocks.parent.get(mainKeys.get(height + 1));
  }

  /**
   * Makes the branch that ends in `block` the main chain. Transactions of blocks that leave it become pending, unless the new branch has them too;
   * the oldest comes first.
   */
  function switchTo(block: number): void {
    const added: number[] = [];
    let common = block;
    while (common !== NONE && common !== head && !(head !== NONE && isMain(common))) {
      added.push(common);
      common = blocks.parent.get(common);
    }
    const removed: number[] = [];
    for (let old = head; old !== common; old = blocks.parent.get(old)) removed.push(old);
    removed.reverse();
    // Heights shrink to the lowest key block that leaves, in any order of removal.
    for (const old of removed) detach(old);
    if (common !== NONE) mainKeys.truncate(blocks.height.get(common) + 1);
    head = block;
    added.reverse();
    for (const fresh of added) attach(fresh);
  }

  if (folder !== undefined) journal = open(folder);
  return {
    file,
    addKeyBlock,
    addMicroBlock,
    setHead: (block: number): void => logAndApply(['top', block]),
    isKey,
    isMain,
    lastOfGeneration,
    head: () => head,
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
    blockText,
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
    /** Pending transactions, oldest first. */
    pool: (): ReadonlySet<number> => pool,
    /** Forgets a pending transaction. */
    drop: (transaction: number): void => logAndApply(['drop', transaction]),
    annotations<V>(name: string): Annotations<V> {
      const found = annotationsOf(name) as Map<number | string, V>;
      return { get: (key) => found.get(key), set: (key, value) => logAndApply(['note', name, key, value]) };
    },
    close(): void {
      journal?.close();
      file.close();
    },
  };
}
