import { EVENT_KINDS } from '../../chain/event-kinds.js';
import type { EventKind } from '../../chain/event-kinds.js';
import type { TokenKinds } from '../../chain/tokens/transfers.js';
import { LAST_ANNOUNCED, WITH_HEAD } from '../announced.js';
import { kindList, kindOf } from '../event-kinds.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';
import { logsOfTransaction } from '../log-texts.js';

// Elements of SQL lists.
const NOT_ANNOUNCED = kindList(({ announced }) => !announced);
const OF_ROLLBACKS = kindList(({ subject }) => subject === 'rollback');
const OF_TRANSACTIONS_OF_BLOCKS = kindList(({ subject }) => subject === 'transaction');
/** Kinds whose hash is not that of a block or transaction which they announce. */
const WITHOUT_OWN_HASH = kindList(({ subject, announced }) => subject === 'rollback' || !announced);

/** A row of the event log, or a stored block or transaction in the same form. */
export interface EventRow {
  /** Number in the log; 0 for a row that is not from the log. */
  seq: number;
  kind: EventKind;
  position: bigint;
  hash: string;
  body: string;
  /** Time of the commit, ms since 1970; 0 for a row that is not from the log. */
  at: number;
  /** Distinguishes it from another event of the same number, see migration 0006; empty for a row that is not from the log. */
  mark: string;
  /** Of logs: which of their contracts are tokens; null for other events, and where only the place of an event is read. */
  tokens: TokenKinds | null;
}

interface RawRow {
  seq: string | null;
  kind: EventKind;
  position: string;
  hash: string;
  body: string;
  at: string;
  mark: string | null;
  tokens?: TokenKinds | null;
}

const asRow = ({ seq, kind, position, hash, body, at, mark, tokens }: RawRow): EventRow => ({
  seq: Number(seq),
  kind,
  position: BigInt(position),
  hash,
  body,
  at: Number(at),
  mark: mark ?? '',
  tokens: tokens ?? null,
});

/** Of an event `e`: the kinds of the tokens that emitted its logs. They are read with the event, because a contract may become known as a token after it. */
const tokensIn = (e: string): string => `
  CASE WHEN ${e}.kind = '${'contract_logs' satisfies EventKind}' THEN (
    SELECT json_object_agg(t.contract_id, t.kind)
    FROM (SELECT DISTINCT m[1] AS id FROM regexp_matches(${e}.body, '"contract_id":"(ct_[0-9A-Za-z]+)"', 'g') AS m) AS l
    CROSS JOIN LATERAL (SELECT contract_id, kind FROM tokens WHERE contract_id = l.id AND kind IS DISTINCT FROM 0 LIMIT 1) AS t
  ) END AS tokens`;

const COLUMNS = `seq, ${kindOf()} AS kind, position, hash, body, (extract(epoch FROM at) * 1000)::bigint AS at, mark`;

/**
 * The events after number `after`, oldest first, with the mark of event `after` (null if the log no longer has it) and the number
 * of the last event (`head`), all of one snapshot.
 */
export async function eventsAfter(
  db: Queryable,
  after: number,
  limit: number,
): Promise<{ head: number; markBefore: string | null; rows: EventRow[] }> {
  const { rows } = await db.query<RawRow & { head: string; mark_before: string | null }>({
    name: 'events.after',
    text: `
      SELECT c.event_seq AS head, (SELECT mark FROM events WHERE seq = $1) AS mark_before, ${COMMIT_NUMBER}, e.*, ${tokensIn('e')}
      FROM chain AS c
      LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM events WHERE seq > $1 ORDER BY seq LIMIT $2) AS e ON true
      ORDER BY e.seq`,
    values: [after, limit],
  });
  const { head, mark_before: markBefore } = rows[0] ?? { head: 0, mark_before: null };
  return { head: Number(head), markBefore, rows: rows.filter(({ seq }) => seq !== null).map(asRow) };
}

/** One event; null if the log does not have it, or no longer. */
export async function eventAt(db: Queryable, seq: number): Promise<EventRow | null> {
  const { rows } = await db.query<RawRow>({
    name: 'events.at',
    text: `SELECT ${COLUMNS} FROM events WHERE seq = $1`,
    values: [seq],
  });
  return rows[0] === undefined ? null : asRow(rows[0]);
}

/** The oldest announced event in the log; null if there is none. */
export async function oldestEvent(db: Queryable): Promise<EventRow | null> {
  const { rows } = await db.query<RawRow>({
    name: 'events.oldest',
    text: `SELECT ${COLUMNS} FROM events WHERE kind NOT IN (${NOT_ANNOUNCED}) ORDER BY seq LIMIT 1`,
  });
  return rows[0] === undefined ? null : asRow(rows[0]);
}

/** Number of the last event, and hash of the last stored block (null while nothing is stored), of one snapshot. */
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

/** Hash of the block that was the head before an event: the last announced block, or the block to which a rollback went back. */
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
 * The last announcement of a block or transaction: number of that event, and of the last event of the same block. Null if the
 * log does not have it.
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

/** Position of a block or transaction in the stored chain, and number of the last event (`head`), of one snapshot. */
export async function storedPosition(
  db: Queryable,
  hash: string,
): Promise<{ kind: 'key_block' | 'micro_block' | 'transaction'; position: bigint; head: number } | null> {
  const { rows } = await db.query<{
    kind: 'key_block' | 'micro_block' | 'transaction';
    position: string;
    head: string;
  }>({
    name: 'events.stored-position',
    text: `
      SELECT p.kind, p.position, c.event_seq AS head FROM chain AS c, (
        SELECT 'key_block' AS kind, height << 33 AS position FROM key_blocks WHERE hash = $1
        UNION ALL SELECT 'micro_block', position FROM micro_blocks WHERE hash = $1
        UNION ALL SELECT 'transaction', position FROM transactions_by_hash WHERE hash = $1
      ) AS p LIMIT 1`,
    values: [hash],
  });
  const row = rows[0];
  return row === undefined ? null : { kind: row.kind, position: BigInt(row.position), head: Number(row.head) };
}

/** How much of the stored chain was sent to a subscriber. */
export interface StoredPoint {
  /** The next blocks are those after this position. */
  block: bigint;
  /** The next transactions are those at or after this position. */
  transaction: bigint;
  /** The next logs are those of transactions at or after this position. */
  logs: bigint;
  /** Greatest position that was sent; -1 for none. */
  position: bigint;
  /** Number of the last event when it was sent. */
  seq: number;
}

interface Facts {
  /** Number of the last event in the same snapshot. */
  head: number;
  /** Whether changes of the head are written to the log. */
  live: boolean;
  /** Whether the log says up to where the chain was announced. */
  hasAnnounced: boolean;
  /** First event after `sent.seq` that removed something which was sent already; null if there is none. */
  takenBack: { seq: number; announced: boolean } | null;
  /** The logs of the next transaction are not known yet, so that the rows end before it. */
  waits: boolean;
  /** In chain order. */
  rows: EventRow[];
}

/** A rollback of the first load, and the transactions that it removed at positions below `before`. */
export async function loadRollback(
  db: Queryable,
  seq: number,
  before: bigint,
): Promise<{ rollback: EventRow; left: EventRow[] }> {
  const { rows } = await db.query<RawRow>({
    name: 'events.load-rollback',
    text: `
      SELECT ${COLUMNS} FROM events
      WHERE seq >= $1 AND (seq = $1 OR ${kindOf()} = 'load_left' AND position < $2) AND seq < COALESCE(
        (SELECT n.seq FROM events AS n WHERE n.seq > $1 AND n.kind <> 'load_left' ORDER BY n.seq LIMIT 1),
        9223372036854775807)
      ORDER BY seq`,
    values: [seq, before],
  });
  const [rollback, ...left] = rows.map(asRow);
  return { rollback: rollback!, left };
}

/**
 * The first position at or above `$11` whose logs are not known yet, although those above it are not left to the log of events. Its call information
 * is to be read, or a backfill has not come that far.
 */
const END_OF_LOGS = `
  SELECT min(position) AS "end" FROM (
    SELECT min(position) AS position FROM due_infos
    WHERE position >= $11::bigint AND position < COALESCE((SELECT position FROM announced_logs), 9223372036854775807)
    UNION ALL SELECT GREATEST(position + 1, $11::bigint) FROM backfills WHERE projection = 'contract-logs'
  ) AS unknown HAVING min(position) IS NOT NULL`;

/**
 * Stored blocks and transactions after those that were sent already, in chain order. Once changes of the head are written to the log,
 * blocks that are not announced yet (those above a gap) are left out, because the log will announce them. While the log is
 * empty, those from `end` on are left out.
 */
export async function factsAfter(
  db: Queryable,
  sent: StoredPoint,
  wanted: { keyBlocks: boolean; microBlocks: boolean; transactions: boolean; logs: boolean },
  limit: number,
  end?: bigint,
): Promise<Facts> {
  const { rows } = await db.query<
    RawRow & {
      head: string;
      live: boolean;
      has_announced: boolean;
      taken_back: string | null;
      taken_back_kind: EventKind;
      waits: boolean;
    }
  >({
    name: 'events.facts-after',
    text: `
      SELECT c.event_seq AS head, c.live, a."end" IS NOT NULL AS has_announced, ${COMMIT_NUMBER}, r.seq AS taken_back, r.kind AS taken_back_kind, w."end" IS NOT NULL AS waits, 0 AS seq, 0 AS at, NULL AS mark, f.kind, f.position, f.hash, f.body, ${tokensIn('f')}
      FROM chain AS c
      LEFT JOIN LATERAL (
        SELECT seq, kind FROM events
        WHERE seq > $1 AND kind IN (${OF_ROLLBACKS}) AND position <= $2 ORDER BY seq LIMIT 1
      ) AS r ON true
      LEFT JOIN LATERAL (${LAST_ANNOUNCED}) AS a ON c.live
      LEFT JOIN LATERAL (${END_OF_LOGS}) AS w ON $10::boolean
      LEFT JOIN LATERAL (
        SELECT * FROM (
          (SELECT 0 AS rank, 'key_block' AS kind, height << 33 AS position, hash, body FROM key_block_texts
            WHERE $5::boolean AND height > $3::bigint >> 33 ORDER BY height LIMIT $8)
          UNION ALL
          (SELECT 1, 'micro_block', position, hash, body FROM micro_blocks
            WHERE $6::boolean AND position > $3::bigint ORDER BY position LIMIT $8)
          UNION ALL
          (SELECT 2, 'transaction', position, hash, body FROM transactions
            WHERE $7::boolean AND position >= $4::bigint ORDER BY position LIMIT $8)
          UNION ALL
          (SELECT 3, 'contract_logs', t.position, t.hash, ${logsOfTransaction('t')}
            FROM (SELECT DISTINCT position FROM contract_logs WHERE $10::boolean AND position >= $11::bigint ORDER BY position LIMIT $8) AS l
            CROSS JOIN LATERAL (SELECT position, hash FROM transactions WHERE position = l.position LIMIT 1) AS t
            WHERE t.position < COALESCE((SELECT position FROM announced_logs), 9223372036854775807))
        ) AS u WHERE position < LEAST(COALESCE(a."end", $9::bigint, 9223372036854775807), w."end") ORDER BY position, rank LIMIT $8
      ) AS f ON true
      ORDER BY f.position, f.rank`,
    values: [
      sent.seq,
      sent.position,
      sent.block,
      sent.transaction,
      wanted.keyBlocks,
      wanted.microBlocks,
      wanted.transactions,
      limit,
      end,
      wanted.logs,
      sent.logs,
    ],
  });
  const first = rows[0];
  return {
    head: Number(first?.head ?? 0),
    live: first?.live === true,
    hasAnnounced: first?.has_announced === true,
    takenBack:
      first?.taken_back == null
        ? null
        : { seq: Number(first.taken_back), announced: EVENT_KINDS[first.taken_back_kind].announced },
    waits: first?.waits === true,
    rows: rows.filter(({ position }) => position !== null).map(asRow),
  };
}
