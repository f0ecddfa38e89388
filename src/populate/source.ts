import type { KeyBlock } from '../chain/facts.js';
import { MAX_MICRO, microPosition } from '../chain/position.js';
import { isOfGeneration } from '../chain/protocol/generations.js';
import type { ChainNode } from '../node/client.js';
import { nodeFault } from '../node/faults.js';
import { MiddlewareError } from '../observe/errors.js';
import { placeKeyBlock, placeMicroBlock } from '../store/facts/blocks.js';
import type { Block } from '../store/facts/blocks.js';
import { addInfos } from './infos.js';

/** For answers of the node that do not fit together: the next round asks again. */
export const inconsistent = (message: string): MiddlewareError => new MiddlewareError('node_inconsistent', message);

/** Limits of what is fetched ahead: number of generations, and size of their transactions. */
export interface Window extends Size {
  generations: number;
}

/** Size of transactions in memory: their number and the length of their texts. */
interface Size {
  transactions: number;
  characters: number;
}

function sizeOf(blocks: readonly Block[]): Size {
  const size = { transactions: 0, characters: 0 };
  for (const block of blocks) {
    if (block.kind === 'key') continue;
    size.transactions += block.transactions.length;
    for (const { transaction } of block.transactions) size.characters += transaction.body.length;
  }
  return size;
}

/** Whether the transactions of the blocks are within the limits. */
export function fitsInto({ transactions, characters }: Size, blocks: readonly Block[]): boolean {
  const size = sizeOf(blocks);
  return size.transactions <= transactions && size.characters <= characters;
}

/** Part of the window that is open at the start: the first commit has to wait for all that is read ahead of it. */
const FIRST_PART = 1 / 8;
/** Max concurrent requests before the first answer, and at any time. */
const FIRST_REQUESTS = 8;
const MAX_REQUESTS = 64;
/** The expected size of an answer is that of the largest recent one: each newer answer multiplies it by this factor. */
const DECAY = 0.9;

/**
 * Reads generations in parallel and yields them in order, as blocks.
 *
 * The window bounds the memory for any chain: no more heights are requested while too much waits to be yielded. A request that is not
 * answered yet counts with the expected size of an answer. The window opens as generations are yielded.
 */
export async function* readGenerations(
  node: ChainNode,
  from: number,
  to: number,
  window: Window,
): AsyncGenerator<Block[]> {
  const ahead: Promise<Fetched>[] = [];
  const waiting: Size = { transactions: 0, characters: 0 };
  const yielded: Size = { transactions: 0, characters: 0 };
  const open = (bound: keyof Size): number => Math.min(window[bound], window[bound] * FIRST_PART + yielded[bound]);
  const expected: Size = {
    transactions: open('transactions') / FIRST_REQUESTS,
    characters: open('characters') / FIRST_REQUESTS,
  };
  let unanswered = 0;
  const fits = (bound: keyof Size): boolean =>
    waiting[bound] + unanswered * Math.max(expected[bound], open(bound) / MAX_REQUESTS) < open(bound);
  const hasRoom = (): boolean =>
    ahead.length === 0 || (ahead.length < window.generations && fits('transactions') && fits('characters'));
  let next = from;
  for (let height = from; height <= to; height++) {
    while (next <= to && hasRoom()) {
      unanswered++;
      const fetched = readGeneration(node, next++).then((blocks) => {
        unanswered--;
        const size = sizeOf(blocks);
        for (const bound of ['transactions', 'characters'] as const) {
          waiting[bound] += size[bound];
          expected[bound] = Math.max(size[bound], expected[bound] * DECAY);
        }
        return { blocks, size };
      });
      // The error is thrown when this height is yielded, or never if an earlier one fails.
      fetched.catch(() => undefined);
      ahead.push(fetched);
    }
    const { blocks, size } = await ahead.shift()!;
    for (const bound of ['transactions', 'characters'] as const) {
      waiting[bound] -= size[bound];
      yielded[bound] += size[bound];
    }
    yield blocks;
  }
}

interface Fetched {
  blocks: Block[];
  size: Size;
}

async function readGeneration(node: ChainNode, height: number): Promise<Block[]> {
  const generation = await node.generation(height);
  if (generation === null) throw inconsistent(`the node has no generation ${height} any more`);
  const microBlocks = await readMicroBlocks(node, generation.keyBlock, generation.microHashes, 0);
  return [placeKeyBlock(generation.keyBlock), ...microBlocks];
}

/** Micro blocks requested concurrently for one generation; few generations have more. A node may list blocks that it does not have. */
const MICRO_BLOCKS = 128;

/** Reads the micro blocks of a generation from number `skip` + 1 on. Throws if one is missing or of another generation. */
export async function readMicroBlocks(
  node: ChainNode,
  keyBlock: KeyBlock,
  hashes: readonly string[],
  skip: number,
): Promise<Block[]> {
  if (hashes.length > MAX_MICRO) throw inconsistent(`generation ${keyBlock.height} has ${hashes.length} micro blocks`);
  const blocks: Block[] = [];
  for (let from = skip; from < hashes.length; from += MICRO_BLOCKS) {
    const read = hashes.slice(from, from + MICRO_BLOCKS).map(async (hash, index) => {
      const microBlock = await node.microBlock(hash, keyBlock, from + index + 1 < hashes.length);
      if (microBlock === null) throw inconsistent(`the node has no micro block ${hash} any more`);
      if (!isOfGeneration(microBlock, keyBlock))
        throw inconsistent(`micro block ${hash} is not of generation ${keyBlock.height}`);
      if (microBlock.version !== keyBlock.version) {
        const versions = `its version is ${microBlock.version}, and that of its key block is ${keyBlock.version}`;
        throw nodeFault('node_breaks_rules', `micro block ${hash} (${keyBlock.height}) breaks the rules: ${versions}`);
      }
      await addInfos(node, microBlock);
      return placeMicroBlock(microBlock, microPosition(keyBlock.height, from + index + 1), keyBlock.version);
    });
    blocks.push(...(await Promise.all(read)));
  }
  return blocks;
}

/** A batch ends with the generation that reaches one of these limits. */
export interface BatchSize extends Size {
  blocks: number;
}

/** Sizes of the first batches, as parts of the full size: small ones, so that blocks are stored soon after a start. */
const FIRST_BATCHES = [1 / 16, 1 / 8, 1 / 4, 1 / 2];

/**
 * Joins whole generations into batches, each for one commit. After a fault of the source it yields what was read before and throws then:
 * otherwise a node that often fails might never fill a batch.
 */
export async function* inBatches(
  generations: AsyncIterable<readonly Block[]>,
  limits: BatchSize,
  firstParts: readonly number[] = FIRST_BATCHES,
): AsyncGenerator<Block[]> {
  let batch: Block[] = [];
  const size: Size = { transactions: 0, characters: 0 };
  let yielded = 0;
  let fault: { cause: unknown } | undefined;
  try {
    for await (const blocks of generations) {
      batch.push(...blocks);
      const { transactions, characters } = sizeOf(blocks);
      size.transactions += transactions;
      size.characters += characters;
      const part = firstParts[yielded] ?? 1;
      if (
        batch.length >= limits.blocks * part ||
        size.transactions >= limits.transactions * part ||
        size.characters >= limits.characters * part
      ) {
        yield batch;
        yielded++;
        batch = [];
        size.transactions = 0;
        size.characters = 0;
      }
    }
  } catch (cause) {
    fault = { cause };
  }
  if (batch.length > 0) yield batch;
  if (fault !== undefined) throw fault.cause;
}

/**
 * The same items. While the caller works on one, the next one is already being made: reading and proving blocks keeps this process busy, a commit the
 * database. A fault of the next item is thrown when the caller asks for that item.
 */
export async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = (): Promise<IteratorResult<T, unknown>> => {
    const asked = items.next();
    // Thrown where it is awaited, or never if the caller leaves before.
    asked.catch(() => undefined);
    return asked;
  };
  try {
    for (let next = ask(); ;) {
      const { done, value } = await next;
      if (done === true) return;
      next = ask();
      yield value;
    }
  } finally {
    // Not awaited: it ends when the node has answered.
    items.return(undefined).catch(() => undefined);
  }
}
