import { ListKind } from '../../chain/derive.js';
import type { NameRecord } from '../../chain/names.js';
import type { Queryable } from '../database.js';
import type { PlacedTransaction } from './blocks.js';
import { createNameBook } from './name-book.js';
import type { NameBook } from './name-book.js';
import { storedTransactions } from './stored.js';

/**
 * Everything stored about names, folded from the first transaction on.
 *
 * A transfer to a name gives the transferred name the account that the other name points to, so the histories of names
 * that are named in transfers are needed too, and of those named there, until none is missing.
 */
export async function nameHistory(
  db: Queryable,
  names: readonly string[],
): Promise<{ transactions: PlacedTransaction[]; records: (name: string) => readonly NameRecord[] }> {
  const transactions = await operationsClosure(db, names);
  const book = createNameBook(new Map());
  for (const placed of transactions) applyTo(book, placed);
  return { transactions, records: (name) => book.records(name) };
}

function applyTo(book: NameBook, { position, height, version, transaction, derived }: PlacedTransaction): void {
  for (const op of derived.operations) {
    if (op.on === 'name') book.apply(op, { position, height, version, txHash: transaction.hash });
  }
}

/** Transactions on the names and on all names that their transfers rely on, in chain order. */
export async function operationsClosure(db: Queryable, names: readonly string[]): Promise<PlacedTransaction[]> {
  const known = new Set<string>();
  const found = new Map<bigint, PlacedTransaction>();
  let wanted = [...new Set(names)];
  while (wanted.length > 0) {
    for (const name of wanted) known.add(name);
    const more = await storedTransactions(
      db,
      wanted.map((id) => ({ kind: ListKind.name, id })),
    );
    for (const placed of more) found.set(placed.position, placed);
    const used = more.flatMap(({ derived }) => derived.uses.map((use) => use.name));
    wanted = [...new Set(used)].filter((name) => !known.has(name));
  }
  return inOrder(found.values());
}

export const inOrder = (transactions: Iterable<PlacedTransaction>): PlacedTransaction[] =>
  [...transactions].sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
