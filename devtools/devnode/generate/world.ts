/**
 * The part of the state after a block that the generator needs: the newest records of each kind. It makes transactions only for these objects; all
 * others do not exist for it. Records are never changed, only replaced, so a world is copied by copying its lists. Each block has its own world, from
 * which a fork can start. Worlds are written to disk, so their fields must not be renamed.
 */
import type { Account, Auction, Channel, Contract, Name, Oracle, Preclaim, Query } from '../ledger/types.js';
import type { Token } from './tokens.js';

/** Balance of each generated account: more than it can spend. */
export const GENERATED_BALANCE = 10n ** 50n;

/** A preclaim with its name and salt, which only its owner knows. */
interface Announced extends Preclaim {
  name: string;
  salt: number;
}

/** A claimed name or its auction. The entry keeps its position in the list when the auction ends. */
interface ClaimedName {
  auction?: Auction;
  name?: Name;
  /** Whether its owner is an account that signs its transactions itself. */
  isUsable: boolean;
  /** Whether it points to an account. Stored, because each spend to a name looks for such names. */
  isPayable: boolean;
}

export interface UsedChannel extends Channel {
  /** Number of steps that it has taken so far. */
  step: number;
}

interface ListEntry<R> {
  /** Short hash of the identifier. Comparing these is much faster than comparing identifiers. */
  readonly mark: number;
  readonly id: string;
  readonly record: R;
}

interface Lists {
  /** Ids are cm_. */
  preclaims: Announced;
  /** Ids are nm_. */
  names: ClaimedName;
  oracles: Oracle;
  /** Queries without a response. */
  queries: Query;
  contracts: Contract;
  /** All of them. Ids are ct_. */
  tokens: Token;
  /** Contracts of generalized accounts, which are never called. */
  authenticators: Contract;
  channels: UsedChannel;
  /** Accounts that got coins to become generalized accounts later. Ids are ak_. */
  awaiting: Account;
  /** Generalized accounts. Ids are ak_. */
  generalized: Account;
}

/** The newest entries of each list come last. */
export type World = { [L in keyof Lists]: ListEntry<Lists[L]>[] } & {
  height: number;
  version: number;
  /** The index is the number of the account. */
  accounts: Account[];
  /** Number of accounts that got coins to become generalized accounts, so far. */
  endowed: number;
};

/** Max number of records of each kind. Oracles have a high limit, because the account of a removed oracle would register again. */
const LIMITS: Readonly<Record<keyof Lists, number>> = {
  preclaims: 128,
  names: 256,
  oracles: 4096,
  queries: 96,
  contracts: 48,
  tokens: Infinity,
  authenticators: 24,
  channels: 16,
  awaiting: 24,
  generalized: 24,
};

export const newWorld = (accounts: number, contracts: readonly Contract[] = []): World => ({
  height: 0,
  version: 1,
  accounts: new Array<Account>(accounts).fill({ balance: GENERATED_BALANCE, nonce: 0n, payable: true }),
  endowed: 0,
  preclaims: [],
  names: [],
  oracles: [],
  queries: [],
  contracts: contracts.map((record) => ({ mark: markOf(record.id), id: record.id, record })),
  tokens: [],
  authenticators: [],
  channels: [],
  awaiting: [],
  generalized: [],
});

export const copyWorld = (world: World): World => ({
  ...world,
  accounts: world.accounts.slice(),
  preclaims: world.preclaims.slice(),
  names: world.names.slice(),
  oracles: world.oracles.slice(),
  queries: world.queries.slice(),
  contracts: world.contracts.slice(),
  tokens: world.tokens.slice(),
  authenticators: world.authenticators.slice(),
  channels: world.channels.slice(),
  awaiting: world.awaiting.slice(),
  generalized: world.generalized.slice(),
});

/** Hash of four characters, which are random in all identifiers. */
const markOf = (id: string): number =>
  (id.charCodeAt(5) << 21) | (id.charCodeAt(6) << 14) | (id.charCodeAt(7) << 7) | id.charCodeAt(8);

function indexOf(list: readonly ListEntry<unknown>[], id: string): number {
  const mark = markOf(id);
  for (let at = 0; at < list.length; at += 1) if (list[at]!.mark === mark && list[at]!.id === id) return at;
  return -1;
}

export const find = <R>(list: readonly ListEntry<R>[], id: string): R | undefined => list[indexOf(list, id)]?.record;

/** Replaces a record, or appends it. If there are too many, the oldest one is removed. */
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
