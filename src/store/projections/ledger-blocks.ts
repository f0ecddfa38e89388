/** How far movements are written, and the blocks to read for them. */
import { rulesWithDelay } from '../../chain/money/reward-rules.js';
import { parsePlain, isObject } from '../../chain/encoding/json.js';
import { heightOf, keyPosition, MAX_HEIGHT } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import type { LedgerBlocks, LedgerKeyBlock, LedgerMicroBlock, LedgerRules } from './movement-types.js';

export interface Ledger {
  /** Of the last block whose movements are written. */
  position: bigint;
  rules: LedgerRules;
}

/** Undefined if nothing was begun. `lock`: until the end of the database transaction, nobody else writes movements. */
export async function readLedger(db: Queryable, lock: boolean): Promise<Ledger | undefined> {
  const { rows } = await db.query<{
    position: string;
    network_id: string;
    reward_delay: number | null;
    lists_rewards: boolean;
  }>({
    name: lock ? 'ledger.lock' : 'ledger.read',
    text: `SELECT position, network_id, reward_delay, lists_rewards FROM ledger${lock ? ' FOR UPDATE' : ''}`,
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const { network_id: networkId, reward_delay: delay, lists_rewards: listsRewards } = row;
  const rewards = delay === null ? null : rulesWithDelay(networkId, delay);
  return { position: BigInt(row.position), rules: { networkId, rewards, listsRewards } };
}

interface MicroRow {
  position: string;
  tx_count: number;
  body: string;
}

/** The stored blocks of a range, up to a position. */
export async function blocksOf(db: Queryable, { from, to }: Range, last: bigint): Promise<LedgerBlocks> {
  const { rows: keys } = await db.query<{ height: string; beneficiary: string; version: number }>({
    name: 'ledger.key-blocks',
    text: `
      SELECT height, beneficiary, version FROM key_blocks WHERE height >= $1 AND height < $2 AND height << 33 <= $3 ORDER BY height`,
    values: [Math.max(0, heightOf(from - 1n)), Math.min(heightOf(to - 1n), MAX_HEIGHT) + 1, last],
  });
  const { rows: micros } = await db.query<MicroRow>({
    name: 'ledger.micro-blocks',
    text: `
      SELECT position, tx_count, body FROM micro_blocks WHERE position >= $1 AND position < $2 AND position <= $3 ORDER BY position`,
    values: [from, to, last],
  });
  const read = keys.map(({ height, ...key }): LedgerKeyBlock => ({ ...key, height: Number(height) }));
  const keyBlocks = read.filter(({ height }) => keyPosition(height) >= from);
  const microBlocks = await withTransactions(db, micros);
  // Transactions of the block below may have positions above `from`.
  const starts = [
    ...keyBlocks.slice(0, 1).map(({ height }) => keyPosition(height)),
    ...microBlocks.slice(0, 1).map(({ position }) => position),
  ];
  const first = starts.reduce((least, start) => (start < least ? start : least), starts[0] ?? from);
  return {
    from: first,
    versionBefore: read.findLast(({ height }) => keyPosition(height) < first)?.version ?? 0,
    keyBlocks,
    microBlocks,
  };
}

/** Consecutive micro blocks with their transactions. */
async function withTransactions(db: Queryable, micros: readonly MicroRow[]): Promise<LedgerMicroBlock[]> {
  const [first, last] = [micros[0], micros.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { rows } = await db.query<{ position: string; body: string; info: string | null }>({
    name: 'ledger.transactions',
    text: `
      SELECT t.position, t.body, i.body AS info FROM transactions AS t LEFT JOIN infos AS i ON i.position = t.position
      WHERE t.position >= $1 AND t.position < $2 ORDER BY t.position`,
    values: [first.position, BigInt(last.position) + BigInt(last.tx_count)],
  });
  let next = 0;
  return micros.map(({ position, tx_count: count, body }) => {
    const start = BigInt(position);
    const transactions = [];
    for (; next < rows.length && BigInt(rows[next]!.position) < start + BigInt(count); next += 1) {
      const row = rows[next]!;
      transactions.push({ ...row, position: BigInt(row.position) });
    }
    const header = parsePlain(body);
    const { height, pof_hash: report } = isObject(header) ? header : {};
    return {
      position: start,
      height: typeof height === 'number' ? height : heightOf(start),
      isReport: typeof report === 'string' && report !== 'no_fraud',
      transactions,
    };
  });
}
