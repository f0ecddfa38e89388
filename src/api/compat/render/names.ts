/** Rows of names and auctions. */
import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import { nameFee } from '../../../chain/protocol/name-rules.js';
import { heightOf } from '../../../chain/position.js';
import type { CompatNameRow } from '../../../store/queries/compat/names.js';
import { namedPointers, orUndefined, textOf } from './values.js';

/** The rows that those of a name refer to. */
export interface Referred {
  /** Rows of transactions by position. */
  transactions: ReadonlyMap<string, JsonObject>;
  /** Rows of running auctions by position. */
  auctions: ReadonlyMap<string, JsonObject>;
}

/** Min fee of a claim. Names before the Lima protocol had no fee, so it is what they would cost now. */
const minFee = (name: string): bigint | null => orUndefined(() => nameFee(name)) ?? null;

const pointersOf = ({ pointers }: CompatNameRow): Json[] =>
  pointers === null ? [] : namedPointers(orUndefined(() => parseExact(pointers)));

/** Generations between the last bid and the activation. */
const timeoutOf = ({ auctioned, active_from: end, bid_position: bid }: CompatNameRow): number =>
  auctioned ? Number(end) - heightOf(BigInt(bid)) : 0;

export function nameRow(row: CompatNameRow, { transactions, auctions }: Referred): JsonObject {
  const auction = row.running_position === null ? undefined : auctions.get(row.running_position);
  return {
    name: row.name,
    hash: row.name_hash,
    active: row.active,
    active_from: Number(row.active_from),
    approximate_activation_time: Number(row.activation_time),
    expire_height: Number(row.expire_height),
    approximate_expire_time: Number(row.expire_time),
    name_fee: minFee(row.name),
    revoke: revokeOf(row, transactions),
    auction_timeout: timeoutOf(row),
    pointers: pointersOf(row),
    ownership: { original: row.claimer ?? row.owner, current: row.owner },
    claims_count: auction === undefined ? Number(row.claims) : auction['claims_count']!,
    auction: auction ?? null,
  };
}

function revokeOf(
  { revoke_position: position }: CompatNameRow,
  transactions: Referred['transactions'],
): JsonObject | null {
  const row = position === null ? undefined : transactions.get(position);
  return row === undefined ? null : { ...row, tx_hash: row['hash']! };
}

export function auctionRow(row: CompatNameRow, { transactions }: Pick<Referred, 'transactions'>): JsonObject {
  return {
    name: row.name,
    activation_time: Number(row.bid_time),
    auction_end: Number(row.active_from),
    approximate_expire_time: Number(row.auction_end_time),
    name_fee: minFee(row.name),
    claims_count: Number(row.claims),
    last_bid: lastBid(row, transactions),
  };
}

/** The last bid. Its time to live is shown as the height at which the name would expire. */
function lastBid(row: CompatNameRow, transactions: Referred['transactions']): JsonObject | null {
  const bid = transactions.get(row.bid_position);
  const tx = bid?.['tx'];
  return bid === undefined || !isObject(tx) ? null : { ...bid, tx: { ...tx, ttl: Number(row.expire_height) } };
}

/** What a name points to, by the keys of its pointers. */
export const pointersByKey = (row: CompatNameRow): JsonObject =>
  Object.fromEntries(
    pointersOf(row).flatMap((pointer) => (isObject(pointer) ? [[textOf(pointer['key']), pointer['id']!]] : [])),
  );

/** A name as version 2 shows it. */
export function nameRowOfV2(row: CompatNameRow, referred: Referred): JsonObject {
  const { revoke_position: revoke } = row;
  const auction = row.running_position === null ? undefined : referred.auctions.get(row.running_position);
  return {
    name: row.name,
    hash: row.name_hash,
    status: 'name',
    active: row.active,
    info: {
      active_from: Number(row.active_from),
      expire_height: Number(row.expire_height),
      approximate_expire_time: Number(row.expire_time),
      revoke: revoke === null ? null : (referred.transactions.get(revoke)?.['tx_index'] ?? null),
      auction_timeout: timeoutOf(row),
      pointers: pointersByKey(row),
      ownership: { original: row.claimer ?? row.owner, current: row.owner },
      claims_count: Number(row.claims),
    },
    previous: [],
    auction: auction === undefined ? null : auctionOfV2(auction),
  };
}

const auctionOfV2 = ({ auction_end: end, approximate_expire_time: time, last_bid: bid }: JsonObject): JsonObject => ({
  auction_end: end!,
  approximate_expire_time: time!,
  last_bid: bid!,
});

/** A name that exists only as an auction, as version 2 shows it. */
export function auctionRowOfV2(row: CompatNameRow, referred: Pick<Referred, 'transactions'>): JsonObject {
  const { auction_end: end, approximate_expire_time: time, last_bid: bid } = auctionRow(row, referred);
  return {
    name: row.name,
    hash: row.name_hash,
    status: 'auction',
    active: false,
    info: { auction_end: end!, approximate_auction_end_time: time!, last_bid: bid!, claims_count: Number(row.claims) },
    previous: [],
  };
}
