import { ListKind } from '../../chain/derive.js';
import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { listPage } from './paging/list-pages.js';
import type { ListOf, ListRow } from './lists.js';
import { AUCTION, WITH_AUCTION_RECORD, sourceMember } from './node-records.js';
import { rawRecord } from './raw-record.js';
import type { KeysetPage, Page } from './paging/slice.js';

/**
 * The auction entry of a name is its latest record, if a name fee was offered for it. Claims offer one since the Lima protocol.
 * The entry remains after the auction, until the name is claimed again.
 */
const ENTRY = `
  '{"name":' || to_json(n.name)::text || ',"expiration":' || (${AUCTION.end}) ||
  ',"winning_bid":"' || (${AUCTION.bid}) || '","winning_bidder":"' || (${AUCTION.bidder}) || '"' || ${sourceMember(AUCTION.source)} || '}'`;

/** Sort orders of running auctions; equal ones are sorted by name. */
const SORTS = {
  expiration: [`${AUCTION.end}, n.name`, `${AUCTION.end} DESC, n.name DESC`],
  name: ['n.name', 'n.name DESC'],
  max_bid: [`${AUCTION.bid} DESC, n.name`, `${AUCTION.bid}, n.name DESC`],
} as const;

interface AuctionsOf {
  sort: keyof typeof SORTS;
  reverse: boolean;
  /** Bytes of the name, domain included; null for any. */
  length: bigint | null;
}

/**
 * Entries of the auctions that end at the current height or above it. They are sorted for each request: an auction lasts some weeks, so there
 * are few.
 */
export function runningAuctions(
  db: Queryable,
  { sort, reverse, length }: AuctionsOf,
  slice: Page,
): Promise<Answer<ListRow>> {
  return answer<ListRow>(db, {
    name: `auctions.running.by_${sort}${reverse ? '.reversed' : ''}`,
    text: `
      SELECT
        count(*) AS total,
        '[' || COALESCE(
          string_agg(item.body, ',' ORDER BY item.number)
            FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
        ) || ']' AS body
      FROM (
        SELECT row_number() OVER (ORDER BY ${SORTS[sort][reverse ? 1 : 0]}, n.position) AS number, ${ENTRY} AS body
        FROM names AS n ${WITH_AUCTION_RECORD}
        WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
      ) AS item`,
    values: [slice.skip, slice.take, length],
  });
}

/** `{"count": n, "result": "OK"}` of the running auctions. */
export function runningAuctionCount(db: Queryable, length: bigint | null): Promise<Answer> {
  return answer(db, {
    name: 'auctions.running_count',
    text: `
      SELECT '{"count":' || count(*) || ',"result":"OK"}' AS body
      FROM names AS n
      WHERE n.running AND ($1::bigint IS NULL OR octet_length(n.name) = $1::bigint)`,
    values: [length],
  });
}

/**
 * Bids of an auction: all entries in the list of the name from its first claim to the last bid. The protocol allows no other
 * transaction for a name during its auction.
 */
const BIDS = `
  FROM (
    SELECT * FROM names WHERE name_hash = $1 ORDER BY position DESC LIMIT 1
  ) AS n
  ${WITH_AUCTION_RECORD}
  CROSS JOIN LATERAL (
    SELECT key FROM lists WHERE kind = ${ListKind.name} AND id = n.name_hash
  ) AS l
  CROSS JOIN LATERAL (
    SELECT ordinal FROM entries AS e WHERE e.list = l.key AND e.position = n.position LIMIT 1
  ) AS first
  CROSS JOIN LATERAL (
    SELECT ordinal FROM entries AS e WHERE e.list = l.key AND e.position = n.bid_position LIMIT 1
  ) AS last
  CROSS JOIN LATERAL (
    SELECT '[' || COALESCE(string_agg(item.body, ','), '') || ']' AS body
    FROM (
      SELECT ${rawRecord('t')} AS body
      FROM entries AS e
      JOIN transactions AS t ON t.position = e.position
      WHERE
        e.list = l.key
        AND e.ordinal >= first.ordinal
        AND e.ordinal <= last.ordinal - $2::bigint
        AND e.ordinal > last.ordinal - $2::bigint - $3::bigint
      ORDER BY e.ordinal DESC
    ) AS item
  ) AS bids
  WHERE n.winning_bid IS NOT NULL`;

const TOTAL = 'last.ordinal - first.ordinal + 1 AS total';

/** `{"info", "bids"}` of a name's latest auction, bids newest first. No row: there was none. */
export function auctionInfo(db: Queryable, nameHash: string, slice: Page): Promise<Answer<ListRow>> {
  return answer<ListRow>(db, {
    name: 'auctions.info',
    text: `SELECT ${TOTAL}, '{"info":' || ${ENTRY} || ',"bids":' || bids.body || '}' AS body ${BIDS}`,
    values: [nameHash, slice.skip, slice.take],
  });
}

/** Bids of a name's latest auction, newest first. No row: there was none. */
export function auctionBids(db: Queryable, nameHash: string, slice: Page): Promise<Answer<ListRow>> {
  return answer<ListRow>(db, {
    name: 'auctions.bids',
    text: `SELECT ${TOTAL}, bids.body ${BIDS}`,
    values: [nameHash, slice.skip, slice.take],
  });
}

/**
 * `[{"name_auction_entry", "transaction"}]`: claims and bids of an account, wrapped ones too, newest first. Claims before the
 * Lima protocol offered no fee, so they are not bids.
 */
export function bidsOfAccount(db: Queryable, account: string, slice: Page | KeysetPage): Promise<Answer<ListRow>> {
  const of: ListOf = { kind: ListKind.bid, id: account, type: null };
  const item = `
    (SELECT '{"name_auction_entry":' || ${ENTRY} || ',"transaction":' || ${rawRecord('t')} || '}'
    FROM (
      SELECT named.id
      FROM entries AS e
      JOIN lists AS named ON named.key = e.list AND named.kind = ${ListKind.name}
      WHERE e.position = t.position
      LIMIT 1
    ) AS of
    CROSS JOIN LATERAL (
      SELECT * FROM names AS n WHERE n.name_hash = of.id ORDER BY n.position DESC LIMIT 1
    ) AS n
    ${WITH_AUCTION_RECORD})`;
  const page = { name: 'auctions.bids_of_account', of, order: 'newest first' as const, item, open: '[', close: ']' };
  return listPage(db, page, slice);
}
