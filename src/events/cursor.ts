/**
 * Cursors of the events: points in their stream, valid on every server and every copy of the chain.
 *
 * `<seq>.<block hash>[.<n>]`: after the block's own event and the first n of its transactions (`all`: the whole block). The
 * number in the log is only a hint for a block that was announced, taken back and announced again: it says which time.
 */
import { isId } from '../chain/encoding/encoding.js';

interface Cursor {
  /** Number in the log of the copy that made it; 0 for what was not read from a log. */
  seq: number;
  block: string;
  /** Transactions of the block that are before the point. */
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

/** Whether the text names a point: a cursor, or the hash of a block or transaction. */
export const isSince = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 120 &&
  (isId(value, 'kh', 'mh', 'th') || parseCursor(value) !== undefined);
