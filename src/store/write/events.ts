import type { EventKind } from '../../chain/event-kinds.js';
import type { Queryable, DbTransaction } from '../connection/database.js';
import { kindList } from '../event-kinds.js';
import type { Block, PlacedTransaction } from './blocks.js';
import { copyRows } from './copy.js';

/** How long events are kept for those who resume, in hours. */
const KEPT_HOURS = 48;

/** Blocks of a removed branch that its event names, oldest first. */
const REMOVED_NAMED = 1_000;

/** Elements of an SQL list: the kinds that announce a transaction, in a block or removed from one. */
const OF_TRANSACTIONS = kindList(
  ({ of, announced }) => announced && (of === 'transaction' || of === 'removed transaction'),
);

/** Whether the head is followed: the first load and re-loads are not announced. */
export async function isLive(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ live: boolean }>({ name: 'events.live', text: 'SELECT live FROM chain' });
  return rows[0]?.live === true;
}

async function nextSeq(tx: DbTransaction, count: number): Promise<bigint> {
  const { rows } = await tx.query<{ first: string }>({
    name: 'events.next',
    text: 'UPDATE chain SET event_seq = event_seq + $1 RETURNING event_seq - $1 + 1 AS first',
    values: [count],
  });
  return BigInt(rows[0]!.first);
}

/**
 * Announces that the blocks from a place on are gone, and keeps their transactions for `announceLeft`. While the head is not
 * followed only those are to know who have received the stored chain up to there.
 */
export async function announceRollback(
  tx: DbTransaction,
  from: bigint,
  base: string | null,
  live: boolean,
): Promise<void> {
  const seq = await nextSeq(tx, 1);
  await tx.query({
    name: 'events.rollback',
    text: `
      WITH gone AS (
        SELECT height << 33 AS position, hash FROM key_blocks WHERE height > ($2::bigint - 1) >> 33
        UNION ALL SELECT position, hash FROM micro_blocks WHERE position >= $2
      )
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT $1::bigint, $5::text, $2, $3::text, json_build_object(
        'removed_count', (SELECT COUNT(*) FROM gone),
        'removed', ARRAY(SELECT hash FROM gone ORDER BY position LIMIT $4))`,
    values: [seq, from, base ?? '', REMOVED_NAMED, (live ? 'rollback' : 'load_rollback') satisfies EventKind],
  });
  if (live) return logRemoved(tx, from, { kind: 'removed', before: 0n, step: -1 });
  const { rows } = await tx.query<{ count: string }>({
    name: 'events.removed-count',
    text: 'SELECT COUNT(*) AS count FROM transactions WHERE position >= $1',
    values: [from],
  });
  const first = await nextSeq(tx, Number(rows[0]!.count));
  await logRemoved(tx, from, { kind: 'load_left', before: first - 1n, step: 1 });
}

/**
 * Logs the transactions from a place on. Those of which some may stand in the new branch get numbers below zero, which nobody
 * reads: their place in the log is known only when that branch is stored, in the same database transaction.
 */
async function logRemoved(
  tx: DbTransaction,
  from: bigint,
  as: { kind: 'removed' | Extract<EventKind, 'load_left'>; before: bigint; step: 1 | -1 },
): Promise<void> {
  await tx.query({
    name: 'events.removed',
    text: `
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT $2::bigint + $3::bigint * row_number() OVER (ORDER BY position), $4, position, hash, body
      FROM transactions WHERE position >= $1`,
    values: [from, as.before, as.step, as.kind],
  });
}

/** Announces blocks just stored, each micro block followed by its transactions. */
export async function announceBlocks(
  tx: DbTransaction,
  blocks: readonly Block[],
  transactions: readonly PlacedTransaction[],
): Promise<void> {
  if (blocks.length === 0) return;
  const announced = await announcedBefore(tx, transactions);
  let seq = await nextSeq(tx, blocks.length + transactions.length);
  const rows: (readonly [bigint, EventKind, bigint, string, string])[] = [];
  let next = 0;
  for (const block of blocks) {
    if (block.kind === 'key') {
      rows.push([seq++, 'key_block', block.position, block.hash, block.keyBlock.body]);
      continue;
    }
    rows.push([seq++, 'micro_block', block.position, block.hash, block.microBlock.body]);
    for (let i = 0; i < block.transactions.length; i++) {
      const { position, transaction } = transactions[next++]!;
      const kind = announced.has(transaction.hash) ? 'tx_update' : 'transaction';
      rows.push([seq++, kind, position, transaction.hash, transaction.body]);
    }
  }
  await copyRows(tx, 'events', ['seq', 'kind', 'position', 'hash', 'body'], rows);
  await tx.query({
    name: 'events.prune',
    text: 'DELETE FROM events WHERE at < now() - make_interval(hours => $1)',
    values: [KEPT_HOURS],
  });
}

async function announcedBefore(tx: DbTransaction, transactions: readonly PlacedTransaction[]): Promise<Set<string>> {
  if (transactions.length === 0) return new Set();
  const { rows } = await tx.query<{ hash: string }>({
    name: 'events.announced',
    text: `
      SELECT DISTINCT hash FROM events
      WHERE hash = ANY ($1::text[]) AND kind IN (${OF_TRANSACTIONS})`,
    values: [transactions.map(({ transaction }) => transaction.hash)],
  });
  return new Set(rows.map((row) => row.hash));
}

/** Announces the transactions of removed blocks that the new branch does not hold. */
export async function announceLeft(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'events.stayed',
    text: 'DELETE FROM events AS e WHERE e.seq < 0 AND EXISTS (SELECT FROM transactions AS t WHERE t.hash = e.hash)',
  });
  const { rows } = await tx.query<{ count: string }>({
    name: 'events.left-count',
    text: 'SELECT COUNT(*) AS count FROM events WHERE seq < 0',
  });
  const seq = await nextSeq(tx, Number(rows[0]!.count));
  await tx.query({
    name: 'events.left',
    text: `
      UPDATE events AS e SET seq = $1::bigint - 1 + r.number, kind = 'left'
      FROM (SELECT seq, row_number() OVER (ORDER BY seq DESC) AS number FROM events WHERE seq < 0) AS r
      WHERE e.seq = r.seq`,
    values: [seq],
  });
}
