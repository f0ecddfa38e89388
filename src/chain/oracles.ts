/** Oracles, from the transactions that register and extend them. */
import type { OracleOperation } from './operations.js';

export interface OracleRecord {
  /** ok_ */
  id: string;
  /** Of the latest registration. */
  position: bigint;
  /** Last height at which the oracle is there. */
  expiresAt: number;
}

/** The oracle after an operation on it. An extension adds to the expiry; without a known registration it gives nothing. */
export function applyOracle(
  record: OracleRecord | undefined,
  op: OracleOperation,
  at: { position: bigint; height: number },
): OracleRecord | undefined {
  if (op.op === 'register') {
    const { type, value } = op.ttl;
    return { id: op.id, position: at.position, expiresAt: type === 'delta' ? at.height + value : value };
  }
  return record && { ...record, expiresAt: record.expiresAt + op.by };
}
