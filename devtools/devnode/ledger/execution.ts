/** Context and helpers for the execution of one transaction. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import type { Distinction } from '../../../src/chain/operations.js';
import type { Rules } from './rules.js';
import type { Draft, Records } from './state.js';
import { Refusal } from './types.js';
import type { Account, CallResult, Info, Name } from './types.js';
import { big } from './members.js';
import { accountOf } from '../origin.js';

/** A contract call for the machine. */
export interface ContractCall {
  purpose: 'create' | 'call' | 'attach' | 'authenticate' | 'force';
  /** `th_…` of the transaction in the block, also for the calls of nested transactions. */
  transaction: string;
  tx: JsonObject;
  /** ct_ */
  contract: string;
  /** cb_ of the contract. */
  code: string;
  /** cb_ */
  callData: string;
  gas: bigint;
}

/** Runs contracts. It does not move coins: payments that a contract makes are not simulated. */
export type Machine = (call: ContractCall) => CallResult;

export interface Execution {
  readonly draft: Draft;
  readonly rules: Rules;
  readonly machine: Machine;
  /** th_ */
  readonly transaction: string;
  /** Authentication id, which replaces the nonce in identifiers inside a GAMetaTx. */
  readonly authId: Uint8Array | undefined;
  /** Account that pays fee and gas instead of the origin, inside a PayingForTx. */
  readonly payer: string | undefined;
  /** Adds a fee to the earnings of the generation. */
  earn(fee: bigint): void;
  /** Executes a nested transaction. */
  nested(tx: JsonObject, changes: { authId?: Uint8Array; payer?: string }): Info | undefined;
}

/** Functions that apply transactions to the state, by type. They throw Refusal for a transaction that cannot be executed. */
export type Effects = Readonly<Record<string, (execution: Execution, tx: JsonObject) => Info | undefined>>;

export const newAccount = (): Account => ({ balance: 0n, nonce: 0n, payable: true });

/** Account of 32 zero bytes. Its coins are locked forever. */
export const LOCKED_ACCOUNT = 'ak_11111111111111111111111111111111273Yts';

export function accountIn(state: Records, id: string): Account {
  const account = state.account(id);
  if (account === undefined) throw new Refusal('account_not_found');
  return account;
}

export function credit(draft: Draft, id: string, amount: bigint): void {
  const account = draft.account(id) ?? newAccount();
  draft.put('account', id, { ...account, balance: account.balance + amount });
}

export function debit(draft: Draft, id: string, amount: bigint): void {
  const account = accountIn(draft, id);
  if (account.balance < amount) throw new Refusal('insufficient_funds');
  draft.put('account', id, { ...account, balance: account.balance - amount });
}

export const lock = (draft: Draft, amount: bigint): void => {
  if (amount > 0n) credit(draft, LOCKED_ACCOUNT, amount);
};

/** Charges fee or gas to the account that pays for the transaction. The leaders earn it. */
export function charge(execution: Execution, origin: string, amount: bigint): void {
  debit(execution.draft, execution.payer ?? origin, amount);
  execution.earn(amount);
}

/** What makes the ids of the objects of one account different. */
export const distinctionOf = ({ authId }: Execution, tx: JsonObject): Distinction => authId ?? big(tx, 'nonce');

/** What a claimed name points to under a key; undefined if it does not. If a key occurs several times, the first entry counts. */
export function pointerIn(name: Name | undefined, key: string): string | undefined {
  if (name?.status !== 'claimed') return undefined;
  for (const pointer of name.pointers) if (pointer.key === key) return pointer.id;
  return undefined;
}

export const pointerOf = (state: Records, nameId: string, key: string): string | undefined =>
  pointerIn(state.name(nameId), key);

/** `ak_` of a recipient that may be given by name. */
export function recipientOf(state: Records, id: string): string {
  if (!id.startsWith('nm_')) return accountOf(id);
  const pointed = pointerOf(state, id, 'account_pubkey');
  if (pointed === undefined)
    throw new Refusal(state.name(id) === undefined ? 'name_does_not_exist' : 'pointer_id_not_found');
  return accountOf(pointed);
}
