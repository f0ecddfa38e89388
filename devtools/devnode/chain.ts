/** Grows and forks the simulated chain. After each operation the main chain in the store is complete. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ForkOptions, GenerateOptions, GrowOptions, Retention, MicroForkOptions } from './options.js';
import type { PostedTransaction } from './generate/posted.js';
import { createRandom } from './generate/random.js';
import { createSimulation } from './generate/simulation.js';
import type { World } from './generate/world.js';
import type { ChainStore } from './store/chain-store.js';
import { NONE } from './store/chain-store.js';

const TXS_PER_GENERATION = 65;
const MICRO_BLOCKS = 4;
const GENERATIONS = 10;
/** Long work lets other requests run after this time, ms. */
const SLICE_MS = 50;

export interface SimulatedChain {
  mineKeyBlock(): void | Promise<void>;
  addMicroBlock(txs?: number): void;
  grow(generations: number, options?: GrowOptions): Promise<void>;
  fork(options: ForkOptions): Promise<void>;
  microFork(options: MicroForkOptions): void | Promise<void>;
  /** What the tokens of the chain that ends with a block hold; absent for a chain without tokens. */
  tokens?(block: number): World['tokens'];
  /** Result of executing a transaction, from its envelope; undefined if it has none. */
  info(envelope: string): string | undefined;
}

/**
 * Adds the initial chain to the store, or the missing part of it. `posted` returns the posted transactions that can be executed on top of a block.
 */
export async function createSimulatedChain(
  store: ChainStore,
  options: GenerateOptions,
  networkId: string,
  posted: (parent: number) => readonly PostedTransaction[] = () => [],
): Promise<SimulatedChain> {
  const simulation = createSimulation(store, options, networkId);
  const averageTxs = options.txsPerGeneration ?? TXS_PER_GENERATION;
  const averageMicroBlocks = options.microBlocksPerGeneration ?? MICRO_BLOCKS;
  const yieldIfDue = timeSlices();

  /** A number from two thirds to four thirds of the average. It depends only on the seed and the number of blocks so far. */
  function vary(average: number, purpose: string): number {
    const spread = Math.floor(average / 3);
    return createRandom(options.seed, purpose, String(store.blockCount())).int(average - spread, average + spread);
  }

  function mineKeyBlock(): void {
    store.setHead(simulation.keyBlock(store.head()));
  }

  function addMicroBlock(txs = Math.max(1, Math.round(vary(averageTxs, 'txs') / averageMicroBlocks))): void {
    // Nobody leads the generation of the genesis block.
    if (store.height() === 0) mineKeyBlock();
    const head = store.head();
    const { block, unusable } = simulation.microBlock(head, txs, store.pool(), posted(head));
    store.setHead(block);
    unusable.forEach(store.drop);
  }

  /** Splits the transactions of a generation: the number for each of its micro blocks. */
  function splitTransactions(txs: number, microBlocks: number): number[] {
    const blocks = Math.min(txs, microBlocks);
    return Array.from(
      { length: blocks },
      (_, i) => Math.floor((txs * (i + 1)) / blocks) - Math.floor((txs * i) / blocks),
    );
  }

  async function addGeneration(txs: number, microBlocks: number): Promise<void> {
    mineKeyBlock();
    for (const count of splitTransactions(txs, microBlocks)) {
      addMicroBlock(count);
      await yieldIfDue();
    }
  }

  /** The number of transactions of a generation, which depends only on the seed and the number of blocks so far. */
  function drawTxs(): number {
    const { seed, emptyShare = 0 } = options;
    const isEmpty = emptyShare > 0 && createRandom(seed, 'empty', String(store.blockCount())).chance(emptyShare);
    return isEmpty ? 0 : vary(averageTxs, 'txs');
  }

  async function grow(generations: number, grown: GrowOptions = {}): Promise<void> {
    for (let i = 0; i < generations; i += 1) {
      const txs = grown.txsPerGeneration ?? drawTxs();
      await addGeneration(txs, grown.microBlocks ?? vary(averageMicroBlocks, 'micro blocks'));
      await yieldIfDue();
    }
  }

  async function growInitially(): Promise<void> {
    if (store.head() === NONE) store.setHead(simulation.keyBlock(NONE));
    const { transactions, generations } = options;
    if (transactions === undefined) return grow((generations ?? GENERATIONS) - store.height());
    const count = generations ?? Math.ceil(transactions / averageTxs);
    for (let i = store.height(); i < count; i += 1) {
      const left = transactions - store.transactionCount();
      const even = left / (count - i);
      await addGeneration(
        i === count - 1 ? left : Math.min(left, Math.round(vary(3 * even, 'txs') / 3)),
        vary(averageMicroBlocks, 'micro blocks'),
      );
      await yieldIfDue();
    }
  }

  /** Blocks of the main chain after `base` up to the head, oldest first. */
  function blocksAbove(base: number): number[] {
    const above: number[] = [];
    for (let block = store.head(); block !== base; block = store.parent(block)) above.push(block);
    return above.reverse();
  }

  function switchTo(block: number, abandoned: readonly number[], waiting: ReadonlySet<number>): void {
    store.setHead(block);
    for (const transaction of abandoned) if (!waiting.has(transaction)) store.drop(transaction);
  }

  async function fork(forked: ForkOptions): Promise<void> {
    const { depth, grow: length, retainTxs = true } = forked;
    const height = store.height();
    if (!(depth >= 1 && depth <= height)) throw new RangeError(`depth is 1 to ${height}`);
    if (!(length >= 1)) throw new RangeError('grow is at least 1');
    const base = store.lastOfGeneration(height - depth);
    const abandoned = simulation.transactionsOf(blocksAbove(base));
    const waiting = new Set([...simulation.retained(abandoned, retentionOf(retainTxs)), ...store.pool()]);
    const keptInPool = new Set(waiting);
    const target = simulation.heavierTarget(base, length, store.work(store.head()));
    let end = base;
    for (let i = 0; i < length; i += 1) {
      end = simulation.keyBlock(end, target);
      const txs = forked.txsPerGeneration ?? drawTxs();
      for (const count of splitTransactions(txs, forked.microBlocks ?? vary(averageMicroBlocks, 'micro blocks'))) {
        const { block, unusable } = simulation.microBlock(end, count, waiting);
        for (const used of [...unusable, ...simulation.transactionsOf([block])]) waiting.delete(used);
        unusable.forEach((transaction) => keptInPool.delete(transaction));
        end = block;
        await yieldIfDue();
      }
    }
    switchTo(end, abandoned, keptInPool);
  }

  function microFork({ drop, keep = 'all', next = 'key-block' }: MicroForkOptions): void {
    const replacesKey = store.isKey(store.head());
    const last = replacesKey ? store.parent(store.head()) : store.head();
    let base = last;
    for (let i = 0; i < drop; i += 1) {
      if (base === NONE || store.isKey(base)) throw new RangeError(`the generation has only ${i} micro blocks to drop`);
      base = store.parent(base);
    }
    if (!(drop >= 1)) throw new RangeError('drop is at least 1');
    if (replacesKey && next !== 'key-block')
      throw new RangeError('the generation is closed: only a key block can be next');
    const abandoned = simulation.transactionsOf(blocksAbove(base));
    const waiting = new Set(simulation.retained(abandoned, keep));
    if (next === 'nothing') return switchTo(base, abandoned, waiting);
    if (next === 'key-block') {
      const work = replacesKey ? store.work(store.head()) : store.work(base);
      return switchTo(simulation.keyBlock(base, simulation.heavierTarget(base, 1, work)), abandoned, waiting);
    }
    const txs = Math.max(1, Math.round(averageTxs / averageMicroBlocks));
    const { block, unusable } = simulation.microBlock(base, txs, waiting);
    unusable.forEach((transaction) => waiting.delete(transaction));
    switchTo(block, abandoned, waiting);
  }

  await growInitially();
  simulation.followClock();
  const { info, tokens } = simulation;
  return { mineKeyBlock, addMicroBlock, grow, fork, microFork, info, ...(options.tokens && { tokens }) };
}

const retentionOf = (retain: boolean | Retention): Retention =>
  retain === true ? 'all' : retain === false ? 'none' : retain;

/** Returns a function that lets the event loop run if it has not done so for `SLICE_MS`. */
function timeSlices(): () => Promise<void> {
  let since = Date.now();
  return async () => {
    if (Date.now() - since < SLICE_MS) return;
    await yieldToEventLoop();
    since = Date.now();
  };
}
