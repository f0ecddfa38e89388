/**
 * Lays the record of the node over the one that follows from transactions: effects inside contract calls are in no transaction. See
 * docs/trust.md, "What is believed".
 */

/** Kinds of `node_records`. */
export type NodeRecordKind = 'name' | 'auction' | 'oracle';

/** A record that was compared in its last generations, at most so many before its end, is certain when it has ended. */
export const NEAR_GENERATIONS = 20;

/** What a row of `node_records` is about: it says nothing as soon as a transaction changes this. `n` is a name, `o` an oracle. */
export const COPIED: Record<NodeRecordKind, string> = {
  name: `concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers)`,
  auction: `concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)`,
  oracle: `concat_ws(' ', o.id, o.expires_at)`,
};

/** Joins the rows of the oracle `o`: `k`. */
export const WITH_ORACLE_RECORD = `LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'`;
/** Joins the row of the auction of the name `n`: `a`. */
export const WITH_AUCTION_RECORD = `LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'`;
/** Joins the rows of the name `n` and of its auction: `r` and `a`. */
export const WITH_NAME_RECORD = `LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' ${WITH_AUCTION_RECORD}`;

/** Nearly all have no such row: then nothing is put together to be compared. */
const OF_NAME = `r.copied IS NOT NULL AND r.copied = ${COPIED.name}`;
const OF_AUCTION = `a.copied IS NOT NULL AND a.copied = ${COPIED.auction}`;
const OF_ORACLE = `k.copied IS NOT NULL AND k.copied = ${COPIED.oracle}`;
const NOT_OF_NAME = `r.copied IS NOT NULL AND r.copied <> ${COPIED.name}`;
const NOT_OF_AUCTION = `a.copied IS NOT NULL AND a.copied <> ${COPIED.auction}`;
const NOT_OF_ORACLE = `k.copied IS NOT NULL AND k.copied <> ${COPIED.oracle}`;

/** Where a record comes from; null if it follows from transactions and can still be compared, or was compared near its end. */
const source = (isOfNode: string, isUnknown: string): string =>
  `CASE WHEN ${isOfNode} THEN 'node' WHEN ${isUnknown} THEN 'unknown' END`;

/** A source as the last member of an object; no text if it is null. */
export const sourceMember = (source: string): string => `COALESCE(',"source":"' || (${source}) || '"', '')`;

/** Until the record of a name was compared after its auction, the winner is that of the auction. */
const NAME_SINCE_AUCTION = `r.position IS NULL AND ${OF_AUCTION}`;

/** Members of the record of a name, with the node's values where it has others; for `WITH_NAME_RECORD`. */
export const NAME = {
  owner: `CASE WHEN ${OF_NAME} THEN COALESCE(r.owner, n.owner) WHEN ${NAME_SINCE_AUCTION} THEN COALESCE(a.owner, n.owner) ELSE n.owner END`,
  pointers: `CASE WHEN ${OF_NAME} THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END`,
  auctionEnd: `CASE WHEN ${OF_AUCTION} THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END`,
  // An update replaces the end that follows from the end of the auction.
  expiresAt: `
    CASE
      WHEN ${OF_NAME} THEN COALESCE(r.ends_at, n.expires_at)
      WHEN ${NAME_SINCE_AUCTION} AND n.pointers IS NULL
        THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
      ELSE n.expires_at
    END`,
  source: source(
    `r.differs AND ${OF_NAME} OR a.differs AND ${OF_AUCTION} AND (r.position IS NULL OR a.ends_at IS NOT NULL)`,
    `${NOT_OF_NAME} OR ${NOT_OF_AUCTION}
      OR NOT (n.active OR n.running OR (r.height >= n.expires_at - ${NEAR_GENERATIONS}) IS TRUE)`,
  ),
};

/** Members of the auction entry of a name; for `WITH_AUCTION_RECORD`. */
export const AUCTION = {
  end: `CASE WHEN ${OF_AUCTION} THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END`,
  bid: `CASE WHEN ${OF_AUCTION} THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END`,
  bidder: `CASE WHEN ${OF_AUCTION} THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END`,
  source: source(
    `a.differs AND ${OF_AUCTION}`,
    `${NOT_OF_AUCTION} OR n.auction_end_height > n.created_at_height
      AND NOT (n.running OR (a.height >= n.auction_end_height - ${NEAR_GENERATIONS}) IS TRUE)`,
  ),
};

/** Members of an oracle; for `WITH_ORACLE_RECORD`. */
export const ORACLE = {
  expiresAt: `CASE WHEN ${OF_ORACLE} THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END`,
  source: source(`k.differs AND ${OF_ORACLE}`, NOT_OF_ORACLE),
};
