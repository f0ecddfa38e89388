/**
 * Contracts that contracts created. A node tells of them nowhere, but each creation moves coins from the contract to the new one, even if that is nothing,
 * and the id of the new one is a hash of the id of its creator and a number: so the operations of the node prove by which transaction it was created.
 */
import { decodeId, withPrefix } from '../encoding/encoding.js';
import { contractKey } from '../protocol/ids.js';
import type { NodeOperation } from './node-operations.js';

export interface Creation {
  /** ct_ */
  contract: string;
  /** ct_ of the contract that created it. */
  creator: string;
  /** The number of the creation among those of its creator, from 1. Queries of the creator to oracles count, too. */
  nonce: number;
  /** Coins that it was given. */
  amount: bigint;
  /** False if the same coins came back later in the transaction: so do those of a creation that failed where the contract went on. */
  isCertain: boolean;
}

/** Max nonces that are tried. Hardly any payment moves nothing unless it creates a contract, so for those it is worth more. */
const MAX_NONCE = 2_000;
const MAX_NONCE_OF_NOTHING = 20_000;

/** Creations in the operations of a transaction, in the order in which they happened. */
export function creationsIn(operations: readonly NodeOperation[]): Creation[] {
  const ran = operations.findIndex(({ type }) => type === 'Contract.amount');
  const payments = ran < 0 ? [] : pairsFrom(operations, ran);
  const found = new Map<string, Creation>();
  for (const [at, { from, to, amount }] of payments.entries()) {
    const contract = withPrefix('ct', to);
    const nonce = found.has(contract) ? undefined : nonceOf(from, to, amount);
    if (nonce === undefined) continue;
    const isBack = payments.slice(at + 1).some((one) => one.from === to && one.to === from && one.amount === amount);
    found.set(contract, { contract, creator: withPrefix('ct', from), nonce, amount, isCertain: !isBack });
  }
  return [...found.values()];
}

interface Payment {
  /** ak_ */
  from: string;
  to: string;
  amount: bigint;
}

function pairsFrom(operations: readonly NodeOperation[], start: number): Payment[] {
  const found: Payment[] = [];
  for (let at = start; at < operations.length; at += 1) {
    const [one, next] = [operations[at]!, operations[at + 1]];
    if (one.type !== 'Spend.amount' || next?.type !== 'Spend.amount') continue;
    found.push({ from: one.account, to: next.account, amount: next.amount });
    at += 1;
  }
  return found;
}

/** Contracts of which ids were computed. A contract that pays does so often, and each id takes some microseconds. */
const MAX_CREATORS = 256;

/** By the account of a contract: the first four bytes of the keys of what it creates, in the order of the nonces from 1. */
const computed = new Map<string, number[]>();

function nonceOf(creator: string, created: string, amount: bigint): number | undefined {
  const key = decodeId(created);
  const begin = beginOf(key);
  const owner = decodeId(creator);
  const begins = computed.get(creator) ?? [];
  computed.delete(creator);
  computed.set(creator, begins);
  if (computed.size > MAX_CREATORS) computed.delete(computed.keys().next().value!);
  const max = amount === 0n ? MAX_NONCE_OF_NOTHING : MAX_NONCE;
  for (let nonce = 1; nonce <= max; nonce += 1) {
    begins[nonce - 1] ??= beginOf(contractKey(owner, BigInt(nonce)));
    if (begins[nonce - 1] === begin && Buffer.compare(contractKey(owner, BigInt(nonce)), key) === 0) return nonce;
  }
  return undefined;
}

const beginOf = (key: Uint8Array): number => new DataView(key.buffer, key.byteOffset).getUint32(0);
