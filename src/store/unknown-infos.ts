import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';

/** A transaction whose call information no node has answered yet. */
export interface UnknownInfo {
  position: bigint;
  hash: string;
  /** Exact text of the transaction. */
  body: string;
}

/** Marks transactions whose call information is unknown. The nodes are asked again after a minute. */
export async function insertUnknownInfos(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  // Earlier releases do not delete these rows with their blocks.
  await db.query({
    name: 'unknown_infos.insert',
    text: `
      INSERT INTO unknown_infos (position, due_at) SELECT position, now() + interval '1 minute' FROM unnest($1::bigint[]) AS p (position)
      ON CONFLICT (position) DO UPDATE SET attempts = 0, due_at = EXCLUDED.due_at`,
    values: [positions],
  });
}

/** The transactions that the nodes are to be asked about now. Rows of abandoned blocks are skipped: earlier releases leave them. */
export async function dueUnknownInfos(db: Queryable, limit: number): Promise<UnknownInfo[]> {
  const { rows } = await db.query<UnknownInfo & { position: string }>({
    name: 'unknown_infos.due',
    text: `
      SELECT u.position, t.hash, t.body
      FROM unknown_infos AS u
      JOIN transactions AS t ON t.position = u.position
      WHERE u.due_at <= now()
      ORDER BY u.due_at, u.position
      LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Number of stored transactions whose call information is unknown. */
export async function countUnknownInfos(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'unknown_infos.count',
    text: `SELECT count(*) FROM unknown_infos AS u WHERE EXISTS (SELECT FROM transactions AS t WHERE t.position = u.position)`,
  });
  return Number(rows[0]!.count);
}

/** Postpones transactions about which no node answered; the pauses grow to a day, because no node may ever answer. */
export async function postponeUnknownInfos(db: Queryable, positions: readonly bigint[]): Promise<void> {
  if (positions.length === 0) return;
  await db.query({
    name: 'unknown_infos.postpone',
    text: `
      UPDATE unknown_infos
      SET ${postponed(60, 86400)}
      WHERE position = ANY ($1::bigint[])`,
    values: [positions],
  });
}

/** The call information that is stored for this transaction at this position; undefined if there is none. */
export async function storedInfo(db: Queryable, position: bigint, hash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ body: string }>({
    name: 'infos.stored',
    text: `
      SELECT i.body FROM infos AS i JOIN transactions AS t ON t.position = i.position
      WHERE i.position = $1 AND t.hash = $2`,
    values: [position, hash],
  });
  return rows[0]?.body;
}
