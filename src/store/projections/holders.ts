/** The balance of each account that has coins: that after its last movement. The richest accounts are read from it. */
import type { Queryable } from '../connection/database.js';
import { readBackfill } from '../backfills.js';
import { comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection } from './projection.js';
import { refreshInParts } from './refreshed.js';

const NAME = 'holders';

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
  backfill: refreshInParts({ table: NAME, keys: 'ledger_ids', refresh: 'refresh_holders' }),
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
