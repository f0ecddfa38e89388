import type { ChainNode } from '../node/client.js';
import { MiddlewareError, isFrom, reasonOf } from '../observe/errors.js';
import type { ErrorCode } from '../observe/errors.js';
import { microHashesAt, storedKeyBlock } from '../store/chain-state.js';
import type { Queryable } from '../store/connection/database.js';
import { fenceBesideWriter } from '../store/lease.js';
import { storedInfo } from '../store/unknown-infos.js';
import { unprovenOf, withInfo } from '../store/facts/blocks.js';
import type { Block, PlacedTransaction } from '../store/facts/blocks.js';
import { checkLinks } from '../store/write/commit.js';
import type { Committed } from '../store/write/commit.js';
import { beginReplacing, replaceGenerations } from '../store/write/replace.js';
import { openStage, stageBlocks, stagedGenerations } from '../store/write/staged.js';
import type { Staged } from '../store/write/staged.js';
import { appendHeights } from './append-heights.js';
import type { AppendOptions } from './append-heights.js';
import { createKeyBlockCheck, keyBlocksOf } from './key-blocks.js';
import { headAnnouncements } from './replaced-head.js';
import { readGenerations } from './source.js';

interface ReplaceOptions extends AppendOptions {
  /** Inclusive ranges, ascending. */
  heights: readonly { from: number; to: number }[];
}

export interface FailedHeight {
  height: number;
  /** Code of the fault; `other_branch` if the node's chain does not join what is stored. */
  code: ErrorCode;
  reason: string;
}

/**
 * Adds or replaces heights from the node, one after the other, each in one database transaction. If a height fails, the others are still
 * loaded.
 *
 * A generation must join the stored generations below and above it. If it does not join the one above, the next requested heights are replaced
 * in the same database transaction, until one joins. So readers never see parts of two branches.
 */
export async function replaceHeights(options: ReplaceOptions): Promise<{ failed: FailedHeight[] }> {
  const failed: FailedHeight[] = [];
  for (const { from, to } of options.heights) {
    let next = await appendHeights(options, from, to);
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
        const reason = reasonOf(error);
        const code = error instanceof MiddlewareError ? error.code : 'internal';
        for (let height = start; height <= reached.height; height++) failed.push({ height, code, reason });
        next = reached.height + 1;
      }
    }
  }
  return { failed };
}

/** Whether only the height has failed. A lost lease, a lost database and a missing right end the whole run. */
const isAboutHeight = (error: unknown): boolean =>
  !(
    error instanceof MiddlewareError &&
    (error.fault === 'bad_request' || error.code === 'lease_lost' || (isFrom('database', error) && error.row.outage))
  );

/** Whether a transaction of the node is stored at another height. A chain has each transaction once, so that height, above a gap, is of another branch. */
export const isStoredElsewhere = (error: unknown): boolean =>
  error instanceof MiddlewareError && error.details['constraint'] === 'transactions_hash_key';

async function replaceUntilJoined(
  options: ReplaceOptions,
  from: number,
  to: number,
  reached: { height: number },
): Promise<number> {
  const { database } = options;
  const read = await readUntilJoined(options, from, to, reached);
  const written: { height: number; committed: Committed }[] = [];
  try {
    await database.transaction(async (tx) => {
      await beginReplacing(tx);
      await fenceBesideWriter(tx);
      const events = await headAnnouncements(tx, read.to);
      let height = from;
      let last: readonly Block[] = [];
      for await (const blocks of 'owner' in read.blocks ? stagedGenerations(tx, read.blocks) : [read.blocks]) {
        await mustJoinBelow(tx, height, blocks);
        await events?.before(blocks);
        const { transactions, invalid } = await replaceGenerations(tx, blocks);
        const unproven = unprovenOf(blocks);
        written.push({ height: height++, committed: { heights: 1, transactions, invalid, unproven } });
        last = blocks;
      }
      await events?.end();
      // What is stored may have changed since it was read.
      if (!(await joinsAbove(tx, height - 1, last))) throw doesNotJoin(height - 1);
    });
  } finally {
    await read.done();
  }
  for (const { height, committed } of written) options.onHeight?.(height, committed);
  return from + written.length;
}

/**
 * Reads generations from `from` on, up to the first one that joins what is stored above it. A single one is kept in memory, several are staged.
 * So the database transaction that writes them does not wait for the node.
 */
async function readUntilJoined(
  { database, node, signal, network, genesisHash }: ReplaceOptions,
  from: number,
  to: number,
  reached: { height: number },
): Promise<{ blocks: readonly Block[] | Staged; to: number; done: () => Promise<void> }> {
  let stage: (Staged & { close(): Promise<void> }) | undefined;
  try {
    const check = createKeyBlockCheck({ database, node, network, genesisHash });
    let last: string | null = null;
    for (let height = from; ; height++) {
      signal?.throwIfAborted();
      reached.height = height;
      const blocks = await withStoredInfos(database, await read(node, height));
      await check(keyBlocksOf(blocks));
      if (height === from) await mustJoinBelow(database, height, blocks);
      last = checkLinks(last, blocks);
      const joins = await joinsAbove(database, height, blocks);
      if (joins && height === from) return { blocks, to: height, done: () => Promise.resolve() };
      if (!joins && height === to) throw doesNotJoin(height);
      stage ??= await openStage(database);
      const open = stage;
      await database.transaction((tx) => stageBlocks(tx, open, blocks));
      if (joins) return { blocks: open, to: height, done: () => open.close() };
    }
  } catch (error) {
    await stage?.close();
    throw error;
  }
}

const doesNotJoin = (height: number): MiddlewareError =>
  otherBranch(
    `the node's generation ${height} does not lead to the stored key block ${height + 1}; load that one as well`,
  );

async function read(node: ChainNode, height: number): Promise<Block[]> {
  const one = { generations: 1, transactions: 1, characters: 1 };
  for await (const blocks of readGenerations(node, height, height, one)) return blocks;
  throw new Error('unreachable: one generation was asked for');
}

/** Call information that no node answers now, but that was stored, stays as it is. */
async function withStoredInfos(db: Queryable, blocks: readonly Block[]): Promise<Block[]> {
  const completed = async (placed: PlacedTransaction): Promise<PlacedTransaction> => {
    if (placed.transaction.isInfoUnknown !== true) return placed;
    const info = await storedInfo(db, placed.position, placed.transaction.hash);
    return info === undefined ? placed : withInfo(placed, info);
  };
  return Promise.all(
    blocks.map(async (block) =>
      block.kind === 'key' ? block : { ...block, transactions: await Promise.all(block.transactions.map(completed)) },
    ),
  );
}

export const otherBranch = (message: string): MiddlewareError => new MiddlewareError('other_branch', message);

/** Throws `other_branch` if the generation does not follow the last stored block of the height below. */
async function mustJoinBelow(tx: Queryable, height: number, blocks: readonly Block[]): Promise<void> {
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

/** Whether the key block stored at the height above follows the last of these blocks; also true if none is stored there. */
export async function joinsAbove(tx: Queryable, height: number, blocks: readonly Block[]): Promise<boolean> {
  const above = await storedKeyBlock(tx, height + 1);
  return above === null || (above.prevKeyHash === blocks[0]!.hash && above.prevHash === blocks.at(-1)!.hash);
}
