/** Projections that a function of the schema writes, for the keys of lists or accounts that it gets. */
import type { Projection } from './projection.js';

/** Keys that one part of a backfill looks up. */
const PART = 20_000;

interface Refreshed {
  table: string;
  /** Table of all keys, and the function that writes the rows of some of them. */
  keys: string;
  refresh: string;
}

/** Refreshes the rows of all keys in their order, part by part; its position is the last key that was looked up. */
export const refreshInParts =
  ({ table, keys, refresh }: Refreshed): NonNullable<Projection['backfill']> =>
  async (tx, after) => {
    const { rows } = await tx.query<{ last: number | string | null }>({
      name: `${table}.backfill`,
      text: `
      WITH part AS (SELECT key FROM ${keys} WHERE key > $1::bigint ORDER BY key LIMIT ${PART})
      SELECT max(p.key) AS last, ${refresh}(array_agg(p.key)) FROM part AS p`,
      values: [after],
    });
    const last = rows[0]?.last ?? null;
    return last === null ? null : BigInt(last);
  };
