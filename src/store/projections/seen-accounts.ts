/** Accounts by the first transaction that names them, as the beginnings of their lists tell it. The series of new accounts is counted from it. */
import { readBackfill } from '../backfills.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';
import { refreshInParts } from './refreshed.js';

const NAME = 'seen-accounts';
const TABLE = 'seen_accounts';

const FIRST = `
  SELECT l.id, min(e.position) AS position FROM lists AS l
  CROSS JOIN LATERAL (SELECT f.position FROM entries AS f WHERE f.list = l.key AND f.ordinal = 1 LIMIT 1) AS e
  WHERE l.kind IN (1, 10) AND starts_with(l.id, 'ak_') GROUP BY l.id`;

async function verifySeen(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const { rows } = await db.query({
    name: 'verify.seen-accounts',
    text: comparison({
      expected: FIRST,
      stored: `SELECT id, position FROM ${TABLE}`,
      key: ['id'],
      columns: ['position'],
    }),
  });
  return fromRows(TABLE, rows);
}

async function mend(tx: DbTransaction, ids: readonly unknown[]): Promise<void> {
  await tx.query({
    name: 'seen_accounts.mend-delete',
    text: `DELETE FROM ${TABLE} WHERE id = ANY ($1::text[])`,
    values: [ids],
  });
  await tx.query({
    name: 'seen_accounts.mend',
    text: `
      SELECT refresh_seen_accounts(ARRAY(SELECT l.key FROM lists AS l WHERE l.kind IN (1, 10) AND l.id = ANY ($1::text[])))`,
    values: [ids],
  });
}

export const seenAccounts: Projection = {
  name: NAME,
  written: 'with the lists, by triggers of `entries`',
  tables: [{ name: TABLE, rows: `SELECT * FROM ${TABLE} ORDER BY id` }],
  backfill: refreshInParts({ table: TABLE, keys: 'lists', refresh: 'refresh_seen_accounts' }),
  wholeChecks: [verifySeen],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong(TABLE)))
      await write((tx) =>
        mend(
          tx,
          keys.map(([id]) => id),
        ),
      );
  },
};
