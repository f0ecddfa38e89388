/** State channels, from the transactions that open and close them. */
import type { ChannelOperation } from './operations.js';

export interface ChannelRecord {
  /** ch_ */
  id: string;
  position: bigint;
  /** Of the first transaction that closes it, alone or by agreement; null while it is open. */
  closedPosition: bigint | null;
}

/** The channel after an operation on it; closing an unknown channel gives nothing. */
export function applyChannel(
  record: ChannelRecord | undefined,
  op: ChannelOperation,
  at: { position: bigint },
): ChannelRecord | undefined {
  if (op.op === 'create') return { id: op.id, position: at.position, closedPosition: null };
  return record && { ...record, closedPosition: record.closedPosition ?? at.position };
}
