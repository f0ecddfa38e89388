/** Growing and forking the simulated chain; every operation leaves the store with a finished main chain. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { ForkOptions, GenerateOptions, GrowOptions, Kept, MicroForkOptions } from './options.js';
import type { PostedTransaction } from './generate/posted.js';
import { createRandom } from './generate/random.js';
import { createSimulation } from './generate/simulation.js';
import type { ChainStore } from './store/chain-store.js';
import { NONE } from './store/chain-store.js';

const TXS_PER_GENERATION = 65;
const MICRO_BLOCKS = 4;
const GENERATIONS = 10;
/** Other requests get a turn after this time, ms. */
const SLICE_MS = 50;

export interface SimulatedChain {
  mineKeyBlock(): void | Promise<void>;
  addMicroBlock(txs?: number): void;
  grow(generations: number, options?: GrowOptions): Promise<void>;
  fork(options: ForkOptions): Promise<void>;
  microFork(options: MicroForkOptions): void | Promise<void>;
  /** Result of executing a transaction, from its envelope; undefined if it has none. */
  info(envelope: string): string | undefined;
}

/** Builds the initial chain into the store, or what is missing of it. `posted` gives what was posted and can stand on a block. */
export async function createSimulatedChain(
  store: ChainStore,
  options: GenerateOptions,
  networkId: string,
  posted: (parent: number) => readonly PostedTransaction[] = () => [],
): Promise<SimulatedChain> {
  const simulation = createSimulation(store, options, networkId);
  const usualTxs = options.txsPerGeneration ?? TXS_PER_GENERATION;
  const usualMicros = options.microBlocksPerGeneration ?? MICRO_BLOCKS;
  const turn = timeSlices();

  /** Two thirds to four thirds of the usual number, drawn from the block it stands on. */
  function vary(usual: number, purpose: string): number {
    const spread = Math.floor(usual / 3);
    return createRandom(options.seed, purpose, String(store.blockCount())).int(usual - spread, usual + spread);
  }

  function mineKeyBlock(): void {
    store.setHead(simulation.keyBlock(store.head()));
  }

  function addMicroBlock(txs = Math.max(1, Math.round(vary(usualTxs, 'txs') / usualMicros))): void {
    const head = store.head();
    const { block, dead } = simulation.microBlock(head, txs, store.pool(), posted(head));
    store.setHead(block);
    dead.forEach(store.drop);
  }

  /** Numbers of transactions of the micro blocks of a generation. */
  function share(txs: number, microBlocks: number): number[] {
    const blocks = Math.min(txs, microBlocks);
    return Array.from(
      { length: blocks },
      (_, i) => Math.floor((txs * (i + 1)) / blocks) - Math.floor((txs * i) / blocks),
    );
  }

  async function addGeneration(txs: number, microBlocks: number): Promise<void> {
    mineKeyBlock();
    for (const count of share(txs, microBlocks)) {
      addMicroBlock(count);
      await turn();
    }
  }

  async function grow(generations: number, grown: GrowOptions = {}): Promise<void> {
    for (let i = 0; i < generations; i += 1) {
      const txs = grown.txsPerGeneration ?? vary(usualTxs, 'txs');
      await addGeneration(txs, grown.microBlocks ?? vary(usualMicros, 'micro blocks'));
      await turn();
    }
  }

  async function growInitially(): Promise<void> {
    if (store.head() === NONE) store.setHead(simulation.keyBlock(NONE));
    const { transactions, generations } = options;
    if (transactions === undefined) return grow((generations ?? GENERATIONS) - store.height());
    const count = generations ?? Math.ceil(transactions / usualTxs);
    for (let i = store.height(); i < count; i += 1) {
      const left = transactions - store.transactionCount();
      const even = left / (count - i);
      await addGeneration(
        i === count - 1 ? left : Math.min(left, Math.round(vary(3 * even, 'txs') / 3)),
        vary(usualMicros, 'micro blocks'),
      );
      await turn();
    }
  }

  /** Blocks from the head down to but without `base`, oldest first. */
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
    const waiting = new Set([...simulation.kept(abandoned, keptOf(retainTxs)), ...store.pool()]);
    const remembered = new Set(waiting);
    const target = simulation.heavierTarget(base, length, store.work(store.head()));
    let end = base;
    for (let i = 0; i < length; i += 1) {
      end = simulation.keyBlock(end, target);
      const txs = forked.txsPerGeneration ?? vary(usualTxs, 'txs');
      for (const count of share(txs, forked.microBlocks ?? vary(usualMicros, 'micro blocks'))) {
        const { block, dead } = simulation.microBlock(end, count, waiting);
        for (const used of [...dead, ...simulation.transactionsOf([block])]) waiting.delete(used);
        dead.forEach((transaction) => remembered.delete(transaction));
        end = block;
        await turn();
      }
    }
    switchTo(end, abandoned, remembered);
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
    const waiting = new Set(simulation.kept(abandoned, keep));
    if (next === 'nothing') return switchTo(base, abandoned, waiting);
    if (next === 'key-block') {
      const work = replacesKey ? store.work(store.head()) : store.work(base);
      return switchTo(simulation.keyBlock(base, simulation.heavierTarget(base, 1, work)), abandoned, waiting);
    }
    const txs = Math.max(1, Math.round(usualTxs / usualMicros));
    const { block, dead } = simulation.microBlock(base, txs, waiting);
    dead.forEach((transaction) => waiting.delete(transaction));
    switchTo(block, abandoned, waiting);
  }

  await growInitially();
  simulation.followClock();
  return { mineKeyBlock, addMicroBlock, grow, fork, microFork, info: simulation.info };
}

const keptOf = (retain: boolean | Kept): Kept => (retain === true ? 'all' : retain === false ? 'none' : retain);

/** Lets the event loop run once in a while during long work. */
function timeSlices(): () => Promise<void> {
  let since = Date.now();
  return async () => {
    if (Date.now() - since < SLICE_MS) return;
    await breathe();
    since = Date.now();
  };
}
