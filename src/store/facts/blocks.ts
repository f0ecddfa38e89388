import { integer, readTransaction } from '../../chain/facts.js';
import type { KeyBlock, MicroBlock, Transaction, Unproven } from '../../chain/facts.js';
import { derive } from '../../chain/derive.js';
import type { Derived } from '../../chain/derive.js';
import type { Operation } from '../../chain/operations.js';
import { keyPosition } from '../../chain/position.js';

/** A block with its position in the chain; a micro block with what is derived from each of its transactions. */
export type Block = PlacedBlock &
  (
    | { kind: 'key'; keyBlock: KeyBlock }
    | { kind: 'micro'; microBlock: MicroHeader; spends: Spends; transactions: PlacedTransaction[] }
  );

type MicroHeader = Omit<MicroBlock, 'transactions'>;

/** Number and sum of a micro block's spends, for the daily rates: see docs/protocol/sums.md. */
interface Spends {
  count: number;
  amount: bigint;
}

/** The stored part of a transaction. Its parsed form is the larger part and is dropped, because thousands wait in memory for their commit. */
type Fact = Omit<Transaction, 'tx' | 'envelope'>;

interface PlacedBlock {
  position: bigint;
  hash: string;
  prevHash: string;
}

/** Positions from (inclusive) and to (exclusive). */
export interface Range {
  from: bigint;
  to: bigint;
}

/** An operation with its position; lists of them are in chain order. */
export interface Placed<Op> {
  op: Op;
  position: bigint;
  height: number;
}

/** A transaction with its position, and everything that is derived from it alone. */
export interface PlacedTransaction {
  position: bigint;
  /** As its block says it; its effects begin there. */
  height: number;
  /** Protocol in force in the generation. */
  version: number;
  transaction: Fact;
  derived: Derived;
}

export const placeKeyBlock = (keyBlock: KeyBlock): Block => ({
  kind: 'key',
  position: keyPosition(keyBlock.height),
  hash: keyBlock.hash,
  prevHash: keyBlock.prevHash,
  keyBlock,
});

/** `position`: its place in its generation; `version`: protocol version of the generation. */
export function placeMicroBlock(microBlock: MicroBlock, position: bigint, version: number): Block {
  const { transactions, ...header } = microBlock;
  const { height, hash, prevHash } = header;
  return {
    kind: 'micro',
    position,
    hash,
    prevHash,
    microBlock: header,
    spends: spendsOf(transactions),
    transactions: transactions.map((transaction, index) => ({
      position: position + BigInt(index),
      height,
      version,
      transaction: factOf(transaction),
      derived: derive(transaction),
    })),
  };
}

/** The transaction with other call information than its block was read with. */
export function withInfo(placed: PlacedTransaction, info: string | null): PlacedTransaction {
  const transaction = { ...readTransaction(placed.transaction.body), info };
  return { ...placed, transaction: factOf(transaction), derived: derive(transaction) };
}

const factOf = ({ hash, type, body, txStart, txLength, size, fee, info, isInfoUnknown }: Transaction): Fact => ({
  hash,
  type,
  body,
  txStart,
  txLength,
  size,
  fee,
  info,
  ...(isInfoUnknown === true && { isInfoUnknown }),
});

function spendsOf(transactions: readonly Transaction[]): Spends {
  let count = 0;
  let amount = 0n;
  for (const { type, tx } of transactions) {
    if (type !== 'SpendTx') continue;
    count++;
    amount += integer(tx['amount']) ?? 0n;
  }
  return { count, amount };
}

/** The parts of the blocks that could not be proven, each with the position of its transaction or block. */
export const unprovenOf = (blocks: readonly Block[]): (Unproven & { position: bigint })[] =>
  blocks.flatMap((block) => {
    const { unproven = [] } = block.kind === 'key' ? block.keyBlock : block.microBlock;
    return unproven.map((one) => ({ ...one, position: positionOf(block, one.hash) }));
  });

/** Whether all members of the block were proven when it was read. */
export const isProven = (block: Block): boolean =>
  (block.kind === 'key' ? block.keyBlock : block.microBlock).proven === true;

const positionOf = (block: Block, hash: string): bigint =>
  (block.kind === 'micro' ? block.transactions.find(({ transaction }) => transaction.hash === hash) : undefined)
    ?.position ?? block.position;

export const transactionsOf = (blocks: readonly Block[]): PlacedTransaction[] =>
  blocks.flatMap((block) => (block.kind === 'micro' ? block.transactions : []));

export const operationsOf = (transactions: readonly PlacedTransaction[]): Placed<Operation>[] =>
  transactions.flatMap(({ position, height, derived }) => derived.operations.map((op) => ({ op, position, height })));
