/** The table `serving`: which copy serves clients, and which reloads are done. Both copies of a resource have the same rows. */
import { queryable } from '../connection/database.js';
import type { Database, Queryable } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { readProof } from './proof.js';

export interface ServingRow {
  number: number;
  step: 'intended' | 'switched' | 'done';
  reload: string;
  /** How the reload ended; only with the step `done`. */
  result: string | null;
  /** Schema of the copy that serves or, with the step `intended`, is to serve. */
  schema: string;
  /** Its proven work at that time. */
  work: string;
  /** ISO time. */
  at: string;
}

/** What is to be recorded about the copy in a schema. */
export type Entry = Pick<ServingRow, 'step' | 'reload' | 'result'>;

/** From now on, until the end of the database transaction, statements use the tables of this schema. */
export async function enterSchema(tx: Queryable, schema: string): Promise<void> {
  await tx.query({ name: 'schema.enter', text: `SELECT set_config('search_path', $1, true)`, values: [schema] });
}

/** Reads the rows of the current schema, oldest first; undefined if it has no such table, as copies of older versions. */
export async function readServing(db: Queryable): Promise<ServingRow[] | undefined> {
  const { rows: tables } = await db.query<{ found: boolean }>({
    name: 'serving.table',
    text: `SELECT to_regclass('serving') IS NOT NULL AS found`,
  });
  if (tables[0]?.found !== true) return undefined;
  const { rows } = await db.query<Omit<ServingRow, 'number' | 'at'> & { number: string; at: Date }>({
    name: 'serving.read',
    text: 'SELECT number, step, reload, result, schema, work, written_at AS at FROM serving ORDER BY number',
  });
  return rows.map((row) => ({ ...row, number: Number(row.number), at: row.at.toISOString() }));
}

/** The rows of both copies, oldest first. Of two rows with one number, which a restored backup may leave, the later one counts. */
export function joinedRows(...of: (readonly ServingRow[])[]): ServingRow[] {
  const rows = of.flat().sort((a, b) => a.number - b.number || a.at.localeCompare(b.at));
  return rows.filter(({ number }, index) => rows[index + 1]?.number !== number);
}

async function insertServing(tx: Queryable, { number, step, reload, result, schema, work, at }: ServingRow) {
  await tx.query({
    name: 'serving.insert',
    text: `
      INSERT INTO serving (number, step, reload, result, schema, work, written_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (number) DO NOTHING`,
    values: [number, step, reload, result, schema, work, at],
  });
}

/**
 * Adds a row about the copy `schema` to it and to the other copy, and to each the rows that only the other has. A copy of an older version
 * has no table for that.
 *
 * @returns whether the copy has the table
 */
export async function addServing(
  tx: Queryable,
  copies: { schema: string; other: string },
  entry: Entry,
): Promise<boolean> {
  const { schema, other } = copies;
  const key = [schema, other].sort().join(' ');
  await tx.query({
    name: 'serving.lock',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('mdw serving ' || $1, 0))`,
    values: [key],
  });
  await enterSchema(tx, other);
  const others = await readServing(tx);
  await enterSchema(tx, schema);
  const own = await readServing(tx);
  if (own === undefined) return false;
  const rows = joinedRows(own, others ?? []);
  const last = rows.at(-1);
  const isRepeated =
    last !== undefined &&
    [last.step, last.reload, last.result, last.schema].join() ===
      [entry.step, entry.reload, entry.result, schema].join();
  if (!isRepeated) {
    const { work } = await readProof(tx);
    const at = new Date().toISOString();
    rows.push({ ...entry, number: (last?.number ?? 0) + 1, schema, work: String(work), at });
  }
  for (const row of rows) await insertServing(tx, row);
  if (others === undefined) return true;
  await enterSchema(tx, other);
  for (const row of rows) await insertServing(tx, row);
  return true;
}

/**
 * Records in both copies that the copy of this database is to serve, or serves. Does nothing if it has no table for that, because it is of an
 * older version.
 *
 * @returns whether it was recorded
 */
export async function recordServing(database: Database, other: string, entry: Entry): Promise<boolean> {
  const { schema } = database;
  const client = await database.connect();
  const tx = queryable(client);
  try {
    await client.query('BEGIN');
    const isRecorded = await addServing(tx, { schema, other }, entry);
    await client.query('COMMIT');
    return isRecorded;
  } catch (error) {
    throw asFault(error, 'record');
  } finally {
    await client.end();
  }
}
