/** Describes as data which amounts a type of transactions moves. `movements.ts` applies it to a transaction. */
import type { JsonObject } from '../encoding/json.js';

/** An account in a transaction, and what this account sends or receives. */
export interface Role {
  /** Member that contains the account. */
  account: string;
  /** Null if the transaction does not state the direction. */
  direction: 'in' | 'out' | null;
  /** Members whose sum is the amount. */
  amounts: readonly string[];
  /** Member that contains the other side. */
  other: string | null;
}

export interface ValueFlow {
  /** The first role is the origin of the transaction. It pays the fee, unless the transaction is inside a PayingForTx. */
  roles: readonly [Role, ...Role[]];
  /** It runs a contract. If the contract fails, only fee and gas are paid; otherwise the contract may move more than the members state. */
  runsContract?: true;
  /** Why balances may change by more or less than the members state. `unless` returns true for transactions to which this does not apply. */
  unknown?: { reason: string; unless?: (tx: JsonObject) => boolean };
}

export const sends = (account: string, amounts: readonly string[] = [], other: string | null = null): Role => ({
  account,
  direction: 'out',
  amounts,
  other,
});
export const receives = (account: string, amounts: readonly string[], other: string): Role => ({
  account,
  direction: 'in',
  amounts,
  other,
});
export const directionUnknown = (account: string, other: string | null): Role => ({
  account,
  direction: null,
  amounts: [],
  other,
});

export const feeOnly = (account: string, other: string | null = null): ValueFlow => ({
  roles: [sends(account, [], other)],
});
