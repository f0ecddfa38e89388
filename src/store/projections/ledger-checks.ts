/** Balances of accounts that are compared with those of a node. */
import { GAPS } from '../../chain/money/movement.js';
import { keyPosition } from '../../chain/position.js';
import type { DbTransaction, Queryable } from '../connection/database.js';

/** What a node's balances say more than all rows, by the last position of the block. */
export async function correctionsIn(
  db: Queryable,
  from: bigint,
  to: bigint,
): Promise<Map<bigint, { account: string; amount: bigint }[]>> {
  const { rows } = await db.query<{ position: string; account: string; amount: string }>({
    name: 'ledger_corrections.between',
    text: `
      SELECT position, account, amount FROM ledger_corrections WHERE position >= $1 AND position < $2 ORDER BY position, account`,
    values: [from, to],
  });
  const found = new Map<bigint, { account: string; amount: bigint }[]>();
  for (const { position, account, amount } of rows) {
    const at = BigInt(position);
    found.set(at, [...(found.get(at) ?? []), { account, amount: BigInt(amount) }]);
  }
  return found;
}

export interface CheckedAccount {
  key: number;
  /** ak_ */
  id: string;
  /** Height up to which its balance was the node's; -1 if none. */
  height: number;
  /** It was another one above that height. */
  isWrong: boolean;
}

/** The next accounts with movements behind a key. */
export async function accountsAfter(db: Queryable, key: number, limit: number): Promise<CheckedAccount[]> {
  const { rows } = await db.query<Omit<CheckedAccount, 'height'> & { height: string }>({
    name: 'ledger_checks.next',
    text: `
      SELECT i.key, i.id, COALESCE(c.height, -1) AS height, c.wrong_at IS NOT NULL AS "isWrong" FROM ledger_ids AS i LEFT JOIN ledger_checks AS c ON c.account = i.key
      WHERE i.key > $1 AND EXISTS (SELECT FROM movement_rows AS m WHERE m.account = i.key)
      ORDER BY i.key LIMIT $2`,
    values: [key, limit],
  });
  return rows.map((row) => ({ ...row, height: Number(row.height) }));
}

/** The next height above a generation with a gap, after a height; 0 if there is none. */
export async function heightWithGap(db: Queryable, after: number): Promise<number> {
  const { rows } = await db.query<{ height: string }>({
    name: 'ledger_checks.gap',
    text: `
      SELECT (position >> 33) + 1 AS height FROM ledger_gaps
      WHERE position >= $1 AND gaps & ${GAPS.inside | GAPS.result | GAPS.object} <> 0 ORDER BY position LIMIT 1`,
    values: [keyPosition(after)],
  });
  return Number(rows[0]?.height ?? 0);
}

/** Whether all coins of the genesis block are in lists. */
export async function isGenesisListed(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ listed: boolean }>({
    name: 'ledger_gaps.genesis-listed',
    text: `SELECT NOT EXISTS (SELECT FROM ledger_gaps WHERE position = 0 AND gaps & ${GAPS.preset} <> 0) AS listed`,
  });
  return rows[0]!.listed;
}

interface BlockBalance {
  hash: string;
  /** Of the block, and of the last transaction in it. */
  position: bigint;
  end: bigint;
  /** Of the account after it. */
  balance: bigint;
}

const BALANCE = `
  COALESCE((
    SELECT m.balance FROM movement_rows AS m WHERE m.account = $1 AND m.position <= b.end ORDER BY m.position DESC, m.index DESC LIMIT 1
  ), 0) AS balance`;

interface BlockRow {
  hash: string;
  position: string;
  end: string;
  balance: string;
}

const readBlock = ({ hash, position, end, balance }: BlockRow): BlockBalance => ({
  hash,
  position: BigInt(position),
  end: BigInt(end),
  balance: BigInt(balance),
});

/** The balance after the key block of a height; undefined if it is not stored, or not written so far. */
export async function balanceAfter(db: Queryable, key: number, height: number): Promise<BlockBalance | undefined> {
  const { rows } = await db.query<BlockRow>({
    name: 'ledger_checks.balance',
    text: `
      SELECT b.hash, b.position, b.end, ${BALANCE}
      FROM (SELECT k.hash, k.height << 33 AS position, k.height << 33 AS end FROM key_blocks AS k WHERE k.height = $2) AS b
      CROSS JOIN ledger AS l WHERE l.position >= b.position`,
    values: [key, height],
  });
  return rows[0] && readBlock(rows[0]);
}

/** The same after each micro block of a generation, in order, and after the key block above. */
export async function balancesWithin(db: Queryable, key: number, height: number): Promise<BlockBalance[]> {
  const { rows } = await db.query<BlockRow>({
    name: 'ledger_checks.balances',
    text: `
      SELECT b.hash, b.position, b.end, ${BALANCE}
      FROM (
        SELECT m.hash, m.position, m.position + GREATEST(m.tx_count, 1) - 1 AS end FROM micro_blocks AS m
        WHERE m.position >= $2 AND m.position < $3
        UNION ALL SELECT k.hash, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.height = $3::bigint >> 33
      ) AS b ORDER BY b.position`,
    values: [key, keyPosition(height), keyPosition(height + 1)],
  });
  return rows.map(readBlock);
}

/** What a comparison found, for blocks that are still stored. `wrongAt`: null if the balance is the same. */
export async function saveChecks(
  tx: DbTransaction,
  checks: readonly { key: number; height: number; hash: string; wrongAt: number | null }[],
): Promise<void> {
  if (checks.length === 0) return;
  await tx.query({
    name: 'ledger_checks.save',
    text: `
      INSERT INTO ledger_checks (account, height, wrong_at)
      SELECT c.account, CASE WHEN c.wrong_at IS NULL THEN c.height ELSE c.wrong_at - 1 END, c.wrong_at
      FROM unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[]) AS c (account, height, hash, wrong_at)
      JOIN key_blocks AS k ON k.height = c.height AND k.hash = c.hash
      JOIN ledger AS l ON l.position >= c.height << 33
      ON CONFLICT (account) DO UPDATE SET height = EXCLUDED.height, wrong_at = EXCLUDED.wrong_at`,
    values: [
      checks.map(({ key }) => key),
      checks.map(({ height }) => height),
      checks.map(({ hash }) => hash),
      checks.map(({ wrongAt }) => wrongAt),
    ],
  });
}

interface CheckCounts {
  verified: number;
  wrong: number;
  /** The lowest height with a mismatch. */
  oldest: number | null;
}

export async function countChecks(db: Queryable): Promise<CheckCounts> {
  const { rows } = await db.query<Record<keyof CheckCounts, string | null>>({
    name: 'ledger_checks.count',
    text: `
      SELECT count(*) FILTER (WHERE wrong_at IS NULL AND height >= 0) AS verified, count(wrong_at) AS wrong, min(wrong_at) AS oldest
      FROM ledger_checks`,
  });
  const { verified, wrong, oldest } = rows[0]!;
  return {
    ...{ verified: Number(verified), wrong: Number(wrong) },
    oldest: oldest === null ? null : Number(oldest),
  };
}

/** The node is asked what changed balances in a generation, also if it has answered before. Nothing waits for that. */
export async function askAboutMismatch(tx: DbTransaction, height: number): Promise<void> {
  await tx.query({
    name: 'ledger_questions.mismatch',
    text: `
      INSERT INTO ledger_questions (height, state, attempts)
      SELECT $1::bigint, 'contradicts', CASE WHEN EXISTS (SELECT FROM node_money WHERE height = $1) THEN 10 ELSE 0 END
      ON CONFLICT DO NOTHING`,
    values: [height],
  });
}

/**
 * Whether a node has answered about a generation of a hyperchain, so that asking again tells no more: its list is without what contracts pay the leaders and what the
 * node itself calls, and contradicts our rules before the end of an epoch.
 */
export async function isAnsweredInPart(tx: DbTransaction, height: number): Promise<boolean> {
  const { rows } = await tx.query<{ is_answered: boolean }>({
    name: 'ledger_questions.is-answered-in-part',
    text: `
      SELECT l.reward_delay IS NULL AND NOT l.lists_rewards AND (
        EXISTS (SELECT FROM node_money AS t JOIN key_blocks AS n ON n.height = t.height + 1 AND n.hash = t.next_hash WHERE t.height = $1)
        OR EXISTS (SELECT FROM ledger_questions AS q WHERE q.height = $1 AND q.state = 'contradicts' AND q.attempts > 0)
      ) AS is_answered
      FROM ledger AS l`,
    values: [height],
  });
  return rows[0]?.is_answered === true;
}

/** The highest key of an account: a walk ends there. */
export async function lastAccount(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ key: number | null }>({
    name: 'ledger_checks.last',
    text: 'SELECT max(key) AS key FROM ledger_ids',
  });
  return rows[0]?.key ?? 0;
}
