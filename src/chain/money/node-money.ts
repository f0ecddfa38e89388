/** What is kept of a node's answer about a generation, and the movements that it completes. */
import { isObject, parsePlain } from '../encoding/json.js';
import type { Transaction } from '../facts.js';
import { MalformedError } from '../malformed.js';
import { creationsIn } from './creations.js';
import type { Creation } from './creations.js';
import type { Gap, Moves } from './movement.js';
import { completeKeyBlock, completeTransaction, hasPairs } from './node-moves.js';
import type { NodeBlock, NodeOperation } from './node-operations.js';
import { transactionMoves } from './transaction.js';

export interface NodeMoney {
  /** What the next key block does. */
  nextKeyBlock: readonly NodeOperation[];
  /** By the hash of the transaction. One that is absent moves what our rules say, and no more. */
  transactions: ReadonlyMap<string, readonly NodeOperation[]>;
  /** Contracts that calls within transactions created, by the hash of the transaction. */
  made: ReadonlyMap<string, readonly Creation[]>;
}

/** A generation as it is stored. */
interface AskedGeneration {
  /** Of its key block. */
  hash: string;
  height: number;
  version: number;
  /** In the order of the chain, with their call information. */
  transactions: readonly Transaction[];
}

/** Why an answer is not used. */
type Contradiction = 'other_block' | 'contradicts';

/** What is kept of an answer: what does not follow from the transaction alone. Or why it cannot be about this generation of this chain. */
export function keptOf(
  { hash, height, version, transactions }: AskedGeneration,
  block: NodeBlock,
): NodeMoney | Contradiction {
  const hashes = [...block.transactions.keys()];
  const isSame = hashes.length === transactions.length && transactions.every((one, i) => one.hash === hashes[i]);
  if (block.hash !== hash || block.height !== height || !isSame) return 'other_block';
  const kept = new Map<string, readonly NodeOperation[]>();
  const made = new Map<string, readonly Creation[]>();
  for (const transaction of transactions) {
    const operations = block.transactions.get(transaction.hash)!;
    const ours = transactionMoves(transaction, { height, version, holdings: NOTHING_HELD, pointee: () => undefined });
    const done = completeTransaction(ours.movements, operations);
    const isKnown = ours.gaps.every((gap) => gap === 'inside');
    if (!hasPairs(operations)) return 'contradicts';
    if (isKnown && done.isFromNode) {
      const isInside =
        ours.gaps.length > 0 &&
        ours.movements.every((one) => done.movements.includes(one)) &&
        done.movements.every(({ kind }) => kind !== 'unexplained');
      if (!isInside) return 'contradicts';
    }
    if (!isKnown || done.isFromNode) kept.set(transaction.hash, operations);
    const creations = creationsIn(operations);
    if (creations.length > 0) made.set(transaction.hash, creations);
  }
  return { nextKeyBlock: block.nextKeyBlock, transactions: kept, made };
}

const NOTHING_HELD = {
  find: () => undefined,
  keep: () => undefined,
  release: () => undefined,
  endingAfter: () => [],
};

/** The movements of a transaction, completed by what a node said of its generation. */
export function transactionWithNode(ours: Moves, hash: string, fromNode: NodeMoney | undefined): Moves {
  if (fromNode === undefined) return ours;
  const operations = fromNode.transactions.get(hash);
  if (operations === undefined) return { ...ours, gaps: [] };
  const { movements } = completeTransaction(ours.movements, operations);
  return { ...ours, movements, gaps: leftOf({ ...ours, movements }, []) };
}

/** The same for a key block. `fromNode`: of the generation below. `left`: gaps that the node does not fill. */
export function keyBlockWithNode(
  ours: Moves,
  fromNode: NodeMoney | undefined,
  treasury: string | null,
  left: readonly Gap[],
): Moves {
  if (fromNode === undefined) return ours;
  const { movements } = completeKeyBlock(ours.movements, fromNode.nextKeyBlock, treasury);
  return { ...ours, movements, gaps: leftOf({ ...ours, movements }, left) };
}

/** Gaps that remain: all, and one at least, if something is unexplained. */
function leftOf({ movements, gaps }: Moves, left: readonly Gap[]): Gap[] {
  if (movements.every(({ kind }) => kind !== 'unexplained')) return gaps.filter((gap) => left.includes(gap));
  return gaps.length > 0 ? gaps : ['inside'];
}

/** By how much what the chain keeps for bids and queries grows more than our rules say. */
export function unseenOf(ours: Moves, completed: Moves, isKeyBlock: boolean): bigint {
  const sumOf = ({ movements }: Moves): bigint =>
    movements.reduce(
      (sum, { kind, amount }) => (KEPT.includes(kind) || (isKeyBlock && kind === 'lock') ? sum + amount : sum),
      0n,
    );
  return sumOf(ours) - sumOf(completed);
}

const KEPT: readonly string[] = ['bid', 'bid_refund', 'oracle_fee', 'oracle_reward', 'oracle_refund'];

type Written = [type: string, account: string, amount: string][];
type WrittenCreations = [contract: string, creator: string, nonce: number, amount: string, isCertain: boolean][];

export const writeNodeMoney = ({ nextKeyBlock, transactions, made }: NodeMoney): string => {
  const written = (operations: readonly NodeOperation[]): Written =>
    operations.map(({ type, account, amount }) => [type, account, String(amount)]);
  return JSON.stringify({
    next: written(nextKeyBlock),
    transactions: Object.fromEntries([...transactions].map(([hash, operations]) => [hash, written(operations)])),
    ...(made.size > 0 && {
      made: Object.fromEntries([...made].map(([hash, creations]) => [hash, creations.map(writtenCreation)])),
    }),
  });
};

const writtenCreation = ({ contract, creator, nonce, amount, isCertain }: Creation): WrittenCreations[number] => [
  ...([contract, creator, nonce] as const),
  String(amount),
  isCertain,
];

/** Of what `writeNodeMoney` wrote. Earlier releases wrote no creations. */
export function readNodeMoney(text: string): NodeMoney {
  const value = parsePlain(text);
  if (!isObject(value)) throw new MalformedError('node_money: not an object');
  const read = (written: unknown): NodeOperation[] =>
    (written as Written).map(([type, account, amount]) => ({ type, account, amount: BigInt(amount) }));
  return {
    nextKeyBlock: read(value['next']),
    transactions: new Map(
      Object.entries(value['transactions'] as object).map(([hash, written]) => [hash, read(written)]),
    ),
    made: new Map(
      Object.entries((value['made'] ?? {}) as Record<string, WrittenCreations>).map(([hash, written]) => [
        hash,
        written.map(([contract, creator, nonce, amount, isCertain]) => ({
          ...{ contract, creator, nonce, isCertain },
          amount: BigInt(amount),
        })),
      ]),
    ),
  };
}
