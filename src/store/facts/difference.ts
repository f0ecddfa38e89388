import { stringifyExact } from '../../chain/encoding/json.js';
import { heightOf } from '../../chain/position.js';

/** Values of the key columns of a row. */
export type Key = readonly (string | bigint)[];

/** A row, or a column of a row, that differs from what the facts of the same copy give. */
export interface Difference {
  table: string;
  key: Key;
  /** Height whose reload mends the row; null if no height does. */
  height: number | null;
  /** Null: the whole row is missing (`stored` is null) or should not exist (`expected` is null). */
  column: string | null;
  expected: string | null;
  stored: string | null;
}

/** A difference as it is reported: its key is one text. */
export type ReportedDifference = Omit<Difference, 'key'> & { key: string };

export const reportOf = (difference: Difference): ReportedDifference => ({
  ...difference,
  key: difference.key.join(' '),
});

/** Identifies a row in a `Difference`. */
type RowId = Pick<Difference, 'table' | 'key' | 'height'>;

/** A row with its key. */
type Keyed = readonly [key: Key, row: object];

const ROW = 'a row';

/** The differences between the expected and the stored row; undefined where there is no row. Only columns of `expected` are compared. */
export function compareRows(place: RowId, expected: object | undefined, stored: object | undefined): Difference[] {
  if (expected === undefined && stored === undefined) return [];
  if (expected === undefined) return [{ ...place, column: null, expected: null, stored: ROW }];
  if (stored === undefined) return [{ ...place, column: null, expected: ROW, stored: null }];
  return Object.entries(expected).flatMap(([column, value]) => {
    const texts = { expected: textOf(value), stored: textOf((stored as Record<string, unknown>)[column]) };
    return texts.expected === texts.stored ? [] : [{ ...place, column, ...texts }];
  });
}

/** Compares two sets of rows by their keys; the height of a row follows from its key. A row that is stored twice is once too many. */
export function compareAll(
  table: string,
  heightOfKey: (key: Key) => number | null,
  expected: readonly Keyed[],
  stored: readonly Keyed[],
): Difference[] {
  const wanted = new Map(expected.map((row) => [row[0].join(' '), row]));
  const differences = stored.flatMap(([key, row]) => {
    const label = key.join(' ');
    const found = compareRows({ table, key, height: heightOfKey(key) }, wanted.get(label)?.[1], row);
    wanted.delete(label);
    return found;
  });
  const missing = [...wanted.values()].flatMap(([key, row]) =>
    compareRows({ table, key, height: heightOfKey(key) }, row, undefined),
  );
  return [...differences, ...missing];
}

export const heightOfPosition = (position: string | bigint): number => heightOf(BigInt(position));

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : stringifyExact(value);
}

/** A row of a statement that compares in the database; the columns are those of `Difference`. */
interface DifferenceRow {
  /** Of the one key column, or of all of them. */
  key: string | number | string[];
  height: string | null;
  column_name: string | null;
  expected: string | null;
  stored: string | null;
}

/** Max differences of one statement: where many rows differ, the first ones are enough. */
export const MAX_ROWS = 100;

/** Differences from the rows of a statement that compares in the database. */
export const fromRows = (table: string, rows: readonly object[]): Difference[] =>
  (rows as DifferenceRow[]).map(({ key, height, column_name: column, expected, stored }) => ({
    table,
    key: Array.isArray(key) ? key : [String(key)],
    height: height === null ? null : Number(height),
    column,
    expected,
    stored,
  }));

/**
 * A statement that compares two relations with the same columns: rows with equal `key` columns belong together, and their `columns` are
 * compared.
 */
export function comparison(of: {
  expected: string;
  stored: string;
  key: readonly string[];
  columns: readonly string[];
}): string {
  const { key, columns } = of;
  const keyText = key.map((column) => `x.${column}::text`).join(', ');
  const changed = columns.map(
    (column) => `
      SELECT NULL::bigint AS height, ARRAY[${keyText}] AS key, '${column}' AS column_name,
        x.expected_${column}::text AS expected, x.stored_${column}::text AS stored
      FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_${column} IS DISTINCT FROM x.stored_${column}`,
  );
  return `
    WITH joined AS (
      SELECT ${key.map((column) => `COALESCE(e.${column}, s.${column}) AS ${column}`).join(', ')},
        e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
        ${columns.map((column) => `, e.${column} AS expected_${column}, s.${column} AS stored_${column}`).join('')}
      FROM (SELECT true AS present, i.* FROM (${of.expected}) AS i) AS e
      FULL JOIN (SELECT true AS present, i.* FROM (${of.stored}) AS i) AS s
        ON ${key.map((column) => `e.${column} = s.${column}`).join(' AND ')}
    )
    SELECT NULL::bigint AS height, ARRAY[${keyText}] AS key, NULL AS column_name,
      CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
    FROM joined AS x WHERE x.in_expected <> x.in_stored
    ${changed.map((text) => `UNION ALL ${text}`).join(' ')}
    LIMIT ${MAX_ROWS}`;
}
