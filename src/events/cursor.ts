/**
 * Cursors of events. A cursor is a point in the stream of events, valid on every server and for every copy of the chain.
 *
 * `<seq>.<block hash>[.<n>]`: the point after the event of the block and its first n transactions (`all`: the whole block).
 * `seq` is only a hint, for a block that was published, removed and published again: it says which of the events is meant.
 */
import { isId } from '../chain/encoding/encoding.js';

interface Cursor {
  /** Number of the event in the log of the copy that made the cursor; 0 if the event was not read from a log. */
  seq: number;
  block: string;
  /** Number of transactions of the block before the point. */
  transactions: number | 'all';
}

const FORM = /^(\d{1,15})\.([km]h_[1-9A-HJ-NP-Za-km-z]{1,80})(?:\.(\d{1,6}|all))?$/;

export function formatCursor({ seq, block, transactions }: Cursor): string {
  return transactions === 0 ? `${seq}.${block}` : `${seq}.${block}.${transactions}`;
}

export function parseCursor(text: string): Cursor | undefined {
  const [, seq, block, transactions] = FORM.exec(text) ?? [];
  if (seq === undefined || block === undefined || !isId(block, 'kh', 'mh')) return undefined;
  return { seq: Number(seq), block, transactions: transactions === 'all' ? 'all' : Number(transactions ?? 0) };
}

/** Whether it is text that names a point: a cursor, or the hash of a block or transaction. */
export const isSince = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 120 &&
  (isId(value, 'kh', 'mh', 'th') || parseCursor(value) !== undefined);
