import { ListKind } from '../../chain/derive.js';
import { MAX_HEIGHT, heightOf, keyPosition } from '../../chain/position.js';
import type { DbTransaction } from '../connection/database.js';
import { idsOf, listsTouched, reviseLists } from '../lists.js';
import { PROJECTIONS } from '../projections/list.js';
import { provenAfterRemoval } from '../proven.js';
import { recordRewrite } from '../rewrites.js';
import { deleteFacts } from './facts.js';
import { nameHistory } from './name-history.js';
import { replaceRecords } from './name-state.js';
import { objectKinds } from './strays.js';
import { undoAll } from './undo.js';

/** Removes all blocks from a position on, and undoes their projections. */
export async function truncate(tx: DbTransaction, from: bigint): Promise<void> {
  const range = { from, to: keyPosition(MAX_HEIGHT) };
  const lists = await listsTouched(tx, objectKinds(), range);
  const finish = await undoAll(tx, PROJECTIONS, { range, touched: (kind) => idsOf(lists, kind) });
  await recordRewrite(tx, heightOf(from));
  await provenAfterRemoval(tx, from);
  await reviseLists(tx);
  await tx.query({ name: 'entries.truncate', text: 'DELETE FROM entries WHERE position >= $1', values: [from] });
  await deleteFacts(tx, range);
  await truncateRecords(tx, from);
  await rebuildNames(tx, idsOf(lists, ListKind.name));
  await finish();
}

/** Computes names again from their stored transactions. */
async function rebuildNames(tx: DbTransaction, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const records = await nameHistory(tx, names);
  await replaceRecords(
    tx,
    names,
    names.flatMap((name) => [...records(name)]),
  );
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
