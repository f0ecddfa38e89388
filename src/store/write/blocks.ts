import type { KeyBlock, MicroBlock, Transaction } from '../../chain/facts.js';
import { derive } from '../../chain/derive.js';
import type { Derived } from '../../chain/derive.js';
import { isObject, parseExact } from '../../chain/json.js';
import type { JsonObject } from '../../chain/json.js';
import { keyPosition, microPosition } from '../../chain/position.js';
import { keyBlockHash, microBlockHash } from '../../chain/verify-hash.js';

/** A block at its place in the chain; a micro block with what follows from each of its transactions. */
export type Block = PlacedBlock &
  ({ kind: 'key'; keyBlock: KeyBlock } | { kind: 'micro'; microBlock: MicroBlock; transactions: PlacedTransaction[] });

interface PlacedBlock {
  position: bigint;
  hash: string;
  prevHash: string;
  /** The hash is not that of what the block says; one whose formula is not known is believed. */
  wrongHash: boolean;
}

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
  wrongHash: isWrong(keyBlock, keyBlockHash),
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
  return {
    kind: 'micro',
    position,
    hash,
    prevHash,
    wrongHash: isWrong(microBlock, microBlockHash),
    microBlock,
    transactions,
  };
}

function isWrong(block: { hash: string; body: string }, compute: (block: JsonObject) => string | null): boolean {
  const parsed = parseExact(block.body);
  const computed = isObject(parsed) ? compute(parsed) : null;
  return computed !== null && computed !== block.hash;
}

/** Hashes of the blocks whose contents do not give their hash. */
export const wrongHashesOf = (blocks: readonly Block[]): string[] =>
  blocks.filter((block) => block.wrongHash).map((block) => block.hash);

export const transactionsOf = (blocks: readonly Block[]): PlacedTransaction[] =>
  blocks.flatMap((block) => (block.kind === 'micro' ? block.transactions : []));
