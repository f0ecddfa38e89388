import type { EventKind } from '../../chain/event-kinds.js';
import { LAST_POSITION, heightOf, microOf } from '../../chain/position.js';
import { announcedWith, isNext } from '../announced.js';
import type { Announced } from '../announced.js';
import type { DbTransaction } from '../connection/database.js';
import { kindList } from '../event-kinds.js';
import type { Block } from '../facts/blocks.js';

/** How long clients can resume from an event, hours. */
const RETENTION_HOURS = 48;

/** Max removed blocks that a rollback event lists, oldest first. */
const MAX_REMOVED_LISTED = 1_000;

/** Kinds that announce a transaction of a block, or one that was removed with its block, as elements of an SQL list. */
const OF_TRANSACTIONS = kindList(
  ({ subject, announced }) => announced && (subject === 'transaction' || subject === 'removed transaction'),
);

/** Stored blocks that are read at a time. */
const READ_AT_ONCE = 500;

/** Reserves `count` numbers of the log; returns the first. */
export async function nextSeq(tx: DbTransaction, count: number): Promise<bigint> {
  const { rows } = await tx.query<{ first: string }>({
    name: 'events.next',
    text: 'UPDATE chain SET event_seq = event_seq + $1 RETURNING event_seq - $1 + 1 AS first',
    values: [count],
  });
  return BigInt(rows[0]!.first);
}

/**
 * Announces the removal of the announced blocks from a position on, and stores their transactions for `announceRemoved`. While the head
 * is not followed (`announced` undefined), the events are only for subscribers who were sent the stored chain up to that position.
 * @returns how far the chain is announced then.
 */
export async function announceRollback<Known extends Announced | undefined>(
  tx: DbTransaction,
  from: bigint,
  base: string | null,
  announced: Known,
): Promise<Known | Announced> {
  if (announced !== undefined && from >= announced.end) return announced;
  const seq = await nextSeq(tx, 1);
  await forgetAnnouncedLogs(tx, from);
  const kind: EventKind = announced === undefined ? 'load_rollback' : 'rollback';
  await tx.query({
    name: 'events.rollback',
    text: `
      WITH removed AS (
        SELECT height << 33 AS position, hash FROM key_blocks
        WHERE height > ($2::bigint - 1) >> 33 AND height <= ($6::bigint - 1) >> 33
        UNION ALL SELECT position, hash FROM micro_blocks WHERE position >= $2 AND position < $6
      )
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT $1::bigint, $5::text, $2, $3::text, json_build_object(
        'removed_count', (SELECT COUNT(*) FROM removed),
        'removed', ARRAY(SELECT hash FROM removed ORDER BY position LIMIT $4))`,
    values: [seq, from, base ?? '', MAX_REMOVED_LISTED, kind, announced?.end ?? LAST_POSITION],
  });
  if (announced !== undefined) {
    await storeRemoved(tx, from, announced.end);
    return { end: from, hash: base };
  }
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
  return announced;
}

/** The logs of removed blocks were announced; those of the new branch are to be. */
async function forgetAnnouncedLogs(tx: DbTransaction, from: bigint): Promise<void> {
  await tx.query({
    name: 'announced_logs.forget',
    text: 'UPDATE announced_logs SET position = $1 WHERE position > $1',
    values: [from],
  });
}

/** Stores the removed transactions. Which of them are in the new branch too is only known when that is stored. */
async function storeRemoved(tx: DbTransaction, from: bigint, end: bigint): Promise<void> {
  await tx.query({
    name: 'removed_transactions.store',
    text: `
      INSERT INTO removed_transactions (position, hash, body)
      SELECT position, hash, body FROM transactions WHERE position >= $1 AND position < $2`,
    values: [from, end],
  });
}

/** Announces blocks that were just stored, except those above a gap. @returns how far the chain is announced then. */
export async function announceBlocks(
  tx: DbTransaction,
  blocks: readonly Block[],
  announced: Announced,
): Promise<Announced> {
  const first = blocks.findIndex((block) => isNext(announced, block));
  if (first === -1) return announced;
  const added = blocks.slice(first);
  await announce(
    tx,
    added.map(({ position, ...block }) => ({
      position,
      transactions: block.kind === 'micro' ? block.transactions.length : 0,
    })),
  );
  return announcedWith(added.at(-1)!);
}

/** Announces the stored blocks above the announced ones, up to the first gap: those that filled a gap, and the blocks above it. */
export async function announceStored(tx: DbTransaction, announced: Announced): Promise<void> {
  let last = announced;
  for (;;) {
    const stored = await storedFrom(tx, last.end);
    const next: StoredBlock[] = [];
    for (const block of stored) {
      if (!isNext(last, block)) break;
      next.push(block);
      last = announcedWith(block);
    }
    await announce(tx, next);
    if (next.length < READ_AT_ONCE) return;
  }
}

interface StoredBlock {
  position: bigint;
  hash: string;
  prevHash: string;
  transactions: number;
}

async function storedFrom(tx: DbTransaction, from: bigint): Promise<StoredBlock[]> {
  const { rows } = await tx.query<{ position: string; hash: string; prev_hash: string; transactions: number }>({
    name: 'events.stored-from',
    text: `
      (SELECT height << 33 AS position, hash, prev_hash, 0 AS transactions FROM key_blocks
        WHERE height > ($1::bigint - 1) >> 33 ORDER BY height LIMIT $2)
      UNION ALL
      (SELECT position, hash, prev_hash, tx_count FROM micro_blocks WHERE position >= $1 ORDER BY position LIMIT $2)
      ORDER BY position LIMIT $2`,
    values: [from, READ_AT_ONCE],
  });
  return rows.map(({ position, hash, prev_hash: prevHash, transactions }) => ({
    position: BigInt(position),
    hash,
    prevHash,
    transactions,
  }));
}

/** Writes the events of stored blocks; each micro block is followed by its transactions. */
async function announce(
  tx: DbTransaction,
  blocks: readonly { position: bigint; transactions: number }[],
): Promise<void> {
  if (blocks.length === 0) return;
  let seq = await nextSeq(
    tx,
    blocks.reduce((sum, { transactions }) => sum + 1 + transactions, 0),
  );
  const keyBlocks: { height: number; seq: bigint }[] = [];
  const microBlocks: { position: bigint; count: number; seq: bigint }[] = [];
  for (const { position, transactions: count } of blocks) {
    if (microOf(position) === 0) keyBlocks.push({ height: heightOf(position), seq });
    else microBlocks.push({ position, count, seq });
    seq += 1n + BigInt(count);
  }
  // No EXISTS: for many transactions PostgreSQL would read all events into a hash table.
  await tx.query({
    name: 'events.announce',
    text: `
      INSERT INTO events (seq, kind, position, hash, body)
      SELECT w.seq, '${'key_block' satisfies EventKind}', b.height << 33, b.hash, b.body
      FROM unnest($1::bigint[], $2::bigint[]) AS w (height, seq)
      CROSS JOIN LATERAL (SELECT height, hash, body FROM key_block_texts WHERE height = w.height LIMIT 1) AS b
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
    values: [RETENTION_HOURS],
  });
}

/** Announces the transactions of removed blocks that are not in the new branch. */
export async function announceRemoved(tx: DbTransaction): Promise<void> {
  await tx.query({
    name: 'removed_transactions.delete-stored',
    text: `
      DELETE FROM removed_transactions AS r
      WHERE EXISTS (SELECT FROM transactions_by_hash AS t WHERE t.hash = r.hash)`,
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
  await tx.query({ name: 'removed_transactions.delete', text: 'DELETE FROM removed_transactions' });
}
