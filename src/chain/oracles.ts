/** Oracles and the questions put to them, from the transactions that concern them. */
import type { OracleOperation, QueryOperation } from './operations.js';

export interface OracleRecord {
  /** ok_ */
  id: string;
  /** Of the latest registration. */
  position: bigint;
  /** Last height at which the oracle is there. */
  expiresAt: number;
}

export interface QueryRecord {
  /** oq_ */
  id: string;
  position: bigint;
  responsePosition: bigint | null;
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

export const isOracleActive = (record: OracleRecord, height: number): boolean => record.expiresAt >= height;

/** The question after an operation on it; the first answer counts, and an answer to an unknown question gives nothing. */
export function applyQuery(
  record: QueryRecord | undefined,
  op: QueryOperation,
  at: { position: bigint },
): QueryRecord | undefined {
  if (op.op === 'ask') return { id: op.id, position: at.position, responsePosition: null };
  return record && { ...record, responsePosition: record.responsePosition ?? at.position };
}
