/** Divides the verification of a copy into independent tasks, which may run in any order. */
import type { Queryable } from '../connection/database.js';
import type { Difference } from '../facts/difference.js';
import { PROJECTIONS } from '../projections/list.js';
import type { Check, HeightRange } from '../projections/projection.js';
import { verifyDue } from './due.js';
import { eventTasks } from './events.js';
import { verifyNetwork } from './network.js';
import { verifySchema } from './schema.js';
import { verifyWindow } from './window.js';
import type { VerifyOptions } from './window.js';

export interface VerifyTask {
  /** Heights whose facts, and projections of these facts alone, it verifies; absent in tasks about the whole chain. */
  window?: HeightRange;
  verify: (db: Queryable) => Promise<Difference[]>;
  /** Transactions of the window; 0 without one. */
  transactions: number;
}

/** Transactions of a window: many, so that few statements are needed, but few enough to be in memory. */
const WINDOW = 1_000;

/** Above every height that can be stored. */
export const ABOVE_ANY_HEIGHT = (1n << 30n) - 2n;

/** The tasks for the whole copy, or for some heights: their rows, and the objects and lists that they change. */
export async function tasksOf(
  db: Queryable,
  heights: readonly HeightRange[] | undefined,
  options: VerifyOptions,
): Promise<VerifyTask[]> {
  return [...(await windowTasks(db, heights, options)), ...(await objectTasks(db, heights))];
}

/** The tasks without a window: what projections check beside it, and (for the whole copy) the network, the schema, what is due, and the event log. */
export async function objectTasks(db: Queryable, heights?: readonly HeightRange[]): Promise<VerifyTask[]> {
  const checks: Check[] = [];
  for (const projection of PROJECTIONS) checks.push(...((await projection.checks?.(db, heights)) ?? []));
  if (heights === undefined) {
    checks.push(...PROJECTIONS.flatMap(({ wholeChecks }) => wholeChecks ?? []));
    checks.push(verifyNetwork, verifySchema, verifyDue, ...(await eventTasks(db)));
  }
  return checks.map((verify) => ({ verify, transactions: 0 }));
}

/** The heights from `from` on, up to `to`, without a gap, that have about `transactions` transactions; null if `from` is not stored. */
export async function windowFrom(
  db: Queryable,
  from: number,
  to: number,
  transactions: number,
): Promise<{ to: number; transactions: number } | null> {
  const { rows } = await db.query<{ to: string | null; transactions: string }>({
    name: 'verify.window-from',
    text: `
      SELECT max(height) AS "to", COALESCE(sum(transactions), 0) AS transactions
      FROM (
        SELECT k.height, m.transactions, sum(m.transactions + 1) OVER (ORDER BY k.height) AS total,
          row_number() OVER (ORDER BY k.height) - 1 = k.height - $1 AS follows
        FROM key_blocks AS k
        CROSS JOIN LATERAL (
          SELECT COALESCE(sum(tx_count), 0) AS transactions FROM micro_blocks
          WHERE position >= k.height << 33 AND position < (k.height + 1) << 33
        ) AS m
        WHERE k.height BETWEEN $1 AND LEAST($2, $1 + $3)
      ) AS summed
      WHERE follows AND (total <= $3 OR height = $1)`,
    values: [from, to, transactions],
  });
  const { to: last, transactions: count } = rows[0]!;
  return last === null ? null : { to: Number(last), transactions: Number(count) };
}

/** The lowest stored height above `height`; undefined if there is none. */
export async function storedAbove(db: Queryable, height: number): Promise<number | undefined> {
  const { rows } = await db.query<{ next: string | null }>({
    name: 'verify.stored-above',
    text: 'SELECT min(height) AS next FROM key_blocks WHERE height > $1',
    values: [height],
  });
  return rows[0]?.next == null ? undefined : Number(rows[0].next);
}

/** Tasks for windows of about `WINDOW` transactions. For the whole copy the windows also cover all gaps, and all heights below and above. */
async function windowTasks(
  db: Queryable,
  heights: readonly HeightRange[] | undefined,
  options: VerifyOptions,
): Promise<VerifyTask[]> {
  const ranges = heights ?? [{ from: 0, to: Number(ABOVE_ANY_HEIGHT) }];
  const found: { from: bigint; to: bigint; transactions: number }[] = [];
  for (const { from, to } of ranges) {
    const { rows } = await db.query<{ to: string; transactions: string }>({
      name: 'verify.windows',
      text: `
        SELECT max(height) AS "to", sum(transactions) AS transactions
        FROM (
          SELECT height, transactions, sum(transactions + 1) OVER (ORDER BY height) / ${WINDOW} AS number
          FROM (
            SELECT k.height, COALESCE(m.transactions, 0) AS transactions
            FROM key_blocks AS k
            LEFT JOIN (
              SELECT position >> 33 AS height, sum(tx_count)::bigint AS transactions FROM micro_blocks
              WHERE position >= $1::bigint << 33 AND position < ($2::bigint + 1) << 33 GROUP BY 1
            ) AS m ON m.height = k.height
            WHERE k.height BETWEEN $1 AND $2
          ) AS generations
        ) AS numbered
        GROUP BY div(number, 1) ORDER BY 1`,
      values: [from, to],
    });
    let next = BigInt(from);
    for (const [i, row] of rows.entries()) {
      const last = i === rows.length - 1 ? BigInt(to) : BigInt(row.to);
      found.push({ from: next, to: last, transactions: Number(row.transactions) });
      next = last + 1n;
    }
    if (rows.length === 0) found.push({ from: next, to: BigInt(to), transactions: 0 });
  }
  if (heights === undefined) found[0]!.from = -ABOVE_ANY_HEIGHT;
  return found.map(({ transactions, ...window }) => ({
    window: { from: Number(window.from), to: Number(window.to) },
    transactions,
    verify: (on) => verifyWindow(on, window, options),
  }));
}
