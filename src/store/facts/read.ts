import { MalformedError } from '../../chain/malformed.js';
import { parseExact } from '../../chain/encoding/json.js';
import type { Recomputed, StoredText } from '../../chain/recompute/transaction.js';
import type { TransactionRow } from './window.js';

/** A stored transaction and what is recomputed from its text. */
export interface Read {
  row: TransactionRow;
  position: bigint;
  /** Undefined if the text cannot be read. */
  found: Recomputed | undefined;
}

export const textsOf = (row: TransactionRow): StoredText => ({
  body: row.body,
  info: row.info,
  txStart: row.tx_start,
  txLength: row.tx_length,
});

/** Members of a stored JSON text; none if it is not an object. */
export function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseExact(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof MalformedError) return {};
    throw error;
  }
}
