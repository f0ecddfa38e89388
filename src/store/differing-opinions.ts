import type { DbTransaction, Queryable } from './connection/database.js';
import { postponed } from './postponed.js';

/** What one node told and another one contradicts. */
interface DifferingOpinion {
  /** Hash of the transaction or of the block. */
  hash: string;
  position: bigint;
  /** Address of the node that told it. */
  node: string;
  /** Height, object, member, and both nodes. */
  reason: string;
}

/** Max rows. A node that lies about everything must not fill the database. */
const MAX_ROWS = 1_000;

/** Records a difference. The nodes are asked again after a minute. */
export async function recordOpinion(
  tx: DbTransaction,
  { hash, position, node, reason }: DifferingOpinion,
): Promise<void> {
  await tx.query({
    name: 'differing_opinions.record',
    text: `
      INSERT INTO differing_opinions (hash, position, node, reason, due_at)
      SELECT $1, $2, $3, $4, now() + interval '1 minute' WHERE (SELECT count(*) FROM differing_opinions) < $5
      ON CONFLICT (hash) DO UPDATE SET
        position = EXCLUDED.position, node = EXCLUDED.node, reason = EXCLUDED.reason`,
    values: [hash, position, node, reason, MAX_ROWS],
  });
}

export async function forgetOpinion(tx: DbTransaction, hash: string): Promise<void> {
  await tx.query({
    name: 'differing_opinions.forget',
    text: 'DELETE FROM differing_opinions WHERE hash = $1',
    values: [hash],
  });
}

export async function forgetOpinions(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'differing_opinions.forget-all', text: 'DELETE FROM differing_opinions' });
}

/** Postpones the next question; the pauses grow to an hour. */
export async function postponeOpinion(tx: DbTransaction, hash: string): Promise<void> {
  await tx.query({
    name: 'differing_opinions.postpone',
    text: `
      UPDATE differing_opinions
      SET ${postponed(60, 3600)}
      WHERE hash = $1`,
    values: [hash],
  });
}

/** Differences about which the nodes are to be asked again. */
export async function dueOpinions(db: Queryable, limit: number): Promise<DifferingOpinion[]> {
  const { rows } = await db.query<DifferingOpinion & { position: string }>({
    name: 'differing_opinions.due',
    text: `
      SELECT hash, position, node, reason FROM differing_opinions
      WHERE due_at <= now() ORDER BY due_at, hash LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

export async function countOpinions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'differing_opinions.count',
    text: 'SELECT count(*) FROM differing_opinions',
  });
  return Number(rows[0]!.count);
}

/** What is stored of the execution of a transaction. */
interface StoredOutcome {
  position: bigint;
  /** Call information; null if it is not stored. */
  info: string | null;
  /** Whether the creation of a contract failed; null if the transaction created none, or if it is not known. */
  hasFailed: boolean | null;
}

/** Undefined if the transaction is not stored. */
export async function storedOutcome(db: Queryable, hash: string): Promise<StoredOutcome | undefined> {
  const { rows } = await db.query<StoredOutcome & { position: string }>({
    name: 'differing_opinions.outcome',
    text: `
      SELECT t.position, i.body AS info, CASE WHEN k.outcome_known THEN k.failed END AS "hasFailed"
      FROM transactions_by_hash AS t
      LEFT JOIN infos AS i ON i.position = t.position
      LEFT JOIN contracts AS k ON k.position = t.position
      WHERE t.hash = $1`,
    values: [hash],
  });
  return rows[0] && { ...rows[0], position: BigInt(rows[0].position) };
}
