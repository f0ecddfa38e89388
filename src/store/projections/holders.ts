/** The balance of each account that has coins: that after its last movement. The richest accounts are read from it. */
import type { DbTransaction, Queryable } from '../connection/database.js';
import { readBackfill } from '../backfills.js';
import { comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';

const NAME = 'holders';

/** Accounts that one part of a backfill looks up. */
const PART = 20_000;

/** `after`: key of the last account that was looked up. */
async function backfill(tx: DbTransaction, after: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ last: number | null }>({
    name: 'holders.backfill',
    text: `
      WITH part AS (SELECT key FROM ledger_ids WHERE key > $1::bigint ORDER BY key LIMIT ${PART})
      SELECT max(p.key) AS last, refresh_holders(array_agg(p.key)) FROM part AS p`,
    values: [after],
  });
  const last = rows[0]?.last ?? null;
  return last === null ? null : BigInt(last);
}

/** The last movement of each account is looked up: to sort all movements would take longer. */
const LAST = `
  SELECT i.id, m.balance FROM ledger_ids AS i
  CROSS JOIN LATERAL (
    SELECT r.balance FROM movement_rows AS r WHERE r.account = i.key ORDER BY r.position DESC, r.index DESC LIMIT 1
  ) AS m WHERE m.balance > 0`;

async function verifyHolders(db: Queryable): Promise<Difference[]> {
  if ((await readBackfill(db, NAME)) !== undefined) return [];
  const { rows } = await db.query({
    name: 'verify.holders',
    text: comparison({
      expected: LAST,
      stored: `SELECT COALESCE(i.id, h.account::text) AS id, h.balance FROM holders AS h LEFT JOIN ledger_ids AS i ON i.key = h.account`,
      key: ['id'],
      columns: ['balance'],
    }),
  });
  return fromRows(NAME, rows);
}

export const holders: Projection = {
  name: NAME,
  written: 'with the movements, by triggers of `movement_rows`',
  // Without `rows`: as movements.
  tables: [{ name: NAME }],
  backfill,
  wholeChecks: [verifyHolders],
  mend: async (write, wrong) => {
    for (const keys of inChunks(wrong(NAME)))
      await write((tx) =>
        tx.query({
          name: 'holders.mend',
          text: `
            SELECT refresh_holders(ARRAY(
              SELECT h.account FROM holders AS h LEFT JOIN ledger_ids AS i ON i.key = h.account
              WHERE COALESCE(i.id, h.account::text) = ANY ($1::text[])
              UNION SELECT i.key FROM ledger_ids AS i WHERE i.id = ANY ($1::text[])
            ))`,
          values: [keys.map(([id]) => id)],
        }),
      );
  },
};
