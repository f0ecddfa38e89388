import type { Queryable, DbTransaction } from './connection/database.js';

/** A transaction in a list. */
export interface Entry {
  kind: number;
  id: string;
  position: bigint;
  type: number;
}

/** Key of a list in maps. */
export const listLabel = (kind: number, id: string): string => `${kind} ${id}`;

/** Ids of those of the lists that are of a kind. */
export const idsOf = (lists: readonly { kind: number; id: string }[], kind: number): string[] =>
  lists.flatMap((list) => (list.kind === kind ? [list.id] : []));

/** A list as it is stored. */
export interface StoredList {
  key: string;
  kind: number;
  id: string;
}

/** Lists by `listLabel`. */
export type Wanted = ReadonlyMap<string, { kind: number; id: string }>;

/** Kinds and ids of lists, as parameters of a statement. */
export const listColumns = (of: Iterable<{ kind: number; id: string }>): [number[], string[]] => {
  const lists = [...of];
  return [lists.map((list) => list.kind), lists.map((list) => list.id)];
};

/** FROM item `l`: the list of each row of `w`, by its kind and id. */
export const EACH_LIST = 'CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l';

/** Keys of lists by `listLabel`; lists that do not exist are created. */
export async function listKeys(tx: DbTransaction, wanted: Wanted): Promise<Map<string, string>> {
  const { rows } = await tx.query<StoredList>({
    name: 'lists.keys',
    text: `
      SELECT l.key, l.kind, l.id
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      ${EACH_LIST}`,
    values: listColumns(wanted.values()),
  });
  const lists = [...rows, ...(await makeMissing(tx, wanted, rows))];
  return new Map(lists.map(({ key, kind, id }) => [listLabel(kind, id), key]));
}

/** Creates the lists that were not found. */
export async function makeMissing(
  tx: DbTransaction,
  wanted: Wanted,
  found: readonly StoredList[],
): Promise<StoredList[]> {
  const missing = new Map(wanted);
  for (const { kind, id } of found) missing.delete(listLabel(kind, id));
  if (missing.size === 0) return [];
  const { rows } = await tx.query<StoredList>({
    name: 'lists.make',
    text: `
      INSERT INTO lists (kind, id) SELECT * FROM unnest($1::smallint[], $2::text[])
      RETURNING key, kind, id`,
    values: listColumns(missing.values()),
  });
  return rows;
}

/** All list entries in the range. */
export async function entriesIn(tx: Queryable, range: { from: bigint; to: bigint }): Promise<Entry[]> {
  const { rows } = await tx.query<{ kind: number; id: string; position: string; type: number }>({
    name: 'entries.in',
    text: `
      SELECT l.kind, l.id, e.position, e.type
      FROM entries e CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = e.list LIMIT 1) AS l
      WHERE e.position >= $1 AND e.position < $2
      ORDER BY e.position`,
    values: [range.from, range.to],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/** Makes `ListEndCache` invalid. Everything that changes lists other than by appending must call it. */
export async function reviseLists(tx: Queryable): Promise<void> {
  await tx.query({ name: 'writer.revise', text: 'UPDATE writer SET revision = revision + 1' });
}

/** Lists of some kinds that have an entry in the range. */
export async function listsTouched(
  tx: Queryable,
  kinds: readonly number[],
  range: { from: bigint; to: bigint },
): Promise<{ kind: number; id: string }[]> {
  const { rows } = await tx.query<{ kind: number; id: string }>({
    name: 'lists.touched',
    text: `
      SELECT l.kind, l.id
      FROM (SELECT DISTINCT list FROM entries WHERE position >= $2 AND position < $3) AS e
      CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = e.list LIMIT 1) AS l
      WHERE l.kind = ANY ($1::smallint[])`,
    values: [kinds, range.from, range.to],
  });
  return rows;
}

/** Those of the lists that have an entry at or after a position. */
export async function listsReaching(
  tx: Queryable,
  lists: readonly { kind: number; id: string }[],
  from: bigint,
): Promise<{ kind: number; id: string }[]> {
  if (lists.length === 0) return [];
  const { rows } = await tx.query<{ kind: number; id: string }>({
    name: 'lists.reaching',
    text: `
      SELECT l.kind, l.id
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      ${EACH_LIST}
      CROSS JOIN LATERAL (SELECT e.position FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1) AS last
      WHERE last.position >= $3`,
    values: [lists.map(({ kind }) => kind), lists.map(({ id }) => id), from],
  });
  return rows;
}
