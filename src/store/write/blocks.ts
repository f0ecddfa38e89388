import type { KeyBlock, MicroBlock, Transaction } from '../../chain/facts.js';
import { derive } from '../../chain/derive.js';
import type { Derived } from '../../chain/derive.js';
import { keyPosition, microPosition } from '../../chain/position.js';

/** A block at its place in the chain; a micro block with what follows from each of its transactions. */
export type Block =
  | { kind: 'key'; position: bigint; hash: string; prevHash: string; keyBlock: KeyBlock }
  | {
      kind: 'micro';
      position: bigint;
      hash: string;
      prevHash: string;
      microBlock: MicroBlock;
      transactions: PlacedTransaction[];
    };

/** A transaction at its place, with everything that follows from it alone. */
export interface PlacedTransaction {
  position: bigint;
  height: number;
  /** Protocol in force in the generation. */
  version: number;
  transaction: Transaction;
  derived: Derived;
}

export const placeKeyBlock = (keyBlock: KeyBlock): Block => ({
  kind: 'key',
  position: keyPosition(keyBlock.height),
  hash: keyBlock.hash,
  prevHash: keyBlock.prevHash,
  keyBlock,
});

/** `number`: place of the micro block in its generation, from 1; `version`: protocol of the generation. */
export function placeMicroBlock(microBlock: MicroBlock, number: number, version: number): Block {
  const { height, hash, prevHash } = microBlock;
  const position = microPosition(height, number);
  const transactions = microBlock.transactions.map((transaction, index) => ({
    position: position + BigInt(index),
    height,
    version,
    transaction,
    derived: derive(transaction),
  }));
  return { kind: 'micro', position, hash, prevHash, microBlock, transactions };
}

export const transactionsOf = (blocks: readonly Block[]): PlacedTransaction[] =>
  blocks.flatMap((block) => (block.kind === 'micro' ? block.transactions : []));
