/** Accounts that transactions name, by parts of the chain: see `projections/active-accounts`. */
import { DAY_MS } from '../../chain/day.js';
import { beginOf, intervalAt } from '../../chain/intervals.js';
import type { Queryable, Statement } from '../connection/database.js';
import { below } from './compat/places.js';
import { heightOfTime, positionOfTime, positionsOfTimes } from './moments.js';

/**
 * SELECT of the accounts that transactions name from one position to below another one, also those that are wrapped: `id`, and `before`, the position at
 * which each was named last before that; -1 if it was not. So each is counted once in whatever is longer than the part.
 */
export const accountsNamed = (from: string, upto: string): string => `
  SELECT n.id, COALESCE((
    SELECT max(e.position)
    FROM (VALUES (1::smallint), (10::smallint)) AS k (kind)
    CROSS JOIN LATERAL (SELECT l.key FROM lists AS l WHERE l.kind = k.kind AND l.id = n.id LIMIT 1) AS o
    CROSS JOIN LATERAL (
      SELECT p.position FROM entries AS p WHERE p.list = o.key AND p.ordinal = ordinal_from(o.key, ${from}) - 1 LIMIT 1
    ) AS e
  ), -1) AS before
  FROM (
    SELECT DISTINCT l.id
    FROM (SELECT DISTINCT e.list FROM entries AS e WHERE e.position >= ${from} AND e.position < ${upto}) AS t
    CROSS JOIN LATERAL (SELECT l.kind, l.id FROM lists AS l WHERE l.key = t.list LIMIT 1) AS l
    WHERE l.kind IN (1, 10) AND starts_with(l.id, 'ak_')
  ) AS n`;

/** A part of the chain, and where the day, the week and the month begin that it is in. All are positions; it ends below `upto`. */
export interface Part {
  from: bigint;
  upto: bigint;
  day: bigint;
  week: bigint;
  month: bigint;
}

interface EndRow {
  /** Time at which the part begins, and that of the chain's first block, ms. */
  time: string | null;
  first: string | null;
  upto: string | null;
}

/** Ends a part at the first key block with `$2` transactions since it began. */
const WHEN_FULL = `
  SELECT (g.height + 1) << 33 FROM generations AS g
  WHERE g.tx_total >= ${below('$1::bigint', false)} + $2::bigint AND g.tx_count > 0
    AND EXISTS (SELECT FROM generations AS n WHERE n.height = g.height + 1)
  ORDER BY g.tx_total LIMIT 1`;

/** Ends a part at the position `$2`, if a key block is there. */
const AT_KEY_BLOCK =
  'SELECT $2::bigint FROM generations AS g WHERE g.height = $2::bigint >> 33 AND $2::bigint & 8589934591 = 0';

/** Statement for the end of the part that begins at `$1`: at the next midnight, or where `end` says, if that is before it. */
const endOf = (end: string): string => `
  SELECT d.time, d.first, LEAST(CASE WHEN d.height IS NOT NULL THEN ${positionOfTime('d.midnight', 'd.height')} END, (${end})) AS upto
  FROM (
    SELECT m.*, CASE WHEN m.midnight <= (SELECT max(g.max_time) FROM generations AS g) THEN ${heightOfTime('m.midnight')} END AS height
    FROM (
      SELECT t.*, (t.time / ${DAY_MS} + 1) * ${DAY_MS} AS midnight
      FROM (
        SELECT f.first, CASE
          WHEN $1::bigint = 0 THEN f.first
          WHEN $1::bigint & 8589934591 = 0 THEN (SELECT g.max_time FROM generations AS g WHERE g.height = $1::bigint >> 33)
          ELSE LEAST(
            (SELECT m.time FROM micro_blocks AS m WHERE m.position = $1::bigint),
            (SELECT g.max_time FROM generations AS g WHERE g.height = ($1::bigint >> 33) + 1)
          )
        END AS time
        FROM (
          SELECT (SELECT g.max_time FROM generations AS g WHERE g.height > 0 ORDER BY g.height LIMIT 1) AS first
        ) AS f
      ) AS t
    ) AS m OFFSET 0
  ) AS d`;

const NEXT = endOf(WHEN_FULL);
const GIVEN = endOf(AT_KEY_BLOCK);

/**
 * The part that begins at a position, or at the beginning (0). It ends at the next midnight, or before that at a key block, when it has `size` transactions.
 * Null while no key block says that it is over.
 */
export const partFrom = (db: Queryable, from: bigint, size: number): Promise<Part | null> =>
  readPart(db, from, { name: 'active_accounts.part', text: NEXT, values: [from, size] });

/** The part from one position to another one; null if no part that begins there can end there. */
export async function partBetween(db: Queryable, from: bigint, upto: bigint): Promise<Part | null> {
  const part = await readPart(db, from, { name: 'verify.active-accounts-part', text: GIVEN, values: [from, upto] });
  return part?.upto === upto ? part : null;
}

async function readPart(db: Queryable, from: bigint, statement: Statement): Promise<Part | null> {
  const { rows } = await db.query<EndRow>(statement);
  const { time, first, upto } = rows[0]!;
  if (time === null || upto === null) return null;
  const begins = (['day', 'week', 'month'] as const).map((step) => beginOf(step, intervalAt(step, Number(time))));
  const places = await positionsOfTimes(db, begins.map(BigInt));
  // The first interval of the chain begins with it, whatever time the genesis block has.
  const [day, week, month] = begins.map((begin, i) => (begin <= Number(first) ? 0n : places[i]!));
  return { from, upto: BigInt(upto), day: day!, week: week!, month: month! };
}

export interface PartCounts {
  in_day: number;
  in_week: number;
  in_month: number;
}

/** Accounts that are named in a part, and not before it in the same day, week or month. */
export async function countPart(db: Queryable, { from, upto, day, week, month }: Part): Promise<PartCounts> {
  const { rows } = await db.query<PartCounts>({
    name: 'active_accounts.count',
    text: `
      SELECT count(*) FILTER (WHERE n.before < $3::bigint)::int AS in_day,
        count(*) FILTER (WHERE n.before < $4::bigint)::int AS in_week,
        count(*) FILTER (WHERE n.before < $5::bigint)::int AS in_month
      FROM (${accountsNamed('$1::bigint', '$2::bigint')}) AS n`,
    values: [from, upto, day, week, month],
  });
  return rows[0]!;
}
