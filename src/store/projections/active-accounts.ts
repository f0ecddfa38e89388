/**
 * Accounts that transactions name, in parts of the chain none of which reaches over a midnight. Each account is counted in the first part of a day, a week
 * and a month that names it, so these are sums of parts. The populator counts behind the load; what changes below the head deletes parts, by a trigger.
 */
import { LISTS_BACKFILL, readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { compareRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { countPart, partBetween, partFrom } from '../queries/active-accounts.js';
import type { Part, PartCounts } from '../queries/active-accounts.js';
import type { Projection } from './projection.js';

const TABLE = 'active_accounts';

/** A part ends when it has so many transactions: a request counts those behind the last part. */
const SIZE = 5_000;

/** The next part that is over and not counted. Null if there is none, and while lists of wrapped accounts are being filled. */
export async function nextPart(db: Queryable, size = SIZE): Promise<Part | null> {
  if ((await readBackfill(db, LISTS_BACKFILL)) !== undefined) return null;
  const { rows } = await db.query<{ last: string | null }>({
    name: 'active_accounts.last',
    text: `SELECT max(upto) AS last FROM ${TABLE}`,
  });
  return partFrom(db, BigInt(rows[0]!.last ?? 0), size);
}

/** Counts the next part. Returns the position that it has reached; null if there is none. */
export async function countNextPart(tx: DbTransaction, size = SIZE): Promise<bigint | null> {
  const part = await nextPart(tx, size);
  if (part === null) return null;
  const { in_day: day, in_week: week, in_month: month } = await countPart(tx, part);
  await tx.query({
    name: 'active_accounts.insert',
    text: `INSERT INTO ${TABLE} (upto, in_day, in_week, in_month) VALUES ($1, $2, $3, $4)`,
    values: [part.upto, day, week, month],
  });
  return part.upto;
}

/** Counts all parts again, up to the first one that ends where none can end: all that is above it is wrong. */
async function differences(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query<PartCounts & { upto: string }>({
    name: 'verify.active-accounts',
    text: `SELECT upto, in_day, in_week, in_month FROM ${TABLE} ORDER BY upto`,
  });
  const found: Difference[] = [];
  let from = 0n;
  for (const { upto, ...stored } of rows) {
    const place = { table: TABLE, key: [upto], height: null };
    const part = await partBetween(db, from, BigInt(upto));
    if (part === null) return [...found, ...compareRows(place, undefined, stored)];
    found.push(...compareRows(place, await countPart(db, part), stored));
    from = part.upto;
  }
  return found;
}

export const activeAccounts: Projection = {
  name: 'active-accounts',
  written: 'behind the load, by `populate/active-accounts`, which counts what is over',
  // How far it is counted differs between two copies of a chain.
  tables: [{ name: TABLE }],
  wholeChecks: [differences],
  mend: async (write, wrong) => {
    const keys = wrong(TABLE);
    if (keys.length === 0) return;
    await write((tx) =>
      tx.query({
        name: 'active_accounts.mend',
        text: `DELETE FROM ${TABLE} WHERE upto >= (SELECT min(w.upto) FROM unnest($1::bigint[]) AS w (upto))`,
        values: [keys.map(([upto]) => upto)],
      }),
    );
    while ((await write((tx) => countNextPart(tx))) !== null);
  },
};
