/** What a type of transactions moves, as data. `movements.ts` reads a transaction by it. */
import type { JsonObject } from '../encoding/json.js';

/** How a transaction of a type names an account, and what that account gives or gets by it. */
export interface Role {
  /** Member with the account. */
  account: string;
  /** Null where the transaction does not say in which direction value moves. */
  direction: 'in' | 'out' | null;
  /** Members that are added up. */
  amounts: readonly string[];
  /** Member that names the other side. */
  other: string | null;
}

export interface ValueFlow {
  /** The first one is the account whose transaction it is: it pays the fee, unless somebody pays for it. */
  roles: readonly [Role, ...Role[]];
  /** It runs a contract. If that fails, nothing moves but fee and gas; else the contract may move more than is named. */
  runsContract?: true;
  /** Why balances may change by more or less than the members say; `unless` finds the transactions of which that is not so. */
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
