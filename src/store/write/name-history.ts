import { ListKind } from '../../chain/derive.js';
import type { NameRecord } from '../../chain/protocol/names.js';
import type { Queryable } from '../connection/database.js';
import type { PlacedTransaction } from '../facts/blocks.js';
import { createNameState } from './name-state.js';
import type { NameState } from './name-state.js';
import { storedTransactions } from '../facts/stored.js';
import type { Between } from '../facts/stored.js';

/**
 * The records of names, computed from their first transaction on.
 *
 * A transfer to a recipient name gives the transferred name to the account to which the recipient name points. So the histories of
 * recipient names are read as well, and those of the recipient names in these, until none is missing.
 */
export async function nameHistory(
  db: Queryable,
  names: readonly string[],
): Promise<(name: string) => readonly NameRecord[]> {
  const state = createNameState(new Map());
  for await (const placed of operationsOn(db, await withRecipients(db, names))) applyTo(state, placed);
  return (name) => state.records(name);
}

/** The stored transactions that change the names, in chain order. */
export const operationsOn = (
  db: Queryable,
  names: readonly string[],
  between?: Partial<Between>,
): AsyncGenerator<PlacedTransaction> =>
  storedTransactions(
    db,
    names.map((id) => ({ kind: ListKind.name, id })),
    between,
  );

export function applyTo(
  state: NameState,
  { position, height, version, transaction, derived }: PlacedTransaction,
): void {
  for (const op of derived.operations) {
    if (op.on === 'name') state.apply(op, { position, height, version, txHash: transaction.hash });
  }
}

/** The names and all recipient names: a transaction that changes one name and uses another is a transfer. */
async function withRecipients(db: Queryable, names: readonly string[]): Promise<string[]> {
  const known = new Set(names);
  let wanted = [...known];
  while (wanted.length > 0) {
    const { rows } = await db.query<{ id: string }>({
      name: 'names.recipients',
      text: `
        SELECT DISTINCT n.id
        FROM unnest($1::text[]) AS w (id)
        CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = ${ListKind.name} AND id = w.id LIMIT 1) AS l
        CROSS JOIN LATERAL (SELECT position FROM entries WHERE list = l.key OFFSET 0) AS e
        CROSS JOIN LATERAL (SELECT list FROM entries WHERE position = e.position OFFSET 0) AS u
        CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = u.list LIMIT 1) AS n
        WHERE n.kind = ${ListKind.nameUse}`,
      values: [wanted],
    });
    wanted = rows.map(({ id }) => id).filter((id) => !known.has(id));
    for (const name of wanted) known.add(name);
  }
  return [...known];
}
