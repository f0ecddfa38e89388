/** Effects of name transactions: preclaim, claim and bid, update, transfer, revoke. */
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { asciiName, commitmentId, nameHash } from '../../../src/chain/protocol/ids.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import {
  OLD_CLAIM_FEE,
  PRECLAIM_LIFETIME,
  PROTECTION,
  auctionLength,
  endAfterBid,
  nameFee,
  nameLifetime,
  outbids,
  registrar,
} from '../../../src/chain/protocol/name-rules.js';
import { CERES, IRIS, LIMA } from '../../../src/chain/protocol/versions.js';
import { debit, lock, credit, recipientOf } from './execution.js';
import type { Effects, Execution } from './execution.js';
import { big, count, text } from './members.js';
import { Refusal } from './types.js';
import type { Auction, Name, Pointer } from './types.js';

const MAX_POINTERS = 32;
const MAX_KEY_BYTES = 256;
const MAX_DATA_BYTES = 1024;

function preclaim({ draft }: Execution, tx: JsonObject): undefined {
  const commitment = text(tx, 'commitment_id');
  if (draft.preclaim(commitment) !== undefined) throw new Refusal('commitment_already_present');
  const expires = draft.height + PRECLAIM_LIFETIME;
  draft.put('preclaim', commitment, { owner: text(tx, 'account_id'), height: draft.height, expires });
  draft.expire(expires, { kind: 'preclaim', id: commitment });
}

function claim(execution: Execution, tx: JsonObject): undefined {
  const { draft } = execution;
  const claimed = text(tx, 'name');
  const name = asciiName(claimed);
  if (!isLabelled(name, registrar(draft.version))) throw new Refusal('invalid_registrar');
  const id = nameHash(name);
  const owner = text(tx, 'account_id');
  const salt = big(tx, 'name_salt');
  const fee = draft.version < LIMA ? OLD_CLAIM_FEE : big(tx, 'name_fee');
  const auction = draft.auction(id);
  if (auction !== undefined) {
    if (salt !== 0n) throw new Refusal('name_already_in_auction');
    return outbid(execution, auction, name, owner, fee);
  }
  if (draft.name(id) !== undefined) throw new Refusal('name_already_taken');
  if (salt === 0n && draft.version < CERES) throw new Refusal('name_not_in_auction');
  if (salt !== 0n) usePreclaim(execution, commitmentId(name, salt), owner);
  if (draft.version >= LIMA && fee < nameFee(name)) throw new Refusal('invalid_name_fee');
  debit(draft, owner, fee);
  const length = auctionLength(name, draft.version);
  if (length === 0) {
    lock(draft, fee);
    putClaimed(execution, { id, text: claimed, owner, expires: draft.height + nameLifetime(draft.version) });
    return;
  }
  const endsAt = draft.height + length;
  putAuction(execution, { id, text: claimed, bidder: owner, bid: fee, startedAt: draft.height, endsAt });
}

const isLabelled = (name: string, ending: string): boolean =>
  name.endsWith(ending) && name.length > ending.length && name.indexOf('.') === name.length - ending.length;

function usePreclaim({ draft }: Execution, commitment: string, owner: string): void {
  const announced = draft.preclaim(commitment);
  if (announced === undefined) throw new Refusal('name_not_preclaimed');
  if (announced.owner !== owner) throw new Refusal('commitment_not_owned');
  if (announced.height >= draft.height) throw new Refusal('commitment_delta_too_small');
  draft.put('preclaim', commitment, undefined);
}

/** The previous bidder gets the coins back immediately. */
function outbid(execution: Execution, auction: Auction, name: string, bidder: string, bid: bigint): undefined {
  const { draft } = execution;
  if (!outbids(bid, auction.bid)) throw new Refusal('name_fee_increment_too_low');
  debit(draft, bidder, bid);
  credit(draft, auction.bidder, auction.bid);
  const endsAt = endAfterBid(name, auction.endsAt, draft.height, draft.version);
  putAuction(execution, { ...auction, bidder, bid, startedAt: draft.height, endsAt });
}

function putAuction({ draft }: Execution, auction: Auction): void {
  draft.put('auction', auction.id, auction);
  draft.expire(auction.endsAt, { kind: 'auction', id: auction.id });
}

function putClaimed({ draft }: Pick<Execution, 'draft'>, name: Omit<Name, 'status' | 'pointers'>): void {
  draft.put('name', name.id, { ...name, status: 'claimed', pointers: [] });
  draft.expire(name.expires, { kind: 'name', id: name.id });
}

/** Ends an auction: the highest bidder becomes the owner, and the bid is locked. */
export function closeAuction(execution: Pick<Execution, 'draft'>, auction: Auction): void {
  const { draft } = execution;
  const { id, text, bidder: owner, bid, endsAt } = auction;
  draft.put('auction', id, undefined);
  lock(draft, bid);
  putClaimed(execution, { id, text, owner, expires: endsAt + nameLifetime(draft.version) });
}

/** Ends the status of a name: a claimed name becomes revoked, a revoked one is deleted. */
export function endName({ draft }: Pick<Execution, 'draft'>, name: Name): void {
  if (name.status === 'revoked') return draft.put('name', name.id, undefined);
  putRevoked(draft, name, name.expires + PROTECTION);
}

function putRevoked(draft: Execution['draft'], name: Name, expires: number): void {
  draft.put('name', name.id, { ...name, status: 'revoked', expires });
  draft.expire(expires, { kind: 'name', id: name.id });
}

function ownName({ draft }: Execution, tx: JsonObject): Name {
  const name = draft.name(text(tx, 'name_id'));
  if (name === undefined) throw new Refusal('name_does_not_exist');
  if (name.owner !== text(tx, 'account_id')) throw new Refusal('name_not_owned');
  if (name.status === 'revoked') throw new Refusal('name_revoked');
  return name;
}

function update(execution: Execution, tx: JsonObject): undefined {
  const { draft } = execution;
  const name = ownName(execution, tx);
  const ttl = count(tx, 'name_ttl');
  if (ttl > nameLifetime(draft.version)) throw new Refusal('ttl_too_high');
  const pointers = (tx['pointers'] as JsonObject[]).map(pointerIn);
  if (!arePointersValid(pointers, draft.version)) throw new Refusal('invalid_pointers');
  const expires = draft.height + ttl;
  draft.put('name', name.id, { ...name, expires, pointers });
  draft.expire(expires, { kind: 'name', id: name.id });
}

function pointerIn(pointer: JsonObject): Pointer {
  const key = text(pointer, 'key');
  const encodedKey = (pointer['encoded_key'] as string | undefined) ?? encodeId('ba', Buffer.from(key));
  return { key, encodedKey, id: text(pointer, 'id') };
}

function arePointersValid(pointers: readonly Pointer[], version: number): boolean {
  if (version < CERES && pointers.some(({ id }) => id.startsWith('ba_'))) return false;
  if (version < IRIS) return true;
  return (
    pointers.length <= MAX_POINTERS &&
    new Set(pointers.map(({ encodedKey }) => encodedKey)).size === pointers.length &&
    pointers.every(
      ({ encodedKey, id }) =>
        // A text with this many characters encodes fewer bytes, so it does not have to be decoded.
        (encodedKey.length <= MAX_KEY_BYTES || decodeId(encodedKey).length <= MAX_KEY_BYTES) &&
        (!id.startsWith('ba_') || decodeId(id).length <= MAX_DATA_BYTES),
    )
  );
}

function transfer(execution: Execution, tx: JsonObject): undefined {
  const { draft } = execution;
  const name = ownName(execution, tx);
  draft.put('name', name.id, { ...name, owner: recipientOf(draft, text(tx, 'recipient_id')) });
}

function revoke(execution: Execution, tx: JsonObject): undefined {
  putRevoked(execution.draft, ownName(execution, tx), execution.draft.height + PROTECTION);
}

/** Pointers as the node prints them. */
export const printedPointers = (pointers: readonly Pointer[]): Json =>
  pointers.map(({ key, encodedKey, id }) => ({ encoded_key: encodedKey, id, key }));

/** Effects of name transactions, by type. */
export const names: Effects = {
  NamePreclaimTx: preclaim,
  NameClaimTx: claim,
  NameUpdateTx: update,
  NameTransferTx: transfer,
  NameRevokeTx: revoke,
};
