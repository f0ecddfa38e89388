import type { KeyBlock } from '../chain/facts.js';
import { MAX_MICRO } from '../chain/position.js';
import type { ChainNode } from '../node/client.js';
import { MiddlewareError } from '../observe/errors.js';
import { placeKeyBlock, placeMicroBlock } from '../store/write/blocks.js';
import type { Block } from '../store/write/blocks.js';

/** The node's answers do not fit together; nothing was changed, the next round asks again. */
export const inconsistent = (message: string): MiddlewareError =>
  new MiddlewareError('unavailable', 'node_inconsistent', message);

/** Bounds of what is fetched ahead: generations, and transactions held in memory. */
export interface Window {
  generations: number;
  transactions: number;
}

interface Fetched {
  blocks: Block[];
  transactions: number;
}

/**
 * Reads generations in parallel and gives them in order, as blocks.
 *
 * Memory is bounded by the window whatever the chain holds: no new height is asked for while too many transactions wait.
 */
export async function* readGenerations(
  node: ChainNode,
  from: number,
  to: number,
  window: Window,
): AsyncGenerator<Block[]> {
  const ahead: Promise<Fetched>[] = [];
  let waiting = 0;
  let next = from;
  for (let height = from; height <= to; height++) {
    while (next <= to && ahead.length < window.generations && (waiting < window.transactions || ahead.length === 0)) {
      const fetched = readGeneration(node, next++).then((result) => {
        waiting += result.transactions;
        return result;
      });
      // Looked at when its turn comes, or never if an earlier one fails.
      fetched.catch(() => undefined);
      ahead.push(fetched);
    }
    const { blocks, transactions } = await ahead.shift()!;
    waiting -= transactions;
    yield blocks;
  }
}

async function readGeneration(node: ChainNode, height: number): Promise<Fetched> {
  const generation = await node.generation(height);
  if (generation === null) throw inconsistent(`the node has no generation ${height} any more`);
  const microBlocks = await readMicroBlocks(node, generation.keyBlock, generation.microHashes, 0);
  const transactions = microBlocks.reduce(
    (sum, b) => sum + (b.kind === 'micro' ? b.microBlock.transactions.length : 0),
    0,
  );
  return { blocks: [placeKeyBlock(generation.keyBlock), ...microBlocks], transactions };
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
export interface BatchSize {
  blocks: number;
  transactions: number;
}

/** Of the full size, for the first batches: what was loaded is kept, and seen, soon after a start. */
const FIRST_BATCHES = [1 / 16, 1 / 8, 1 / 4, 1 / 2];

/**
 * Joins whole generations to batches for one COPY each. What was read before a fault is given before it is thrown: with a
 * node that fails now and then no batch might ever be full.
 */
export async function* inBatches(
  generations: AsyncIterable<readonly Block[]>,
  size: BatchSize,
): AsyncGenerator<Block[]> {
  let batch: Block[] = [];
  let transactions = 0;
  let given = 0;
  let fault: { cause: unknown } | undefined;
  try {
    for await (const blocks of generations) {
      batch.push(...blocks);
      for (const block of blocks) if (block.kind === 'micro') transactions += block.microBlock.transactions.length;
      const part = FIRST_BATCHES[given] ?? 1;
      if (batch.length >= size.blocks * part || transactions >= size.transactions * part) {
        yield batch;
        given++;
        batch = [];
        transactions = 0;
      }
    }
  } catch (cause) {
    fault = { cause };
  }
  if (batch.length > 0) yield batch;
  if (fault !== undefined) throw fault.cause;
}
