import { LRUCache } from 'lru-cache';
import type { Queryable, DbTransaction } from '../connection/database.js';
import { copyRows } from './copy.js';
import { EACH_LIST, listColumns, listLabel, makeMissing } from '../lists.js';
import type { Entry, StoredList, Wanted } from '../lists.js';

/** The end of a list, to which the next entry is appended. */
export interface ListEnd {
  key: string;
  /** Highest ordinal; 0 if the list is empty. */
  ordinal: number;
  /** Highest ordinal by type, of the types that were read. */
  types: Map<number, number>;
}

/** Ends of the lists that were last appended to. They are valid until another writer changes lists. */
export interface ListEndCache {
  /** Revision of the lists for which the cache is valid. */
  revision: string | undefined;
  ends: LRUCache<string, ListEnd>;
}

const MAX_CACHED = 20_000;

export const createListEndCache = (): ListEndCache => ({
  revision: undefined,
  ends: new LRUCache({ max: MAX_CACHED }),
});

/** Appends entries that are above all entries of their lists; `entries` are in chain order. */
export async function appendEntries(tx: DbTransaction, entries: readonly Entry[], cache: ListEndCache): Promise<void> {
  if (entries.length === 0) return;
  await completeAndCopy(tx, entries, await listEnds(tx, entries, cache.ends));
}

/** Writes entries, each at the end of its list (`ends`, one for each entry), and updates the ends. */
export async function completeAndCopy(
  tx: DbTransaction,
  entries: readonly Entry[],
  ends: readonly ListEnd[],
): Promise<void> {
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

/** The end of the list of each entry. */
async function listEnds(
  tx: DbTransaction,
  entries: readonly Entry[],
  known: LRUCache<string, ListEnd>,
): Promise<ListEnd[]> {
  const ends = new Map<string, { end?: ListEnd }>();
  const unknown = new Map<string, { kind: number; id: string }>();
  const ofEntries = entries.map((entry) => {
    const name = listLabel(entry.kind, entry.id);
    let one = ends.get(name);
    if (one !== undefined) return one;
    const end = known.get(name);
    if (end === undefined) unknown.set(name, entry);
    ends.set(name, (one = end === undefined ? {} : { end }));
    return one;
  });
  if (unknown.size > 0) {
    const stored = await storedEnds(tx, unknown);
    const made = await makeMissing(tx, unknown, stored);
    for (const list of [...stored, ...made.map((list) => ({ ...list, ordinal: 0 }))]) {
      const name = listLabel(list.kind, list.id);
      const end = { key: list.key, ordinal: list.ordinal, types: new Map<number, number>() };
      ends.get(name)!.end = end;
      known.set(name, end);
    }
  }
  return ofEntries.map(({ end }) => end!);
}

/** Reads the highest ordinals of types that are not known yet; an empty list has none. */
async function completeTypes(tx: Queryable, entries: readonly Entry[], ends: readonly ListEnd[]): Promise<void> {
  const missing: { end: ListEnd; type: number }[] = [];
  for (let i = 0; i < entries.length; i += 1) {
    const { type } = entries[i]!;
    const end = ends[i]!;
    if (end.ordinal === 0 || end.types.has(type)) continue;
    // Stays 0 if the list has no entry of the type.
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

/** Existing lists with their highest ordinal; 0 for an empty one. */
async function storedEnds(tx: Queryable, wanted: Wanted): Promise<(StoredList & { ordinal: number })[]> {
  const { rows } = await tx.query<StoredList & { ordinal: number }>({
    name: 'lists.ends',
    text: `
      SELECT l.key, l.kind, l.id,
        COALESCE((SELECT e.ordinal FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0) AS ordinal
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      ${EACH_LIST}`,
    values: listColumns(wanted.values()),
  });
  return rows;
}
