import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';

/** A transaction that created a contract and whose outcome is not known. */
export interface DueCreation {
  contractId: string;
  hash: string;
}

/** Creations whose outcome is due to be read from the node, without those whose call information is to be read anyway. */
export async function dueCreations(db: Queryable, limit: number): Promise<DueCreation[]> {
  const { rows } = await db.query<DueCreation>({
    name: 'contracts.due',
    text: `
      SELECT c.id AS "contractId", t.hash
      FROM (
        SELECT id, position FROM contracts AS k
        WHERE NOT outcome_known AND due_at <= now() AND NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position = k.position)
        ORDER BY due_at, position LIMIT $1
      ) c
      JOIN transactions t ON t.position = c.position`,
    values: [limit],
  });
  return rows;
}

/** Stores the outcomes of creations that are still in the chain. */
export async function saveOutcomes(
  db: Queryable,
  creations: readonly (DueCreation & { failed: boolean })[],
): Promise<void> {
  if (creations.length === 0) return;
  await db.query({
    name: 'contracts.outcomes',
    text: `
      UPDATE contracts c SET outcome_known = true, failed = d.failed
      FROM unnest($1::text[], $2::text[], $3::boolean[]) AS d (id, hash, failed)
      JOIN transactions_by_hash t ON t.hash = d.hash
      WHERE c.id = d.id AND c.position = t.position`,
    values: [creations.map((c) => c.contractId), creations.map((c) => c.hash), creations.map((c) => c.failed)],
  });
}

/** Postpones creations that the node does not know; the pauses grow to a day, because it may never know them. */
export async function postponeCreations(db: Queryable, creations: readonly DueCreation[]): Promise<void> {
  if (creations.length === 0) return;
  await db.query({
    name: 'contracts.postpone',
    text: `UPDATE contracts SET ${postponed(1, 86_400)} WHERE id = ANY ($1::text[])`,
    values: [creations.map(({ contractId }) => contractId)],
  });
}

/** A contract that another contract created, and whose code is not known. */
export interface DueCode {
  contractId: string;
  /** Due time; after a reorg the same contract has another one. */
  since: string;
}

/** Contracts whose code is due to be read from the node. */
export async function dueCodes(db: Queryable, limit: number): Promise<DueCode[]> {
  const { rows } = await db.query<DueCode>({
    name: 'contract_codes.due',
    text: `
      SELECT contract_id AS "contractId", due_at::text AS since FROM contract_codes
      WHERE code IS NULL AND due_at <= now() ORDER BY due_at LIMIT $1`,
    values: [limit],
  });
  return rows;
}

/** Stores codes (`cb_…`) of contracts that are still called; their calls become due to be decoded. */
export async function saveCodes(db: Queryable, codes: readonly (DueCode & { code: string })[]): Promise<void> {
  if (codes.length === 0) return;
  await db.query({
    name: 'contract_codes.save',
    text: `
      WITH saved AS (
        UPDATE contract_codes o SET code = d.code, code_at = clock_timestamp()
        FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS d (id, since, code)
        WHERE o.contract_id = d.id AND o.due_at = d.since AND o.code IS NULL
        RETURNING o.contract_id
      )
      UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
      WHERE state = 'unknown' AND contract_id IN (SELECT contract_id FROM saved)`,
    values: [codes.map((c) => c.contractId), codes.map((c) => c.since), codes.map((c) => c.code)],
  });
}

/** Postpones contracts that the node does not know; the pauses grow to a day. */
export async function postponeCodes(db: Queryable, contracts: readonly DueCode[]): Promise<void> {
  if (contracts.length === 0) return;
  await db.query({
    name: 'contract_codes.postpone',
    text: `UPDATE contract_codes SET ${postponed(1, 86_400)} WHERE contract_id = ANY ($1::text[])`,
    values: [contracts.map(({ contractId }) => contractId)],
  });
}
