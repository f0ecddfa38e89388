/** The spends of each day (UTC), for the daily rates. */
import { DAY_MS } from '../../chain/day.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import { comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';

/** Rebuilds the sums of UTC days (numbered from 1970-01-01) from the micro blocks. */
async function rebuild(tx: DbTransaction, days: readonly number[]): Promise<void> {
  if (days.length === 0) return;
  await tx.query({
    name: 'days.clear',
    text: `DELETE FROM days WHERE day IN (SELECT date '1970-01-01' + n FROM unnest($1::int[]) AS d (n))`,
    values: [days],
  });
  await tx.query({
    name: 'days.rebuild',
    text: `
      INSERT INTO days (day, count, amount)
      SELECT date '1970-01-01' + n, SUM(m.spend_count), SUM(m.spend_amount)
      FROM unnest($1::int[]) AS d (n)
      JOIN micro_blocks m ON m.time >= n::bigint * ${DAY_MS} AND m.time < (n::bigint + 1) * ${DAY_MS}
      GROUP BY n
      HAVING SUM(m.spend_count) > 0`,
    values: [days],
  });
}

/** The UTC days (numbered from 1970-01-01) of the micro blocks in the range. */
async function daysOf(tx: DbTransaction, range: Range): Promise<number[]> {
  const { rows } = await tx.query<{ day: string }>({
    name: 'days.of',
    text: `SELECT DISTINCT time / ${DAY_MS} AS day FROM micro_blocks WHERE position >= $1 AND position < $2`,
    values: [range.from, range.to],
  });
  return rows.map((row) => Number(row.day));
}

/** Verifies the spends of each day against the micro blocks. */
async function verify(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.days',
    text: comparison({
      expected: `
        SELECT date '1970-01-01' + (time / ${DAY_MS})::int AS day, sum(spend_count) AS count, sum(spend_amount) AS amount
        FROM micro_blocks GROUP BY 1 HAVING sum(spend_count) > 0`,
      stored: 'SELECT day, count::numeric AS count, amount FROM days',
      key: ['day'],
      columns: ['count', 'amount'],
    }),
  });
  return fromRows('days', rows);
}

/** Mends the spends of days; `dates` are `YYYY-MM-DD`. */
async function mendDays(tx: DbTransaction, dates: readonly unknown[]): Promise<void> {
  const { rows } = await tx.query<{ day: number }>({
    name: 'days.numbers',
    text: `SELECT d.date - date '1970-01-01' AS day FROM unnest($1::date[]) AS d (date)`,
    values: [dates],
  });
  await rebuild(
    tx,
    rows.map(({ day }) => day),
  );
}

export const days: Projection = {
  name: 'days',
  written: 'in the commit of the block',
  tables: [{ name: 'days', rows: 'SELECT * FROM days ORDER BY day' }],
  writes: {
    append: (tx, { blocks }) => {
      const added = blocks.flatMap((b) => (b.kind === 'micro' ? [Math.floor(b.microBlock.time / DAY_MS)] : []));
      return rebuild(tx, [...new Set(added)]);
    },
    undo: async (tx, { range }) => {
      const removed = await daysOf(tx, range);
      return () => rebuild(tx, removed);
    },
    replace: async (tx, { range }) => {
      const before = await daysOf(tx, range);
      return async () => rebuild(tx, [...new Set([...before, ...(await daysOf(tx, range))])]);
    },
  },
  wholeChecks: [verify],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong('days')))
      await write((tx) =>
        mendDays(
          tx,
          keys.map(([date]) => date),
        ),
      );
  },
};
