import type { DbTransaction } from '../connection/database.js';
import { completeAndCopy } from './append-entries.js';
import type { ListEnd } from './append-entries.js';
import { EACH_LIST, listColumns, listLabel, makeMissing, reviseLists } from './lists.js';
import type { Entry, StoredList } from './lists.js';

/**
 * Puts entries, in chain order, into lists that hold nothing from the first of them to the last, wherever in the chain that is. What the
 * lists hold above keeps its order and is numbered on by their count.
 */
export async function insertEntries(tx: DbTransaction, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await reviseLists(tx);
  const places = new Map<string, Place>();
  const listed = entries.map((entry) => {
    const name = listLabel(entry.kind, entry.id);
    const place = places.get(name) ?? { ...entry, count: 0, typeCounts: new Map<number, number>() };
    places.set(name, place);
    place.count++;
    place.typeCounts.set(entry.type, (place.typeCounts.get(entry.type) ?? 0) + 1);
    return name;
  });
  const ends = await placesInLists(tx, places);
  await completeAndCopy(
    tx,
    entries,
    listed.map((name) => ends.get(name)!),
  );
}

/** Where entries are put into a list: their first position, and how many they are. */
interface Place {
  kind: number;
  id: string;
  position: bigint;
  count: number;
  typeCounts: Map<number, number>;
}

/** What the entries of each list continue, once what stands above them has made room. */
async function placesInLists(tx: DbTransaction, places: ReadonlyMap<string, Place>): Promise<Map<string, ListEnd>> {
  // What stands above is read from the end of the list on: all of it is numbered again. Never by the index of positions, which has those
  // of all lists.
  const { rows } = await tx.query<StoredList & { ordinal: number; is_below: boolean }>({
    name: 'lists.places',
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
    values: [...listColumns(places.values()), [...places.values()].map(({ position }) => position)],
  });
  const made = await makeMissing(tx, places, rows);
  const ends = new Map<string, ListEnd>();
  for (const { key, kind, id, ordinal } of [...rows, ...made.map((list) => ({ ...list, ordinal: 0 }))])
    ends.set(listLabel(kind, id), { key, ordinal, types: new Map() });
  const below = rows.filter((row) => row.is_below).map(({ kind, id }) => listLabel(kind, id));
  await makeRoom(
    tx,
    below.map((name) => ({ end: ends.get(name)!, place: places.get(name)! })),
  );
  return ends;
}

/** Numbers on what lists hold above a place; sets what comes before the first of each type there. */
async function makeRoom(tx: DbTransaction, lists: readonly { end: ListEnd; place: Place }[]): Promise<void> {
  if (lists.length === 0) return;
  // INSERT in order: by the sort no ordinal is written before the last one was taken away.
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
      lists.map(({ place }) => place.count),
      lists.map(({ place }) => `{${[...place.typeCounts.keys()].join()}}`),
      lists.map(({ place }) => `{${[...place.typeCounts.values()].join()}}`),
    ],
  });
  const byKey = new Map(lists.map(({ end }) => [end.key, end]));
  for (const { list, type, before } of rows) byKey.get(list)!.types.set(type, before);
}
