import { accountPointer, applyName, oraclePointer } from '../../chain/protocol/names.js';
import type { NameRecord, ChainContext } from '../../chain/protocol/names.js';
import type { NameUse } from '../../chain/derive.js';
import { ListKind } from '../../chain/derive.js';
import type { NameOperation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';

/** State of names at one point of the chain. Operations are applied to it in chain order. */
export interface NameState {
  apply(op: NameOperation, at: ChainContext): void;
  /** The list of the account or oracle to which the used name points; undefined if it points to none. */
  listOf(use: NameUse): { kind: number; id: string } | undefined;
  records(nameHash: string): readonly NameRecord[];
  /** Records that differ from the initial ones. */
  changed(): NameRecord[];
  /** A copy whose initial records are the present ones of this state. */
  fork(): NameState;
}

/** A state with the given initial records (of each name, ascending by position). */
export function createNameState(records: ReadonlyMap<string, readonly NameRecord[]>): NameState {
  const start = records;
  const now = new Map<string, readonly NameRecord[]>(records);
  const newest = (hash: string): NameRecord | undefined => now.get(hash)?.at(-1);
  const resolveAccount = (hash: string): string | undefined => {
    const record = newest(hash);
    return record === undefined ? undefined : accountPointer(record);
  };
  return {
    records: (hash) => now.get(hash) ?? [],
    apply(op, at) {
      now.set(op.name_hash, applyName(now.get(op.name_hash) ?? [], op, at, resolveAccount));
    },
    listOf({ name, role }) {
      const record = newest(name);
      if (record === undefined || role === 'contract') return undefined;
      if (role === 'oracle') {
        const id = oraclePointer(record);
        return id === undefined ? undefined : { kind: ListKind.oracle, id: `ok_${id.slice(3)}` };
      }
      const id = accountPointer(record);
      return id === undefined ? undefined : { kind: ListKind.account, id };
    },
    changed() {
      return [...now].flatMap(([hash, after]) => {
        const before = new Set(start.get(hash));
        return after.filter((record) => !before.has(record));
      });
    },
    fork: () => createNameState(now),
  };
}

interface NameRow {
  position: string;
  name: string;
  name_hash: string;
  tx_hash: string;
  created_at_height: string;
  auction_end_height: string;
  owner: string;
  expires_at: string;
  revoked_at: string | null;
  pointers: string | null;
  pointer_ids: string[];
  winning_bid: string | null;
  winning_bidder: string | null;
  bid_position: string;
}

const toRecord = (row: NameRow): NameRecord => ({
  position: BigInt(row.position),
  name: row.name,
  nameHash: row.name_hash,
  txHash: row.tx_hash,
  createdAtHeight: Number(row.created_at_height),
  auctionEndHeight: Number(row.auction_end_height),
  owner: row.owner,
  expiresAt: Number(row.expires_at),
  revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  pointers: row.pointers,
  pointerIds: row.pointer_ids,
  winningBid: row.winning_bid === null ? null : BigInt(row.winning_bid),
  winningBidder: row.winning_bidder,
  bidPosition: BigInt(row.bid_position),
});

/** The newest record of each name: operations at the head change no older one. */
export async function newestRecords(db: Queryable, hashes: readonly string[]): Promise<Map<string, NameRecord[]>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await db.query<NameRow>({
    name: 'names.newest',
    text: `
      SELECT n.*
      FROM unnest($1::text[]) AS w (hash)
      CROSS JOIN LATERAL (SELECT * FROM names n WHERE n.name_hash = w.hash ORDER BY n.position DESC LIMIT 1) n`,
    values: [hashes],
  });
  return new Map(rows.map((row) => [row.name_hash, [toRecord(row)]]));
}

/** Inserts or updates records by their positions. */
export async function saveRecords(db: Queryable, records: readonly NameRecord[]): Promise<void> {
  if (records.length === 0) return;
  await db.query({
    name: 'names.save',
    text: `
      INSERT INTO names AS n (position, name, name_hash, tx_hash, created_at_height, auction_end_height, owner, expires_at,
        revoked_at, pointers, winning_bid, winning_bidder, bid_position, pointer_ids, active, running)
      SELECT position, name, name_hash, tx_hash, created, auction_end, owner, expires, revoked, pointers, bid, bidder,
        bid_position, ARRAY(SELECT json_array_elements_text(ids::json)),
        -- The same values as \`settle\` sets, so that it only has to change those that depend on the height.
        name_active(created, auction_end, expires, revoked, head.height),
        name_running(created, auction_end, bid, head.height)
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[],
        $9::bigint[], $10::text[], $11::numeric[], $12::text[], $13::bigint[], $14::text[])
        AS r (position, name, name_hash, tx_hash, created, auction_end, owner, expires, revoked, pointers, bid, bidder,
          bid_position, ids)
      CROSS JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head
      ON CONFLICT (position) DO UPDATE
      SET name = EXCLUDED.name, name_hash = EXCLUDED.name_hash, tx_hash = EXCLUDED.tx_hash,
        created_at_height = EXCLUDED.created_at_height, auction_end_height = EXCLUDED.auction_end_height, owner = EXCLUDED.owner, expires_at = EXCLUDED.expires_at,
        revoked_at = EXCLUDED.revoked_at, pointers = EXCLUDED.pointers, pointer_ids = EXCLUDED.pointer_ids,
        winning_bid = EXCLUDED.winning_bid, winning_bidder = EXCLUDED.winning_bidder, bid_position = EXCLUDED.bid_position,
        active = EXCLUDED.active, running = EXCLUDED.running
      WHERE n.* IS DISTINCT FROM EXCLUDED.*`,
    values: [
      records.map((r) => r.position),
      records.map((r) => r.name),
      records.map((r) => r.nameHash),
      records.map((r) => r.txHash),
      records.map((r) => r.createdAtHeight),
      records.map((r) => r.auctionEndHeight),
      records.map((r) => r.owner),
      records.map((r) => r.expiresAt),
      records.map((r) => r.revokedAt),
      records.map((r) => r.pointers),
      records.map((r) => r.winningBid),
      records.map((r) => r.winningBidder),
      records.map((r) => r.bidPosition),
      records.map((r) => JSON.stringify(r.pointerIds)),
    ],
  });
}

/** Replaces all stored records of these names by the given ones; equal rows are not written. */
export async function replaceRecords(
  db: Queryable,
  hashes: readonly string[],
  records: readonly NameRecord[],
): Promise<void> {
  await db.query({
    name: 'names.clear',
    text: 'DELETE FROM names WHERE name_hash = ANY ($1::text[]) AND position <> ALL ($2::bigint[])',
    values: [hashes, records.map(({ position }) => position)],
  });
  await saveRecords(db, records);
}
