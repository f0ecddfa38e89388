import type { DbTransaction } from '../connection/database.js';
import { completeAndCopy } from './append-entries.js';
import type { ListEnd } from './append-entries.js';
import { EACH_LIST, listColumns, listLabel, makeMissing, reviseLists } from '../lists.js';
import type { Entry, StoredList } from '../lists.js';

/**
 * Inserts entries, in chain order, anywhere in the chain. Their lists must have no entries between the first and the last of them.
 * Entries above them get higher ordinals, in the same order.
 */
export async function insertEntries(tx: DbTransaction, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await reviseLists(tx);
  const firsts = new Map<string, Entry>();
  const names = entries.map((entry) => {
    const name = listLabel(entry.kind, entry.id);
    if (!firsts.has(name)) firsts.set(name, entry);
    return name;
  });
  const { ends, below } = await insertionPoints(tx, firsts);
  await makeRoom(tx, counted(entries, names, below));
  await completeAndCopy(
    tx,
    entries,
    names.map((name) => ends.get(name)!),
  );
}

/**
 * For each list the point after which its first new entry is inserted (`ends`), and those of the points that are below existing
 * entries (`below`), both by list label.
 */
async function insertionPoints(
  tx: DbTransaction,
  firsts: ReadonlyMap<string, Entry>,
): Promise<{ ends: Map<string, ListEnd>; below: Map<string, ListEnd> }> {
  // The entries above are all renumbered, so they are read from the end of the list. `+ 0` prevents the use of the index of positions,
  // which has those of all lists.
  const { rows } = await tx.query<StoredList & { ordinal: number; is_below: boolean }>({
    name: 'lists.insertion-points',
    text: `
      SELECT l.key, l.kind, l.id, COALESCE(last.position >= w.position, false) AS is_below,
        COALESCE(CASE WHEN last.position < w.position THEN last.ordinal ELSE (
          SELECT e.ordinal FROM entries e WHERE e.list = l.key AND e.position + 0 < w.position ORDER BY e.ordinal DESC LIMIT 1
        ) END, 0) AS ordinal
      FROM unnest($1::smallint[], $2::text[], $3::bigint[]) AS w (kind, id, position)
      ${EACH_LIST}
      LEFT JOIN LATERAL (
        SELECT e.ordinal, e.position FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1
      ) AS last ON true`,
    values: [...listColumns(firsts.values()), [...firsts.values()].map(({ position }) => position)],
  });
  const made = await makeMissing(tx, firsts, rows);
  const ends = new Map<string, ListEnd>();
  const below = new Map<string, ListEnd>();
  for (const { key, kind, id, ordinal, is_below } of [
    ...rows,
    ...made.map((list) => ({ ...list, ordinal: 0, is_below: false })),
  ]) {
    const end = { key, ordinal, types: new Map<number, number>() };
    ends.set(listLabel(kind, id), end);
    if (is_below) below.set(listLabel(kind, id), end);
  }
  return { ends, below };
}

/** New entries of a list that are below existing ones. */
interface Insertion {
  /** The point after which they are inserted. */
  end: ListEnd;
  count: number;
  typeCounts: Map<number, number>;
}

function counted(
  entries: readonly Entry[],
  names: readonly string[],
  below: ReadonlyMap<string, ListEnd>,
): Insertion[] {
  if (below.size === 0) return [];
  const lists = new Map<string, Insertion>();
  for (const [name, end] of below) lists.set(name, { end, count: 0, typeCounts: new Map() });
  for (const [i, { type }] of entries.entries()) {
    const list = lists.get(names[i]!);
    if (list === undefined) continue;
    list.count++;
    list.typeCounts.set(type, (list.typeCounts.get(type) ?? 0) + 1);
  }
  return [...lists.values()];
}

/** Raises the ordinals above the insertion points, and sets the `types` of these points. */
async function makeRoom(tx: DbTransaction, lists: readonly Insertion[]): Promise<void> {
  if (lists.length === 0) return;
  // The sort of the INSERT makes PostgreSQL delete the whole tail first, so no ordinal is written while it is still in use.
  const { rows } = await tx.query<{ list: string; type: number; before: number }>({
    name: 'entries.make-room',
    text: `
      WITH places AS (
        SELECT list, ordinal, count, types::smallint[] AS types, counts::int[] AS counts
        FROM unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::text[]) AS p (list, ordinal, count, types, counts)
        OFFSET 0
      ), tail AS (
        DELETE FROM entries AS e USING places AS p WHERE e.list = p.list AND e.ordinal > p.ordinal
        RETURNING e.list, e.position, e.ordinal + p.count AS ordinal, e.type_ordinal, e.type,
          COALESCE(p.counts[array_position(p.types, e.type)], 0) AS of_type
      ), moved AS (
        INSERT INTO entries (list, position, ordinal, type_ordinal, type)
        SELECT list, position, ordinal, type_ordinal + of_type, type FROM tail ORDER BY list, ordinal
      )
      SELECT list, type, min(type_ordinal) - 1 AS before FROM tail GROUP BY list, type`,
    values: [
      lists.map(({ end }) => end.key),
      lists.map(({ end }) => end.ordinal),
      lists.map(({ count }) => count),
      lists.map(({ typeCounts }) => `{${[...typeCounts.keys()].join()}}`),
      lists.map(({ typeCounts }) => `{${[...typeCounts.values()].join()}}`),
    ],
  });
  const byKey = new Map(lists.map(({ end }) => [end.key, end]));
  for (const { list, type, before } of rows) byKey.get(list)!.types.set(type, before);
}
