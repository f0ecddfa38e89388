/**
 * What the generator keeps of the state after some block: the newest records of each kind, which are all that it proposes transactions about. What it
 * has forgotten does not exist for it. Records are never changed but replaced, so that a copy of the lists is a copy of the world: every block has its
 * own, and a fork starts from there.
 */
import type { Account, Auction, Channel, Contract, Name, Oracle, Preclaim, Query } from '../ledger/types.js';

/** Of each account that acts in a generated chain, more than it can spend. */
export const GENERATED_BALANCE = 10n ** 50n;

/** With what only who made it knows. */
interface Announced extends Preclaim {
  name: string;
  salt: number;
}

/** A name keeps its place in the list when its auction ends. */
interface ClaimedName {
  auction?: Auction;
  name?: Name;
  /** Whether its owner is one of the accounts that sign for themselves. */
  isUsable: boolean;
  /** Whether it points to an account: payments ask all names for that. */
  isPayable: boolean;
}

export interface UsedChannel extends Channel {
  /** How many of the steps of its life it has taken. */
  step: number;
}

interface ListEntry<R> {
  /** Small number that follows from the identifier: to look through them takes a fraction of the time. */
  readonly mark: number;
  readonly id: string;
  readonly record: R;
}

interface Lists {
  /** By cm_. */
  preclaims: Announced;
  /** By nm_. */
  names: ClaimedName;
  oracles: Oracle;
  /** Open ones. */
  queries: Query;
  contracts: Contract;
  /** Contracts of generalized accounts, which nobody calls. */
  authenticators: Contract;
  channels: UsedChannel;
  /** Accounts that were given coins to become generalized ones and have not yet, and those that have; by ak_. */
  awaiting: Account;
  generalized: Account;
}

/** In its lists the newest come last. */
export type World = { [L in keyof Lists]: ListEntry<Lists[L]>[] } & {
  height: number;
  version: number;
  /** By number of the account. */
  accounts: Account[];
  /** How many accounts were given coins to become generalized ones, so far. */
  endowed: number;
};

/** How many records of each kind are remembered. An oracle that was forgotten would look like an account that may become one. */
const LIMITS: Readonly<Record<keyof Lists, number>> = {
  preclaims: 128,
  names: 256,
  oracles: 4096,
  queries: 96,
  contracts: 48,
  authenticators: 24,
  channels: 16,
  awaiting: 24,
  generalized: 24,
};

export const newWorld = (accounts: number): World => ({
  height: 0,
  version: 1,
  accounts: new Array<Account>(accounts).fill({ balance: GENERATED_BALANCE, nonce: 0n, payable: true }),
  endowed: 0,
  preclaims: [],
  names: [],
  oracles: [],
  queries: [],
  contracts: [],
  authenticators: [],
  channels: [],
  awaiting: [],
  generalized: [],
});

export const copyWorld = (world: World): World => ({
  height: world.height,
  version: world.version,
  accounts: world.accounts.slice(),
  endowed: world.endowed,
  preclaims: world.preclaims.slice(),
  names: world.names.slice(),
  oracles: world.oracles.slice(),
  queries: world.queries.slice(),
  contracts: world.contracts.slice(),
  authenticators: world.authenticators.slice(),
  channels: world.channels.slice(),
  awaiting: world.awaiting.slice(),
  generalized: world.generalized.slice(),
});

/** Of four characters, which are random in all identifiers. */
const markOf = (id: string): number =>
  (id.charCodeAt(5) << 21) | (id.charCodeAt(6) << 14) | (id.charCodeAt(7) << 7) | id.charCodeAt(8);

function indexOf(list: readonly ListEntry<unknown>[], id: string): number {
  const mark = markOf(id);
  for (let at = 0; at < list.length; at += 1) if (list[at]!.mark === mark && list[at]!.id === id) return at;
  return -1;
}

export const find = <R>(list: readonly ListEntry<R>[], id: string): R | undefined => list[indexOf(list, id)]?.record;

/** Puts a record into the place of the one before, or last; the oldest one beyond the limit is forgotten. */
export function put<L extends keyof Lists>(world: World, kind: L, id: string, record: Lists[L]): void {
  const list = world[kind] as ListEntry<Lists[L]>[];
  const at = indexOf(list, id);
  const kept = { mark: markOf(id), id, record };
  if (at >= 0) list[at] = kept;
  else if (list.push(kept) > LIMITS[kind]) list.shift();
}

export function remove(world: World, kind: keyof Lists, id: string): void {
  const at = indexOf(world[kind], id);
  if (at >= 0) world[kind].splice(at, 1);
}
