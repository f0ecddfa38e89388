import type { KeyBlock } from '../chain/facts.js';
import { MAX_MICRO } from '../chain/position.js';
import type { ChainNode } from '../node/client.js';
import { MiddlewareError } from '../observe/errors.js';
import { placeKeyBlock, placeMicroBlock } from '../store/write/blocks.js';
import type { Block } from '../store/write/blocks.js';

/** The node's answers do not fit together; nothing was changed, the next round asks again. */
export const inconsistent = (message: string): MiddlewareError => new MiddlewareError('node_inconsistent', message);

/** Bounds of what is fetched ahead: generations, and transactions held in memory, by their number and the length of their texts. */
export interface Window extends Load {
  generations: number;
}

/** Transactions in memory. */
interface Load {
  transactions: number;
  characters: number;
}

function loadOf(blocks: readonly Block[]): Load {
  const load = { transactions: 0, characters: 0 };
  for (const block of blocks) {
    if (block.kind === 'key') continue;
    load.transactions += block.transactions.length;
    for (const { transaction } of block.transactions) load.characters += transaction.body.length;
  }
  return load;
}

/** Whether no more transactions than these, and texts no longer, are in the blocks. */
export function fitsInto({ transactions, characters }: Load, blocks: readonly Block[]): boolean {
  const load = loadOf(blocks);
  return load.transactions <= transactions && load.characters <= characters;
}

/** Of the window, before anything is given: what is read ahead keeps the process busy, and the first commit waits for that. */
const FIRST_PART = 1 / 8;
/** Generations asked for at once: before the first answer, and ever. */
const FIRST_ASKED = 8;
const MAX_UNANSWERED = 64;
/** Weight of former answers in what the next is expected to be. */
const REMEMBERED = 0.9;

/**
 * Reads generations in parallel and gives them in order, as blocks.
 *
 * Memory is bounded by the window whatever the chain holds: no new height is asked for while too much waits, those that are
 * not answered yet counted as large as the last answers. The window opens as generations are given.
 */
export async function* readGenerations(
  node: ChainNode,
  from: number,
  to: number,
  window: Window,
): AsyncGenerator<Block[]> {
  const ahead: Promise<Fetched>[] = [];
  const waiting: Load = { transactions: 0, characters: 0 };
  const given: Load = { transactions: 0, characters: 0 };
  const open = (bound: keyof Load): number => Math.min(window[bound], window[bound] * FIRST_PART + given[bound]);
  const expected: Load = {
    transactions: open('transactions') / FIRST_ASKED,
    characters: open('characters') / FIRST_ASKED,
  };
  let unanswered = 0;
  const fits = (bound: keyof Load): boolean =>
    waiting[bound] + unanswered * Math.max(expected[bound], open(bound) / MAX_UNANSWERED) < open(bound);
  const hasRoom = (): boolean =>
    ahead.length === 0 || (ahead.length < window.generations && fits('transactions') && fits('characters'));
  let next = from;
  for (let height = from; height <= to; height++) {
    while (next <= to && hasRoom()) {
      unanswered++;
      const fetched = readGeneration(node, next++).then((blocks) => {
        unanswered--;
        const load = loadOf(blocks);
        for (const bound of ['transactions', 'characters'] as const) {
          waiting[bound] += load[bound];
          expected[bound] = Math.max(load[bound], expected[bound] * REMEMBERED);
        }
        return { blocks, load };
      });
      // Looked at when its turn comes, or never if an earlier one fails.
      fetched.catch(() => undefined);
      ahead.push(fetched);
    }
    const { blocks, load } = await ahead.shift()!;
    for (const bound of ['transactions', 'characters'] as const) {
      waiting[bound] -= load[bound];
      given[bound] += load[bound];
    }
    yield blocks;
  }
}

interface Fetched {
  blocks: Block[];
  load: Load;
}

async function readGeneration(node: ChainNode, height: number): Promise<Block[]> {
  const generation = await node.generation(height);
  if (generation === null) throw inconsistent(`the node has no generation ${height} any more`);
  const microBlocks = await readMicroBlocks(node, generation.keyBlock, generation.microHashes, 0);
  return [placeKeyBlock(generation.keyBlock), ...microBlocks];
}

/** Micro blocks of a generation from number `skip` + 1 on. */
export async function readMicroBlocks(
  node: ChainNode,
  keyBlock: KeyBlock,
  hashes: readonly string[],
  skip: number,
): Promise<Block[]> {
  if (hashes.length > MAX_MICRO) throw inconsistent(`generation ${keyBlock.height} has ${hashes.length} micro blocks`);
  return Promise.all(
    hashes.slice(skip).map(async (hash, index) => {
      const microBlock = await node.microBlock(hash);
      if (microBlock === null) throw inconsistent(`the node has no micro block ${hash} any more`);
      if (microBlock.height !== keyBlock.height || microBlock.prevKeyHash !== keyBlock.hash) {
        throw inconsistent(`micro block ${hash} is not of generation ${keyBlock.height}`);
      }
      return placeMicroBlock(microBlock, skip + index + 1, keyBlock.version);
    }),
  );
}

/** A batch ends with the generation that reaches one of these; the first ones are smaller. */
export interface BatchSize extends Load {
  blocks: number;
}

/** Parts of the full size, for the first batches: what was loaded is kept, and seen, soon after a start. */
const FIRST_BATCHES = [1 / 16, 1 / 8, 1 / 4, 1 / 2];

/**
 * Joins whole generations to batches for one COPY each. What was read before a fault is given before it is thrown: with a
 * node that fails now and then no batch might ever be full.
 */
export async function* inBatches(
  generations: AsyncIterable<readonly Block[]>,
  size: BatchSize,
  first: readonly number[] = FIRST_BATCHES,
): AsyncGenerator<Block[]> {
  let batch: Block[] = [];
  const load: Load = { transactions: 0, characters: 0 };
  let given = 0;
  let fault: { cause: unknown } | undefined;
  try {
    for await (const blocks of generations) {
      batch.push(...blocks);
      const { transactions, characters } = loadOf(blocks);
      load.transactions += transactions;
      load.characters += characters;
      const part = first[given] ?? 1;
      if (
        batch.length >= size.blocks * part ||
        load.transactions >= size.transactions * part ||
        load.characters >= size.characters * part
      ) {
        yield batch;
        given++;
        batch = [];
        load.transactions = 0;
        load.characters = 0;
      }
    }
  } catch (cause) {
    fault = { cause };
  }
  if (batch.length > 0) yield batch;
  if (fault !== undefined) throw fault.cause;
}
