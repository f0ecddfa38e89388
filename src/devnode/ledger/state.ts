/** The state of the chain after some block, and how it is changed. Every state stays readable, so that forks and questions about the past start from it. */
import { emptyVersion, entriesOf, lookUp, withValue } from './persistent-map.js';
import type { Version } from './persistent-map.js';
import type { Account, Auction, Channel, Contract, Name, Oracle, Preclaim, Query } from './types.js';

/** What a generation earned its leaders, kept until it is paid out. */
export interface Earnings {
  fees: bigint;
  /** What is issued for it and not paid yet. */
  coinbase: bigint;
  beneficiary: string;
  version: number;
}

/** What is kept of each kind, by the part of the identifier after its prefix: the same key is account, oracle and contract. */
export interface Kinds {
  account: Account;
  preclaim: Preclaim;
  name: Name;
  auction: Auction;
  oracle: Oracle;
  query: Query;
  contract: Contract;
  channel: Channel;
  /** By height. */
  earnings: Earnings;
  /** Of what ends with a height: kinds and keys. */
  expiring: readonly Ending[];
}

export interface Ending {
  kind: 'preclaim' | 'name' | 'auction' | 'oracle' | 'query';
  id: string;
}

const LETTERS: Readonly<Record<keyof Kinds, string>> = {
  account: 'a',
  preclaim: 'p',
  name: 'n',
  auction: 'u',
  oracle: 'o',
  query: 'q',
  contract: 'c',
  channel: 'h',
  earnings: 'e',
  expiring: 'x',
};

type Records = Version<unknown>;
const PREFIX_LENGTH = 3;
const keyOf = (kind: keyof Kinds, id: string): string => LETTERS[kind] + id.slice(PREFIX_LENGTH);
const keyOfHeight = (kind: keyof Kinds, height: number): string => LETTERS[kind] + String(height);

export interface State {
  /** Of the running generation. */
  readonly height: number;
  readonly version: number;
  /** `ak_…`, or the `ok_…` or `ct_…` of the same key. */
  account(id: string): Account | undefined;
  preclaim(id: string): Preclaim | undefined;
  name(id: string): Name | undefined;
  auction(id: string): Auction | undefined;
  oracle(id: string): Oracle | undefined;
  query(id: string): Query | undefined;
  contract(id: string): Contract | undefined;
  channel(id: string): Channel | undefined;
  earnings(height: number): Earnings | undefined;
  expiring(height: number): readonly Ending[];
  /** All records of a kind, in no order; with the identifier after its prefix. */
  all<K extends keyof Kinds>(kind: K): Generator<[string, Kinds[K]]>;
}

type Held = 'account' | 'preclaim' | 'name' | 'auction' | 'oracle' | 'query' | 'contract' | 'channel';

/** A state that is being changed. */
export interface Draft extends State {
  /** Sets a record, or takes it out. */
  put<K extends Held>(kind: K, id: string, record: Kinds[K] | undefined): void;
  putEarnings(height: number, earnings: Earnings | undefined): void;
  /** Lets `ending` be looked at by the key block after that height. */
  expire(height: number, ending: Ending): void;
  forget(height: number): void;
  startGeneration(height: number, version: number): void;
  /** The state as it is now; later changes do not change it. */
  freeze(): State;
  /** Goes back to a state frozen before. */
  restore(state: State): void;
}

interface Holder {
  records: Records;
  height: number;
  version: number;
}

const HELD = new WeakMap<State, Holder>();

function reader(holder: Holder): State {
  const held = <K extends keyof Kinds>(key: string): Kinds[K] | undefined =>
    lookUp(holder.records, key) as Kinds[K] | undefined;
  return {
    get height() {
      return holder.height;
    },
    get version() {
      return holder.version;
    },
    account: (id) => held<'account'>(keyOf('account', id)),
    preclaim: (id) => held<'preclaim'>(keyOf('preclaim', id)),
    name: (id) => held<'name'>(keyOf('name', id)),
    auction: (id) => held<'auction'>(keyOf('auction', id)),
    oracle: (id) => held<'oracle'>(keyOf('oracle', id)),
    query: (id) => held<'query'>(keyOf('query', id)),
    contract: (id) => held<'contract'>(keyOf('contract', id)),
    channel: (id) => held<'channel'>(keyOf('channel', id)),
    earnings: (height) => held<'earnings'>(keyOfHeight('earnings', height)),
    expiring: (height) => held<'expiring'>(keyOfHeight('expiring', height)) ?? [],
    *all<K extends keyof Kinds>(kind: K): Generator<[string, Kinds[K]]> {
      for (const [key, value] of entriesOf(holder.records)) {
        if (key.startsWith(LETTERS[kind])) yield [key.slice(1), value as Kinds[K]];
      }
    },
  };
}

function frozen(holder: Holder): State {
  const copy = { ...holder };
  const state = reader(copy);
  HELD.set(state, copy);
  return state;
}

export const emptyState = (): State => frozen({ records: emptyVersion(), height: -1, version: 1 });

export function draftOf(state: State): Draft {
  const holder = { ...holderOf(state) };
  let owner = {};
  const set = (key: string, value: unknown): void =>
    void (holder.records = withValue(holder.records, key, value, owner));
  const read = reader(holder);
  return Object.assign(Object.create(read) as State, {
    put: <K extends Held>(kind: K, id: string, record: Kinds[K] | undefined) => set(keyOf(kind, id), record),
    putEarnings: (height: number, earnings: Earnings | undefined) => set(keyOfHeight('earnings', height), earnings),
    expire(height: number, ending: Ending) {
      set(keyOfHeight('expiring', height), [...read.expiring(height), ending]);
    },
    forget: (height: number) => set(keyOfHeight('expiring', height), undefined),
    startGeneration(height: number, version: number) {
      holder.height = height;
      holder.version = version;
    },
    freeze() {
      owner = {};
      return frozen(holder);
    },
    restore(earlier: State) {
      owner = {};
      Object.assign(holder, holderOf(earlier));
    },
  });
}

function holderOf(state: State): Holder {
  const holder = HELD.get(state);
  if (holder === undefined) throw new Error('a draft is no state: freeze it first');
  return holder;
}
