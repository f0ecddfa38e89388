/** Why a transaction may wait longer than for the next block, from what the API knows. */
import { coin } from './coin.js';
import { inAe, integer } from './format.js';
import type { Integer } from './json.js';
import { paidBySender } from './moves.js';

type Tx = Record<string, unknown> & { type: string };

export interface Check {
  /** What has to be true. */
  title: string;
  isTrue: boolean;
  /** The figures, in one sentence. */
  because: string;
}

/** Of the account that sends the transaction. */
export interface SenderState {
  nonce: Integer;
  balance: Integer;
}

/** Gas of a transaction of no bytes; 15,000 for the other types. See `devtools/devnode/ledger/fees.ts`. */
const LEAST_GAS: Record<string, bigint> = {
  ContractCallTx: 180_000n,
  ContractCreateTx: 75_000n,
  GAAttachTx: 75_000n,
  GAMetaTx: 75_000n,
  PayingForTx: 3_000n,
};
const BASE_GAS = 15_000n;
/** What a miner asks for by default, aettos for each gas. */
const GAS_PRICE = 1_000_000_000n;

const amountIn = (tx: Tx, member: string): bigint => BigInt((tx[member] as Integer | undefined) ?? 0);

/** The four answers. `head` is the height of the newest generation: the next micro block belongs to it. */
export function checksOf(tx: Tx, sender: SenderState, head: number): Check[] {
  return [validity(tx, head), nonce(tx, sender), balance(tx, sender), fee(tx)];
}

function validity(tx: Tx, head: number): Check {
  const ttl = Number(tx['ttl'] ?? 0);
  const isTrue = ttl === 0 || ttl >= head;
  const because =
    ttl === 0
      ? 'It is valid at any height.'
      : isTrue
        ? `It is valid until generation ${integer(ttl)}.`
        : `It was valid until generation ${integer(ttl)}, so no block can contain it any more.`;
  return { title: 'Still valid', isTrue, because };
}

function nonce(tx: Tx, sender: SenderState): Check {
  const title = 'Its nonce is the next of the account';
  if (tx['nonce'] === undefined)
    return { title, isTrue: true, because: 'A contract authenticates it, without a nonce.' };
  const own = amountIn(tx, 'nonce');
  const next = BigInt(sender.nonce) + 1n;
  const missing = own - next;
  if (missing === 0n) return { title, isTrue: true, because: 'Nothing of this account has to come before it.' };
  const because =
    missing > 0n
      ? `It has nonce ${integer(own)}, the next of the account is ${integer(next)}: ${integer(missing)} other ${missing === 1n ? 'transaction' : 'transactions'} must come first.`
      : `Another transaction of the account has used its nonce ${integer(own)}, so no block can contain it any more.`;
  return { title, isTrue: false, because };
}

function balance(tx: Tx, sender: SenderState): Check {
  const gas = amountIn(tx, 'gas') * amountIn(tx, 'gas_price');
  const needed = paidBySender(tx) + amountIn(tx, 'fee') + gas;
  const isTrue = BigInt(sender.balance) >= needed;
  const because = `The account has ${inAe(sender.balance)} ${coin.symbol}, and it needs ${inAe(needed)} ${coin.symbol}.`;
  return { title: 'The balance covers amount, fee and gas', isTrue, because };
}

function fee(tx: Tx): Check {
  const least = (LEAST_GAS[tx.type] ?? BASE_GAS) * GAS_PRICE;
  const isTrue = amountIn(tx, 'fee') >= least;
  const because = isTrue
    ? `It is not below ${inAe(least)} ${coin.symbol}, the least that a miner asks for by default.`
    : `It is ${inAe(amountIn(tx, 'fee'))} ${coin.symbol}, and a miner asks for at least ${inAe(least)} ${coin.symbol} by default.`;
  return { title: 'The fee is high enough', isTrue, because };
}
