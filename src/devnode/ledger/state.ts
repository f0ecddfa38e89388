/** The state of the chain as the rules read and change it. Who keeps what of it is another matter: see `persistent-state.ts` and `generate/world.ts`. */
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

/** What is kept by identifier. */
export type Kind = Exclude<keyof Kinds, 'earnings' | 'expiring'>;

/** What the rules read. */
export abstract class Records {
  /** Of the running generation. */
  abstract readonly height: number;
  abstract readonly version: number;
  abstract get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  abstract earnings(height: number): Earnings | undefined;
  abstract expiring(height: number): readonly Ending[];

  /** `ak_…`, or the `ok_…` or `ct_…` of the same key. */
  account(id: string): Account | undefined {
    return this.get('account', id);
  }
  preclaim(id: string): Preclaim | undefined {
    return this.get('preclaim', id);
  }
  name(id: string): Name | undefined {
    return this.get('name', id);
  }
  auction(id: string): Auction | undefined {
    return this.get('auction', id);
  }
  oracle(id: string): Oracle | undefined {
    return this.get('oracle', id);
  }
  query(id: string): Query | undefined {
    return this.get('query', id);
  }
  contract(id: string): Contract | undefined {
    return this.get('contract', id);
  }
  channel(id: string): Channel | undefined {
    return this.get('channel', id);
  }
}

/** What the rules change. */
export interface Draft extends Records {
  /** Sets a record, or takes it out. */
  put<K extends Kind>(kind: K, id: string, record: Kinds[K] | undefined): void;
  putEarnings(height: number, earnings: Earnings | undefined): void;
  /** Lets `ending` be looked at by the key block after that height. */
  expire(height: number, ending: Ending): void;
  /** Those of that height were looked at. */
  forget(height: number): void;
  startGeneration(height: number, version: number): void;
  /** Does the work; when it throws, everything is as before. */
  attempt<T>(work: () => T): T;
}

/** All there is after some block; it never changes. */
export interface State extends Records {
  /** All records of a kind, in no order; with the identifier after its prefix. */
  all<K extends keyof Kinds>(kind: K): Iterable<[string, Kinds[K]]>;
}
