/** The hashes of transactions in the partitioned layout, by which they are found. A trigger writes them. */
import type { DbTransaction, Queryable } from '../connection/database.js';
import { MAX_ROWS, compareRows, fromRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { positionsOf } from '../facts/window.js';
import type { CheckedWindow, Projection } from './projection.js';

/** Reports transactions of a window that are not found by their hash. */
async function missing(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  // Only in the partitioned layout are hashes stored twice. A subquery and not a join: hashes are looked up, never read as a whole.
  const { rows } = await db.query<{ position: string }>({
    name: 'verify.hashes',
    text: `SELECT t.position FROM transactions AS t
    WHERE t.position >= $1 AND t.position < $2 AND to_regclass('transaction_hashes') IS NOT NULL
      AND (SELECT h.position FROM transactions_by_hash AS h WHERE h.hash = t.hash LIMIT 1) IS DISTINCT FROM t.position`,
    values: positionsOf(window),
  });
  return rows.flatMap(({ position }) =>
    compareRows({ table: 'transaction_hashes', key: [position], height: heightOfPosition(position) }, {}, undefined),
  );
}

/** Reports hashes of the partitioned layout that no transaction has at their position.  */
async function verifyStrays(db: Queryable): Promise<Difference[]> {
  const { rows: tables } = await db.query<{ found: boolean }>({
    name: 'verify.has-hashes',
    text: `SELECT to_regclass('transaction_hashes') IS NOT NULL AS found`,
  });
  if (tables[0]?.found !== true) return [];
  // Positions alone are compared first, which reads an index and no transactions. OFFSET 0 keeps this order.
  const { rows } = await db.query({
    name: 'verify.stray-hashes',
    text: `
      SELECT h.hash AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
      FROM (
        SELECT h.hash, h.position
        FROM (SELECT position FROM transaction_hashes EXCEPT ALL SELECT position FROM transactions LIMIT ${MAX_ROWS}) AS p
        JOIN transaction_hashes AS h ON h.position = p.position
        OFFSET 0
      ) AS h
      WHERE (SELECT t.hash FROM transactions AS t WHERE t.position = h.position) IS DISTINCT FROM h.hash
      LIMIT ${MAX_ROWS}`,
  });
  return fromRows('transaction_hashes', rows);
}

/** Deletes those of the hashes of the partitioned layout that no transaction has at their position. */
async function mendStrays(tx: DbTransaction, hashes: readonly unknown[]): Promise<void> {
  await tx.query({
    name: 'transaction_hashes.mend-stray',
    text: `
      DELETE FROM transaction_hashes AS h WHERE h.hash = ANY ($1::text[])
        AND (SELECT t.hash FROM transactions AS t WHERE t.position = h.position) IS DISTINCT FROM h.hash`,
    values: [hashes],
  });
}

export const transactionHashes: Projection = {
  name: 'transaction-hashes',
  written: 'with the transaction, by a trigger, in the partitioned layout alone',
  tables: [{ name: 'transaction_hashes' }],
  window: missing,
  wholeChecks: [verifyStrays],
  mend: async (write, wrong) => {
    const hashes = wrong('transaction_hashes').map(([hash]) => hash);
    if (hashes.length > 0) await write((tx) => mendStrays(tx, hashes));
  },
};
