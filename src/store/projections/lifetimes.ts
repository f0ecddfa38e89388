/** Tables whose rows have the positions of the transactions that began and ended an object: channels, and oracle queries. */
import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Placed } from '../facts/blocks.js';
import { MAX_ROWS, compareRows, fromRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { positionsOf } from '../facts/window.js';
import type { Check, CheckedWindow, Write, WrongKeys } from './projection.js';

export interface LifetimeTable {
  name: 'channels' | 'oracle_queries';
  on: 'channel' | 'query';
  /** The operation that begins the object; another one ends it. */
  begin: 'create' | 'ask';
  /** Column with the position of the end. That of the begin is `position`. */
  end: 'closed_position' | 'response_position';
}

/** Positions of the transactions that began and ended an object; null if they are not among the operations. */
interface Lifetime {
  id: string;
  begun: bigint | null;
  ended: bigint | null;
}

/** One lifetime for each object of the operations, with the last begin and the first end. */
export function lifetimesOf({ on, begin }: LifetimeTable, operations: readonly Placed<Operation>[]): Lifetime[] {
  const byId = new Map<string, Lifetime>();
  for (const { op, position } of operations) {
    if (op.on !== on) continue;
    const { begun, ended } = byId.get(op.id) ?? { begun: null, ended: null };
    byId.set(
      op.id,
      op.op === begin ? { id: op.id, begun: position, ended } : { id: op.id, begun, ended: ended ?? position },
    );
  }
  return [...byId.values()];
}

export const columnsOf = (rows: readonly Lifetime[]): unknown[] => [
  rows.map((r) => r.id),
  rows.map((r) => r.begun),
  rows.map((r) => r.ended),
];

/** Writes the begins and ends that the operations have. */
export const appendLifetimes = (
  db: Queryable,
  table: LifetimeTable,
  operations: readonly Placed<Operation>[],
): Promise<void> => upsertLifetimes(db, table, lifetimesOf(table, operations));

export async function upsertLifetimes(
  db: Queryable,
  { name, end }: LifetimeTable,
  rows: readonly Lifetime[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: `${name}.upsert`,
    text: `
      INSERT INTO ${name} AS s (id, position, ${end}) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
      ON CONFLICT (id) DO UPDATE
      SET position = COALESCE(EXCLUDED.position, s.position),
        ${end} = LEAST(s.${end}, EXCLUDED.${end})
      WHERE s.* IS DISTINCT FROM EXCLUDED.*`,
    values: columnsOf(rows),
  });
}

/** A stored lifetime. */
interface LifetimeRow {
  id: string;
  begun: string | null;
  ended: string | null;
}

/** Compares the rows of a window: the row of an object must have the positions of its begin and of its first end. */
export async function lifetimeDifferences(
  db: Queryable,
  table: LifetimeTable,
  window: CheckedWindow,
): Promise<Difference[]> {
  const { name, on, end } = table;
  const begun = new Map<string, string>();
  const ended = new Map<string, string>();
  for (const { row, found } of window.transactions) {
    const effect = found?.effect;
    if (effect?.on !== on) continue;
    if (effect.does === 'begin') begun.set(effect.id, row.position);
    else if (!ended.has(effect.id)) ended.set(effect.id, row.position);
  }
  const known = new Map((await rowsIn(db, table, window)).map((row) => [row.id, row]));
  const missing = [...begun.keys(), ...ended.keys()].filter((id) => !known.has(id));
  for (const row of await rowsOf(db, table, missing)) known.set(row.id, row);
  const isInside = (position: string | null): boolean =>
    position !== null && BigInt(position) >= window.from << 33n && BigInt(position) < (window.to + 1n) << 33n;
  return [...new Set([...begun.keys(), ...ended.keys(), ...known.keys()])].flatMap((id) => {
    const row = known.get(id);
    const first = begun.get(id) ?? ended.get(id) ?? row?.begun ?? row?.ended;
    const place = { table: name, key: [id], height: first == null ? null : heightOfPosition(first) };
    if (row === undefined) return compareRows(place, {}, undefined);
    const from = begun.get(id) ?? (isInside(row.begun) ? null : row.begun);
    const here = ended.get(id);
    // If it ended before this window, an end in this window does not count.
    const isLater = here !== undefined && row.ended !== null && BigInt(row.ended) < window.from << 33n;
    const to = isLater ? row.ended : (here ?? (isInside(row.ended) ? null : row.ended));
    const heightOf = (position: string | null): number | null =>
      position === null ? null : heightOfPosition(position);
    return [
      ...compareRows({ ...place, height: heightOf(from ?? row.begun) }, { position: from }, { position: row.begun }),
      ...compareRows({ ...place, height: heightOf(to ?? row.ended) }, { [end]: to }, { [end]: row.ended }),
    ];
  });
}

/** The rows that refer to a window. */
async function rowsIn(db: Queryable, { name, end }: LifetimeTable, window: CheckedWindow): Promise<LifetimeRow[]> {
  const { rows } = await db.query<LifetimeRow>({
    name: `verify.${name}`,
    text: `SELECT id, position AS begun, ${end} AS ended FROM ${name} WHERE position >= $1 AND position < $2
      UNION
      SELECT id, position AS begun, ${end} AS ended FROM ${name} WHERE ${end} >= $1 AND ${end} < $2`,
    values: positionsOf(window),
  });
  return rows;
}

async function rowsOf(db: Queryable, { name, end }: LifetimeTable, ids: readonly string[]): Promise<LifetimeRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<LifetimeRow>({
    name: `verify.${name}-by-id`,
    text: `SELECT id, position AS begun, ${end} AS ended FROM ${name} WHERE id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Reports rows that refer to no transaction. */
export const emptyCheck =
  ({ name, end }: LifetimeTable): Check =>
  async (db) => {
    const { rows } = await db.query({
      name: `verify.empty-${name}`,
      text: `
        SELECT id AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
        FROM ${name} WHERE position IS NULL AND ${end} IS NULL LIMIT ${MAX_ROWS}`,
    });
    return fromRows(name, rows);
  };

/** Deletes rows that refer to no transaction. */
export async function mendEmpty(write: Write, { name, end }: LifetimeTable, wrong: WrongKeys): Promise<void> {
  const ids = wrong(name).map(([id]) => id);
  if (ids.length === 0) return;
  await write((tx) =>
    tx.query({
      name: `${name}.mend-empty`,
      text: `DELETE FROM ${name} WHERE id = ANY ($1::text[]) AND position IS NULL AND ${end} IS NULL`,
      values: [ids],
    }),
  );
}
