import type { Queryable } from './connection/database.js';

/** A contract call that waits to be decoded. */
export interface DueCall {
  position: bigint;
  hash: string;
  /** Exact text of the transaction. */
  body: string;
  contractId: string;
  dueAt: string;
  /** Identifies the code: another branch may have other code under the same contract id. Empty without code. */
  codeId: string;
}

/** SQL expression that identifies the code of the contract of call `c`; null while the code is not known. */
const CODE_ID = `
  COALESCE(
    (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
     WHERE k.id = c.contract_id),
    (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
  )`;

/** Calls that are due to be decoded, in the order of their due times; with `after` only those after that call. */
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

/** The code of a contract: in its creation, or as the node returned it. */
interface ContractCode {
  codeId: string;
  /** Exact text of the transaction that created the contract; null if a contract created it. */
  creation: string | null;
  /** Code from the node (`cb_…`); null if a transaction created the contract. */
  code: string | null;
}

/** The known codes of these contracts. */
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

/** Number of calls that wait to be decoded. It counts their rows, so do not call it for each batch. */
export async function pendingCalls(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'contract_calls.pending',
    text: `SELECT COUNT(*) AS count FROM contract_calls WHERE state = 'pending'`,
  });
  return Number(rows[0]?.count ?? 0);
}

/** Result of decoding a call: JSON texts, or null if it cannot be decoded. */
export interface DecodedCall extends Pick<DueCall, 'position' | 'hash' | 'codeId'> {
  arguments: string | null;
  result: string | null;
  /** Call information; null if the node does not have it. */
  info: string | null;
  /** Whether only the result of the call depends on the call information, and not what its transaction does. */
  isPlain: boolean;
}

/**
 * Stores decoded calls, except those that a reorg moved and those whose contract has other code now. Plain calls without call information are
 * marked: the nodes are asked again.
 */
export async function saveDecoded(db: Queryable, calls: readonly DecodedCall[]): Promise<void> {
  if (calls.length === 0) return;
  // OFFSET 0: the code is looked up for these calls only. Otherwise PostgreSQL may look it up for all calls and then join.
  await db.query({
    name: 'contract_calls.decoded',
    text: `
      WITH saved AS (
        UPDATE contract_calls c
        SET state = CASE WHEN d.arguments IS NULL THEN 'failed' ELSE 'done' END, arguments = d.arguments, result = d.result
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
          AS d (position, hash, code_id, arguments, result, info, is_plain)
        CROSS JOIN LATERAL (
          SELECT c.position, ${CODE_ID} AS code_id
          FROM contract_calls c JOIN transactions t ON t.position = c.position
          WHERE c.position = d.position AND t.hash = d.hash
          OFFSET 0
        ) AS now
        WHERE c.position = now.position AND now.code_id = d.code_id
        RETURNING c.position, d.info, d.is_plain
      ),
      marked AS (
        INSERT INTO unknown_infos (position, due_at)
        SELECT s.position, now() + interval '1 minute' FROM saved AS s
        WHERE s.is_plain AND s.info IS NULL AND NOT EXISTS (SELECT FROM infos AS i WHERE i.position = s.position)
        ON CONFLICT (position) DO NOTHING
      ),
      known AS (
        DELETE FROM unknown_infos AS u USING saved AS s
        WHERE u.position = s.position AND s.is_plain AND s.info IS NOT NULL
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
      calls.map((call) => call.isPlain),
    ],
  });
}

/** Schedules calls to be decoded again, because a node has their call information now. */
export async function decodeAgain(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await db.query({
    name: 'contract_calls.again',
    text: `
      UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
      WHERE position = ANY ($1::bigint[]) AND state <> 'unknown'`,
    values: [positions],
  });
}

/** Postpones calls that could not be decoded for a temporary reason; the pauses grow to an hour. */
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
