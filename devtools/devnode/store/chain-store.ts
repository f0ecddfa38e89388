/**
 * Stores all blocks and transactions that a simulated node has ever seen, of the main chain and of abandoned branches. Texts are in a file; memory
 * contains their offsets. Blocks and transactions are numbered in the order in which they were added. For a chain in a folder, each change is first
 * written to a journal, from which the memory is filled again at the next start.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MiddlewareError } from '../../../src/observe/errors.js';
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

/** Whether a transaction is in a block of the main chain, waits for one, or was dropped by the node. */
type TransactionState = 'included' | 'pending' | 'dropped';
const INCLUDED = 0;
const PENDING = 1;
const DROPPED = 2;

/** Offset and length of a text in the file. */
type TextSpan = readonly [number, number];

/** A change of the store, as the journal stores it. Hashes are hexadecimal, shortened to the part that the index uses. */
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

/** Increase it with every change of the format of the journal or the annotations. */
const FORMAT = 1;

/** Additional data that the generator stores with the chain, by name and key: numbers, texts and lists of them. */
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
  new MiddlewareError('chain_unusable', `The chain in ${folder} ${why}: remove the folder to start again`, {
    cause,
  });

/** Opens the chain in `folder`, or an empty one. Without a folder, the chain is lost when the process ends. */
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
      // After a power failure the journal may be on disk while the texts are not.
      if (last >= 0 && !blockText(last).includes(ids[last]!)) throw new RangeError(`no text of block ${last}`);
      return opened;
    } catch (fault) {
      file.close();
      throw fault instanceof MiddlewareError ? fault : unusable(kept, 'is damaged', fault);
    }
  }

  /** Writes a change to disk before it becomes visible. */
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

  /** The block can be found by hash at once, but belongs to the main chain only after `setHead`. */
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

  /** Last block of the generation in the main chain; NONE if there is no such generation. */
  function lastOfGeneration(height: number): number {
    if (height >= mainKeys.length) return NONE;
    return height + 1 === mainKeys.length ? head : blocks.parent.get(mainKeys.get(height + 1));
  }

  /**
   * Makes the branch that ends with `block` the main chain. Transactions of removed blocks become pending, oldest first, unless the new branch
   * includes them, too.
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
    // `mainKeys` is truncated at the lowest removed key block, in whatever order blocks are removed.
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
    /** Inclusion of a transaction in the main chain, or its last one. */
    inclusionOf: transactions.inclusion.get,
    stateOf(transaction: number): TransactionState {
      const state = transactions.state.get(transaction);
      return state === INCLUDED ? 'included' : state === PENDING ? 'pending' : 'dropped';
    },
    /** Pending transactions, oldest first. */
    pool: (): ReadonlySet<number> => pool,
    /** Drops a pending transaction. */
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
