import type { Queryable, Statement } from '../database.js';

/** The highest key block stored when an answer was made. */
export interface Top {
  height: number;
  hash: string;
}

export interface Answer<Row extends object = { body: string }> {
  /** Null when the statement gave no row: what was asked for is not stored. */
  row: Row | null;
  /** Null while nothing is stored. */
  top: Top | null;
}

interface Beside {
  answer_found: true | null;
  top_height: string | null;
  top_hash: string | null;
}

/**
 * Runs a statement that gives at most one row and reads the top beside it, as one statement: both are of one snapshot,
 * so the top named in the headers is the one the answer was made from.
 *
 * Statements put lists together with `string_agg` over an ordered subquery, which keeps its order and needs no sort.
 */
export async function answer<Row extends object = { body: string }>(
  db: Queryable,
  statement: Statement,
): Promise<Answer<Row>> {
  const { rows } = await db.query<Row & Beside>({
    ...statement,
    text: `
      SELECT answer.*, top.height AS top_height, top.hash AS top_hash
      FROM (SELECT 1) AS one
      LEFT JOIN (SELECT true AS answer_found, inside.* FROM (${statement.text}) AS inside) AS answer ON true
      LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS top ON true`,
  });
  const row = rows[0];
  const top =
    row?.top_height == null || row.top_hash === null ? null : { height: Number(row.top_height), hash: row.top_hash };
  return { row: row?.answer_found === true ? row : null, top };
}
