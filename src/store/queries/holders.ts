/** Accounts by their balance. */
import type { Queryable } from '../connection/database.js';
import { answers } from './answer.js';
import type { Answers } from './answer.js';
import { beginsAt, nameOfPart } from './compat/part.js';
import type { Part } from './compat/part.js';

interface HolderRow {
  /** ak_, or ct_ of a contract. */
  account: string;
  balance: string;
  /** Whether a node had the same balance, after its last movement or later. */
  verified: boolean;
}

const VERIFIED = `
  EXISTS (
    SELECT FROM ledger_checks AS v WHERE v.account = h.account AND v.wrong_at IS NULL AND v.height << 33 >= (
      SELECT m.position FROM movement_rows AS m WHERE m.account = h.account ORDER BY m.position DESC, m.index DESC LIMIT 1
    )
  ) AS verified`;

/** None while a copy of an earlier version gets the table: part of it would be wrong. */
const IS_FILLED = `NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'holders')`;

const ID = 'CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = h.account LIMIT 1) AS i';

/** The accounts with the most coins. */
export function richest(db: Queryable, take: number): Promise<Answers<HolderRow>> {
  return answers<HolderRow>(db, {
    name: 'holders.richest',
    text: `
      SELECT i.id AS account, h.balance, ${VERIFIED}
      FROM (
        SELECT h.account, h.balance FROM holders AS h
        WHERE ${IS_FILLED}
        ORDER BY h.balance DESC, h.account DESC LIMIT $1::bigint
      ) AS h
      ${ID}`,
    values: [take],
  });
}

/** A row with the number of its account in this copy. */
export interface NumberedHolder extends HolderRow {
  key: number;
}

/** All accounts that have coins, by their balance, or in the order in which they were seen first. */
export function coinHolders(
  db: Queryable,
  by: 'balance' | 'account',
  part: Part<{ balance: string; key: bigint }>,
): Promise<Answers<NumberedHolder>> {
  const order = part.ascending ? '' : 'DESC';
  const sorted = by === 'balance' ? `h.balance ${order}, h.account ${order}` : `h.account ${order}`;
  const { from } = part;
  const start =
    from === undefined
      ? ''
      : by === 'balance'
        ? `AND ${beginsAt(part, 'h.balance, h.account', '$2::numeric, $3::int')}`
        : `AND ${beginsAt(part, 'h.account', '$2::int')}`;
  return answers<NumberedHolder>(db, {
    name: nameOfPart(`holders.${by}`, part),
    text: `
      SELECT i.id AS account, h.account AS key, h.balance, ${VERIFIED}
      FROM (
        SELECT h.account, h.balance FROM holders AS h WHERE ${IS_FILLED} ${start} ORDER BY ${sorted} LIMIT $1::bigint
      ) AS h
      ${ID}
      ORDER BY ${sorted}`,
    values: [part.take, ...(from === undefined ? [] : by === 'balance' ? [from.balance, from.key] : [from.key])],
  });
}
