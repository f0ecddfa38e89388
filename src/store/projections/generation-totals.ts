/** Sums up the totals of generations again where they are wrong. */
import type { DbTransaction } from '../connection/database.js';
import { recordRewrite } from '../rewrites.js';
import type { Write } from './projection.js';

/** Mends totals from the first generation on, because each total builds on the one before, up to where nothing changes any more. */
export async function mendAllTotals(write: Write, lowest: number, highest: number): Promise<void> {
  for (let above = -1; ;) {
    const from = above;
    const done = await write(async (tx) => {
      const mended = await mendTotals(tx, from);
      if (mended?.wasWrong === true) await recordRewrite(tx, Math.min(lowest, from + 1));
      return mended;
    });
    if (done === null || (done.last >= highest && !done.wasWrong)) return;
    above = done.last;
  }
}

/** Generations whose totals are summed up at a time. */
const BATCH = 5_000;

/**
 * Sums up again the totals of the next generations above a height, starting from the totals at that height. Returns the height of the
 * last of these generations and whether a total was wrong; null if there are no generations above.
 */
async function mendTotals(tx: DbTransaction, above: number): Promise<{ last: number; wasWrong: boolean } | null> {
  const { rows } = await tx.query<{ last: string | null; wrong: string }>({
    name: 'generations.mend-totals',
    text: `
      WITH batch AS (
        SELECT g.height, g.tx_count, g.size, (SELECT k.time FROM key_blocks AS k WHERE k.height = g.height) AS time
        FROM generations AS g WHERE g.height > $1 ORDER BY g.height LIMIT ${BATCH}
      ), wrong AS (
        UPDATE generations AS g SET tx_total = s.tx_total, size_total = s.size_total, max_time = s.max_time
        FROM (
          SELECT p.height, COALESCE(b.tx_total, 0) + sum(p.tx_count) OVER below AS tx_total,
            COALESCE(b.size_total, 0) + sum(p.size) OVER below AS size_total,
            GREATEST(COALESCE(b.max_time, 0), max(p.time) OVER below) AS max_time
          FROM batch AS p
          LEFT JOIN (
            SELECT tx_total, size_total, max_time FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1
          ) AS b ON true
          WINDOW below AS (ORDER BY p.height)
        ) AS s
        WHERE g.height = s.height
          AND (g.tx_total, g.size_total, g.max_time) IS DISTINCT FROM (s.tx_total, s.size_total, s.max_time)
        RETURNING g.height
      )
      SELECT (SELECT max(height) FROM batch) AS last, (SELECT count(*) FROM wrong) AS wrong`,
    values: [above],
  });
  const { last, wrong } = rows[0]!;
  if (last === null) return null;
  const { rowCount } = await tx.query({
    name: 'generation_types.mend-totals',
    text: `
      UPDATE generation_types AS g SET total = s.total
      FROM (
        SELECT p.type, p.height, COALESCE(b.total, 0) + sum(p.count) OVER (PARTITION BY p.type ORDER BY p.height) AS total
        FROM types AS t
        CROSS JOIN LATERAL (
          SELECT g.type, g.height, g.count FROM generation_types AS g
          WHERE g.type = t.code AND g.height > $1 AND g.height <= $2 OFFSET 0
        ) AS p
        LEFT JOIN LATERAL (
          SELECT g.total FROM generation_types AS g WHERE g.type = t.code AND g.height <= $1 ORDER BY g.height DESC LIMIT 1
        ) AS b ON true
      ) AS s
      WHERE g.type = s.type AND g.height = s.height AND g.total <> s.total`,
    values: [above, last],
  });
  return { last: Number(last), wasWrong: Number(wrong) > 0 || rowCount > 0 };
}
