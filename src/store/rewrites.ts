/** Writes below the head. A verification in parts must verify again from the lowest of them on. */
import type { DbTransaction, Queryable } from './connection/database.js';

/** Max rows in the table. A verification that saw none of them begins again. */
const MAX_ROWS = 10_000;

/** Records that something was written or removed at a height, and perhaps above. The caller must have the right to write. */
export async function recordRewrite(tx: DbTransaction, height: number): Promise<void> {
  await tx.query({
    name: 'rewrites.record',
    text: 'INSERT INTO rewrites (number, height) SELECT COALESCE(max(number), 0) + 1, $1 FROM rewrites',
    values: [height],
  });
  await tx.query({
    name: 'rewrites.prune',
    text: `DELETE FROM rewrites WHERE number <= (SELECT max(number) FROM rewrites) - ${MAX_ROWS}`,
  });
}

/** Number of the last rewrite; 0 if there is none. */
export async function lastRewrite(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ last: string | null }>({
    name: 'rewrites.last',
    text: 'SELECT max(number) AS last FROM rewrites',
  });
  return Number(rows[0]?.last ?? 0);
}

/** The lowest height of all rewrites after that number; undefined if there are none, 0 if they are not known any more. */
export async function lowestRewriteSince(db: Queryable, number: number): Promise<number | undefined> {
  const { rows } = await db.query<{ first: string | null; last: string | null; lowest: string | null }>({
    name: 'rewrites.since',
    text: `
      SELECT min(number) AS first, max(number) AS last, min(height) FILTER (WHERE number > $1) AS lowest FROM rewrites`,
    values: [number],
  });
  const { first, last, lowest } = rows[0]!;
  const isKnown = Number(last ?? 0) >= number && (number === Number(last ?? 0) || Number(first) <= number + 1);
  if (!isKnown) return 0;
  return lowest === null ? undefined : Number(lowest);
}
