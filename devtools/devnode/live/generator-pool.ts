/**
 * Posted transactions of a chain whose blocks the generator makes. They are the first ones in the next micro block. They are stored with the
 * chain, so that they are still there after a restart.
 */
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import { resultsOfPosted } from '../generate/posted.js';
import type { PostedTransaction } from '../generate/posted.js';
import { NONE } from '../store/chain-store.js';
import type { ForkableChain } from './chain.js';
import { printedInfo } from './infos.js';

export interface GeneratorPool {
  /** Call it after a transaction was posted. */
  onPosted(): void;
  /** The transactions that can be executed one after the other in a micro block on `parent`. */
  take: (parent: number) => readonly PostedTransaction[];
  /** Call it after a change of the chain. Transactions that lost their block wait again; included ones are removed from the pool. */
  onChainChange(): void;
}

export function createGeneratorPool({ store, pool, pick }: ForkableChain): GeneratorPool {
  const results = resultsOfPosted(store);
  const stored = store.annotations<readonly string[]>('waiting');
  const waiting = (): readonly string[] => stored.get(0) ?? [];

  function storeWaiting(): void {
    const now = pool.list().map(({ signed }) => encodeId('tx', signed));
    if (now.join() !== waiting().join()) stored.set(0, now);
  }

  function restoreAndClean(): void {
    for (const transaction of store.pool()) {
      const text = store.inclusionText(store.inclusionOf(transaction)).toString();
      const { hash, encoded_tx } = parseExact(text) as { hash: string; encoded_tx: string };
      const isPosted = results.get(hash) !== undefined;
      if (isPosted && pool.find(hash) === undefined) pool.restore(decodeId(encoded_tx, 'tx'));
    }
    for (const { hash } of pool.clean()) {
      const transaction = store.findTransaction(hash);
      if (transaction !== NONE) store.drop(transaction);
    }
    storeWaiting();
  }

  for (const signed of waiting()) pool.restore(decodeId(signed, 'tx'));
  restoreAndClean();
  return {
    onPosted: storeWaiting,
    onChainChange: restoreAndClean,
    take(parent) {
      const { picked } = pick(parent, pool.list());
      for (const { transaction, info } of picked)
        results.set(transaction.id, info === undefined ? null : stringifyExact(printedInfo(info)));
      return picked.map(({ transaction }) => transaction);
    },
  };
}
