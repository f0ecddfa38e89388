import { EVENT_KINDS } from '../../chain/event-kinds.js';
import type { EventKind } from '../../chain/event-kinds.js';
import { LAST_ANNOUNCED, WITH_HEAD } from '../announced.js';
import { kindList } from '../event-kinds.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';

// Elements of SQL lists.
const NOT_ANNOUNCED = kindList(({ announced }) => !announced);
const OF_ROLLBACKS = kindList(({ subject }) => subject === 'rollback');
const OF_TRANSACTIONS_OF_BLOCKS = kindList(({ subject }) => subject === 'transaction');
/** Their hash is not that of a block or transaction that was announced by them. */
const WITHOUT_OWN_HASH = kindList(({ subject, announced }) => subject === 'rollback' || !announced);

/** A row of the event log, or a stored block or transaction in the same form. */
export interface EventRow {
  /** Number in the log; 0 for what was not read from it. */
  seq: number;
  kind: EventKind;
  position: bigint;
  hash: string;
  body: string;
  /** When it was committed, ms since 1970; 0 for what was not read from the log. */
  at: number;
  /** Distinguishes it from another event of the same number, see migration 0006; empty for what was not read from the log. */
  mark: string;
}

interface RawRow {
  seq: string | null;
  kind: EventKind;
  position: string;
  hash: string;
  body: string;
  at: string;
  mark: string | null;
}

const asRow = ({ seq, kind, position, hash, body, at, mark }: RawRow): EventRow => ({
  seq: Number(seq),
  kind,
  position: BigInt(position),
  hash,
  body,
  at: Number(at),
  mark: mark ?? '',
});

const COLUMNS = 'seq, kind, position, hash, body, (extract(epoch FROM at) * 1000)::bigint AS at, mark';

/**
 * The events after one, oldest first, with the mark of that one (null if it is no longer there) and the number of the last
 * event there is, all from one snapshot.
 */
export async function eventsAfter(
  db: Queryable,
  after: number,
  limit: number,
): Promise<{ head: number; markBefore: string | null; rows: EventRow[] }> {
  const { rows } = await db.query<RawRow & { head: string; mark_before: string | null }>({
    name: 'events.after',
    text: `
      SELECT c.event_seq AS head, (SELECT mark FROM events WHERE seq = $1) AS mark_before, ${COMMIT_NUMBER}, e.*
      FROM chain AS c
      LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM events WHERE seq > $1 ORDER BY seq LIMIT $2) AS e ON true
      ORDER BY e.seq`,
    values: [after, limit],
  });
  const { head, mark_before: markBefore } = rows[0] ?? { head: 0, mark_before: null };
  return { head: Number(head), markBefore, rows: rows.filter(({ seq }) => seq !== null).map(asRow) };
}

/** One event; null if there is none of that number, or none any more. */
export async function eventAt(db: Queryable, seq: number): Promise<EventRow | null> {
  const { rows } = await db.query<RawRow>({
    name: 'events.at',
    text: `SELECT ${COLUMNS} FROM events WHERE seq = $1`,
    values: [seq],
  });
  return rows[0] === undefined ? null : asRow(rows[0]);
}

/** The oldest announced event that is kept; null if there is none. */
export async function oldestEvent(db: Queryable): Promise<EventRow | null> {
  const { rows } = await db.query<RawRow>({
    name: 'events.oldest',
    text: `SELECT ${COLUMNS} FROM events WHERE kind NOT IN (${NOT_ANNOUNCED}) ORDER BY seq LIMIT 1`,
  });
  return rows[0] === undefined ? null : asRow(rows[0]);
}

/** Number of the last event, and the hash of the last stored block of the same moment (null while nothing is stored). */
export async function logHead(db: Queryable): Promise<{ seq: number; lastBlock: string | null }> {
  const { rows } = await db.query<{ seq: string; last_block: string | null }>({
    name: 'events.head',
    text: `
      SELECT event_seq AS seq, (
        SELECT hash FROM (
          (SELECT height << 33 AS position, hash FROM key_blocks ORDER BY height DESC LIMIT 1)
          UNION ALL
          (SELECT position, hash FROM micro_blocks ORDER BY position DESC LIMIT 1)
        ) AS b ORDER BY position DESC LIMIT 1
      ) AS last_block, ${COMMIT_NUMBER}
      FROM chain`,
  });
  return { seq: Number(rows[0]?.seq ?? 0), lastBlock: rows[0]?.last_block ?? null };
}

/** Hash of the block that was the head before an event: of the last block announced, or of what a rollback left. */
export async function blockBefore(db: Queryable, seq: number): Promise<string | null> {
  const { rows } = await db.query<{ hash: string }>({
    name: 'events.block-before',
    text: `
      SELECT hash FROM events
      WHERE seq < $1 AND kind IN (${WITH_HEAD}) ORDER BY seq DESC LIMIT 1`,
    values: [seq],
  });
  return rows[0]?.hash ?? null;
}

/**
 * The last time a block or transaction was announced: number of that event and of the last event of the same block; null
 * if the log does not have it.
 */
export async function lastAnnounced(db: Queryable, hash: string): Promise<{ seq: number; end: number } | null> {
  const { rows } = await db.query<{ seq: string; end: string }>({
    name: 'events.last-announced',
    text: `
      SELECT e.seq, COALESCE(
        (SELECT n.seq - 1 FROM events AS n
          WHERE n.seq > e.seq AND n.kind NOT IN (${OF_TRANSACTIONS_OF_BLOCKS}) ORDER BY n.seq LIMIT 1),
        (SELECT event_seq FROM chain)) AS end
      FROM events AS e
      WHERE e.hash = $1 AND e.kind NOT IN (${WITHOUT_OWN_HASH}) ORDER BY e.seq DESC LIMIT 1`,
    values: [hash],
  });
  return rows[0] === undefined ? null : { seq: Number(rows[0].seq), end: Number(rows[0].end) };
}

/** Place of a block or transaction in the stored chain, and the number of the last event of the same moment. */
export async function storedPlace(
  db: Queryable,
  hash: string,
): Promise<{ kind: 'key_block' | 'micro_block' | 'transaction'; position: bigint; head: number } | null> {
  const { rows } = await db.query<{
    kind: 'key_block' | 'micro_block' | 'transaction';
    position: string;
    head: string;
  }>({
    name: 'events.stored-place',
    text: `
      SELECT p.kind, p.position, c.event_seq AS head FROM chain AS c, (
        SELECT 'key_block' AS kind, height << 33 AS position FROM key_blocks WHERE hash = $1
        UNION ALL SELECT 'micro_block', position FROM micro_blocks WHERE hash = $1
        UNION ALL SELECT 'transaction', position FROM transactions WHERE hash = $1
      ) AS p LIMIT 1`,
    values: [hash],
  });
  const row = rows[0];
  return row === undefined ? null : { kind: row.kind, position: BigInt(row.position), head: Number(row.head) };
}

/** How far a subscriber has been sent the stored chain. */
export interface StoredPoint {
  /** Blocks after this place and transactions from that place on come next. */
  block: bigint;
  transaction: bigint;
  /** Greatest place sent; -1 for none. */
  place: bigint;
  /** Number of the last event at the time when it was sent. */
  seq: number;
}

interface Facts {
  /** Number of the last event of the same moment. */
  head: number;
  /** Whether changes of the head go to the log. */
  live: boolean;
  /** First event since `sent.seq` that took back something sent already; null if nothing was. */
  takenBack: { seq: number; announced: boolean } | null;
  /** In chain order. */
  rows: EventRow[];
}

/** A rollback of the first load, and those of the transactions it removed that stood before a place. */
export async function loadRollback(
  db: Queryable,
  seq: number,
  before: bigint,
): Promise<{ rollback: EventRow; left: EventRow[] }> {
  const { rows } = await db.query<RawRow>({
    name: 'events.load-rollback',
    text: `
      SELECT ${COLUMNS} FROM events
      WHERE seq >= $1 AND (seq = $1 OR kind = 'load_left' AND position < $2) AND seq < COALESCE(
        (SELECT n.seq FROM events AS n WHERE n.seq > $1 AND n.kind <> 'load_left' ORDER BY n.seq LIMIT 1),
        9223372036854775807)
      ORDER BY seq`,
    values: [seq, before],
  });
  const [rollback, ...left] = rows.map(asRow);
  return { rollback: rollback!, left };
}

/**
 * What is stored of the chain after what was sent already, in chain order. Once changes of the head go to the log, what is not announced
 * yet is left to it: the blocks above a hole.
 */
export async function factsAfter(
  db: Queryable,
  sent: StoredPoint,
  wanted: { keyBlocks: boolean; microBlocks: boolean; transactions: boolean },
  limit: number,
): Promise<Facts> {
  const { rows } = await db.query<
    RawRow & { head: string; live: boolean; taken_back: string | null; taken_back_kind: EventKind }
  >({
    name: 'events.facts-after',
    text: `
      SELECT c.event_seq AS head, c.live, ${COMMIT_NUMBER}, r.seq AS taken_back, r.kind AS taken_back_kind, 0 AS seq, 0 AS at, NULL AS mark, f.kind, f.position, f.hash, f.body
      FROM chain AS c
      LEFT JOIN LATERAL (
        SELECT seq, kind FROM events
        WHERE seq > $1 AND kind IN (${OF_ROLLBACKS}) AND position <= $2 ORDER BY seq LIMIT 1
      ) AS r ON true
      LEFT JOIN LATERAL (${LAST_ANNOUNCED}) AS a ON c.live
      LEFT JOIN LATERAL (
        SELECT * FROM (
          (SELECT 0 AS rank, 'key_block' AS kind, height << 33 AS position, hash, body FROM key_blocks
            WHERE $5::boolean AND height > $3::bigint >> 33 ORDER BY height LIMIT $8)
          UNION ALL
          (SELECT 1, 'micro_block', position, hash, body FROM micro_blocks
            WHERE $6::boolean AND position > $3::bigint ORDER BY position LIMIT $8)
          UNION ALL
          (SELECT 2, 'transaction', position, hash, body FROM transactions
            WHERE $7::boolean AND position >= $4::bigint ORDER BY position LIMIT $8)
        ) AS u WHERE a."end" IS NULL OR position < a."end" ORDER BY position, rank LIMIT $8
      ) AS f ON true
      ORDER BY f.position, f.rank`,
    values: [
      sent.seq,
      sent.place,
      sent.block,
      sent.transaction,
      wanted.keyBlocks,
      wanted.microBlocks,
      wanted.transactions,
      limit,
    ],
  });
  const first = rows[0];
  return {
    head: Number(first?.head ?? 0),
    live: first?.live === true,
    takenBack:
      first?.taken_back == null
        ? null
        : { seq: Number(first.taken_back), announced: EVENT_KINDS[first.taken_back_kind].announced },
    rows: rows.filter(({ position }) => position !== null).map(asRow),
  };
}
