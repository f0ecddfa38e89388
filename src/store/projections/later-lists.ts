/** Kinds of lists that earlier versions did not have: their entries for the blocks of before. */
import { ListKind, derive } from '../../chain/derive.js';
import { readTransaction } from '../../chain/facts.js';
import type { DbTransaction } from '../connection/database.js';
import { listKeys, listLabel, reviseLists } from '../lists.js';
import type { Entry } from '../lists.js';
import { renumber } from './ordinals.js';

/** Kinds that came later. */
const KINDS: readonly number[] = [ListKind.wrapped, ListKind.pointed, ListKind.oracleAnswer];
/** Types of transactions that have entries in them. */
const TYPES = ['NameUpdateTx', 'GAMetaTx', 'PayingForTx', 'OracleRespondTx', 'OracleResponseTx'];
/** Transactions of one part. */
const PART = 1_000;

/** Whether a list, as text (`kind id`), is one that came later. */
export const isLater = (list: string): boolean => KINDS.includes(Number(list.split(' ', 1)[0]));

/** Inserts the entries of the next transactions above a position. Returns the position that it has reached; null at the end. */
export async function fillLaterLists(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ position: string; type: number; body: string; info: string | null }>({
    name: 'entries.backfill-transactions',
    text: `
      SELECT t.position, t.type, t.body, i.body AS info
      FROM types AS y
      CROSS JOIN LATERAL (
        SELECT position, type, body FROM transactions WHERE type = y.code AND position > $1 ORDER BY position LIMIT $3
      ) AS t
      LEFT JOIN infos AS i ON i.position = t.position
      WHERE y.name = ANY ($2::text[])
      ORDER BY t.position LIMIT $3`,
    values: [after, TYPES, PART],
  });
  const entries = rows.flatMap(({ position, type, body, info }): Entry[] =>
    derive({ ...readTransaction(body), info })
      .lists.filter(({ kind }) => KINDS.includes(kind))
      .map((list) => ({ ...list, position: BigInt(position), type })),
  );
  if (entries.length > 0) await insertMissing(tx, entries);
  return rows.length < PART ? null : BigInt(rows.at(-1)!.position);
}

/** Inserts entries at the ends of their lists, and numbers the lists again that have later ones. Heights that were loaded again have them already. */
async function insertMissing(tx: DbTransaction, entries: readonly Entry[]): Promise<void> {
  const labels = entries.map(({ kind, id }) => listLabel(kind, id));
  const keys = await listKeys(tx, new Map(entries.map((entry, i) => [labels[i]!, entry])));
  await reviseLists(tx);
  const { rows } = await tx.query<{ list: string }>({
    name: 'entries.backfill',
    text: `
      WITH missing AS (
        SELECT w.*, COALESCE(last.ordinal, 0) AS ordinal, COALESCE(of_type.type_ordinal, 0) AS type_ordinal,
          COALESCE(last.position > w.position, false) AS is_before
        FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS w (list, position, type)
        LEFT JOIN LATERAL (
          SELECT e.ordinal, e.position FROM entries AS e WHERE e.list = w.list ORDER BY e.ordinal DESC LIMIT 1
        ) AS last ON true
        LEFT JOIN LATERAL (
          SELECT e.type_ordinal FROM entries AS e WHERE e.list = w.list AND e.type = w.type ORDER BY e.type_ordinal DESC LIMIT 1
        ) AS of_type ON true
        WHERE NOT EXISTS (SELECT FROM entries AS e WHERE e.position = w.position AND e.list = w.list)
      ), inserted AS (
        INSERT INTO entries (list, position, ordinal, type_ordinal, type)
        SELECT list, position, ordinal + row_number() OVER (PARTITION BY list ORDER BY position),
          type_ordinal + row_number() OVER (PARTITION BY list, type ORDER BY position), type
        FROM missing
      )
      SELECT DISTINCT list FROM missing WHERE is_before`,
    values: [
      labels.map((label) => keys.get(label)!),
      entries.map(({ position }) => position),
      entries.map(({ type }) => type),
    ],
  });
  for (const { list } of rows) await renumber(tx, list);
}
