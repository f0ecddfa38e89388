import { LRUCache } from 'lru-cache';
import type { Queryable, DbTransaction } from '../connection/database.js';
import { copyRows } from './copy.js';
import { MENTIONS_END, columnsOf, endsOf, movedUses, usersOf } from './moves.js';
import type { Move } from './moves.js';

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
  tx: DbTransaction,
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
      CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l`,
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
export async function appendEntries(tx: DbTransaction, entries: readonly Entry[], memory: ListMemory): Promise<void> {
  if (entries.length === 0) return;
  const ends = await listEnds(tx, entries, memory.ends);
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

/** For each entry the end of its list, with the types that the entries have. */
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
    const keys = await listKeys(tx, unknown);
    const last = await lastOrdinals(tx, [...keys.values()]);
    for (const [name, key] of keys) {
      const end = { key, ordinal: last.get(key) ?? 0, types: new Map<number, number>() };
      ends.set(name, end);
      known.set(name, end);
    }
  }
  const found = labels.map((name) => ends.get(name)!);
  await completeTypes(tx, entries, found);
  return found;
}

/** Asks for the highest ordinals of types that are not known yet; an empty list has none. */
async function completeTypes(tx: Queryable, entries: readonly Entry[], ends: readonly ListEnd[]): Promise<void> {
  const missing = new Map<string, { end: ListEnd; type: number }>();
  for (const [i, { type }] of entries.entries()) {
    const end = ends[i]!;
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
 * Takes entries out of their lists, puts others in, and carries out moves, wherever in the chain that is; what is gone or
 * there already is left so. Each list is numbered again from the first place at which it changed.
 */
export async function replaceEntries(
  tx: DbTransaction,
  gone: readonly Entry[],
  come: readonly Entry[],
  moves: readonly Move[],
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
  // about an entry that it was there (0), goes (1) and comes (2), the greatest holds. OFFSET 0: each start is found once,
  // whatever the plan; PostgreSQL 11 has no AS MATERIALIZED.
  await tx.query({
    name: 'entries.replace',
    text: `
      WITH moved AS (
        SELECT k.was, k.becomes, e.type, e.position
        FROM ${movedUses(7)} JOIN unnest($14::bigint[], $15::bigint[]) WITH ORDINALITY AS k (was, becomes, number) USING (number)
        WHERE NOT ${MENTIONS_END}
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
        SELECT list, type, min(position) AS position, min(ordinal) AS ordinal, min(type_ordinal) AS type_ordinal,
          max(said) <> 1 AS stays
        FROM (
          SELECT list, type, position, ordinal, type_ordinal, 0 AS said FROM tail
          UNION ALL SELECT list, type, position, NULL, NULL, said FROM changed
        ) AS p
        -- PostgreSQL hashes a bigint by one half xor the other, which for positions takes few values: in two parts they differ.
        GROUP BY list, type, position >> 33, position & 8589934591
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
