import type { Unproven } from '../../chain/proof/level.js';
import { MiddlewareError } from '../../observe/errors.js';
import { readAnnounced } from '../announced.js';
import { numberAndWake } from '../connection/commit-number.js';
import type { Database, DbTransaction } from '../connection/database.js';
import { appendBlocks } from './append.js';
import { unprovenOf } from './blocks.js';
import type { Block } from './blocks.js';
import { announceBlocks, announceLeft, announceRollback } from './events.js';
import { createListMemory } from './append-entries.js';
import type { ListMemory } from './append-entries.js';
import { BY_INDEX } from './plans.js';
import { settle } from './settle.js';
import { stagedBlocks } from './staged.js';
import type { Staged } from './staged.js';
import { truncate } from './truncate.js';

/** A change of the head of the chain: blocks from a place on are removed, others put there. */
export interface Change {
  /** Hash of the last block that stays; null: nothing is stored, or nothing stays. */
  base: string | null;
  /** Place of the first block to remove; null when nothing is removed. */
  removeFrom: bigint | null;
  /**
   * What comes after the base, in chain order: in memory or in the database, never still to be read from a node, which a
   * transaction could wait for longer than it may.
   */
  blocks: readonly Block[] | Staged;
  /** Whether the last commits may be lost when the database crashes, because their blocks can be read again, the same ones. */
  mayBeLost?: boolean;
  /** Hash that the last block must have: set when blocks are removed, so that a half-read branch replaces nothing. */
  endsWith?: string;
}

export interface Committed {
  heights: number;
  transactions: number;
  invalid: number;
  /** Of a type or version that is not known: believed. */
  unproven: Unproven[];
}

/**
 * Applies a change in one transaction: readers see all of it or nothing, whatever happens meanwhile.
 *
 * `fence` is the writer's right to write, taken first and renewed last. The stored head must be the one the change was
 * planned for, and each block must name its predecessor: otherwise nothing is changed.
 */
export async function commit(
  database: Database,
  fence: (tx: DbTransaction) => Promise<void>,
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
  tx: DbTransaction,
  fence: (tx: DbTransaction) => Promise<void>,
  change: Change,
  memory: ListMemory,
): Promise<Committed> {
  await tx.run(`SET LOCAL statement_timeout = 0; ${BY_INDEX}`);
  await fence(tx);
  let announced = await readAnnounced(tx);
  const live = announced !== undefined;
  // Nobody was sent an event of these blocks: see docs/decisions/0015.
  if (change.mayBeLost === true && !live && change.removeFrom === null)
    await tx.run('SET LOCAL synchronous_commit = off');
  if (change.removeFrom !== null) {
    announced = await announceRollback(tx, change.removeFrom, change.base, announced);
    await truncate(tx, change.removeFrom);
  }
  await refresh(tx, memory);
  let last = await lastStoredHash(tx);
  if (last !== change.base) throw moved(`the stored head is ${last ?? 'empty'}, not ${change.base ?? 'empty'}`);
  const committed: Committed = { heights: 0, transactions: 0, invalid: 0, unproven: [] };
  for await (const blocks of 'owner' in change.blocks ? stagedBlocks(tx, change.blocks) : [change.blocks]) {
    last = checkLinks(last, blocks);
    const { transactions, invalid } = await appendBlocks(tx, blocks, memory);
    if (announced !== undefined) announced = await announceBlocks(tx, blocks, announced);
    committed.heights += blocks.filter((block) => block.kind === 'key').length;
    committed.transactions += transactions;
    committed.invalid += invalid;
    committed.unproven.push(...unprovenOf(blocks));
  }
  if (change.endsWith !== undefined && last !== change.endsWith) {
    throw moved(`the branch ends with ${last}, not ${change.endsWith}`);
  }
  await settle(tx);
  if (live && change.removeFrom !== null) await announceLeft(tx);
  await numberAndWake(tx);
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
async function refresh(tx: DbTransaction, memory: ListMemory): Promise<void> {
  const { rows } = await tx.query<{ revision: string }>({
    name: 'writer.revision',
    text: `SELECT epoch || '.' || revision AS revision FROM writer`,
  });
  const revision = rows[0]?.revision;
  if (revision === memory.revision) return;
  memory.ends.clear();
  memory.revision = revision;
}

const moved = (message: string): MiddlewareError => new MiddlewareError('chain_moved', message);

/** The chain is one sequence: a block that does not name the one before it belongs to another branch. Gives the last hash. */
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
