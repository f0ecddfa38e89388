/** Computes the records of names from the transactions that concern them. Each first claim starts a new record. */
import { isObject, parseExact } from '../encoding/json.js';
import type { NameOperation } from '../operations.js';
import { auctionLength, endAfterBid, nameLifetime } from './name-rules.js';

export interface NameRecord {
  /** Position of the first claim. */
  position: bigint;
  /** Lower case. */
  name: string;
  nameHash: string;
  /** Hash of the first claim. */
  txHash: string;
  createdAtHeight: number;
  /** Height of the claim if there is no auction. */
  auctionEndHeight: number;
  /** Highest bidder while the auction is running. */
  owner: string;
  /** Last height at which the name can be used. */
  expiresAt: number;
  revokedAt: number | null;
  /** Exact JSON text of the pointers of the last update; null if never updated. */
  pointers: string | null;
  pointerIds: string[];
  /** Highest name fee offered; null before Lima. */
  winningBid: bigint | null;
  winningBidder: string | null;
  /** Position of the last bid, or of the claim. */
  bidPosition: bigint;
}

/** Where a transaction is in the chain, and the protocol version there. */
export interface ChainContext {
  position: bigint;
  height: number;
  version: number;
  txHash: string;
}

/**
 * Returns the records of one name after an operation on it. `records` are ascending by position and are not changed. An operation changes
 * only the newest record, or adds one. `resolveAccount` returns the account that a name (nm_) points to at that position; after a transfer
 * to a name that it does not know, that name is the owner.
 */
export function applyName(
  records: readonly NameRecord[],
  op: NameOperation,
  at: ChainContext,
  resolveAccount: (nm: string) => string | undefined,
): NameRecord[] {
  const newest = records.at(-1);
  const change = (changes: Partial<NameRecord>): NameRecord[] =>
    newest === undefined ? [] : [...records.slice(0, -1), { ...newest, ...changes }];
  switch (op.op) {
    case 'claim':
      if (op.salt === 0n && newest !== undefined && isBiddable(newest, at.height)) return change(bid(newest, op, at));
      return [...records, firstClaim(op, at)];
    case 'update':
      return change({ pointers: op.pointers, pointerIds: op.pointerIds, expiresAt: at.height + op.ttl });
    case 'transfer':
      return change({
        owner: op.recipient.startsWith('nm_') ? (resolveAccount(op.recipient) ?? op.recipient) : op.recipient,
      });
    case 'revoke':
      return change({ expiresAt: at.height, revokedAt: at.height });
  }
}

/** The account that a name points to, for spends and transfers to it. If there are several, the first one counts. */
export const accountPointer = (record: NameRecord): string | undefined => pointer(record, 'account_pubkey');

/** The oracle that a name points to, for queries to it. */
export const oraclePointer = (record: NameRecord): string | undefined => pointer(record, 'oracle_pubkey');

type Claim = NameOperation & { op: 'claim' };

function firstClaim(op: Claim, at: ChainContext): NameRecord {
  const end = at.height + auctionLength(op.name, at.version);
  return {
    position: at.position,
    name: op.name.toLowerCase(),
    nameHash: op.name_hash,
    txHash: at.txHash,
    createdAtHeight: at.height,
    auctionEndHeight: end,
    owner: op.owner,
    expiresAt: end + nameLifetime(at.version),
    revokedAt: null,
    pointers: null,
    pointerIds: [],
    winningBid: op.fee,
    winningBidder: op.fee === null ? null : op.owner,
    bidPosition: at.position,
  };
}

function bid(newest: NameRecord, op: Claim, at: ChainContext): Partial<NameRecord> {
  const end = endAfterBid(op.name, newest.auctionEndHeight, at.height, at.version);
  return {
    owner: op.owner,
    auctionEndHeight: end,
    expiresAt: end + nameLifetime(at.version),
    winningBid: op.fee,
    winningBidder: op.owner,
    bidPosition: at.position,
  };
}

/** A bid in the last generation of the auction still counts. */
const isBiddable = (record: NameRecord, height: number): boolean =>
  record.revokedAt === null && record.auctionEndHeight > record.createdAtHeight && record.auctionEndHeight >= height;

function pointer(record: NameRecord, key: string): string | undefined {
  const pointers = record.pointers === null ? [] : parseExact(record.pointers);
  if (!Array.isArray(pointers)) return undefined;
  const entry = pointers.find((each) => isObject(each) && each['key'] === key);
  const id = isObject(entry) ? entry['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
