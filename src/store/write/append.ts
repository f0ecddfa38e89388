import type { DbTransaction } from '../connection/database.js';
import { operationsOf, transactionsOf } from '../facts/blocks.js';
import type { Block, PlacedTransaction } from '../facts/blocks.js';
import { PROJECTIONS } from '../projections/list.js';
import { insertFacts, typeCodes } from './facts.js';
import { appendEntries } from './append-entries.js';
import type { ListEndCache } from './append-entries.js';
import type { Entry } from '../lists.js';
import { createNameState, newestRecords, saveRecords } from './name-state.js';
import type { NameState } from './name-state.js';

/** Stores blocks above the stored head, with all projections of them. */
export async function appendBlocks(
  tx: DbTransaction,
  blocks: readonly Block[],
  cache: ListEndCache,
): Promise<{ transactions: number; invalid: number }> {
  const transactions = transactionsOf(blocks);
  const types = await typeCodes(tx, new Set(transactions.map(({ transaction }) => transaction.type)));
  await insertFacts(tx, blocks, transactions, types);
  const state = createNameState(await newestRecords(tx, namesOf(transactions)));
  await appendEntries(tx, entriesOf(transactions, types, state), cache);
  await saveRecords(tx, state.changed());
  const added = { blocks, transactions, operations: operationsOf(transactions), types };
  for (const { writes } of PROJECTIONS) await writes?.append(tx, added);
  return { transactions: transactions.length, invalid: transactions.filter(({ derived }) => !derived.valid).length };
}

/** Hashes of the names that the transactions change or use. */
export function namesOf(transactions: readonly PlacedTransaction[]): string[] {
  const names = new Set<string>();
  for (const { derived } of transactions) {
    for (const op of derived.operations) if (op.on === 'name') names.add(op.name_hash);
    for (const use of derived.nameUses) names.add(use.name);
  }
  return [...names];
}

/** List entries of the transactions. Names are resolved in their state before each transaction; `state` ends after the last one. */
export function entriesOf(
  transactions: readonly PlacedTransaction[],
  types: ReadonlyMap<string, number>,
  state: NameState,
): Entry[] {
  const entries: Entry[] = [];
  for (const { position, height, version, transaction, derived } of transactions) {
    const type = types.get(transaction.type)!;
    for (const { kind, id } of derived.lists) entries.push({ kind, id, position, type });
    for (const use of derived.nameUses) {
      const list = state.listOf(use);
      if (list === undefined || derived.lists.some(({ kind, id }) => kind === list.kind && id === list.id)) continue;
      entries.push({ ...list, position, type });
    }
    for (const op of derived.operations) {
      if (op.on === 'name') state.apply(op, { position, height, version, txHash: transaction.hash });
    }
  }
  return entries;
}
