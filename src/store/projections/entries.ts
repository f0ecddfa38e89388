/**
 * The entries of the lists are written by `store/write`: it keeps the ends of the lists that were last appended to, and moves the payments to a name to
 * other lists when the name points to something else.
 */
import type { DbTransaction, Queryable } from '../connection/database.js';
import { MAX_ROWS, compareRows, fromRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { positionsOf } from '../facts/window.js';
import { LISTS_BACKFILL, readBackfill } from '../backfills.js';
import { reviseLists } from '../lists.js';
import { fillLaterLists, isLater } from './later-lists.js';
import { boundsOf } from './objects.js';
import { renumber } from './ordinals.js';
import { addNameLists } from './pointers.js';
import type { CheckedWindow, HeightRange, Projection } from './projection.js';

const NAME = 'entries';

interface EntriesRow {
  position: string;
  /** Keys of the lists. */
  lists: string;
  /** The smallest and the greatest type code of the entries. */
  low: number;
  high: number;
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const { transactions } = window;
  await addNameLists(db, window, transactions);
  const filled = await readBackfill(db, LISTS_BACKFILL);
  const { rows } = await db.query<EntriesRow>({
    name: 'verify.entries',
    text: `SELECT position, string_agg(list::text, ',') AS lists, min(type) AS low, max(type) AS high
    FROM entries WHERE position >= $1 AND position < $2 GROUP BY position`,
    values: positionsOf(window),
  });
  const labels = await labelsByKey(db, new Set(rows.flatMap(({ lists }) => lists.split(','))));
  const stored = new Map(rows.map((entry) => [entry.position, entry]));
  const differences: Difference[] = [];
  const differ = (position: string, list: string, isExpected: boolean): void => {
    const place = { table: 'entries', key: [position, list], height: heightOfPosition(position) };
    differences.push(...compareRows(place, isExpected ? {} : undefined, isExpected ? undefined : {}));
  };
  const labelsOf = (entry: { lists: string } | undefined): string[] =>
    entry === undefined ? [] : entry.lists.split(',').map((key) => labels.get(key) ?? '?');
  for (const { row, found } of transactions) {
    const { position, code } = row;
    const entry = stored.get(position);
    stored.delete(position);
    if (found === undefined) continue;
    // The expected lists that are stored are removed from the set; nothing else reads it. The rest is missing.
    const { lists: missing } = found;
    for (const list of labelsOf(entry)) if (!missing.delete(list)) differ(position, list, false);
    const isFilled = filled === undefined || BigInt(position) <= filled;
    for (const list of missing) if (isFilled || !isLater(list)) differ(position, list, true);
    if (entry === undefined || (entry.low === code && entry.high === code)) continue;
    const place = { table: 'entries', key: [position], height: heightOfPosition(position), column: 'type' };
    differences.push({ ...place, expected: String(code), stored: `${entry.low} to ${entry.high}` });
  }
  for (const entry of stored.values()) for (const list of labelsOf(entry)) differ(entry.position, list, false);
  return differences;
}

/** `kind id` of lists, by their keys. They are read separately, because many entries have the same list. */
async function labelsByKey(db: Queryable, keys: ReadonlySet<string>): Promise<Map<string, string>> {
  const { rows } = await db.query<{ key: string; label: string }>({
    name: 'verify.lists',
    text: `SELECT key, kind || ' ' || id AS label FROM lists WHERE key = ANY ($1::bigint[])`,
    values: [[...keys]],
  });
  return new Map(rows.map(({ key, label }) => [key, label]));
}

/** Lists of a check of ordinals. */
const LISTS = 4_000;

/** Ranges of keys of lists (inclusive): all possible keys, or those of lists with an entry at some heights. */
async function listRanges(
  db: Queryable,
  heights: readonly HeightRange[] | undefined,
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

/** Verifies the lists with keys in a range (inclusive): ordinals must begin at 1, follow the chain and have no gaps, over all types and by type. */
async function verifyOrdinals(db: Queryable, from: bigint, to: bigint): Promise<Difference[]> {
  // Reads in the order of the index, by ordinals: their positions must be ascending too.
  const { rows } = await db.query({
    name: 'verify.ordinals',
    text: `
      SELECT ARRAY[n.list::text, n.ordinal::text] AS key, NULL AS height, c.column_name, c.expected, c.stored
      FROM (
        -- Few rows or none are left, which are then compared column by column.
        SELECT * FROM (
          SELECT list, ordinal, type_ordinal, position, lag(position) OVER lists AS before,
            row_number() OVER lists AS number, row_number() OVER types AS type_number
          FROM entries WHERE list BETWEEN $1 AND $2
          WINDOW lists AS (PARTITION BY list ORDER BY ordinal), types AS (PARTITION BY list, type ORDER BY ordinal)
        ) AS numbered
        WHERE ordinal <> number OR type_ordinal <> type_number OR position <= before
        LIMIT ${MAX_ROWS}
      ) AS n
      CROSS JOIN LATERAL (VALUES
        ('ordinal', n.number::text, n.ordinal::text, n.ordinal <> n.number),
        ('type_ordinal', n.type_number::text, n.type_ordinal::text, n.type_ordinal <> n.type_number),
        ('position', 'above ' || n.before, n.position::text, n.position <= n.before)
      ) AS c (column_name, expected, stored, differs)
      WHERE c.differs
      LIMIT ${MAX_ROWS}`,
    values: [from, to],
  });
  return fromRows('entries', rows);
}

/** Renumbers the entries of a list in the order of their positions, and deletes entries that are there twice. */
async function mendOrdinals(tx: DbTransaction, list: string): Promise<void> {
  await reviseLists(tx);
  await tx.query({
    name: 'entries.mend-doubles',
    text: `
      DELETE FROM entries AS e
      USING (SELECT ordinal, row_number() OVER (PARTITION BY position ORDER BY ordinal) AS copy FROM entries WHERE list = $1) AS d
      WHERE e.list = $1 AND e.ordinal = d.ordinal AND d.copy > 1`,
    values: [list],
  });
  await renumber(tx, list);
}

export const entries: Projection = {
  name: NAME,
  written:
    'in the commit of the block, by `store/write/append-entries`, `store/write/replace-entries` and `store/write/truncate`',
  tables: [
    { name: 'lists' },
    {
      name: 'entries',
      rows: `
        SELECT l.kind, l.id, e.ordinal, e.type_ordinal, y.name, e.position
        FROM entries e JOIN lists l ON l.key = e.list JOIN types y ON y.code = e.type ORDER BY 1, 2, 3`,
      at: 'position',
      isPartitioned: true,
    },
  ],
  backfill: fillLaterLists,
  backfillName: LISTS_BACKFILL,
  window: differences,
  checks: async (db, heights) =>
    (await listRanges(db, heights)).map(
      ({ from, to }) =>
        (on: Queryable) =>
          verifyOrdinals(on, from, to),
    ),
  mend: async (write, wrong) => {
    const lists = new Set(wrong('entries').map(([list]) => String(list)));
    for (const list of lists) await write((tx) => mendOrdinals(tx, list));
  },
};
