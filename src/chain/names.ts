/** Names, from the transactions that concern them. One record a first claim; a record is a fold over its transactions. */
import { asciiName } from './ids.js';
import { isObject, parseExact } from './json.js';
import type { NameOperation } from './operations.js';

export interface NameRecord {
  /** Of the first claim. */
  position: bigint;
  /** Lower case. */
  name: string;
  nameHash: string;
  /** The first claim. */
  txHash: string;
  createdAtHeight: number;
  /** Height of the claim if there was no auction. */
  auctionEndHeight: number;
  /** Highest bidder while the auction runs. */
  owner: string;
  /** Last height at which the name can be used. */
  expiresAt: number;
  revokedAt: number | null;
  /** Exact JSON text of the last update's pointers; null if never updated. */
  pointers: string | null;
  pointerIds: string[];
  /** Highest name fee offered; null before Lima. */
  winningBid: bigint | null;
  winningBidder: string | null;
  /** Of the last bid, or of the claim. */
  bidPosition: bigint;
}

/** Where a transaction stands, and the protocol there. */
export interface Place {
  position: bigint;
  height: number;
  version: number;
  txHash: string;
}

export const LIMA = 4;
const IRIS = 5;
const CERES = 6;
const DOMAIN = '.chain';

/** A bid keeps an auction open for at least so many generations, from Ceres on. */
const BID_EXTENSION = 240;

/**
 * The records of one name after an operation on it; `records` are ascending by position and are not changed. Only the newest one is
 * ever concerned. `resolveAccount` gives the account that a name (nm_) points to at that place; a transfer to a name it does not
 * know leaves that name as owner.
 */
export function applyName(
  records: readonly NameRecord[],
  op: NameOperation,
  at: Place,
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

/** What a name points to as an account, for spends and transfers to it; the first entry wins. */
export const accountPointer = (record: NameRecord): string | undefined => pointer(record, 'account_pubkey');

/** What a name points to as an oracle, for questions put to it. */
export const oraclePointer = (record: NameRecord): string | undefined => pointer(record, 'oracle_pubkey');

/** Generations that the auction of a name lasts from its first bid; 0 if there is none. */
export function auctionLength(name: string, version: number): number {
  const ascii = asciiName(name);
  if (version < LIMA || !ascii.endsWith(DOMAIN)) return 0;
  const label = ascii.length - DOMAIN.length;
  if (label > 12) return 0;
  if (label > 8) return 480;
  if (label > 4) return version < CERES ? 14880 : 960;
  return version < CERES ? 29760 : 2400;
}

/** Generations that a name lasts after its claim or the end of its auction. */
export const nameLifetime = (version: number): number => (version < IRIS ? 50000 : 180000);

type Claim = NameOperation & { op: 'claim' };

function firstClaim(op: Claim, at: Place): NameRecord {
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

function bid(newest: NameRecord, op: Claim, at: Place): Partial<NameRecord> {
  const end =
    at.version < CERES
      ? at.height + auctionLength(op.name, at.version)
      : Math.max(newest.auctionEndHeight, at.height + BID_EXTENSION);
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
