import type { ChainNode } from '../node/client.js';
import { MiddlewareError } from '../observe/errors.js';
import { microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { Database, Transaction } from '../store/database.js';
import { besideWriter } from '../store/lease.js';
import { wrongHashesOf } from '../store/write/blocks.js';
import type { Block } from '../store/write/blocks.js';
import type { Committed } from '../store/write/commit.js';
import { replaceGeneration } from '../store/write/replace.js';
import { appendHeights } from './append-heights.js';
import { readGenerations } from './source.js';

export interface ReplaceOptions {
  database: Database;
  node: ChainNode;
  /** Inclusive ranges, ascending. */
  heights: readonly { from: number; to: number }[];
  /** The right to write; by default that of a process beside the populator. */
  fence?: (tx: Transaction) => Promise<void>;
  signal?: AbortSignal;
  onHeight?: (height: number, written: Committed) => void;
}

export interface FailedHeight {
  height: number;
  /** Of the fault: `other_branch` where the node's chain does not join what is stored. */
  code: string;
  reason: string;
}

/**
 * Adds or replaces heights from the node, one after the other, each visible atomically; a height that fails does not
 * stop the rest.
 *
 * A generation must join those stored around it. Where the node's differs from the one stored in its place, the heights
 * above that were asked for as well are replaced in the same transaction, until they join: so nobody ever sees two
 * branches at once, and a fork is not let in by halves.
 */
export async function replaceHeights(options: ReplaceOptions): Promise<{ failed: FailedHeight[] }> {
  const failed: FailedHeight[] = [];
  for (const { from, to } of options.heights) {
    // A populator's own fence means that it fills holes: nothing is above everything then.
    let next = options.fence === undefined ? await appendHeights(options, from, to) : from;
    while (next <= to) {
      options.signal?.throwIfAborted();
      const start = next;
      const reached = { height: start };
      try {
        next = await replaceUntilJoined(options, start, to, reached);
      } catch (fault) {
        if (!isAboutHeight(fault)) throw fault;
        const error = isStoredElsewhere(fault)
          ? otherBranch("a transaction of the node is stored at another height, which is not of the node's branch")
          : fault;
        const reason = error instanceof Error ? error.message : String(error);
        const code = error instanceof MiddlewareError ? error.code : 'internal';
        for (let height = start; height <= reached.height; height++) failed.push({ height, code, reason });
        next = reached.height + 1;
      }
    }
  }
  return { failed };
}

/** A lost lease or database, or a missing right, ends the whole run; anything else is the matter of the height. */
const isAboutHeight = (error: unknown): boolean =>
  !(
    error instanceof MiddlewareError &&
    (error.fault === 'bad_request' || error.code === 'lease_lost' || error.code.startsWith('database_'))
  );

/** A chain has each transaction once: where it stands now belongs to another branch, as heights beyond a hole may do. */
const isStoredElsewhere = (error: unknown): boolean =>
  error instanceof MiddlewareError && error.details['constraint'] === 'transactions_hash_key';

async function replaceUntilJoined(
  options: ReplaceOptions,
  from: number,
  to: number,
  reached: { height: number },
): Promise<number> {
  const { database, node, fence = besideWriter } = options;
  const firstGeneration = await read(node, from);
  const written: { height: number; committed: Committed }[] = [];
  const next = await database.transaction(async (tx) => {
    await tx.run('SET LOCAL statement_timeout = 0; SET CONSTRAINTS ALL DEFERRED');
    await fence(tx);
    let blocks = firstGeneration;
    for (let height = from; ; height++) {
      reached.height = height;
      await mustJoinBelow(tx, height, blocks);
      const { transactions, invalid } = await replaceGeneration(tx, blocks);
      const wrongHashes = wrongHashesOf(blocks);
      written.push({ height, committed: { heights: 1, transactions, invalid, wrongHashes } });
      if (await joinsAbove(tx, height, blocks)) return height + 1;
      if (height === to) {
        throw otherBranch(
          `the node's generation ${height} does not lead to the stored key block ${height + 1}; load that one as well`,
        );
      }
      blocks = await read(node, height + 1);
    }
  });
  for (const { height, committed } of written) options.onHeight?.(height, committed);
  return next;
}

async function read(node: ChainNode, height: number): Promise<Block[]> {
  for await (const blocks of readGenerations(node, height, height, { generations: 1, transactions: 1 })) return blocks;
  throw new Error('unreachable: one generation was asked for');
}

const otherBranch = (message: string): MiddlewareError => new MiddlewareError('conflict', 'other_branch', message);

async function mustJoinBelow(tx: Transaction, height: number, blocks: readonly Block[]): Promise<void> {
  const keyBlock = blocks[0]!;
  const below = height === 0 ? null : await storedKeyBlock(tx, height - 1);
  if (below === null || keyBlock.kind !== 'key') return;
  if (keyBlock.keyBlock.prevKeyHash !== below.hash) {
    throw otherBranch(
      `the node's key block ${height} does not follow the stored key block ${height - 1}: the chain forked below`,
    );
  }
  const last = (await microHashesAt(tx, height - 1)).at(-1) ?? below.hash;
  if (keyBlock.prevHash !== last) {
    throw otherBranch(
      `the node's key block ${height} does not follow the last stored micro block of ${height - 1}; load that height as well`,
    );
  }
}

async function joinsAbove(tx: Transaction, height: number, blocks: readonly Block[]): Promise<boolean> {
  const above = await storedKeyBlock(tx, height + 1);
  return above === null || (above.prevKeyHash === blocks[0]!.hash && above.prevHash === blocks.at(-1)!.hash);
}
