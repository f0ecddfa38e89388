/** The state of the chain, as the rules read and change it. Implementations: `persistent-state.ts` and `generate/world-draft.ts`. */
import type { Account, Auction, Channel, Contract, Name, Oracle, Preclaim, Query } from './types.js';

/** Earnings of a generation, stored until they are paid. */
export interface Earnings {
  fees: bigint;
  /** Issued amount that is not paid yet. */
  coinbase: bigint;
  beneficiary: string;
  version: number;
}

/** Records of each kind. They are found by the identifier without prefix, because account, oracle and contract have the same key. */
export interface Kinds {
  account: Account;
  preclaim: Preclaim;
  name: Name;
  auction: Auction;
  oracle: Oracle;
  query: Query;
  contract: Contract;
  channel: Channel;
  /** Stored by height. */
  earnings: Earnings;
  /** Objects that may expire at a height, stored by height. */
  expiring: readonly Ending[];
}

export interface Ending {
  kind: 'preclaim' | 'name' | 'auction' | 'oracle' | 'query';
  id: string;
}

/** Kinds of records that are stored by identifier. */
export type Kind = Exclude<keyof Kinds, 'earnings' | 'expiring'>;

/** The part of the state that the rules read. */
export abstract class Records {
  /** Height of the running generation. */
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

/** A state that the rules change. */
export interface Draft extends Records {
  /** Sets a record; undefined removes it. */
  put<K extends Kind>(kind: K, id: string, record: Kinds[K] | undefined): void;
  putEarnings(height: number, earnings: Earnings | undefined): void;
  /** Registers an object that may expire at a height. The next key block after this height checks it. */
  expire(height: number, ending: Ending): void;
  /** Removes the registered objects of a height, after they were checked. */
  forget(height: number): void;
  startGeneration(height: number, version: number): void;
  /** Runs `work`. If it throws, its changes are undone. */
  attempt<T>(work: () => T): T;
}

/** The complete state after a block. It never changes. */
export interface State extends Records {
  /** All records of a kind, unordered, with their identifiers without prefix. */
  all<K extends keyof Kinds>(kind: K): Iterable<[string, Kinds[K]]>;
}
