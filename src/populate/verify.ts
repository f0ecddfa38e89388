import { ListKind } from '../chain/derive.js';
import type { KeyBlock } from '../chain/facts.js';
import { transactionType } from '../chain/transactions/catalogue.js';
import type { ChainNode } from '../node/client.js';
import { readHead } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { storedGeneration } from '../store/verify/generation.js';
import type { StoredGeneration, StoredTransaction } from '../store/verify/generation.js';
import { withInfo } from '../store/facts/blocks.js';
import type { Block, PlacedTransaction } from '../store/facts/blocks.js';
import { infoOrUnknown } from './infos.js';
import { hasSucceeded } from './outcome.js';
import { readMicroBlocks } from './source.js';

interface Verdict {
  height: number;
  ok: boolean;
  /** First difference found. */
  reason?: string;
}

interface VerifyOptions {
  database: Database;
  node: ChainNode;
  /** Inclusive ranges; all heights from the higher of both heads down to 0 when absent. */
  heights?: readonly { from: number; to: number }[] | undefined;
  /** Heights for which it returns true are skipped: an earlier run has verified them. */
  isVerified?: ((height: number) => boolean) | undefined;
  signal?: AbortSignal;
}

/** Generations compared in parallel. */
const PARALLEL = 16;

/** Compares the copy with the node from the head down and yields one verdict per height. Changes nothing. */
export async function* verify(options: VerifyOptions): AsyncGenerator<Verdict> {
  const nodeHead = (await options.node.currentGeneration()).keyBlock.height;
  const stored = await readHead(options.database);
  const highest = Math.max(nodeHead, stored?.height ?? 0);
  const ranges = options.heights ?? [{ from: 0, to: highest }];
  const ahead: Promise<Verdict>[] = [];
  const codes = new Set<string>();
  for (const height of descending(ranges)) {
    options.signal?.throwIfAborted();
    if (options.isVerified?.(height) === true) continue;
    const verdict = verifyHeight(options, height, nodeHead, codes);
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

async function verifyHeight(
  { database, node }: VerifyOptions,
  height: number,
  nodeHead: number,
  codes: Set<string>,
): Promise<Verdict> {
  const outline = await node.generation(height);
  const stored = await storedGeneration(database, height);
  const verdict = (reason?: string): Verdict =>
    reason === undefined ? { height, ok: true } : { height, ok: false, reason };
  if (outline === null)
    return verdict(stored === null ? 'neither the node nor the database has it' : 'the node does not have it');
  if (stored === null) return verdict('not stored');
  const blocks = await readMicroBlocks(node, outline.keyBlock, outline.microHashes, 0);
  const microBlocks = blocks.filter((block) => block.kind === 'micro');
  const comparable = microBlocks.map((block, index) => withStoredInfos(block, stored.microBlocks[index]?.transactions));
  const found = difference(outline.keyBlock, comparable, stored, height >= nodeHead);
  return verdict(found ?? (await differenceByNode(node, microBlocks, stored, codes)));
}

type MicroBlock = Block & { kind: 'micro' };

/** What a transaction does may follow from its call information: the node and the copy are compared by the same one. */
function withStoredInfos(block: MicroBlock, stored: readonly StoredTransaction[] = []): MicroBlock {
  const completed = (placed: PlacedTransaction, index: number): PlacedTransaction => {
    const { transaction } = placed;
    const known = stored[index];
    if (known === undefined || transactionType(transaction.type)?.wraps === undefined) return placed;
    const info = known.isInfoUnknown ? null : (transaction.info ?? known.info);
    return info === transaction.info ? placed : withInfo(placed, info);
  };
  return { ...block, transactions: block.transactions.map(completed) };
}

/**
 * Compares what only a node knows with the node: execution results, how the creation of a contract ended, and the code of contracts that a
 * contract created. It is no difference if the copy or the node does not know it, as with a call that is not decoded yet.
 */
async function differenceByNode(
  node: ChainNode,
  microBlocks: readonly MicroBlock[],
  stored: StoredGeneration,
  codes: Set<string>,
): Promise<string | undefined> {
  for (const [index, block] of stored.microBlocks.entries()) {
    for (const [number, transaction] of block.transactions.entries()) {
      const loaded = microBlocks[index]?.transactions[number]?.transaction.info ?? null;
      const found =
        (await differenceOfInfo(node, transaction, loaded)) ?? (await differenceOfCode(node, transaction, codes));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

async function differenceOfInfo(
  node: ChainNode,
  { hash, info, isInfoUnknown, isDecoded, hasFailed }: StoredTransaction,
  loaded: string | null,
): Promise<string | undefined> {
  const isReported = info !== null || loaded !== null || isDecoded;
  if (isInfoUnknown || !(isReported || hasFailed !== null)) return undefined;
  const received = loaded ?? (await infoOrUnknown(node, hash)) ?? null;
  if (received === null) return undefined;
  if (isReported && received !== info) return `call information of transaction ${hash} differs from the node's`;
  if (hasFailed !== null && hasFailed === hasSucceeded(received))
    return `the contract that transaction ${hash} created is stored as ${hasFailed ? 'failed' : 'made'}, at the node it is not`;
  return undefined;
}

/** Compares the code of each contract once: `codes` has the contracts that were compared. */
async function differenceOfCode(
  node: ChainNode,
  { reportedCode }: StoredTransaction,
  codes: Set<string>,
): Promise<string | undefined> {
  if (reportedCode === null || codes.has(reportedCode.contract)) return undefined;
  codes.add(reportedCode.contract);
  const received = await node.contractCode(reportedCode.contract);
  return received === null || received === reportedCode.code
    ? undefined
    : `code of contract ${reportedCode.contract} differs from the node's`;
}

/** The first difference; undefined if there is none. In the running generation the copy may lack the last micro blocks. */
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
  if (stored.body !== block.microBlock.body) return `header of micro block ${block.hash} differs from the node's`;
  if (stored.transactions.length !== block.transactions.length) {
    return `micro block ${block.hash} has ${stored.transactions.length} transactions, at the node ${block.transactions.length}`;
  }
  for (const [index, transaction] of block.transactions.entries()) {
    const found = differenceOfTransaction(transaction, stored.transactions[index]!);
    if (found !== undefined) return found;
  }
  return undefined;
}

function differenceOfTransaction(
  { transaction, derived }: PlacedTransaction,
  stored: StoredTransaction,
): string | undefined {
  const { hash } = transaction;
  if (stored.hash !== hash) return `transaction is ${stored.hash}, at the node ${hash}`;
  if (stored.body !== transaction.body) return `transaction ${hash} differs from the node's`;
  const same =
    stored.type === transaction.type && stored.size === transaction.size && BigInt(stored.fee) === transaction.fee;
  if (!same) return `type, size or fee of transaction ${hash} differ from the node's`;
  // Lists of accounts and oracles are not compared for extra entries: a transaction is also listed for the owner of a name that it uses,
  // which depends on earlier transactions.
  const wanted = derived.lists.map(({ kind, id }) => `${kind} ${id}`);
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
