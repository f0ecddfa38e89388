import type { Unproven } from '../../chain/facts.js';
import { MiddlewareError } from '../../observe/errors.js';
import { readAnnounced } from '../announced.js';
import { numberAndWake } from '../connection/commit-number.js';
import type { Database, DbTransaction } from '../connection/database.js';
import { appendBlocks } from './append.js';
import { unprovenOf } from '../facts/blocks.js';
import type { Block } from '../facts/blocks.js';
import { announceLogs, beginAnnouncingLogs } from './announce-logs.js';
import { announceBlocks, announceRemoved, announceRollback } from './events.js';
import { createListEndCache } from './append-entries.js';
import type { ListEndCache } from './append-entries.js';
import { BY_INDEX } from './plans.js';
import { refreshFlags } from './refresh-flags.js';
import { stagedBlocks } from './staged.js';
import type { Staged } from './staged.js';
import { truncate } from './truncate.js';

/** A change of the head of the chain: blocks from a position on are removed, and others are added. */
export interface Change {
  /** Hash of the last block that stays stored; null if none does. */
  base: string | null;
  /** Position of the first block to remove; null when nothing is removed. */
  removeFrom: bigint | null;
  /**
   * The blocks after the base, in chain order. They are in memory or in the stage, never still to be read from a node: the
   * database transaction would have to wait for it.
   */
  blocks: readonly Block[] | Staged;
  /** Whether a crash of the database may lose the last commits, because the same blocks can be read again. */
  mayBeLost?: boolean;
  /** Hash that the last block must have. It is set when blocks are removed, so that a half-read branch replaces nothing. */
  endsWith?: string;
}

export interface Committed {
  heights: number;
  transactions: number;
  invalid: number;
  /** Blocks and transactions of an unknown type or version, which were stored without a proof. */
  unproven: Unproven[];
}

/**
 * Applies a change in one database transaction: readers see all of it or nothing.
 *
 * `fence` checks the right to write. It runs first, and again last. The stored head must be the one for which the change was
 * planned, and each block must name its predecessor; otherwise nothing is changed and `chain_moved` is thrown.
 */
export async function commit(
  database: Database,
  fence: (tx: DbTransaction) => Promise<void>,
  change: Change,
): Promise<Committed> {
  const cache = cacheOf(database);
  try {
    return await database.transaction((tx) => apply(tx, fence, change, cache));
  } catch (error) {
    // The cache has list ends of the transaction, which was rolled back.
    cache.revision = undefined;
    throw error;
  }
}

async function apply(
  tx: DbTransaction,
  fence: (tx: DbTransaction) => Promise<void>,
  change: Change,
  cache: ListEndCache,
): Promise<Committed> {
  await tx.run(`SET LOCAL statement_timeout = 0; ${BY_INDEX}`);
  await fence(tx);
  let announced = await readAnnounced(tx);
  const live = announced !== undefined;
  // No event of these blocks was sent to anybody: see docs/decisions/0015.
  if (change.mayBeLost === true && !live && change.removeFrom === null)
    await tx.run('SET LOCAL synchronous_commit = off');
  if (change.removeFrom !== null) {
    announced = await announceRollback(tx, change.removeFrom, change.base, announced);
    await truncate(tx, change.removeFrom);
  }
  if (announced !== undefined) await beginAnnouncingLogs(tx, announced.end);
  await clearIfRevised(tx, cache);
  let last = await lastStoredHash(tx);
  if (last !== change.base) throw moved(`the stored head is ${last ?? 'empty'}, not ${change.base ?? 'empty'}`);
  const committed: Committed = { heights: 0, transactions: 0, invalid: 0, unproven: [] };
  for await (const blocks of 'owner' in change.blocks ? stagedBlocks(tx, change.blocks) : [change.blocks]) {
    last = checkLinks(last, blocks);
    const { transactions, invalid } = await appendBlocks(tx, blocks, cache);
    if (announced !== undefined) announced = await announceBlocks(tx, blocks, announced);
    committed.heights += blocks.filter((block) => block.kind === 'key').length;
    committed.transactions += transactions;
    committed.invalid += invalid;
    committed.unproven.push(...unprovenOf(blocks));
  }
  if (change.endsWith !== undefined && last !== change.endsWith) {
    throw moved(`the branch ends with ${last}, not ${change.endsWith}`);
  }
  await refreshFlags(tx);
  if (live) {
    if (change.removeFrom !== null) await announceRemoved(tx);
    await announceLogs(tx);
  }
  await numberAndWake(tx);
  await fence(tx);
  return committed;
}

const caches = new WeakMap<Database, ListEndCache>();

function cacheOf(database: Database): ListEndCache {
  const cache = caches.get(database) ?? createListEndCache();
  caches.set(database, cache);
  return cache;
}

/** Clears the cache if anything but appending by this writer in this epoch changed lists since. */
async function clearIfRevised(tx: DbTransaction, cache: ListEndCache): Promise<void> {
  const { rows } = await tx.query<{ revision: string }>({
    name: 'writer.revision',
    text: `SELECT epoch || '.' || revision AS revision FROM writer`,
  });
  const revision = rows[0]?.revision;
  if (revision === cache.revision) return;
  cache.ends.clear();
  cache.revision = revision;
}

const moved = (message: string): MiddlewareError => new MiddlewareError('chain_moved', message);

/**
 * Checks that each block names the one before it: a block that does not is of another branch. Returns the hash of the last block.
 * Throws `chain_moved`.
 */
export function checkLinks<Last extends string | null>(before: Last, blocks: readonly Block[]): Last | string {
  let last: Last | string = before;
  for (const block of blocks) {
    if (last !== null && block.prevHash !== last)
      throw moved(`block ${block.hash} follows ${block.prevHash}, not ${last}`);
    last = block.hash;
  }
  return last;
}

async function lastStoredHash(tx: DbTransaction): Promise<string | null> {
  const { rows } = await tx.query<{ hash: string }>({
    name: 'chain.last-hash',
    text: `
      (SELECT hash, height << 33 AS position FROM key_blocks ORDER BY height DESC LIMIT 1)
      UNION ALL
      (SELECT hash, position FROM micro_blocks ORDER BY position DESC LIMIT 1)
      ORDER BY position DESC LIMIT 1`,
  });
  return rows[0]?.hash ?? null;
}
