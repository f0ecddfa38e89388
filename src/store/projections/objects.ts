/** Objects that are computed from all transactions of their list. */
import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import { operationsOf } from '../facts/blocks.js';
import type { Placed } from '../facts/blocks.js';
import { storedTransactions } from '../facts/stored.js';
import type { HeightRange, Objects, Replaced } from './projection.js';

/** Objects of one kind, and how their operations are written. */
interface Folded {
  kind: number;
  on: 'oracle' | 'channel';
  append: (db: Queryable, operations: readonly Placed<Operation>[]) => Promise<void>;
  /** `operations`: all of the objects, in chain order. */
  rebuild: (db: Queryable, ids: readonly string[], operations: readonly Placed<Operation>[]) => Promise<void>;
}

/** Rebuilds objects from their stored transactions. */
export async function rebuildObjects(db: Queryable, folded: Folded, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await folded.rebuild(db, ids, await operationsOn(db, folded, ids));
}

/** Rebuilds the objects that have to be, and applies the new operations on the others to their rows. */
export async function replaceObjects(db: Queryable, folded: Folded, { added, rebuilt }: Replaced): Promise<void> {
  const ids = rebuilt(folded.kind);
  await rebuildObjects(db, folded, ids);
  const isRebuilt = new Set(ids);
  await folded.append(
    db,
    added.operations.filter(({ op }) => op.on === folded.on && !isRebuilt.has(op.id)),
  );
}

/** The operations on some objects in their stored transactions, in chain order. */
export async function operationsOn(
  db: Queryable,
  { kind, on }: Pick<Folded, 'kind' | 'on'>,
  ids: readonly string[],
  from?: bigint,
): Promise<Placed<Operation>[]> {
  const wanted = new Set(ids);
  const lists = ids.map((id) => ({ kind, id }));
  const operations: Placed<Operation>[] = [];
  for await (const placed of storedTransactions(db, lists, { from }))
    operations.push(...operationsOf([placed]).filter(({ op }) => op.on === on && wanted.has(op.id)));
  return operations;
}

/** Objects of a page. */
const PAGE = 500;

/** Ids of the objects that have a list or a row, in pages; with `heights` only of those with an entry or a row there. */
export async function pagesOf(
  db: Queryable,
  { kind, table, id }: Objects,
  heights: readonly HeightRange[] | undefined,
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
          UNION SELECT ${id} FROM ${table} WHERE $1::bigint[] IS NULL
          UNION
          SELECT l.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
          JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond
          JOIN lists AS l ON l.key = e.list AND l.kind = ${kind}
          UNION
          SELECT o.${id} FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
          JOIN ${table} AS o ON o.position >= r.first AND o.position < r.beyond
        ) AS ids
      ) AS paged
      GROUP BY page ORDER BY page`,
    values: [froms, tos],
  });
  return rows.map(({ ids }) => ids);
}

/** The first position of each range of heights, and the first position after it. */
export function boundsOf(heights: readonly HeightRange[] | undefined): [bigint[] | null, bigint[] | null] {
  if (heights === undefined) return [null, null];
  return [heights.map(({ from }) => BigInt(from) << 33n), heights.map(({ to }) => BigInt(to + 1) << 33n)];
}
