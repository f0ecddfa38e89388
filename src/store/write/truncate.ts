import { ListKind } from '../../chain/derive.js';
import type { Operation } from '../../chain/operations.js';
import { MAX_HEIGHT, heightOf, keyPosition } from '../../chain/position.js';
import type { DbTransaction } from '../connection/database.js';
import { operationsOf } from '../facts/blocks.js';
import type { Placed } from '../facts/blocks.js';
import { deleteFacts } from './facts.js';
import { listsTouched, reviseLists } from '../lists.js';
import { nameHistory } from './name-history.js';
import { replaceRecords } from './name-state.js';
import { rebuildChannels, rebuildOracles, undoExtensions, undoObjects } from './objects.js';
import { provenAfterRemoval } from '../proven.js';
import { recordRewrite } from '../rewrites.js';
import { storedTransactions } from '../facts/stored.js';
import { daysOf, rebuildDays, rebuildSums } from './sums.js';

/** Kinds of lists whose objects are computed from all transactions of the list, in order. */
export const FOLDED: readonly number[] = [ListKind.name, ListKind.oracleLife, ListKind.channel];

/** Removes all blocks from a position on, and undoes their projections. */
export async function truncate(tx: DbTransaction, from: bigint): Promise<void> {
  const range = { from, to: keyPosition(MAX_HEIGHT) };
  const touched = await listsTouched(tx, FOLDED, range);
  const ofOracles = await operationsOfLists(
    tx,
    touched.filter(({ kind }) => kind === ListKind.oracleLife),
    from,
  );
  const days = await daysOf(tx, range);
  await recordRewrite(tx, heightOf(from));
  await provenAfterRemoval(tx, from);
  await undoObjects(tx, range);
  await reviseLists(tx);
  await tx.query({ name: 'entries.truncate', text: 'DELETE FROM entries WHERE position >= $1', values: [from] });
  await deleteFacts(tx, range);
  await truncateRecords(tx, from);
  const registered = new Set(await undoExtensions(tx, ofOracles));
  await rebuildFolded(
    tx,
    touched.filter(({ kind, id }) => kind !== ListKind.oracleLife || registered.has(id)),
  );
  await rebuildSums(tx, heightOf(from), MAX_HEIGHT - 1);
  await rebuildDays(tx, days);
}

/**
 * Removes the rows of claims and registrations that are removed from the chain. What a node had in a removed block, it may not have any more:
 * such records are unknown until they are compared again.
 */
async function truncateRecords(tx: DbTransaction, from: bigint): Promise<void> {
  await tx.query({
    name: 'node_records.truncate',
    text: 'DELETE FROM node_records WHERE position >= $1',
    values: [from],
  });
  await tx.query({
    name: 'node_records.doubt',
    text: `UPDATE node_records SET copied = '', due_at = now() WHERE height >= $1::bigint >> 33`,
    values: [from],
  });
}

/** Rebuilds the names, oracles and channels of the given lists from their stored transactions. */
async function rebuildFolded(tx: DbTransaction, touched: readonly { kind: number; id: string }[]): Promise<void> {
  const ids = (kind: number): string[] => touched.flatMap((list) => (list.kind === kind ? [list.id] : []));
  const names = ids(ListKind.name);
  if (names.length > 0) {
    const records = await nameHistory(tx, names);
    await replaceRecords(
      tx,
      names,
      names.flatMap((name) => [...records(name)]),
    );
  }
  await rebuildOraclesAndChannels(tx, touched);
}

/** Rebuilds the oracles and channels of the given lists from their stored transactions. */
export async function rebuildOraclesAndChannels(
  tx: DbTransaction,
  touched: readonly { kind: number; id: string }[],
): Promise<void> {
  const lists = touched.filter(({ kind }) => kind === ListKind.oracleLife || kind === ListKind.channel);
  if (lists.length === 0) return;
  const operations = await operationsOfLists(tx, lists);
  const ids = (kind: number): string[] => lists.flatMap((list) => (list.kind === kind ? [list.id] : []));
  await rebuildOracles(tx, ids(ListKind.oracleLife), operations);
  await rebuildChannels(tx, ids(ListKind.channel), operations);
}

/** The operations of the stored transactions of some lists, in chain order. */
async function operationsOfLists(
  tx: DbTransaction,
  lists: readonly { kind: number; id: string }[],
  from?: bigint,
): Promise<Placed<Operation>[]> {
  const operations: Placed<Operation>[] = [];
  for await (const placed of storedTransactions(tx, lists, { from })) operations.push(...operationsOf([placed]));
  return operations;
}
