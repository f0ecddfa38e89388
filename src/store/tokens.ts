/** What nodes tell of tokens: the codes of contracts that no stored transaction created. */
import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';

/** A contract of which it is not known whether it is a token. */
export interface DueTokenCode {
  contractId: string;
  /** Its code (cb_…) where it was read to decode calls. */
  code: string | null;
  /** Where it was seen first; after a reorg the same contract may have another code. */
  position: bigint;
}

export async function dueTokenCodes(db: Queryable, limit: number): Promise<DueTokenCode[]> {
  const { rows } = await db.query<{ contractId: string; code: string | null; position: string }>({
    name: 'tokens.due-codes',
    text: `
      SELECT t.contract_id AS "contractId", o.code, t.position
      FROM tokens AS t LEFT JOIN contract_codes AS o ON o.contract_id = t.contract_id
      WHERE t.kind IS NULL AND t.due_at <= now() ORDER BY t.due_at LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Stores which of the contracts are tokens (0: none), and what they hold by the logs that are stored. */
export async function saveTokenKinds(
  db: Queryable,
  found: readonly (DueTokenCode & { kind: number })[],
): Promise<void> {
  if (found.length === 0) return;
  const { rows } = await db.query<{ id: string }>({
    name: 'tokens.save-kinds',
    text: `
      UPDATE tokens AS t SET kind = d.kind, attempts = 0, due_at = now()
      FROM unnest($1::text[], $2::bigint[], $3::smallint[]) AS d (id, position, kind)
      WHERE t.contract_id = d.id AND t.position = d.position AND t.kind IS NULL
      RETURNING t.contract_id AS id`,
    values: [
      found.map(({ contractId }) => contractId),
      found.map(({ position }) => position),
      found.map(({ kind }) => kind),
    ],
  });
  await db.query({
    name: 'tokens.fill',
    text: 'SELECT fill_tokens($1::text[])::text',
    values: [rows.map(({ id }) => id)],
  });
}

/** Postpones contracts that the node does not know; the pauses grow to a day. */
export async function postponeTokens(db: Queryable, contracts: readonly { contractId: string }[]): Promise<void> {
  if (contracts.length === 0) return;
  await db.query({
    name: 'tokens.postpone',
    text: `UPDATE tokens SET ${postponed(1, 86_400)} WHERE contract_id = ANY ($1::text[])`,
    values: [contracts.map(({ contractId }) => contractId)],
  });
}
