/** What the execution of a transaction reads and writes. */
import type { JsonObject } from '../encoding/json.js';
import type { Effective } from '../operations.js';
import { readAmount } from '../transactions/members.js';
import type { Kind } from './kinds.js';
import type { Gap, Holdings } from './movement.js';

/** Where a transaction is, and what is known there. */
export interface TransactionContext {
  /** Height of its micro block. */
  height: number;
  version: number;
  holdings: Holdings;
  /** What a name points to just before the transaction; undefined if it is not known. */
  pointee: (name: string, key: PointerKey) => string | undefined;
}

export type PointerKey = 'account_pubkey' | 'contract_pubkey';

/** `tx` is the transaction that takes effect. */
export interface Execution extends TransactionContext {
  effective: Effective;
  tx: JsonObject;
  /** Who pays fee and gas instead of the origin of the transaction, inside a PayingForTx. */
  payer: string | undefined;
  /** Result of its contract call; undefined if it is not known. */
  call: JsonObject | undefined;
  move: (id: string, kind: Kind, amount: bigint, counterparty?: string | null) => void;
  /** Takes a fee or gas for the leaders. `id`: null if no account pays it. */
  pay: (id: string | null, kind: 'fee' | 'gas', amount: bigint) => void;
  gap: (why: Gap) => void;
}

/** Takes the gas of a call; a gap if its result is not known. */
export function payGas(
  call: JsonObject | undefined,
  payer: string,
  { pay, gap }: Pick<Execution, 'pay' | 'gap'>,
): void {
  if (call === undefined) gap('result');
  else pay(payer, 'gas', readAmount(call, 'gas_used') * readAmount(call, 'gas_price'));
}
