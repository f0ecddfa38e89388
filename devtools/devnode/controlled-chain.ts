/** Grows and forks a live chain on demand, with the same operations as a generated one. */
import { difficulty, targetOf } from '../../src/chain/work/target.js';
import type { ForkOptions, GrowOptions, Retention, MicroForkOptions } from './options.js';
import type { SimulatedChain } from './chain.js';
import type { Mining } from './mining/mining.js';
import type { Pending } from './pool/pool.js';
import { NONE } from './store/chain-store.js';
import type { ForkableChain } from './live/chain.js';

interface ControlParts {
  chain: ForkableChain;
  mining: Mining;
  /** ak_ that gets the rewards. */
  beneficiary: string;
  now(): number;
}

/** Micro blocks contain only transactions that wait in the pool. So options for the number of transactions are max numbers. */
export function controlChain({ chain, mining, beneficiary, now }: ControlParts): SimulatedChain {
  const { store } = chain;

  /** Each key block is later than the previous one, even if both are made at the same time. */
  function timeOn(parent: number): number {
    const before = chain.keyBlock(store.keyOf(parent))['time'] as number;
    return Math.max(now(), before + 1);
  }

  async function keyBlockOn(parent: number, target = mining.target(parent)): Promise<number> {
    const candidate = chain.candidate({ beneficiary, target, time: timeOn(parent) }, parent);
    return chain.storeKeyBlock(await mining.seal(candidate));
  }

  async function mineKeyBlock(): Promise<void> {
    for (;;) {
      const parent = store.head();
      const block = await keyBlockOn(parent);
      // Another block may have been added meanwhile.
      if (store.head() === parent) return chain.switchTo(block);
    }
  }

  async function grow(generations: number, { txsPerGeneration }: GrowOptions = {}): Promise<void> {
    for (let i = 0; i < generations; i += 1) {
      await mineKeyBlock();
      if (txsPerGeneration !== 0) chain.addMicroBlock(txsPerGeneration);
    }
  }

  /** Transactions of the blocks after `base` up to the head, oldest first. */
  function transactionsAbove(base: number): number[] {
    const above: number[] = [];
    for (let block = store.head(); block !== base; block = store.parent(block)) above.push(block);
    return above.reverse().flatMap((block) => store.inclusionsOf(block).map(store.transactionOf));
  }

  const droppedOf = (transactions: readonly number[], kept: Retention): number[] =>
    kept === 'all' ? [] : transactions.filter((transaction) => kept === 'none' || transaction % 2 === 1);

  function switchAndDrop(block: number, abandoned: readonly number[], kept: Retention): void {
    const lost = new Set(droppedOf(abandoned, kept));
    chain.switchTo(block);
    for (const { id, hash } of chain.pool.list()) {
      const transaction = store.findTransaction(hash);
      if (!lost.has(transaction)) continue;
      chain.pool.drop(id);
      store.drop(transaction);
    }
  }

  /** Transactions that wait after the blocks above the base are abandoned. */
  function waitingAfter(abandoned: readonly number[], kept: Retention): Pending[] {
    const lost = new Set(droppedOf(abandoned, kept));
    return [...chain.abandoned(abandoned.filter((transaction) => !lost.has(transaction))), ...chain.pool.list()];
  }

  async function fork({ depth, grow: length, retainTxs = true, txsPerGeneration }: ForkOptions): Promise<void> {
    const height = store.height();
    if (!(depth >= 1 && depth <= height)) throw new RangeError(`depth is 1 to ${height}`);
    if (!(length >= 1)) throw new RangeError('grow is at least 1');
    const kept = retainTxs === true ? 'all' : retainTxs === false ? 'none' : retainTxs;
    const base = store.lastOfGeneration(height - depth);
    const abandoned = transactionsAbove(base);
    let waiting = waitingAfter(abandoned, kept);
    const heavier = (store.work(store.head()) - store.work(base)) / BigInt(length) + 1n;
    let end = base;
    for (let i = 0; i < length; i += 1) {
      const usual = mining.target(end);
      end = await keyBlockOn(end, difficulty(usual) >= heavier ? usual : targetOf(heavier));
      const micro = txsPerGeneration === 0 ? undefined : chain.microBlockOn(end, waiting, txsPerGeneration);
      if (micro === undefined) continue;
      const used = new Set(store.inclusionsOf(micro).map(store.transactionOf));
      waiting = waiting.filter(({ hash }) => !used.has(store.findTransaction(hash)));
      end = micro;
    }
    switchAndDrop(end, abandoned, kept);
  }

  async function microFork({ drop, keep = 'all', next = 'key-block' }: MicroForkOptions): Promise<void> {
    const replacesKey = store.isKey(store.head());
    let base = replacesKey ? store.parent(store.head()) : store.head();
    for (let i = 0; i < drop; i += 1) {
      if (base === NONE || store.isKey(base)) throw new RangeError(`the generation has only ${i} micro blocks to drop`);
      base = store.parent(base);
    }
    if (!(drop >= 1)) throw new RangeError('drop is at least 1');
    if (replacesKey && next !== 'key-block') {
      throw new RangeError('the generation is closed: only a key block can be next');
    }
    const abandoned = transactionsAbove(base);
    const lost = waitingAfter(abandoned, keep);
    if (next === 'nothing') return switchAndDrop(base, abandoned, keep);
    if (next === 'micro-block') {
      return switchAndDrop(chain.microBlockOn(base, lost) ?? base, abandoned, keep);
    }
    const missing = store.work(store.head()) - store.work(base) + 1n;
    const usual = mining.target(base);
    const block = await keyBlockOn(base, difficulty(usual) >= missing ? usual : targetOf(missing));
    switchAndDrop(block, abandoned, keep);
  }

  return {
    mineKeyBlock,
    addMicroBlock: (txs) => void chain.addMicroBlock(txs),
    grow,
    fork,
    microFork,
    info: chain.info,
  };
}
