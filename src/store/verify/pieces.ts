/** A copy in pieces that are verified each by itself, in any order. */
import type { Queryable } from '../connection/database.js';
import type { Difference } from './difference.js';
import { verifyNames } from './names.js';
import { verifyOracles } from './oracles.js';
import {
  RANK_KINDS,
  verifyDays,
  verifyMilestones,
  verifyNumbers,
  verifyRanks,
  verifyRest,
  verifySampledCounts,
  verifyStrayRanks,
} from './tables.js';
import { verifyWindow } from './window.js';
import type { Means } from './window.js';

export interface Piece {
  /** Heights whose facts, and what follows from these alone, it is about; the other pieces are about the whole chain below the head. */
  window?: Range;
  verify: (db: Queryable) => Promise<Difference[]>;
  /** Transactions in it; 0 in those that are not counted by them. */
  transactions: number;
}

export interface Range {
  from: number;
  to: number;
}

/** Transactions of a window: enough that its statements cost little each, few enough to be held in memory. */
const WINDOW = 1_000;
/** Objects, and lists, of a piece. */
const PAGE = 500;
const LISTS = 4_000;

/** Beyond every height and key that can be stored. */
export const BEYOND = (1n << 30n) - 2n;

/** The pieces of the whole copy, or of what some heights alone give: their rows, and the objects and lists that they touch. */
export async function piecesOf(db: Queryable, heights: readonly Range[] | undefined, means: Means): Promise<Piece[]> {
  return [...(await windows(db, heights, means)), ...(await objectsOf(db, heights))];
}

/** The pieces that are not about the facts of some heights: objects, lists, and what is ranked or summed up over the whole chain. */
export async function objectsOf(db: Queryable, heights?: readonly Range[]): Promise<Piece[]> {
  const objects = [
    ...(await pages(db, 6, 'names', 'name_hash', heights)).map((ids) => (on: Queryable) => verifyNames(on, ids)),
    ...(await pages(db, 7, 'oracles', 'id', heights)).map((ids) => (on: Queryable) => verifyOracles(on, ids)),
    ...(await listRanges(db, heights)).map(
      ({ from, to }) =>
        (on: Queryable) =>
          verifyNumbers(on, from, to),
    ),
  ];
  const tables =
    heights === undefined
      ? [
          ...RANK_KINDS.map((kind) => (on: Queryable) => verifyRanks(on, kind)),
          verifyStrayRanks,
          verifyMilestones,
          verifySampledCounts,
          verifyDays,
          verifyRest,
        ]
      : [];
  return [...objects, ...tables].map((verify) => ({ verify, transactions: 0 }));
}

/** Heights without a gap from `from` on, up to `to`, that have about so many transactions; null where the first one is not stored. */
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

/** The lowest height above one that is stored. */
export async function storedAbove(db: Queryable, height: number): Promise<number | undefined> {
  const { rows } = await db.query<{ next: string | null }>({
    name: 'verify.stored-above',
    text: 'SELECT min(height) AS next FROM key_blocks WHERE height > $1',
    values: [height],
  });
  return rows[0]?.next == null ? undefined : Number(rows[0].next);
}

/** Heights with about so many transactions each; those of the whole copy leave no place between or beyond them out. */
async function windows(db: Queryable, heights: readonly Range[] | undefined, means: Means): Promise<Piece[]> {
  const ranges = heights ?? [{ from: 0, to: Number(BEYOND) }];
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
  if (heights === undefined) found[0]!.from = -BEYOND;
  return found.map(({ transactions, ...window }) => ({
    window: { from: Number(window.from), to: Number(window.to) },
    transactions,
    verify: (on) => verifyWindow(on, window, means),
  }));
}

/** Ids of the objects of lists of a kind and of those that have a row, some at a time. */
async function pages(
  db: Queryable,
  kind: number,
  table: 'names' | 'oracles',
  column: 'name_hash' | 'id',
  heights: readonly Range[] | undefined,
): Promise<string[][]> {
  const [froms, tos] = boundsOf(heights);
  const { rows } = await db.query<{ ids: string[] }>({
    name: `verify.pages-${table}`,
    text: `
      SELECT array_agg(id) AS ids
      FROM (
        SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${PAGE} AS page
        FROM (
          SELECT l.id FROM lists AS l WHERE l.kind = ${kind} AND $1::bigint[] IS NULL
          UNION SELECT ${column} FROM ${table} WHERE $1::bigint[] IS NULL
          UNION
          SELECT l.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
          JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond
          JOIN lists AS l ON l.key = e.list AND l.kind = ${kind}
          UNION
          SELECT o.${column} FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
          JOIN ${table} AS o ON o.position >= r.first AND o.position < r.beyond
        ) AS ids
      ) AS paged
      GROUP BY page ORDER BY page`,
    values: [froms, tos],
  });
  return rows.map(({ ids }) => ids);
}

/** Ranges of keys of lists: all there can be, or those in which some heights have an entry. */
async function listRanges(
  db: Queryable,
  heights: readonly Range[] | undefined,
): Promise<{ from: bigint; to: bigint }[]> {
  const [froms, tos] = boundsOf(heights);
  if (heights !== undefined) {
    const { rows } = await db.query<{ list: string }>({
      name: 'verify.lists-touched',
      text: `
        SELECT DISTINCT e.list FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
        JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond`,
      values: [froms, tos],
    });
    return rows.map(({ list }) => ({ from: BigInt(list), to: BigInt(list) }));
  }
  const { rows } = await db.query<{ last: string | null }>({
    name: 'verify.last-list',
    text: 'SELECT max(key) AS last FROM lists',
  });
  const last = BigInt(rows[0]?.last ?? 0);
  const ranges = [{ from: -(1n << 63n), to: 0n }];
  for (let from = 1n; from <= last; from += BigInt(LISTS)) ranges.push({ from, to: from + BigInt(LISTS) - 1n });
  return [...ranges, { from: ranges.at(-1)!.to + 1n, to: (1n << 63n) - 1n }];
}

/** First positions of ranges of heights, and those beyond them. */
function boundsOf(heights: readonly Range[] | undefined): [bigint[] | null, bigint[] | null] {
  if (heights === undefined) return [null, null];
  return [heights.map(({ from }) => BigInt(from) << 33n), heights.map(({ to }) => BigInt(to + 1) << 33n)];
}
