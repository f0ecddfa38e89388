/** Oracles, from the transactions that register and extend them. */
import type { OracleOperation } from '../operations.js';

export interface OracleRecord {
  /** ok_ */
  id: string;
  /** Of the latest registration. */
  position: bigint;
  /** Last height at which the oracle is there. */
  expiresAt: number;
}

/** Last height of something that lives `value` generations from `height` on (`delta`), or until height `value` (`block`). */
export const lastHeight = ({ type, value }: { type: string; value: number }, height: number): number =>
  type === 'delta' ? height + value : value;

/** The oracle after an operation on it. An extension adds to the expiry; without a known registration it gives nothing. */
export function applyOracle(
  record: OracleRecord | undefined,
  op: OracleOperation,
  at: { position: bigint; height: number },
): OracleRecord | undefined {
  if (op.op === 'register') {
    return { id: op.id, position: at.position, expiresAt: lastHeight(op.ttl, at.height) };
  }
  return record && { ...record, expiresAt: record.expiresAt + op.by };
}
