import type { Queryable } from './connection/database.js';

/** A contract call that waits to be decoded. */
export interface DueCall {
  position: bigint;
  hash: string;
  /** Exact text of the call. */
  body: string;
  contractId: string;
  dueAt: string;
  /** Differs from the identity of other code that another branch has under the same contract id. Empty without code. */
  codeId: string;
}

/** Identity of the code of the contract of the call `c`; null while it is not known. */
const CODE_ID = `
  COALESCE(
    (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
     WHERE k.id = c.contract_id),
    (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
  )`;

/** Calls whose turn has come, oldest first; with `after` those behind that call. */
export async function dueCalls(
  db: Queryable,
  limit: number,
  after?: Pick<DueCall, 'dueAt' | 'position'>,
): Promise<DueCall[]> {
  const { rows } = await db.query<DueCall & { position: string }>({
    name: 'contract_calls.due',
    text: `
      SELECT c.position, t.hash, t.body, c.contract_id AS "contractId", c.due_at::text AS "dueAt",
        COALESCE(${CODE_ID}, '') AS "codeId"
      FROM (
        SELECT position, contract_id, due_at FROM contract_calls
        WHERE state = 'pending' AND due_at <= now() AND (due_at, position) > ($2::timestamptz, $3::bigint)
        ORDER BY due_at, position LIMIT $1
      ) c
      JOIN transactions t ON t.position = c.position
      ORDER BY c.due_at, c.position`,
    values: [limit, after?.dueAt ?? '-infinity', after?.position ?? -1n],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Where the code of a contract is to be found. */
interface ContractCode {
  codeId: string;
  /** Exact text of the transaction that created it; null if a contract made it. */
  creation: string | null;
  /** As the node returned it (`cb_…`); null if a transaction created it. */
  code: string | null;
}

/** The codes that are known of these contracts. */
export async function contractCodes(db: Queryable, contracts: readonly string[]): Promise<ContractCode[]> {
  const { rows } = await db.query<ContractCode>({
    name: 'contracts.codes',
    text: `
      SELECT ${CODE_ID} AS "codeId", t.body AS creation, o.code
      FROM unnest($1::text[]) AS c (contract_id)
      LEFT JOIN contracts k ON k.id = c.contract_id
      LEFT JOIN transactions t ON t.position = k.position
      LEFT JOIN contract_codes o ON o.contract_id = c.contract_id
      WHERE t.body IS NOT NULL OR o.code IS NOT NULL`,
    values: [contracts],
  });
  return rows;
}

/** Reads as many rows as there are such calls: not for every batch of them. */
export async function pendingCalls(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'contract_calls.pending',
    text: `SELECT COUNT(*) AS count FROM contract_calls WHERE state = 'pending'`,
  });
  return Number(rows[0]?.count ?? 0);
}

/** What became of a call: JSON texts, or nothing if it cannot be decoded. */
export interface DecodedCall extends Pick<DueCall, 'position' | 'hash' | 'codeId'> {
  arguments: string | null;
  result: string | null;
  info: string | null;
}

/** Stores decoded calls, except those that a reorg moved or whose contract has other code by now. */
export async function saveDecoded(db: Queryable, calls: readonly DecodedCall[]): Promise<void> {
  if (calls.length === 0) return;
  // OFFSET 0: the code is looked for under these calls alone, not under all that there are, to be joined with these.
  await db.query({
    name: 'contract_calls.decoded',
    text: `
      WITH saved AS (
        UPDATE contract_calls c
        SET state = CASE WHEN d.arguments IS NULL THEN 'failed' ELSE 'done' END, arguments = d.arguments, result = d.result
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
          AS d (position, hash, code_id, arguments, result, info)
        CROSS JOIN LATERAL (
          SELECT c.position, ${CODE_ID} AS code_id
          FROM contract_calls c JOIN transactions t ON t.position = c.position
          WHERE c.position = d.position AND t.hash = d.hash
          OFFSET 0
        ) AS now
        WHERE c.position = now.position AND now.code_id = d.code_id
        RETURNING c.position, d.info
      )
      INSERT INTO infos (position, body)
      SELECT position, info FROM saved WHERE info IS NOT NULL
      ON CONFLICT (position) DO UPDATE SET body = EXCLUDED.body`,
    values: [
      calls.map((call) => call.position),
      calls.map((call) => call.hash),
      calls.map((call) => call.codeId),
      calls.map((call) => call.arguments),
      calls.map((call) => call.result),
      calls.map((call) => call.info),
    ],
  });
}

/** Puts calls off whose turn failed for reasons that pass; the pauses grow to an hour. */
export async function postponeCalls(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await db.query({
    name: 'contract_calls.postpone',
    text: `
      UPDATE contract_calls
      SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(3600, 2 ^ LEAST(attempts, 12)))
      WHERE position = ANY ($1::bigint[])`,
    values: [positions],
  });
}
