/**
 * Backfills: a copy of an earlier version gets the rows of a new derived table from what is stored, in parts, while it is in use. The migration that
 * makes the table inserts a row into `backfills`; without one, the table has all rows.
 */
import type { Queryable } from './connection/database.js';

/** The backfill of lists, named after their newest kind: a populator of the version before knows only the kinds before it. */
export const LISTS_BACKFILL = 'entries-of-oracle-answers';

/** Position up to which a projection has the rows of earlier versions' blocks; undefined if it has all. */
export async function readBackfill(db: Queryable, projection: string): Promise<bigint | undefined> {
  const { rows } = await db.query<{ position: string }>({
    name: 'backfills.read',
    text: 'SELECT position FROM backfills WHERE projection = $1',
    values: [projection],
  });
  return rows[0] === undefined ? undefined : BigInt(rows[0].position);
}

/** Stores how far a backfill has come; null at its end. */
export async function saveBackfill(db: Queryable, projection: string, position: bigint | null): Promise<void> {
  await db.query({
    name: position === null ? 'backfills.end' : 'backfills.save',
    text:
      position === null
        ? 'DELETE FROM backfills WHERE projection = $1'
        : 'UPDATE backfills SET position = $2 WHERE projection = $1',
    values: position === null ? [projection] : [projection, position],
  });
}
