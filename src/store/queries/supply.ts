/** Where all coins are after a key block, as far as our rows tell. */
import { KINDS } from '../../chain/money/kinds.js';
import { HELD, LOCKED } from '../../chain/money/movement.js';
import { keyPosition } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';

interface StoredSupply {
  /** Of all accounts, contracts and oracles, and of these of the account without a key. */
  balances: bigint;
  locked: bigint;
  /** Bids, and fees of open queries, also of those that contracts made. */
  held: bigint;
  channels: bigint;
  /** Of contracts, which no balance has. */
  deposits: bigint;
  /** What generations have earned, and what was paid of it and of what key blocks issued. */
  fees: bigint;
  rewards: bigint;
}

/** All rows up to the key block are read. Undefined if it is not stored with this hash, or movements are not written up to it. */
export async function supplyAfter(db: Queryable, height: number, hash: string): Promise<StoredSupply | undefined> {
  const { rows } = await db.query<Record<keyof StoredSupply, string>>({
    name: 'supply.after',
    text: `
      SELECT COALESCE(b.balances, 0) AS balances, COALESCE(b.locked, 0) AS locked, COALESCE(h.held, 0) + COALESCE(u.amount, 0) AS held,
        COALESCE(h.channels, 0) AS channels, COALESCE(m.deposits, 0) AS deposits, COALESCE(e.fees, 0) + COALESCE(m.gas, 0) AS fees, COALESCE(m.rewards, 0) AS rewards
      FROM (
        SELECT sum(m.balance) AS balances, sum(m.balance) FILTER (WHERE i.id = '${LOCKED}') AS locked
        FROM ledger_ids AS i CROSS JOIN LATERAL (
          SELECT r.balance FROM movement_rows AS r WHERE r.account = i.key AND r.position <= $1 ORDER BY r.position DESC, r.index DESC LIMIT 1
        ) AS m
      ) AS b
      CROSS JOIN (
        SELECT sum(amount) FILTER (WHERE kind <> ${HELD.channel}) AS held, sum(amount) FILTER (WHERE kind = ${HELD.channel}) AS channels
        FROM held WHERE position <= $1 AND (released IS NULL OR released > $1)
      ) AS h
      CROSS JOIN (SELECT sum(amount) AS amount FROM unseen_held WHERE position <= $1) AS u
      CROSS JOIN (
        SELECT -sum(amount) FILTER (WHERE abs(kind) = ${KINDS.deposit.code}) AS deposits,
          -- Where no call information tells it.
          -sum(amount) FILTER (WHERE kind = -${KINDS.gas.code}) AS gas,
          sum(amount) FILTER (WHERE abs(kind) IN (${KINDS.reward.code}, ${KINDS.treasury.code})) AS rewards
        FROM movement_rows WHERE position <= $1
      ) AS m
      CROSS JOIN (SELECT sum(fees) AS fees FROM earnings WHERE position <= $1) AS e
      WHERE EXISTS (SELECT FROM key_blocks WHERE height = $2 AND hash = $3) AND EXISTS (SELECT FROM ledger WHERE position >= $1)`,
    values: [keyPosition(height), height, hash],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const read = (name: keyof StoredSupply): bigint => BigInt(row[name]);
  return {
    ...{ balances: read('balances'), locked: read('locked'), held: read('held'), channels: read('channels') },
    ...{ deposits: read('deposits'), fees: read('fees'), rewards: read('rewards') },
  };
}
