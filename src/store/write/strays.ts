/** Stray rows refer to a range of the chain in which no transaction created them. A reload of the heights mends them. */
import type { Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import { PROJECTIONS } from '../projections/list.js';

/** Kinds of lists whose objects are computed from all transactions of the list, in order. */
export const objectKinds = (): number[] => PROJECTIONS.flatMap(({ objects }) => objects?.kind ?? []);

/** Objects with a row that refers to a position in the range. */
export async function objectsReferringTo(db: Queryable, range: Range): Promise<{ kind: number; id: string }[]> {
  const parts = PROJECTIONS.flatMap(({ objects }) =>
    (objects?.positions ?? []).map(
      (position) => `
      SELECT ${objects!.kind} AS kind, ${objects!.id} AS id FROM ${objects!.table} WHERE ${position} >= $1 AND ${position} < $2`,
    ),
  );
  const { rows } = await db.query<{ kind: number; id: string }>({
    name: 'objects.referring',
    text: parts.join(' UNION'),
    values: [range.from, range.to],
  });
  return rows;
}

/** Deletes entries of the range without a list. */
export async function deleteStrayEntries(db: Queryable, range: Range): Promise<void> {
  await db.query({
    name: 'entries.strays',
    text: `
      DELETE FROM entries AS e WHERE e.position >= $1 AND e.position < $2
        AND NOT EXISTS (SELECT FROM lists AS l WHERE l.key = e.list)`,
    values: [range.from, range.to],
  });
}
