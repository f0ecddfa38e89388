/** Changes of balances, and what is between two of them: money that the chain keeps for somebody. */
import type { Kind } from './kinds.js';

export interface Movement {
  /** ak_; a contract and an oracle have the account of the same bytes. */
  account: string;
  kind: Kind;
  /** In the smallest unit of the coin; negative if the account pays. */
  amount: bigint;
  /** As the chain names it: ak_, ct_, ok_, nm_, ch_; null if there is none. */
  counterparty: string | null;
  /** Only the node knows of it. */
  isFromNode?: true;
}

/**
 * Why the movements of a transaction or of a key block are not all that happened there. Each has a bit of its own in the database.
 */
export const GAPS = {
  /** A contract ran, which may have paid, claimed a name, or asked or answered an oracle. */
  inside: 1,
  /** The result of a contract call is not known, so neither is its gas, nor whether it succeeded. */
  result: 2,
  /** It is about a name, a query or a channel of which the transactions do not tell: it was made inside a contract. */
  object: 4,
  /** It cannot be read. */
  unreadable: 8,
  /** Coins of the genesis block that are in no list. */
  preset: 16,
  /** A leader was reported, which changes what is paid. */
  fraud: 32,
  /** It is not known how and when leaders are paid: contracts do it, or the network is not built in. */
  reward: 64,
} as const;

export type Gap = keyof typeof GAPS;

/** What the chain keeps money for, with its code in the database. */
export const HELD = { auction: 1, query: 2, channel: 3 } as const;

/** Money that the chain keeps: the highest bid of an auction, the fee of an open query, the coins in a channel. */
export interface Held {
  on: keyof typeof HELD;
  /** nm_, oq_ or ch_. */
  id: string;
  amount: bigint;
  /** ak_ of who paid it: the bidder, who asked, or the initiator of the channel. */
  account: string;
  /** ak_ of the responder of a channel; null for others. */
  other: string | null;
  /** Last height of the auction or the query: the next key block ends it. Null for a channel. */
  until: number | null;
}

/** What is kept at a position of the chain. `keep` replaces what was kept for the same object. */
export interface Holdings {
  find(on: Held['on'], id: string): Held | undefined;
  keep(held: Held): void;
  release(held: Pick<Held, 'on' | 'id'>): void;
  /** What ends with the key block after this height. */
  endingAfter(height: number): readonly Held[];
}

/** What happened to balances at one position of the chain. */
export interface Moves {
  movements: Movement[];
  /** Fees and gas for the leaders. */
  fees: bigint;
  /** Distinct; empty if the movements are all that happened. */
  gaps: Gap[];
}

/** The account of 32 zero bytes, which has no key. */
export const LOCKED = 'ak_11111111111111111111111111111111273Yts';

/** The account of an account, a contract or an oracle: the same bytes, and so the same text after the prefix. */
export const accountOf = (id: string): string => `ak_${id.slice(3)}`;
