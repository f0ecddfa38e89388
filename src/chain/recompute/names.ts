/** Computes the records of one name a second time, for verification: see transaction.ts and docs/protocol/names.md. */
import type { Effect } from './transaction.js';
import { asciiForm } from './transaction.js';

type NameEffect = Extract<Effect, { on: 'name' }>;

/** A record of a name with the columns of table `names`. Heights and positions are bigints, as they are read from the database. */
export interface NameRow {
  position: bigint;
  name: string;
  name_hash: string;
  tx_hash: string;
  created_at_height: bigint;
  auction_end_height: bigint;
  owner: string;
  expires_at: bigint;
  revoked_at: bigint | null;
  pointers: string | null;
  pointer_ids: string[];
  winning_bid: bigint | null;
  winning_bidder: string | null;
  bid_position: bigint;
  active: boolean;
  running: boolean;
}

/** The transaction of an effect, and the protocol version there. */
interface EffectContext {
  position: bigint;
  /** Height of its block. */
  height: bigint;
  txHash: string;
  version: number;
}

const LIMA = 4;
const IRIS = 5;
const CERES = 6;

const lifetime = (version: number): bigint => (version >= IRIS ? 180_000n : 50_000n);

/** Length of the auction of a name after a bid, in generations; 0n if there is no auction. */
function auction(name: string, version: number): bigint {
  const label = /^(.*)\.chain$/s.exec(asciiForm(name))?.[1];
  if (label === undefined || version < LIMA || label.length > 12) return 0n;
  if (label.length >= 9) return 480n;
  if (label.length >= 5) return version >= CERES ? 960n : 14_880n;
  return version >= CERES ? 2_400n : 29_760n;
}

/** Applies the next effect to the records of a name, which are sorted oldest first. `owner`: new owner after a transfer, if not the recipient. */
export function applyEffect(records: NameRow[], effect: NameEffect, at: EffectContext, owner?: string): void {
  const { height } = at;
  const record = records.at(-1);
  if (effect.does === 'claim') {
    if (record === undefined || effect.salted || !isBiddable(record, height)) records.push(recordOfClaim(effect, at));
    else applyBid(record, effect, at);
    return;
  }
  if (record === undefined) return;
  if (effect.does === 'update') {
    record.pointers = effect.pointers;
    record.pointer_ids = effect.pointerIds;
    record.expires_at = height + BigInt(effect.ttl);
  } else if (effect.does === 'transfer') record.owner = owner ?? effect.recipient;
  else record.expires_at = record.revoked_at = height;
}

const isBiddable = (record: NameRow, height: bigint): boolean =>
  record.revoked_at === null &&
  record.created_at_height < record.auction_end_height &&
  height <= record.auction_end_height;

type Claim = Extract<NameEffect, { does: 'claim' }>;

function recordOfClaim(claim: Claim, { position, height, txHash, version }: EffectContext): NameRow {
  const end = height + auction(claim.name, version);
  return {
    position,
    name: claim.name.toLowerCase(),
    name_hash: claim.hash,
    tx_hash: txHash,
    created_at_height: height,
    auction_end_height: end,
    owner: claim.owner,
    expires_at: end + lifetime(version),
    revoked_at: null,
    pointers: null,
    pointer_ids: [],
    winning_bid: claim.fee,
    winning_bidder: claim.fee === null ? null : claim.owner,
    bid_position: position,
    active: false,
    running: false,
  };
}

function applyBid(record: NameRow, claim: Claim, { position, height, version }: EffectContext): void {
  const later = height + (version >= CERES ? 240n : auction(claim.name, version));
  record.owner = claim.owner;
  record.winning_bid = claim.fee;
  record.winning_bidder = claim.owner;
  record.bid_position = position;
  record.auction_end_height = version >= CERES && record.auction_end_height > later ? record.auction_end_height : later;
  record.expires_at = record.auction_end_height + lifetime(version);
}

/** Sets the flags `active` and `running` of a record for a height. */
export function setFlags(record: NameRow, height: bigint): void {
  const { auction_end_height: end, created_at_height: created, winning_bid: bid } = record;
  record.active = record.revoked_at === null && (end === created || end < height) && height <= record.expires_at;
  record.running = height <= end && created < end && bid !== null;
}

/** What a name points to after an update. */
export interface Pointers {
  account: string | undefined;
  oracle: string | undefined;
  contract: string | undefined;
}

export function pointersOf(text: string): Pointers {
  const list = JSON.parse(text) as unknown[];
  const first = (key: string): string | undefined => {
    const found = list.find((one) => (one as { key?: unknown } | null)?.key === key) as { id?: unknown } | undefined;
    return typeof found?.id === 'string' ? found.id : undefined;
  };
  return { account: first('account_pubkey'), oracle: first('oracle_pubkey'), contract: first('contract_pubkey') };
}
