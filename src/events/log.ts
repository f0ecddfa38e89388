/** The event log as a stream: reading on from a number, and finding the number of a point that a client names. */
import { memberText } from '../chain/json.js';
import { microPosition } from '../chain/position.js';
import type { Queryable } from '../store/database.js';
import {
  blockBefore,
  eventAt,
  eventsAfter,
  lastAnnounced,
  logHead,
  oldestEvent,
  storedPlace,
} from '../store/queries/events.js';
import type { EventKind, EventRow, Told } from '../store/queries/events.js';
import { chainEvent } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import { formatCursor, parseCursor } from './cursor.js';

export interface LogPart {
  /** Number of the last event there is. */
  head: number;
  events: ChainEvent[];
}

/** The next events after one, at most `limit`. */
export async function readLog(db: Queryable, after: number, limit: number): Promise<LogPart> {
  const { head, rows } = await eventsAfter(db, after, limit);
  return { head, events: await toEvents(db, rows) };
}

const TRANSACTIONS: ReadonlySet<EventKind> = new Set(['transaction', 'tx_update', 'left', 'load_left']);

async function toEvents(db: Queryable, rows: readonly EventRow[]): Promise<ChainEvent[]> {
  const events: ChainEvent[] = [];
  let top: string | null = null;
  for (const row of rows) {
    if (row.kind === 'left') top ??= await blockBefore(db, row.seq);
    else if (!TRANSACTIONS.has(row.kind)) top = row.hash;
    events.push(chainEvent(row, top ?? undefined));
  }
  return events;
}

/** The end of the log: number of the last event, and the point after it (undefined while nothing is stored). */
export async function endOfLog(db: Queryable): Promise<{ seq: number; cursor: string | undefined }> {
  const { seq, lastBlock } = await logHead(db);
  const last = await cursorAt(db, seq);
  if (last !== undefined) return { seq, cursor: last };
  return {
    seq,
    cursor: lastBlock === null ? undefined : formatCursor({ seq: 0, block: lastBlock, transactions: 'all' }),
  };
}

async function cursorAt(db: Queryable, seq: number): Promise<string | undefined> {
  const row = await eventAt(db, seq);
  if (row === null) return undefined;
  const [event] = await toEvents(db, [row]);
  return event?.announced === true ? event.cursor : undefined;
}

/** Where to go on: after an event of the log, or after a place of the stored chain that the log does not reach back to. */
export type Point = { seq: number } | { told: Told };

/** Finds the point; undefined if neither log nor stored chain know of it. */
export async function findStart(db: Queryable, since: string): Promise<Point | undefined> {
  const cursor = parseCursor(since);
  if (cursor === undefined) return startAfter(db, since, 0);
  if (cursor.seq > 0 && (await cursorAt(db, cursor.seq)) === since) return { seq: cursor.seq };
  return startAfter(db, cursor.block, cursor.transactions);
}

async function startAfter(db: Queryable, hash: string, transactions: number | 'all'): Promise<Point | undefined> {
  const announced = await lastAnnounced(db, hash);
  if (announced !== null) {
    const { seq, end } = announced;
    return { seq: transactions === 'all' ? end : Math.min(end, seq + transactions) };
  }
  const oldest = transactions === 'all' ? await oldestEvent(db) : null;
  if (oldest !== null && topBefore(oldest) === hash) return { seq: oldest.seq - 1 };
  const stored = await storedPlace(db, hash);
  if (stored === null) return undefined;
  const { kind, position, head: seq } = stored;
  if (kind === 'transaction') {
    return { told: { block: position, transaction: position + 1n, place: position, seq } };
  }
  const skipped = kind === 'key_block' ? 0n : transactions === 'all' ? WHOLE_BLOCK : BigInt(transactions);
  const next = position + skipped;
  return { told: { block: position, transaction: next, place: position, seq } };
}

/** Hash of the block that was the top before an event of a block or of blocks taken back. */
function topBefore({ kind, body }: EventRow): string | undefined {
  if (kind === 'rollback') return (JSON.parse(body) as { removed: string[] }).removed.at(-1);
  return kind === 'key_block' || kind === 'micro_block'
    ? (JSON.parse(memberText(body, 'prev_hash')!) as string)
    : undefined;
}

/** Places that one micro block takes. */
const WHOLE_BLOCK = microPosition(0, 1);

/** The whole stored chain from a height on. */
export const fromHeight = (height: number): Told => ({
  block: microPosition(height, 0) - 1n,
  transaction: microPosition(height, 0),
  place: -1n,
  // Nothing was told yet, so nothing can be taken back.
  seq: Number.MAX_SAFE_INTEGER,
});
