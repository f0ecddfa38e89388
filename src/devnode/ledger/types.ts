/** What the chain's state is made of. Records are never changed but replaced. Amounts are aettos. */
import type { Json } from '../../chain/encoding/json.js';

export interface Account {
  balance: bigint;
  /** Of its last transaction; stays as it was once the account is generalized. */
  nonce: bigint;
  /** False for the account of a contract that takes no payments. */
  payable: boolean;
  /** Of a generalized account: who authenticates for it. */
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
  /** `revoked` also after its expiry, until everything about it is forgotten. */
  status: 'claimed' | 'revoked';
  /** Last height in this status. */
  expires: number;
  pointers: readonly Pointer[];
}

export interface Pointer {
  key: string;
  /** ba_, of the bytes of the key. */
  encodedKey: string;
  /** ak_, ok_, ct_, ch_ or ba_ */
  id: string;
}

export interface Auction {
  /** nm_ */
  id: string;
  /** As it was claimed first. */
  text: string;
  /** ak_ */
  bidder: string;
  bid: bigint;
  /** Height of the latest bid. */
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
  /** Last height at which it is there. */
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
  /** Absent until answered. */
  response?: string;
  fee: bigint;
  responseTtl: number;
  /** Last height at which it is there. */
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
  /** Both parties' together, what is locked in the channel. */
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

/** What executing a contract gave, as `/transactions/<th>/info` answers it. */
export interface CallResult {
  type: 'ok' | 'error' | 'revert';
  /** cb_ */
  value: string;
  gasUsed: bigint;
  log: readonly Json[];
}

/** What a transaction did besides changing the state; undefined for those without a result. */
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
  /** Result of the inner transaction, or its type as the node calls it (`spend_tx`); absent if it was not executed. */
  inner?: Info | string;
}

/** A transaction that cannot be executed now: the node's name of the reason, such as `name_not_preclaimed`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(readonly code: string) {
    super(code);
  }
}
