/** Reads the event log from a number on, and finds the number of a point that a client names. */
import { memberText } from '../chain/encoding/json-walk.js';
import { EVENT_KINDS } from '../chain/event-kinds.js';
import { microPosition } from '../chain/position.js';
import type { Queryable } from '../store/connection/database.js';
import {
  blockBefore,
  eventAt,
  eventsAfter,
  lastAnnounced,
  logHead,
  oldestEvent,
  storedPosition,
} from '../store/queries/events.js';
import type { EventRow, StoredPoint } from '../store/queries/events.js';
import { chainEvent } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import { formatCursor, parseCursor } from './cursor.js';

interface LogPart {
  /** Number of the last event in the log. */
  head: number;
  /** Whether the log continues the one that the reader knows: no event is missing, and the last one read was not replaced. */
  continues: boolean;
  events: ChainEvent[];
}

/** The last event that a reader has read. Its mark is not known if the reader begins there. */
export interface LogPosition {
  seq: number;
  mark: string | undefined;
}

/** The events after `after`, at most `limit`. */
export async function readLog(db: Queryable, after: LogPosition, limit: number): Promise<LogPart> {
  const { head, markBefore, rows } = await eventsAfter(db, after.seq, limit);
  const isSameLog = after.mark === undefined || markBefore === null || markBefore === after.mark;
  const next = rows[0]?.seq ?? after.seq + 1;
  return {
    head,
    continues: isSameLog && head >= after.seq && next === after.seq + 1,
    events: await toEvents(db, rows),
  };
}

async function toEvents(db: Queryable, rows: readonly EventRow[]): Promise<ChainEvent[]> {
  const events: ChainEvent[] = [];
  let head: string | null = null;
  for (const row of rows) {
    const { subject, announced } = EVENT_KINDS[row.kind];
    if (subject === 'removed transaction' && announced) head ??= await blockBefore(db, row.seq);
    else if (subject === 'block' || subject === 'rollback') head = row.hash;
    events.push(chainEvent(row, head ?? undefined));
  }
  return events;
}

/** The end of the log: its last event, and the cursor after it (undefined while nothing is stored). */
export async function endOfLog(db: Queryable): Promise<LogPosition & { cursor: string | undefined }> {
  const { seq, lastBlock } = await logHead(db);
  const last = await readEvent(db, seq);
  if (last?.announced === true) return { seq, mark: last.mark, cursor: last.cursor };
  return {
    seq,
    mark: last?.mark,
    cursor: lastBlock === null ? undefined : formatCursor({ seq: 0, block: lastBlock, transactions: 'all' }),
  };
}

async function readEvent(db: Queryable, seq: number): Promise<ChainEvent | undefined> {
  const row = await eventAt(db, seq);
  return row === null ? undefined : (await toEvents(db, [row]))[0];
}

/** Where a client continues: after an event of the log, or after a point of the stored chain that is older than the log. */
export type Point = { seq: number } | { stored: StoredPoint };

/** Finds the point of a cursor or hash; undefined if it is neither in the log nor in the stored chain. */
export async function findStart(db: Queryable, since: string): Promise<Point | undefined> {
  const cursor = parseCursor(since);
  if (cursor === undefined) return startAfter(db, since, 0);
  const event = cursor.seq > 0 ? await readEvent(db, cursor.seq) : undefined;
  if (event?.announced === true && event.cursor === since) return { seq: cursor.seq };
  return startAfter(db, cursor.block, cursor.transactions);
}

async function startAfter(db: Queryable, hash: string, transactions: number | 'all'): Promise<Point | undefined> {
  const announced = await lastAnnounced(db, hash);
  if (announced !== null) {
    const { seq, end } = announced;
    return { seq: transactions === 'all' ? end : Math.min(end, seq + transactions) };
  }
  const oldest = transactions === 'all' ? await oldestEvent(db) : null;
  if (oldest !== null && headBefore(oldest) === hash) return { seq: oldest.seq - 1 };
  const stored = await storedPosition(db, hash);
  if (stored === null) return undefined;
  const { kind, position, head: seq } = stored;
  if (kind === 'transaction') {
    return { stored: { block: position, transaction: position + 1n, logs: position, position, seq } };
  }
  const skipped = kind === 'key_block' ? 0n : transactions === 'all' ? WHOLE_BLOCK : BigInt(transactions);
  const next = position + skipped;
  // Logs come after their block: those of the whole block, or of the last transaction that was sent, may be missing.
  const logs = typeof transactions === 'number' && transactions > 0 ? next - 1n : position;
  return { stored: { block: position, transaction: next, logs, position, seq } };
}

/** Hash of the head before an event of a block or a rollback; undefined for other events. */
function headBefore({ kind, body }: EventRow): string | undefined {
  const { subject } = EVENT_KINDS[kind];
  if (subject === 'rollback') return (JSON.parse(body) as { removed: string[] }).removed.at(-1);
  return subject === 'block' ? (JSON.parse(memberText(body, 'prev_hash')!) as string) : undefined;
}

/** Number of positions of one micro block. */
const WHOLE_BLOCK = microPosition(0, 1);

/** The point before the key block of a height. */
export const fromHeight = (height: number): StoredPoint => ({
  block: microPosition(height, 0) - 1n,
  transaction: microPosition(height, 0),
  logs: microPosition(height, 0),
  position: -1n,
  // Nothing was sent yet, so no rollback concerns the client.
  seq: Number.MAX_SAFE_INTEGER,
});
