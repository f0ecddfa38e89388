import { ListKind, derive } from '../chain/derive.js';
import type { KeyBlock, MicroBlock, Transaction } from '../chain/facts.js';
import type { ChainNode } from '../node/client.js';
import { readTip } from '../store/chain-state.js';
import type { Database } from '../store/database.js';
import { storedGeneration } from '../store/verify.js';
import type { StoredGeneration, StoredTransaction } from '../store/verify.js';
import { readMicroBlocks } from './source.js';

export interface Verdict {
  height: number;
  ok: boolean;
  /** First difference found. */
  reason?: string;
}

export interface VerifyOptions {
  database: Database;
  node: ChainNode;
  /** Inclusive ranges; everything from the higher of both tops down to 0 when absent. */
  heights?: readonly { from: number; to: number }[] | undefined;
  signal?: AbortSignal;
}

/** Generations compared at a time. */
const PARALLEL = 16;

/** Compares database and node from the top down, one verdict a height; changes nothing. */
export async function* verify(options: VerifyOptions): AsyncGenerator<Verdict> {
  const nodeTop = (await options.node.currentGeneration()).keyBlock.height;
  const stored = await readTip(options.database);
  const top = Math.max(nodeTop, stored?.height ?? 0);
  const ranges = options.heights ?? [{ from: 0, to: top }];
  const ahead: Promise<Verdict>[] = [];
  for (const height of descending(ranges)) {
    options.signal?.throwIfAborted();
    const verdict = verifyHeight(options, height, nodeTop);
    verdict.catch(() => undefined);
    ahead.push(verdict);
    if (ahead.length >= PARALLEL) yield await ahead.shift()!;
  }
  for (const verdict of ahead) yield await verdict;
}

function* descending(ranges: readonly { from: number; to: number }[]): Iterable<number> {
  for (const { from, to } of [...ranges].sort((a, b) => b.from - a.from)) {
    for (let height = to; height >= from; height--) yield height;
  }
}

async function verifyHeight({ database, node }: VerifyOptions, height: number, nodeTop: number): Promise<Verdict> {
  const outline = await node.generation(height);
  const stored = await storedGeneration(database, height);
  const verdict = (reason?: string): Verdict =>
    reason === undefined ? { height, ok: true } : { height, ok: false, reason };
  if (outline === null)
    return verdict(stored === null ? 'neither the node nor the database has it' : 'the node does not have it');
  if (stored === null) return verdict('not stored');
  const blocks = await readMicroBlocks(node, outline.keyBlock, outline.microHashes, 0);
  const microBlocks = blocks.flatMap((block) => (block.kind === 'micro' ? [block.microBlock] : []));
  return verdict(difference(outline.keyBlock, microBlocks, stored, height >= nodeTop));
}

/** The first difference; of the running generation the database may still lack the last micro blocks. */
function difference(
  keyBlock: KeyBlock,
  microBlocks: readonly MicroBlock[],
  stored: StoredGeneration,
  running: boolean,
): string | undefined {
  if (stored.keyBlock.hash !== keyBlock.hash)
    return `key block is ${stored.keyBlock.hash}, at the node ${keyBlock.hash}`;
  if (stored.keyBlock.body !== keyBlock.body) return `key block ${keyBlock.hash} differs from the node's`;
  const fewer = stored.microBlocks.length < microBlocks.length;
  if (stored.microBlocks.length > microBlocks.length || (fewer && !running)) {
    return `${stored.microBlocks.length} micro blocks, at the node ${microBlocks.length}`;
  }
  for (const [index, block] of stored.microBlocks.entries()) {
    const found = differenceOfMicroBlock(microBlocks[index]!, block);
    if (found !== undefined) return found;
  }
  return undefined;
}

function differenceOfMicroBlock(
  block: MicroBlock,
  stored: StoredGeneration['microBlocks'][number],
): string | undefined {
  if (stored.hash !== block.hash) return `micro block is ${stored.hash}, at the node ${block.hash}`;
  if (stored.body !== block.body) return `header of micro block ${block.hash} differs from the node's`;
  if (stored.transactions.length !== block.transactions.length) {
    return `micro block ${block.hash} has ${stored.transactions.length} transactions, at the node ${block.transactions.length}`;
  }
  for (const [index, transaction] of block.transactions.entries()) {
    const found = differenceOfTransaction(transaction, stored.transactions[index]!);
    if (found !== undefined) return found;
  }
  return undefined;
}

function differenceOfTransaction(transaction: Transaction, stored: StoredTransaction): string | undefined {
  const { hash } = transaction;
  if (stored.hash !== hash) return `transaction is ${stored.hash}, at the node ${hash}`;
  if (stored.body !== transaction.body) return `transaction ${hash} differs from the node's`;
  const same =
    stored.type === transaction.type && stored.size === transaction.size && BigInt(stored.fee) === transaction.fee;
  if (!same) return `type, size or fee of transaction ${hash} differ from the node's`;
  // Lists in which it stands because of a name are a matter of all transactions before it, not of this one alone.
  const wanted = derive(transaction).lists.map(({ kind, id }) => `${kind} ${id}`);
  const missing = wanted.find((list) => !stored.lists.includes(list));
  if (missing !== undefined)
    return `transaction ${hash} is not listed under ${missing.slice(missing.indexOf(' ') + 1)}`;
  const byName: readonly string[] = [String(ListKind.account), String(ListKind.oracle)];
  const extra = stored.lists.find(
    (list) => !wanted.includes(list) && !byName.includes(list.slice(0, list.indexOf(' '))),
  );
  return extra === undefined
    ? undefined
    : `transaction ${hash} is listed under ${extra.slice(extra.indexOf(' ') + 1)} by mistake`;
}
