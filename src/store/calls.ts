import type { Queryable } from './database.js';

/** A contract call that waits to be decoded. */
export interface DueCall {
  position: bigint;
  hash: string;
  /** Exact texts of the call and of the transaction that created its contract. */
  body: string;
  creation: string;
}

/** Calls whose turn has come, oldest first. */
export async function dueCalls(db: Queryable, limit: number): Promise<DueCall[]> {
  const { rows } = await db.query<{ position: string; hash: string; body: string; creation: string }>({
    name: 'contract_calls.due',
    text: `
      SELECT c.position, t.hash, t.body, creation.body AS creation
      FROM (
        SELECT position, contract_id FROM contract_calls
        WHERE state = 'pending' AND due_at <= now() ORDER BY due_at, position LIMIT $1
      ) c
      JOIN transactions t ON t.position = c.position
      JOIN contracts k ON k.id = c.contract_id
      JOIN transactions creation ON creation.position = k.position`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

export async function pendingCalls(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'contract_calls.pending',
    text: `SELECT COUNT(*) AS count FROM contract_calls WHERE state = 'pending'`,
  });
  return Number(rows[0]?.count ?? 0);
}

/** What became of a call: JSON texts, or nothing if it cannot be decoded. */
export interface DecodedCall {
  position: bigint;
  hash: string;
  arguments: string | null;
  result: string | null;
  info: string | null;
}

/** Notes what was decoded, for those calls that still stand where they stood. */
export async function saveDecoded(db: Queryable, calls: readonly DecodedCall[]): Promise<void> {
  if (calls.length === 0) return;
  const values = [
    calls.map((call) => call.position),
    calls.map((call) => call.hash),
    calls.map((call) => call.arguments),
    calls.map((call) => call.result),
    calls.map((call) => call.info),
  ];
  await db.query({
    name: 'contract_calls.decoded',
    text: `
      UPDATE contract_calls c
      SET state = CASE WHEN d.arguments IS NULL THEN 'failed' ELSE 'done' END, arguments = d.arguments, result = d.result
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) AS d (position, hash, arguments, result, info)
      JOIN transactions t ON t.position = d.position AND t.hash = d.hash
      WHERE c.position = d.position`,
    values,
  });
  await db.query({
    name: 'infos.save',
    text: `
      INSERT INTO infos (position, body)
      SELECT d.position, d.info
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) AS d (position, hash, arguments, result, info)
      JOIN transactions t ON t.position = d.position AND t.hash = d.hash
      WHERE d.info IS NOT NULL
      ON CONFLICT (position) DO UPDATE SET body = EXCLUDED.body`,
    values,
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
