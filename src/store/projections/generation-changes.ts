/**
 * What changed in each generation, and sums of it over 256 and 65,536 generations, from which a total up to any height is added up. Triggers of the
 * tables that it follows from write it, so a total is the sum of all changes below it whatever happens to those tables.
 */
import { HELD } from '../../chain/money/movement.js';
import { KINDS } from '../../chain/money/kinds.js';
import { MAX_HEIGHT, heightOf, keyPosition } from '../../chain/position.js';
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { MEMBERS, OF_LEDGER, SPANS } from '../generation-members.js';
import type { Projection } from './projection.js';

const NAME = 'generation-changes';
const TABLE = 'generation_changes';

const LONGEST = SPANS[2];

/** Positions of the heights from `$1` to `$2`. */
const within = (position: string): string =>
  `${position} >= $1::bigint << 33 AND ${position} <= ($2::bigint << 33) + 8589934591`;

/** SQL: a movement of a kind, as its index has it. */
const moved = (kind: { code: number }, member: number, condition = ''): string => `
  SELECT m.position >> 33, ${member}, abs(m.amount) FROM movement_rows AS m
  WHERE abs(m.kind) = ${kind.code} ${condition} AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
    AND ${within('m.position')}`;

/** SQL: what is kept from its beginning to its end. */
const kept = (kind: number, member: number, amount: string): string => `
  SELECT h.position >> 33, ${member}, ${amount} FROM held AS h WHERE h.kind = ${kind} AND ${within('h.position')}
  UNION ALL SELECT h.released >> 33, ${member}, -(${amount}) FROM held AS h WHERE h.kind = ${kind} AND h.released IS NOT NULL AND ${within('h.released')}`;

/** SELECT of the changes of the heights from `$1` to `$2`, with `height`, `member` and `amount`, from the tables that they follow from. */
const CHANGES = `
  SELECT c.height, c.member::smallint AS member, sum(c.amount) AS amount
  FROM (
    SELECT n.position >> 33 AS height, ${MEMBERS.auctions_started} AS member, 1::numeric AS amount FROM names AS n
    WHERE n.auction_end_height > n.created_at_height AND n.winning_bid IS NOT NULL
    UNION ALL SELECT n.auction_end_height + 1, ${MEMBERS.auctions_ended}, 1 FROM names AS n
    WHERE n.auction_end_height > n.created_at_height AND n.winning_bid IS NOT NULL
    UNION ALL SELECT n.position >> 33, ${MEMBERS.names_activated}, 1 FROM names AS n WHERE n.auction_end_height <= n.created_at_height
    UNION ALL SELECT n.auction_end_height + 1, ${MEMBERS.names_activated}, 1 FROM names AS n WHERE n.auction_end_height > n.created_at_height
    UNION ALL SELECT n.expires_at + 1, ${MEMBERS.names_expired}, 1 FROM names AS n WHERE n.revoked_at IS NULL
    UNION ALL SELECT n.revoked_at, ${MEMBERS.names_revoked}, 1 FROM names AS n WHERE n.revoked_at IS NOT NULL
    UNION ALL SELECT l.position >> 33, ${MEMBERS.oracles_registered}, 1 FROM oracle_lives AS l
    UNION ALL SELECT l.expires_at + 1, ${MEMBERS.oracles_expired}, 1 FROM oracle_lives AS l WHERE l.expires_at < ${MAX_HEIGHT}
    UNION ALL SELECT c.position >> 33, ${MEMBERS.contracts_created}, 1 FROM contracts AS c WHERE NOT c.failed AND ${within('c.position')}
    UNION ALL SELECT c.position >> 33, ${MEMBERS.channels_opened}, 1 FROM channels AS c WHERE ${within('c.position')}
    UNION ALL SELECT a.position >> 33, ${MEMBERS.accounts}, 1 FROM seen_accounts AS a WHERE ${within('a.position')}
    UNION ALL ${moved(KINDS.reward, MEMBERS.block_reward)}
    UNION ALL ${moved(KINDS.treasury, MEMBERS.dev_reward)}
    UNION ALL ${moved(KINDS.name_fee, MEMBERS.burned_in_auctions)}
    UNION ALL ${moved(KINDS.lock, MEMBERS.burned_in_auctions, 'AND m.position & 8589934591 = 0')}
    UNION ALL ${kept(HELD.auction, MEMBERS.locked_in_auctions, 'h.amount')}
    UNION ALL ${kept(HELD.channel, MEMBERS.open_channels, '1')}
    UNION ALL ${kept(HELD.channel, MEMBERS.locked_in_channels, 'h.amount')}
  ) AS c
  WHERE c.height BETWEEN $1::bigint AND $2::bigint GROUP BY c.height, c.member HAVING sum(c.amount) <> 0`;

/** Computes all rows of a range again. It begins with a row of the longest span, and ends before one, or with the last height there is. */
async function rebuild(tx: DbTransaction, from: number, to: number): Promise<void> {
  const values = [from, to];
  await tx.query({
    name: 'generation_changes.clear',
    text: `DELETE FROM ${TABLE} WHERE span IN (${SPANS.join(', ')}) AND height BETWEEN $1::bigint AND $2::bigint`,
    values,
  });
  await tx.query({
    name: 'generation_changes.rebuild',
    text: `INSERT INTO ${TABLE} (span, height, member, amount) ${inSpans(CHANGES)}`,
    values,
  });
}

/** SELECT of the rows of all spans, from changes. */
const inSpans = (changes: string): string => `
  SELECT s.span::smallint AS span, c.height >> s.span << s.span AS height, c.member, sum(c.amount) AS amount
  FROM (${changes}) AS c CROSS JOIN (VALUES ${SPANS.map((span) => `(${span})`).join(', ')}) AS s (span)
  GROUP BY 1, 2, 3 HAVING sum(c.amount) <> 0`;

/** Generations that one part of a backfill computes. */
const PART = 1 << LONGEST;

/** Goes up part by part. Names and oracles end above the last block, too. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const from = after < 0n ? 0 : heightOf(after) + 1;
  const { rows } = await tx.query<{ is_more: boolean }>({
    name: 'generation_changes.is-more',
    text: 'SELECT EXISTS (SELECT FROM key_blocks WHERE height >= $1::bigint) AS is_more',
    values: [from + PART],
  });
  const isMore = rows[0]!.is_more;
  await rebuild(tx, from, isMore ? from + PART - 1 : MAX_HEIGHT);
  return isMore ? keyPosition(from + PART - 1) : null;
}

async function verify(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const { rows } = await db.query({
    name: 'verify.generation-changes',
    text: comparison({
      expected: inSpans(CHANGES),
      stored: `SELECT span, height, member, amount FROM ${TABLE}`,
      key: ['span', 'height', 'member'],
      columns: ['amount'],
    }),
    values: [0, MAX_HEIGHT],
  });
  return fromRows(TABLE, rows);
}

export const generationChanges: Projection = {
  name: NAME,
  written: 'with names, oracles, contracts, channels, accounts and the ledger, by triggers of their tables',
  // The ledger is written behind the load: as movements.
  tables: [{ name: TABLE, rows: `SELECT * FROM ${TABLE} WHERE member < ${OF_LEDGER} ORDER BY span, height, member` }],
  backfill,
  wholeChecks: [verify],
  mend: async (write, wrong) => {
    const parts = new Set(wrong(TABLE).map(([, height]) => Math.floor(Number(height) / PART)));
    for (const part of parts) await write((tx) => rebuild(tx, part * PART, (part + 1) * PART - 1));
  },
};
