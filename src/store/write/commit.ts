import { MiddlewareError } from '../../observe/errors.js';
import type { Database, Transaction } from '../database.js';
import { appendBlocks } from './append.js';
import { wrongHashesOf } from './blocks.js';
import type { Block } from './blocks.js';
import { announceLeft, announceRollback, isLive } from './events.js';
import { createListMemory } from './lists.js';
import type { ListMemory } from './lists.js';
import { settle } from './settle.js';
import { truncate } from './truncate.js';

/** A change of the top of the chain: blocks from a place on are removed, others put there. */
export interface Change {
  /** Hash of the last block that stays; null: nothing is stored, or nothing stays. */
  base: string | null;
  /** Place of the first block to remove; null when nothing is removed. */
  removeFrom: bigint | null;
  /** What comes after the base, in chain order, in pieces of any size. */
  blocks: AsyncIterable<readonly Block[]> | Iterable<readonly Block[]>;
  /** Hash that the last block must have: set when blocks are removed, so that a half-read branch replaces nothing. */
  endsWith?: string;
}

export interface Committed {
  heights: number;
  transactions: number;
  invalid: number;
  /** Of blocks whose contents do not give their hash; stored as the node told them. */
  wrongHashes: string[];
}

/**
 * Applies a change in one transaction: readers see all of it or nothing, whatever happens meanwhile.
 *
 * `fence` is the writer's right to write, taken first and renewed last. The stored top must be the one the change was
 * planned for, and each block must name its predecessor: otherwise nothing is changed.
 */
export async function commit(
  database: Database,
  fence: (tx: Transaction) => Promise<void>,
  change: Change,
): Promise<Committed> {
  const memory = memoryOf(database);
  try {
    return await database.transaction((tx) => apply(tx, fence, change, memory));
  } catch (error) {
    // What was remembered on the way did not come about.
    memory.revision = undefined;
    throw error;
  }
}

async function apply(
  tx: Transaction,
  fence: (tx: Transaction) => Promise<void>,
  change: Change,
  memory: ListMemory,
): Promise<Committed> {
  await tx.run('SET LOCAL statement_timeout = 0');
  await fence(tx);
  const live = await isLive(tx);
  if (change.removeFrom !== null) {
    await announceRollback(tx, change.removeFrom, change.base, live);
    await truncate(tx, change.removeFrom);
  }
  await refresh(tx, memory);
  let last = await lastStoredHash(tx);
  if (last !== change.base) throw moved(`the stored top is ${last ?? 'empty'}, not ${change.base ?? 'empty'}`);
  const committed: Committed = { heights: 0, transactions: 0, invalid: 0, wrongHashes: [] };
  for await (const blocks of change.blocks) {
    last = checkLinks(last, blocks);
    const { transactions, invalid } = await appendBlocks(tx, blocks, live, memory);
    committed.heights += blocks.filter((block) => block.kind === 'key').length;
    committed.transactions += transactions;
    committed.invalid += invalid;
    committed.wrongHashes.push(...wrongHashesOf(blocks));
  }
  if (change.endsWith !== undefined && last !== change.endsWith) {
    throw moved(`the branch ends with ${last}, not ${change.endsWith}`);
  }
  await settle(tx);
  if (live && change.removeFrom !== null) await announceLeft(tx);
  await tx.query({ name: 'events.wake', text: `SELECT pg_notify('mdw_' || current_schema(), '')` });
  await fence(tx);
  return committed;
}

/** What this process remembers of the lists of a copy. */
const memories = new WeakMap<Database, ListMemory>();

function memoryOf(database: Database): ListMemory {
  const memory = memories.get(database) ?? createListMemory();
  memories.set(database, memory);
  return memory;
}

/** Forgets what is remembered if anybody but this writer, in this epoch, changed lists since. */
async function refresh(tx: Transaction, memory: ListMemory): Promise<void> {
  const { rows } = await tx.query<{ revision: string }>({
    name: 'writer.revision',
    text: `SELECT epoch || '.' || revision AS revision FROM writer`,
  });
  const revision = rows[0]?.revision;
  if (revision === memory.revision) return;
  memory.ends.clear();
  memory.revision = revision;
}

const moved = (message: string): MiddlewareError => new MiddlewareError('unavailable', 'chain_moved', message);

/** The chain is one sequence: a block that does not name the one before it belongs to another branch. */
function checkLinks(last: string | null, blocks: readonly Block[]): string | null {
  for (const block of blocks) {
    if (last !== null && block.prevHash !== last)
      throw moved(`block ${block.hash} follows ${block.prevHash}, not ${last}`);
    last = block.hash;
  }
  return last;
}

async function lastStoredHash(tx: Transaction): Promise<string | null> {
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
