/** Names and their auctions, plainly: see slow-model.ts. Rules: docs/protocol/names.md. */
import { domainToASCII } from 'node:url';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { derivedId, plainTransactions, rawRecord, textOf, topHeight } from './slow-model.js';
import type { PlainChain, PlainTransaction } from './slow-model.js';
import { hash } from '../../src/chain/encoding/encoding.js';

export interface PlainName {
  name: string;
  name_hash: string;
  tx_hash: string;
  created_at_height: number;
  auction_end_height: number;
  owner: string;
  expires_at: number;
  pointers: Json;
  /** Beyond the record of the contract. */
  revoked: boolean;
  /** Claim and bids, oldest first. */
  claims: PlainTransaction[];
  winningBid: Json | undefined;
}

const LIMA = 4;

/** Hash of a name as claimed. */
export function plainNameHash(name: string): string {
  const lower = /^[\x21-\x7e]*$/.test(name) ? name.toLowerCase() : domainToASCII(name);
  if (lower.endsWith('.chain')) return derivedId('nm', Buffer.from(lower));
  let value: Uint8Array = new Uint8Array(32);
  const labels = lower.split('.');
  for (const label of labels.slice(0, -1)) value = hash(value, hash(Buffer.from(label)));
  return derivedId('nm', value, hash(Buffer.from(labels.at(-1)!)));
}

function auctionLength(name: string, version: number): number {
  const ascii = /^[\x21-\x7e]*$/.test(name) ? name : domainToASCII(name);
  const label = ascii.split('.')[0]!.length;
  if (version < LIMA || !ascii.toLowerCase().endsWith('.chain') || label > 12) return 0;
  if (label >= 9) return 480;
  if (label >= 5) return version >= 6 ? 960 : 14880;
  return version >= 6 ? 2400 : 29760;
}

/** All records, in the order of the claims. */
export function plainNames(chain: PlainChain): PlainName[] {
  const records: PlainName[] = [];
  for (const transaction of plainTransactions(chain)) {
    const { effective: tx, height } = transaction;
    const latest = (id: Json | undefined): PlainName | undefined =>
      records.filter(({ name_hash }) => name_hash === id).at(-1);
    const named = latest(tx['name_id']);
    if (tx['type'] === 'NameClaimTx') claim(records, transaction, latest(plainNameHash(textOf(tx['name']))));
    else if (named === undefined) continue;
    else if (tx['type'] === 'NameUpdateTx') {
      named.pointers = tx['pointers']!;
      named.expires_at = height + Number(tx['name_ttl']);
    } else if (tx['type'] === 'NameTransferTx') {
      const recipient = textOf(tx['recipient_id']);
      const through = latest(recipient)?.pointers as { key: string; id: string }[] | null | undefined;
      named.owner =
        (recipient.startsWith('nm_') && through?.find(({ key }) => key === 'account_pubkey')?.id) || recipient;
    } else if (tx['type'] === 'NameRevokeTx') {
      named.expires_at = height;
      named.revoked = true;
    }
  }
  return records;
}

/** Transactions that claim, update, transfer and revoke each name, by name hash, newest first, with the time of the micro block. */
export function plainNameTransactions(chain: PlainChain): Map<string, JsonObject[]> {
  const lives = new Map<string, JsonObject[]>();
  for (const { effective: tx, whole, time } of plainTransactions(chain)) {
    const type = textOf(tx['type']);
    if (!/^Name(Claim|Update|Transfer|Revoke)Tx$/.test(type)) continue;
    const id = type === 'NameClaimTx' ? plainNameHash(textOf(tx['name'])) : textOf(tx['name_id']);
    lives.set(id, [{ ...whole, time }, ...(lives.get(id) ?? [])]);
  }
  return lives;
}

function claim(records: PlainName[], transaction: PlainTransaction, latest: PlainName | undefined): void {
  const { effective: tx, height, version, hash: id } = transaction;
  const name = textOf(tx['name']);
  const owner = textOf(tx['account_id']);
  const lifetime = version >= 5 ? 180000 : 50000;
  const length = auctionLength(name, version);
  const inAuction =
    latest !== undefined &&
    !latest.revoked &&
    latest.auction_end_height > latest.created_at_height &&
    latest.auction_end_height >= height;
  if (Number(tx['name_salt']) === 0 && inAuction) {
    const end = version >= 6 ? Math.max(latest.auction_end_height, height + 240) : height + length;
    latest.owner = owner;
    latest.auction_end_height = end;
    latest.expires_at = end + lifetime;
    latest.winningBid = tx['name_fee'];
    latest.claims.push(transaction);
    return;
  }
  records.push({
    name: name.toLowerCase(),
    name_hash: plainNameHash(name),
    tx_hash: id,
    created_at_height: height,
    auction_end_height: height + length,
    owner,
    expires_at: height + length + lifetime,
    pointers: null,
    revoked: false,
    claims: [transaction],
    winningBid: tx['name_fee'],
  });
}

export function isActiveName(name: PlainName, height: number): boolean {
  const { auction_end_height: end, created_at_height: claimed } = name;
  return !name.revoked && (end === claimed || end < height) && name.expires_at >= height;
}

export const pointsTo = ({ pointers }: PlainName, id: string): boolean =>
  ((pointers ?? []) as { id: string }[]).some((pointer) => pointer.id === id);

const isRunning = (
  { auction_end_height: end, created_at_height: claimed, revoked }: PlainName,
  height: number,
): boolean => !revoked && end > claimed && end >= height;

/** The members of the contract. What has ended can no longer be compared with a node. */
export const nameRecord = (name: PlainName, height: number): JsonObject => ({
  name: name.name,
  name_hash: name.name_hash,
  tx_hash: name.tx_hash,
  created_at_height: name.created_at_height,
  auction_end_height: name.auction_end_height,
  owner: name.owner,
  expires_at: name.expires_at,
  pointers: name.pointers,
  ...(!isActiveName(name, height) && !isRunning(name, height) && { source: 'unknown' }),
});

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byName = (a: PlainName, b: PlainName): number => byText(a.name, b.name);
export const newestFirst = (a: PlainName, b: PlainName): number =>
  b.created_at_height - a.created_at_height || byName(a, b);
export const lastingFirst = (a: PlainName, b: PlainName): number => b.expires_at - a.expires_at || byName(a, b);

/** The auction entry of a name's latest record, if it was claimed since Lima. */
export function auctionEntry(name: PlainName, height: number): JsonObject {
  return {
    name: name.name,
    expiration: name.auction_end_height,
    winning_bid: textOf(name.winningBid),
    winning_bidder: textOf(name.claims.at(-1)!.effective['account_id']),
    ...(name.auction_end_height > name.created_at_height && !isRunning(name, height) && { source: 'unknown' }),
  };
}

/** Latest records that have an entry. */
export const withEntry = (names: readonly PlainName[]): PlainName[] =>
  names
    .filter((name) => names.findLast(({ name_hash }) => name_hash === name.name_hash) === name)
    .filter(({ winningBid }) => winningBid !== undefined);

export const runningAuctions = (chain: PlainChain): PlainName[] =>
  withEntry(plainNames(chain))
    .filter(({ auction_end_height, created_at_height }) => auction_end_height > created_at_height)
    .filter(({ auction_end_height }) => auction_end_height >= topHeight(chain));

export const bidRecords = ({ claims }: PlainName): JsonObject[] => claims.map(rawRecord).reverse();

/** `{name_auction_entry, transaction}` of every claim for which an account offered a fee, newest first. */
export function bidsOf(chain: PlainChain, account: string): JsonObject[] {
  const entries = withEntry(plainNames(chain));
  return plainTransactions(chain)
    .filter(({ effective }) => effective?.['type'] === 'NameClaimTx' && effective['account_id'] === account)
    .filter(({ effective }) => effective['name_fee'] !== undefined)
    .flatMap((transaction) => {
      const hash = plainNameHash(textOf(transaction.effective['name']));
      const name = entries.find(({ name_hash }) => name_hash === hash);
      return name === undefined
        ? []
        : [{ name_auction_entry: auctionEntry(name, topHeight(chain)), transaction: rawRecord(transaction) }];
    })
    .reverse();
}
