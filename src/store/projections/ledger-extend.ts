/** Writes the movements of the next blocks. */
import type { RewardRules } from '../../chain/money/key-block.js';
import { writeGenesisAccounts } from '../../chain/money/genesis-accounts.js';
import type { GenesisAccounts } from '../../chain/money/genesis-accounts.js';
import { GAPS } from '../../chain/money/movement.js';
import { presetHeights } from '../../chain/money/presets.js';
import { heightOf, keyPosition } from '../../chain/position.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import { hasGenesisAccounts } from './genesis-accounts.js';
import { blocksOf, readLedger } from './ledger-blocks.js';
import { cutLedger, rewriteNext } from './ledger-rewrite.js';
import { ledgerRows } from './movement-rows.js';
import { insertRows } from './movement-write.js';
import { askAbout, firstAsked } from './node-money.js';

/** Whether there is a node that can be asked what changed balances. */
interface Asking {
  isOn: boolean;
  /** It does not answer: nothing waits for it. */
  isAway: boolean;
}

/** Heights and transactions of one part. A micro block is never divided. */
const HEIGHTS = 500;
const TRANSACTIONS = 2_000;

/** Begins movements of a network, or begins them again if its rules are other ones. */
export async function beginLedger(
  tx: DbTransaction,
  networkId: string,
  rewards: RewardRules | null,
  listsRewards = false,
): Promise<void> {
  const ledger = await readLedger(tx, true);
  const rules = ledger?.rules;
  const isSame = rules?.networkId === networkId && rules.rewards?.delay === rewards?.delay;
  if (isSame && rules.listsRewards === listsRewards) return;
  if (ledger !== undefined) await cutLedger(tx, 0n);
  await tx.query({
    name: 'ledger.begin',
    text: `
      INSERT INTO ledger (position, network_id, reward_delay, lists_rewards) VALUES (-1, $1, $2::int, $3)
      ON CONFLICT (one) DO UPDATE
      SET position = -1, network_id = EXCLUDED.network_id, reward_delay = EXCLUDED.reward_delay, lists_rewards = EXCLUDED.lists_rewards`,
    values: [networkId, rewards?.delay ?? null, listsRewards],
  });
}

/** Begins again where an earlier version wrote rows without the lists of coins that this one has. */
export async function takePresets(tx: DbTransaction, networkId: string): Promise<void> {
  const heights = presetHeights(networkId);
  if (heights.length === 0) return;
  const { rows } = await tx.query<{ position: string }>({
    name: 'ledger.without-presets',
    text: `
      SELECT position FROM ledger_gaps WHERE position = ANY ($1::bigint[]) AND gaps & ${GAPS.preset} <> 0 ORDER BY position`,
    values: [heights.map(keyPosition)],
  });
  if (rows.length > 0)
    await beginWithLists(
      tx,
      rows.map(({ position }) => position),
    );
}

/** Takes the coins of the genesis block and of hard forks that the administrator of a network gives, and begins again if the copy has others. */
export async function takeGenesisAccounts(tx: DbTransaction, accounts: GenesisAccounts): Promise<void> {
  if (await hasGenesisAccounts(tx, accounts)) return;
  const { genesis, forks } = writeGenesisAccounts(accounts);
  await tx.query({
    name: 'ledger.take-genesis-accounts',
    text: 'UPDATE ledger SET genesis_accounts = $1::jsonb, fork_accounts = $2::jsonb',
    values: [genesis, forks],
  });
  const { rows } = await tx.query<{ position: string }>({
    name: 'ledger.positions-of-forks',
    text: 'SELECT height << 33 AS position FROM forks WHERE version = ANY ($1::int[])',
    values: [[...accounts.forks.keys()]],
  });
  await beginWithLists(tx, ['0', ...rows.map(({ position }) => position)]);
}

/** Begins again at the first of some key blocks, in ascending order and at least one, whose coins are in lists now. What balances said of them is in the lists. */
async function beginWithLists(tx: DbTransaction, positions: readonly string[]): Promise<void> {
  await tx.query({
    name: 'ledger_corrections.of-presets',
    text: 'DELETE FROM ledger_corrections WHERE position = ANY ($1::bigint[])',
    values: [positions],
  });
  await cutLedger(tx, BigInt(positions[0]!));
}

/** Whether there may be something to write. Asked without the right to write, because most of the time there is nothing. */
export async function isLedgerBehind(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ behind: boolean | null }>({
    name: 'ledger.is-behind',
    text: `
      SELECT l.position < GREATEST((SELECT max(position) FROM micro_blocks), (SELECT max(height) << 33 FROM key_blocks))
        OR EXISTS (SELECT FROM ledger_rewrites) AS behind
      FROM ledger AS l`,
  });
  return rows[0] === undefined || rows[0].behind === true;
}

/** Writes the next part, or one again whose call information has come. Returns the height that is reached; null if nothing can be written now. */
export async function extendLedger(tx: DbTransaction, asking?: Asking): Promise<number | null> {
  const begun = await readLedger(tx, true);
  if (begun === undefined) return null;
  if (await rewriteNext(tx)) return heightOf(begun.position);
  await beginAgainAtNewInfo(tx);
  const { position, rules } = (await readLedger(tx, true))!;
  const last = await lastOfPart(tx, position, asking);
  if (last === null) return null;
  const blocks = await blocksOf(tx, { from: position + 1n, to: last + 1n }, last);
  await insertRows(tx, await ledgerRows(tx, blocks, rules));
  await tx.query({ name: 'ledger.extend', text: 'UPDATE ledger SET position = $1', values: [last] });
  if (asking?.isOn === true) await askAbout(tx, blocks.from, last);
  return heightOf(last);
}

/** Removes what was written without call information that has been read since. */
async function beginAgainAtNewInfo(tx: DbTransaction): Promise<void> {
  const { rows } = await tx.query<{ position: string }>({
    name: 'ledger.new-info',
    text: `
      SELECT m.position FROM ledger_gaps AS g
      CROSS JOIN LATERAL (SELECT FROM infos AS i WHERE i.position = g.position LIMIT 1) AS i
      CROSS JOIN LATERAL (SELECT position FROM micro_blocks WHERE position <= g.position ORDER BY position DESC LIMIT 1) AS m
      WHERE g.gaps & ${GAPS.result} <> 0 ORDER BY g.position LIMIT 1`,
  });
  if (rows[0] !== undefined) await cutLedger(tx, BigInt(rows[0].position));
}

/**
 * Position of the last block of the next part; null if there is none. It ends before the first height that is not stored, and before the first block
 * with call information that is still to be read. Also before a generation about which the node is being asked: otherwise all above it would be written again.
 */
async function lastOfPart(db: Queryable, after: bigint, asking: Asking | undefined): Promise<bigint | null> {
  const next = after < 0n ? 0 : heightOf(after) + 1;
  const { rows: keys } = await db.query<{ height: string }>({
    name: 'ledger.next-heights',
    text: 'SELECT height FROM key_blocks WHERE height >= $1 ORDER BY height LIMIT $2',
    values: [next, HEIGHTS],
  });
  const heights = keys.map(({ height }) => Number(height)).filter((height, i) => height === next + i);
  if (heights.length === 0 && after < 0n) return null;
  const end = keyPosition(next + heights.length);
  const { rows: micros } = await db.query<{ position: string; tx_count: number }>({
    name: 'ledger.next-micro-blocks',
    text: `
      SELECT position, tx_count FROM micro_blocks WHERE position > $1 AND position < $2 ORDER BY position LIMIT $3`,
    values: [after, end, TRANSACTIONS],
  });
  const due = await firstDue(db, after);
  const asked = asking?.isOn === true && !asking.isAway ? await firstAsked(db) : null;
  const blocks = [
    ...heights.map((height) => ({ position: keyPosition(height), count: 0 })),
    ...micros.map(({ position, tx_count: count }) => ({ position: BigInt(position), count })),
  ].sort((a, b) => (a.position < b.position ? -1 : 1));
  // Key blocks above the last micro block that was read wait for those below them.
  const bound = micros.length < TRANSACTIONS ? end : BigInt(micros.at(-1)!.position) + 1n;
  let last: bigint | null = null;
  let transactions = 0;
  for (const { position, count } of blocks) {
    const isDue = due !== null && due < position + BigInt(Math.max(count, 1));
    if (
      isDue ||
      (asked !== null && position > asked) ||
      position >= bound ||
      (transactions > 0 && transactions + count > TRANSACTIONS)
    )
      break;
    transactions += count;
    last = position;
  }
  return last;
}

async function firstDue(db: Queryable, after: bigint): Promise<bigint | null> {
  const { rows } = await db.query<{ position: string | null }>({
    name: 'ledger.first-due',
    text: 'SELECT min(position) AS position FROM due_infos WHERE position > $1',
    values: [after],
  });
  const position = rows[0]?.position ?? null;
  return position === null ? null : BigInt(position);
}
