/** What was written below the head: who verifies a copy in parts must look again at all from there on. */
import type { DbTransaction, Queryable } from './connection/database.js';

/** Rows kept. Who saw none of them begins again. */
const KEPT = 10_000;

/** Notes that something was written or removed at a height, and perhaps above. The caller holds the right to write. */
export async function noteRewrite(tx: DbTransaction, height: number): Promise<void> {
  await tx.query({
    name: 'rewrites.note',
    text: 'INSERT INTO rewrites (number, height) SELECT COALESCE(max(number), 0) + 1, $1 FROM rewrites',
    values: [height],
  });
  await tx.query({
    name: 'rewrites.forget',
    text: `DELETE FROM rewrites WHERE number <= (SELECT max(number) FROM rewrites) - ${KEPT}`,
  });
}

/** Number of the last one; 0 if there was none. */
export async function lastRewrite(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ last: string | null }>({
    name: 'rewrites.last',
    text: 'SELECT max(number) AS last FROM rewrites',
  });
  return Number(rows[0]?.last ?? 0);
}

/** The lowest height written since the one of that number; undefined if there is none, 0 if that is not known any more. */
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
