/** Accounts by their balance. */
import type { Queryable } from '../connection/database.js';
import { answers } from './answer.js';
import type { Answers } from './answer.js';

interface HolderRow {
  /** ak_ */
  account: string;
  balance: string;
  /** Whether a node had the same balance, after its last movement or later. */
  verified: boolean;
}

/** The accounts with the most coins. None while a copy of an earlier version gets the table: part of it would be wrong. */
export function richest(db: Queryable, take: number): Promise<Answers<HolderRow>> {
  return answers<HolderRow>(db, {
    name: 'holders.richest',
    text: `
      SELECT i.id AS account, h.balance, EXISTS (
        SELECT FROM ledger_checks AS v WHERE v.account = h.account AND v.wrong_at IS NULL AND v.height << 33 >= (
          SELECT m.position FROM movement_rows AS m WHERE m.account = h.account ORDER BY m.position DESC, m.index DESC LIMIT 1
        )
      ) AS verified
      FROM (
        SELECT h.account, h.balance FROM holders AS h
        WHERE NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'holders')
        ORDER BY h.balance DESC, h.account DESC LIMIT $1::bigint
      ) AS h
      CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = h.account LIMIT 1) AS i`,
    values: [take],
  });
}
