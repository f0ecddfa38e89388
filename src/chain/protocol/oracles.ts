/** Computes oracles from the transactions that register and extend them. */
import type { OracleOperation } from '../operations.js';

export interface OracleRecord {
  /** ok_ */
  id: string;
  /** Position of the last registration. */
  position: bigint;
  /** Last height at which the oracle exists. */
  expiresAt: number;
}

/** Last height of an object: `value` generations after `height` (`delta`), or the height `value` itself (`block`). */
export const lastHeight = ({ type, value }: { type: string; value: number }, height: number): number =>
  type === 'delta' ? height + value : value;

/** Returns the oracle after an operation on it. An extension moves the expiry; for an oracle that is not known it returns undefined. */
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
