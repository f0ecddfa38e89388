import { LRUCache } from 'lru-cache';
import type { Queryable, Transaction } from '../database.js';
import { copyRows } from './copy.js';

/** A transaction's place in a list. */
export interface Entry {
  kind: number;
  id: string;
  position: bigint;
  type: number;
}

const label = (kind: number, id: string): string => `${kind} ${id}`;

/** Keys of lists; new ones are made. */
async function listKeys(
  tx: Transaction,
  wanted: ReadonlyMap<string, { kind: number; id: string }>,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  const collect = (rows: { key: string; kind: number; id: string }[]): void => {
    for (const row of rows) keys.set(label(row.kind, row.id), row.key);
  };
  const columns = (of: Iterable<{ kind: number; id: string }>): [number[], string[]] => {
    const lists = [...of];
    return [lists.map((list) => list.kind), lists.map((list) => list.id)];
  };
  const known = await tx.query<{ key: string; kind: number; id: string }>({
    name: 'lists.keys',
    text: `
      SELECT l.key, l.kind, l.id
      FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      JOIN lists l ON l.kind = w.kind AND l.id = w.id`,
    values: columns(wanted.values()),
  });
  collect(known.rows);
  const missing = [...wanted].filter(([name]) => !keys.has(name)).map(([, list]) => list);
  if (missing.length > 0) {
    const made = await tx.query<{ key: string; kind: number; id: string }>({
      name: 'lists.make',
      text: `
        INSERT INTO lists (kind, id) SELECT * FROM unnest($1::smallint[], $2::text[])
        RETURNING key, kind, id`,
      values: columns(missing),
    });
    collect(made.rows);
  }
  return keys;
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
export async function appendEntries(tx: Transaction, entries: readonly Entry[], memory: ListMemory): Promise<void> {
  if (entries.length === 0) return;
  const labels = entries.map(({ kind, id }) => label(kind, id));
  const ends = await listEnds(tx, entries, labels, memory.ends);
  await copyRows(
    tx,
    'entries',
    ['list', 'position', 'ordinal', 'type_ordinal', 'type'],
    entries.map(({ type, position }, i) => {
      const end = ends.get(labels[i]!)!;
      const typeOrdinal = (end.types.get(type) ?? 0) + 1;
      end.types.set(type, typeOrdinal);
      return [end.key, position, ++end.ordinal, typeOrdinal, type];
    }),
  );
}

/** The ends of all lists of the entries, with the types that the entries have. */
async function listEnds(
  tx: Transaction,
  entries: readonly Entry[],
  labels: readonly string[],
  known: LRUCache<string, ListEnd>,
): Promise<Map<string, ListEnd>> {
  const ends = new Map<string, ListEnd>();
  const unknown = new Map<string, { kind: number; id: string }>();
  for (const [i, entry] of entries.entries()) {
    const name = labels[i]!;
    if (ends.has(name) || unknown.has(name)) continue;
    const end = known.get(name);
    if (end === undefined) unknown.set(name, entry);
    else ends.set(name, end);
  }
  if (unknown.size > 0) {
    const keys = await listKeys(tx, unknown);
    const last = await lastOrdinals(tx, [...keys.values()]);
    for (const [name, key] of keys) {
      const end = { key, ordinal: last.get(key) ?? 0, types: new Map<number, number>() };
      ends.set(name, end);
      known.set(name, end);
    }
  }
  await completeTypes(tx, entries, labels, ends);
  return ends;
}

/** Asks for the highest ordinals of types that are not known yet; an empty list has none. */
async function completeTypes(
  tx: Queryable,
  entries: readonly Entry[],
  labels: readonly string[],
  ends: ReadonlyMap<string, ListEnd>,
): Promise<void> {
  const missing = new Map<string, { end: ListEnd; type: number }>();
  for (const [i, { type }] of entries.entries()) {
    const end = ends.get(labels[i]!)!;
    if (end.ordinal > 0 && !end.types.has(type)) missing.set(`${end.key} ${type}`, { end, type });
  }
  if (missing.size === 0) return;
  const pairs = [...missing.values()];
  const { rows } = await tx.query<{ list: string; type: number; type_ordinal: number }>({
    name: 'entries.last-of-type',
    text: `
      SELECT w.list, w.type, last.type_ordinal
      FROM unnest($1::bigint[], $2::smallint[]) AS w (list, type)
      CROSS JOIN LATERAL (
        SELECT e.type_ordinal FROM entries e WHERE e.list = w.list AND e.type = w.type ORDER BY e.type_ordinal DESC LIMIT 1
      ) last`,
    values: [pairs.map(({ end }) => end.key), pairs.map(({ type }) => type)],
  });
  const found = new Map(rows.map((row) => [`${row.list} ${row.type}`, row.type_ordinal]));
  for (const [name, { end, type }] of missing) end.types.set(type, found.get(name) ?? 0);
}

async function lastOrdinals(tx: Queryable, keys: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ list: string; ordinal: number }>({
    name: 'entries.last',
    text: `
      SELECT w.list, last.ordinal
      FROM unnest($1::bigint[]) AS w (list)
      CROSS JOIN LATERAL (SELECT e.ordinal FROM entries e WHERE e.list = w.list ORDER BY e.ordinal DESC LIMIT 1) last`,
    values: [keys],
  });
  return new Map(rows.map((row) => [row.list, row.ordinal]));
}

/** What is listed at the given places, with the lists' names. */
export async function entriesAt(tx: Queryable, positions: readonly bigint[]): Promise<Entry[]> {
  const { rows } = await tx.query<{ kind: number; id: string; position: string; type: number }>({
    name: 'entries.at',
    text: `
      SELECT l.kind, l.id, e.position, e.type
      FROM entries e JOIN lists l ON l.key = e.list
      WHERE e.position = ANY ($1::bigint[])
      ORDER BY e.position`,
    values: [positions],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

/**
 * Exchanges the entries at `positions` for `entries`, wherever in the chain they stand, and numbers the touched lists anew
 * from the first place that changed.
 */
export async function replaceEntries(
  tx: Transaction,
  positions: readonly bigint[],
  entries: readonly Entry[],
): Promise<void> {
  const before = await entriesAt(tx, positions);
  if (before.length === 0 && entries.length === 0) return;
  await reviseLists(tx);
  const wanted = new Map<string, { kind: number; id: string }>();
  for (const entry of [...before, ...entries]) wanted.set(label(entry.kind, entry.id), entry);
  const keys = await listKeys(tx, wanted);
  const first = [...before, ...entries].reduce(
    (least, { position }) => (position < least ? position : least),
    1n << 62n,
  );
  const lists = entries.map((entry) => keys.get(label(entry.kind, entry.id))!);
  // One statement: a temporary table for what is moved would need a right of its own. All of it sees the entries as they
  // were before; a list, or a type in it, goes on from where its tail began, or from its end if it had none.
  await tx.query({
    name: 'entries.replace',
    text: `
      WITH tail AS (
        DELETE FROM entries WHERE list = ANY ($1::bigint[]) AND position >= $2
        RETURNING list, type, position, ordinal, type_ordinal
      ), placed AS (
        SELECT list, type, position, ordinal, type_ordinal, position <> ALL ($3::bigint[]) AS stays FROM tail
        UNION ALL
        SELECT list, type, position, NULL, NULL, true
        FROM unnest($4::bigint[], $5::bigint[], $6::smallint[]) AS n (list, position, type)
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
      [...new Set(keys.values())],
      first,
      positions,
      lists,
      entries.map(({ position }) => position),
      entries.map(({ type }) => type),
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
      SELECT DISTINCT l.kind, l.id
      FROM entries e JOIN lists l ON l.key = e.list
      WHERE e.position >= $2 AND e.position < $3 AND l.kind = ANY ($1::smallint[])`,
    values: [kinds, range.from, range.to],
  });
  return rows;
}
