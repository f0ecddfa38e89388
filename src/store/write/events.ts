import type { EventKind } from '../../chain/event-kinds.js';
import type { Queryable, DbTransaction } from '../connection/database.js';
import { kindList } from '../event-kinds.js';
import type { Block, PlacedTransaction } from './blocks.js';

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
  if (live) return keepRemoved(tx, from);
  const { rows } = await tx.query<{ count: string }>({
    name: 'events.removed-count',
    text: 'SELECT COUNT(*) AS count FROM transactions WHERE position >= $1',
    values: [from],
  });
  const first = await nextSeq(tx, Number(rows[0]!.count));
  await tx.query({
    name: 'events.load-left',
    text: `
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT $2::bigint - 1 + row_number() OVER (ORDER BY position), $3, position, hash, body
      FROM transactions WHERE position >= $1`,
    values: [from, first, 'load_left' satisfies EventKind],
  });
}

/** Which of them the new branch has, and with that their place in the log, is known only when it is stored. */
async function keepRemoved(tx: DbTransaction, from: bigint): Promise<void> {
  await tx.query({
    name: 'removed_transactions.keep',
    text: `
      INSERT INTO removed_transactions (position, hash, body)
      SELECT position, hash, body FROM transactions WHERE position >= $1`,
    values: [from],
  });
}

/** Announces blocks just stored, each micro block followed by its transactions. Their texts are in the database already. */
export async function announceBlocks(
  tx: DbTransaction,
  blocks: readonly Block[],
  transactions: readonly PlacedTransaction[],
): Promise<void> {
  if (blocks.length === 0) return;
  let seq = await nextSeq(tx, blocks.length + transactions.length);
  const keyBlocks: { height: number; seq: bigint }[] = [];
  const microBlocks: { position: bigint; count: number; seq: bigint }[] = [];
  for (const block of blocks) {
    if (block.kind === 'key') keyBlocks.push({ height: block.keyBlock.height, seq });
    else microBlocks.push({ position: block.position, count: block.transactions.length, seq });
    seq += block.kind === 'key' ? 1n : 1n + BigInt(block.transactions.length);
  }
  // No EXISTS: for many transactions PostgreSQL would read all events into a hash table.
  await tx.query({
    name: 'events.announce',
    text: `
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT w.seq, '${'key_block' satisfies EventKind}', b.height << 33, b.hash, b.body
      FROM unnest($1::bigint[], $2::bigint[]) AS w (height, seq)
      CROSS JOIN LATERAL (SELECT height, hash, body FROM key_blocks WHERE height = w.height LIMIT 1) AS b
      UNION ALL
      SELECT w.seq, '${'micro_block' satisfies EventKind}', b.position, b.hash, b.body
      FROM unnest($3::bigint[], $5::bigint[]) AS w (position, seq)
      CROSS JOIN LATERAL (SELECT position, hash, body FROM micro_blocks WHERE position = w.position LIMIT 1) AS b
      UNION ALL
      SELECT w.seq + 1 + t.position - w.position, CASE WHEN (
          SELECT true FROM events AS e WHERE e.hash = t.hash AND e.kind IN (${OF_TRANSACTIONS}) LIMIT 1
        ) THEN '${'tx_update' satisfies EventKind}' ELSE '${'transaction' satisfies EventKind}' END,
        t.position, t.hash, t.body
      FROM unnest($3::bigint[], $4::int[], $5::bigint[]) AS w (position, count, seq)
      CROSS JOIN LATERAL (
        SELECT position, hash, body FROM transactions WHERE position >= w.position AND position < w.position + w.count
        ORDER BY position
      ) AS t`,
    values: [
      keyBlocks.map(({ height }) => height),
      keyBlocks.map((block) => block.seq),
      microBlocks.map(({ position }) => position),
      microBlocks.map(({ count }) => count),
      microBlocks.map((block) => block.seq),
    ],
  });
  await tx.query({
    name: 'events.prune',
    text: 'DELETE FROM events WHERE at < now() - make_interval(hours => $1)',
    values: [KEPT_HOURS],
  });
}

/** Announces the transactions of removed blocks that the new branch does not hold. */
export async function announceLeft(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'removed_transactions.stayed',
    text: `
      DELETE FROM removed_transactions AS r
      WHERE EXISTS (SELECT FROM transactions AS t WHERE t.hash = r.hash)`,
  });
  const { rows } = await tx.query<{ count: string }>({
    name: 'removed_transactions.count',
    text: 'SELECT COUNT(*) AS count FROM removed_transactions',
  });
  const seq = await nextSeq(tx, Number(rows[0]!.count));
  await tx.query({
    name: 'events.left',
    text: `
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT $1::bigint - 1 + row_number() OVER (ORDER BY position), $2, position, hash, body FROM removed_transactions`,
    values: [seq, 'left' satisfies EventKind],
  });
  await tx.query({ name: 'removed_transactions.forget', text: 'DELETE FROM removed_transactions' });
}
