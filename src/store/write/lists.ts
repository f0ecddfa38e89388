import { LRUCache } from 'lru-cache';
import type { Queryable, DbTransaction } from '../connection/database.js';
import { copyRows } from './copy.js';
import { columnsOf, endsOf, movedUses, usersOf } from './moves.js';
import type { Exceptions, Move } from './moves.js';

/** A transaction's place in a list. */
export interface Entry {
  kind: number;
  id: string;
  position: bigint;
  type: number;
}

const label = (kind: number, id: string): string => `${kind} ${id}`;

interface StoredList {
  key: string;
  kind: number;
  id: string;
}

type Wanted = ReadonlyMap<string, { kind: number; id: string }>;

const columns = (of: Iterable<{ kind: number; id: string }>): [number[], string[]] => {
  const lists = [...of];
  return [lists.map((list) => list.kind), lists.map((list) => list.id)];
};

/** Keys of lists; new ones are made. */
async function listKeys(tx: DbTransaction, wanted: Wanted): Promise<Map<string, string>> {
  const { rows } = await tx.query<StoredList>({
    name: 'lists.keys',
    text: `
      SELECT l.key, l.kind, l.id
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l`,
    values: columns(wanted.values()),
  });
  const lists = [...rows, ...(await makeMissing(tx, wanted, rows))];
  return new Map(lists.map(({ key, kind, id }) => [label(kind, id), key]));
}

async function makeMissing(tx: DbTransaction, wanted: Wanted, found: readonly StoredList[]): Promise<StoredList[]> {
  const missing = new Map(wanted);
  for (const { kind, id } of found) missing.delete(label(kind, id));
  if (missing.size === 0) return [];
  const { rows } = await tx.query<StoredList>({
    name: 'lists.make',
    text: `
      INSERT INTO lists (kind, id) SELECT * FROM unnest($1::smallint[], $2::text[])
      RETURNING key, kind, id`,
    values: columns(missing.values()),
  });
  return rows;
}

/** Where a list ends: what the next entry continues. */
interface ListEnd {
  key: string;
  ordinal: number;
  /** Highest ordinal by type, as far as it was asked for. */
  types: Map<number, number>;
}

/** Ends of the lists that were appended to last; they hold as long as nobody else changes lists. */
export interface ListMemory {
  /** State of the database for which the memory holds. */
  revision: string | undefined;
  ends: LRUCache<string, ListEnd>;
}

const REMEMBERED = 20_000;

export const createListMemory = (): ListMemory => ({ revision: undefined, ends: new LRUCache({ max: REMEMBERED }) });

/** Appends entries that stand above everything their lists hold; `entries` are in chain order. */
export async function appendEntries(tx: DbTransaction, entries: readonly Entry[], memory: ListMemory): Promise<void> {
  if (entries.length === 0) return;
  await completeAndCopy(tx, entries, await listEnds(tx, entries, memory.ends));
}

/** Writes entries, each of which continues the end of its list. */
async function completeAndCopy(tx: DbTransaction, entries: readonly Entry[], ends: readonly ListEnd[]): Promise<void> {
  await completeTypes(tx, entries, ends);
  await copyRows(
    tx,
    'entries',
    ['list', 'position', 'ordinal', 'type_ordinal', 'type'],
    entries.map(({ type, position }, i) => {
      const end = ends[i]!;
      const typeOrdinal = (end.types.get(type) ?? 0) + 1;
      end.types.set(type, typeOrdinal);
      return [end.key, position, ++end.ordinal, typeOrdinal, type];
    }),
  );
}

/** For each entry the end of its list. */
async function listEnds(
  tx: DbTransaction,
  entries: readonly Entry[],
  known: LRUCache<string, ListEnd>,
): Promise<ListEnd[]> {
  const ends = new Map<string, ListEnd>();
  const unknown = new Map<string, { kind: number; id: string }>();
  const labels = entries.map((entry) => {
    const name = label(entry.kind, entry.id);
    if (ends.has(name)) return name;
    const end = known.get(name);
    if (end === undefined) unknown.set(name, entry);
    else ends.set(name, end);
    return name;
  });
  if (unknown.size > 0) {
    const stored = await storedEnds(tx, unknown);
    const made = await makeMissing(tx, unknown, stored);
    for (const list of [...stored, ...made.map((list) => ({ ...list, ordinal: 0 }))]) {
      const name = label(list.kind, list.id);
      const end = { key: list.key, ordinal: list.ordinal, types: new Map<number, number>() };
      ends.set(name, end);
      known.set(name, end);
    }
  }
  return labels.map((name) => ends.get(name)!);
}

/** Asks for the highest ordinals of types that are not known yet; an empty list has none. */
async function completeTypes(tx: Queryable, entries: readonly Entry[], ends: readonly ListEnd[]): Promise<void> {
  const missing: { end: ListEnd; type: number }[] = [];
  for (const [i, { type }] of entries.entries()) {
    const end = ends[i]!;
    if (end.ordinal === 0 || end.types.has(type)) continue;
    // Until it is known, and if there is none.
    end.types.set(type, 0);
    missing.push({ end, type });
  }
  if (missing.length === 0) return;
  const { rows } = await tx.query<{ number: string; type_ordinal: number }>({
    name: 'entries.last-of-type',
    text: `
      SELECT w.number, last.type_ordinal
      FROM unnest($1::bigint[], $2::smallint[]) WITH ORDINALITY AS w (list, type, number)
      CROSS JOIN LATERAL (
        SELECT e.type_ordinal FROM entries e WHERE e.list = w.list AND e.type = w.type ORDER BY e.type_ordinal DESC LIMIT 1
      ) last`,
    values: [missing.map(({ end }) => end.key), missing.map(({ type }) => type)],
  });
  for (const row of rows) {
    const { end, type } = missing[Number(row.number) - 1]!;
    end.types.set(type, row.type_ordinal);
  }
}

/** Lists that there are, with their highest ordinal; an empty one has 0. */
async function storedEnds(tx: Queryable, wanted: Wanted): Promise<(StoredList & { ordinal: number })[]> {
  const { rows } = await tx.query<StoredList & { ordinal: number }>({
    name: 'lists.ends',
    text: `
      SELECT l.key, l.kind, l.id,
        COALESCE((SELECT e.ordinal FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0) AS ordinal
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l`,
    values: columns(wanted.values()),
  });
  return rows;
}

/**
 * Puts entries, in chain order, into lists that hold nothing from the first of them to the last, wherever in the chain that is. What the
 * lists hold above keeps its order and is numbered on by their count.
 */
export async function insertEntries(tx: DbTransaction, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await reviseLists(tx);
  const places = new Map<string, Place>();
  const listed = entries.map((entry) => {
    const name = label(entry.kind, entry.id);
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
      CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l
      LEFT JOIN LATERAL (
        SELECT e.ordinal, e.position FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1
      ) AS last ON true`,
    values: [...columns(places.values()), [...places.values()].map(({ position }) => position)],
  });
  const made = await makeMissing(tx, places, rows);
  const ends = new Map<string, ListEnd>();
  for (const { key, kind, id, ordinal } of [...rows, ...made.map((list) => ({ ...list, ordinal: 0 }))])
    ends.set(label(kind, id), { key, ordinal, types: new Map() });
  const below = rows.filter((row) => row.is_below).map(({ kind, id }) => label(kind, id));
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

/** What is listed in the range, with the lists' names. */
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

/**
 * Takes entries out of their lists, puts others in, and carries out moves but for their exceptions, wherever in the chain that is;
 * what is gone or there already is left so. Each list is numbered again from the first place at which it changed.
 */
export async function replaceEntries(
  tx: DbTransaction,
  gone: readonly Entry[],
  come: readonly Entry[],
  moves: readonly Move[],
  exceptions: Exceptions,
): Promise<void> {
  if (gone.length === 0 && come.length === 0 && moves.length === 0) return;
  await reviseLists(tx);
  const wanted = new Map<string, { kind: number; id: string }>();
  const lists = [...gone, ...come, ...moves.flatMap((move) => [usersOf(move), ...endsOf(move)])];
  for (const { kind, id } of lists) wanted.set(label(kind, id), { kind, id });
  const keys = await listKeys(tx, wanted);
  const keyOf = ({ kind, id }: { kind: number; id: string }): string => keys.get(label(kind, id))!;
  const endKey = (kind: number, id: string | null): string | null => (id === null ? null : keyOf({ kind, id }));
  // One statement: a temporary table for what is moved would need a right of its own. All of it sees the entries as they
  // were before; a list, or a type in it, goes on from where its tail began, or from its end if it had none. Of what is said
  // about an entry that it was there (0), goes (1) and comes (2), the greatest holds: by a sort, because what is joined here comes
  // sorted already, and PostgreSQL hashes positions badly. OFFSET 0: each start is found once, whatever the plan; PostgreSQL 11
  // has no AS MATERIALIZED.
  await tx.query({
    name: 'entries.replace',
    text: `
      WITH moved AS (
        SELECT k.was, k.becomes, e.type, e.position
        FROM ${movedUses(7)} JOIN unnest($14::bigint[], $15::bigint[]) WITH ORDINALITY AS k (was, becomes, number) USING (number)
        WHERE (m.number, e.position) NOT IN (SELECT * FROM unnest($16::bigint[], $17::bigint[]))
      ), changed AS (
        SELECT list, type, position, 1 AS said FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS g (list, type, position)
        UNION ALL
        SELECT list, type, position, 2 FROM unnest($4::bigint[], $5::smallint[], $6::bigint[]) AS c (list, type, position)
        UNION ALL SELECT was, type, position, 1 FROM moved WHERE was IS NOT NULL
        UNION ALL SELECT becomes, type, position, 2 FROM moved WHERE becomes IS NOT NULL
      ), starts AS (
        SELECT list, ordinal_from(list, min(position)) AS ordinal FROM changed GROUP BY list OFFSET 0
      ), tail AS (
        DELETE FROM entries AS e USING starts AS s WHERE e.list = s.list AND e.ordinal >= s.ordinal
        RETURNING e.list, e.type, e.position, e.ordinal, e.type_ordinal
      ), placed AS (
        SELECT list, type, position, ordinal, type_ordinal, said <> 1
          AND lead(position) OVER (PARTITION BY list, type ORDER BY position, said) IS DISTINCT FROM position AS stays
        FROM (
          SELECT list, type, position, ordinal, type_ordinal, 0 AS said FROM tail
          UNION ALL SELECT list, type, position, NULL, NULL, said FROM changed
        ) AS p
      ), groups AS (
        SELECT p.list, p.type, array_agg(p.position ORDER BY p.position) FILTER (WHERE p.stays) AS positions,
          COALESCE(
            min(min(p.ordinal)) OVER (PARTITION BY p.list) - 1,
            (SELECT e.ordinal FROM entries e WHERE e.list = p.list ORDER BY e.ordinal DESC LIMIT 1),
            0
          ) AS ordinal,
          COALESCE(
            min(p.type_ordinal) - 1,
            (
              SELECT e.type_ordinal FROM entries e WHERE e.list = p.list AND e.type = p.type
              ORDER BY e.type_ordinal DESC LIMIT 1
            ),
            0
          ) AS type_ordinal
        FROM placed AS p
        GROUP BY p.list, p.type
      )
      INSERT INTO entries (list, position, ordinal, type_ordinal, type)
      SELECT g.list, p.position, g.ordinal + row_number() OVER (PARTITION BY g.list ORDER BY p.position),
        g.type_ordinal + p.number, g.type
      FROM groups AS g CROSS JOIN LATERAL unnest(g.positions) WITH ORDINALITY AS p (position, number)`,
    values: [
      gone.map(keyOf),
      gone.map(({ type }) => type),
      gone.map(({ position }) => position),
      come.map(keyOf),
      come.map(({ type }) => type),
      come.map(({ position }) => position),
      ...columnsOf(moves),
      moves.map(({ kind, was }) => endKey(kind, was)),
      moves.map(({ kind, becomes }) => endKey(kind, becomes)),
      exceptions.numbers,
      exceptions.positions,
    ],
  });
}

/** To be called by whatever changes lists other than by appending to them. */
export async function reviseLists(tx: Queryable): Promise<void> {
  await tx.query({ name: 'writer.revise', text: 'UPDATE writer SET revision = revision + 1' });
}

/** Ids of the lists of some kinds that have an entry in the range. */
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

/** Those of the lists that hold something at a position or after it. */
export async function listsReaching(
  tx: Queryable,
  lists: readonly { kind: number; id: string }[],
  from: bigint,
): Promise<{ kind: number; id: string }[]> {
  const { rows } = await tx.query<{ kind: number; id: string }>({
    name: 'lists.reaching',
    text: `
      SELECT l.kind, l.id
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l
      CROSS JOIN LATERAL (SELECT e.position FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1) AS last
      WHERE last.position >= $3`,
    values: [lists.map(({ kind }) => kind), lists.map(({ id }) => id), from],
  });
  return rows;
}
