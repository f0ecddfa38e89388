/**
 * Records of the state. They are never changed, only replaced. Amounts are in aettos. Records are written to disk (`saved-state.ts`, `worlds.ts`), so
 * their fields must not be renamed.
 */
import type { Json } from '../../../src/chain/encoding/json.js';

export interface Account {
  balance: bigint;
  /** Nonce of its last transaction. It no longer changes after the account became a generalized one. */
  nonce: bigint;
  /** False for the account of a contract that does not accept payments. */
  payable: boolean;
  /** For a generalized account: the function that authenticates it. */
  authentication?: { contract: string; functionHash: string };
}

export interface Preclaim {
  /** ak_ */
  owner: string;
  /** Last height at which it can be claimed. */
  expires: number;
  height: number;
}

export interface Name {
  /** nm_ */
  id: string;
  /** As it was claimed. */
  text: string;
  /** ak_ */
  owner: string;
  /** An expired name is `revoked`, too, until it is deleted. */
  status: 'claimed' | 'revoked';
  /** Last height in this status. */
  expires: number;
  pointers: readonly Pointer[];
}

export interface Pointer {
  key: string;
  /** The bytes of the key as ba_. */
  encodedKey: string;
  /** ak_, ok_, ct_, ch_ or ba_ */
  id: string;
}

export interface Auction {
  /** nm_ */
  id: string;
  /** As in the first claim. */
  text: string;
  /** ak_ */
  bidder: string;
  bid: bigint;
  /** Height of the last bid. */
  startedAt: number;
  /** Last height at which a bid counts. */
  endsAt: number;
}

export interface Oracle {
  /** ok_ */
  id: string;
  queryFormat: string;
  responseFormat: string;
  queryFee: bigint;
  abiVersion: number;
  /** Last height at which it exists. */
  expires: number;
  /** oq_ of its queries, ascending by bytes. */
  queries: readonly string[];
}

export interface Query {
  /** oq_ */
  id: string;
  /** ok_ */
  oracle: string;
  /** ak_ */
  sender: string;
  senderNonce: bigint;
  query: string;
  /** Absent until there is a response. */
  response?: string;
  fee: bigint;
  responseTtl: number;
  /** Last height at which it exists. */
  expires: number;
}

export interface Contract {
  /** ct_ */
  id: string;
  /** ak_ */
  owner: string;
  vmVersion: number;
  abiVersion: number;
  /** cb_, serialised as in the transaction that made it. */
  code: string;
  deposit: bigint;
}

export interface Channel {
  /** ch_ */
  id: string;
  initiator: string;
  responder: string;
  initiatorAmount: bigint;
  responderAmount: bigint;
  /** Coins of both parties, which are locked in the channel. */
  amount: bigint;
  reserve: bigint;
  lockPeriod: number;
  /** Height until which a solo close can be disputed; 0 while not closing. */
  lockedUntil: number;
  round: bigint;
  soloRound: bigint;
  /** st_ */
  stateHash: string;
  /** As the node prints it: a list before Iris, two lists after. */
  delegates: Json;
}

/** Result of a contract call, as in `/transactions/<th>/info`. */
export interface CallResult {
  type: 'ok' | 'error' | 'revert';
  /** cb_ */
  value: string;
  gasUsed: bigint;
  log: readonly Json[];
}

/** Result of a transaction: of a contract call, or of a GAMetaTx. */
export type Info = { call: CallInfo } | { meta: MetaInfo };

export interface CallInfo extends CallResult {
  caller: string;
  callerNonce: bigint;
  contract: string;
  gasPrice: bigint;
  height: number;
}

export interface MetaInfo {
  caller: string;
  gasPrice: bigint;
  gasUsed: bigint;
  height: number;
  type: 'ok' | 'error';
  /** cb_ */
  value: string;
  /** Result of the inner transaction; its type in the words of the node (`spend_tx`) if it has no result; absent if it was not executed. */
  inner?: Info | string;
}

/** A transaction cannot be executed now. `code` is the reason in the words of the node, such as `name_not_preclaimed`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(readonly code: string) {
    super(code);
  }
}
