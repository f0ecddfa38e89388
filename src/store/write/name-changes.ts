import { ListKind } from '../../chain/derive.js';
import { MAX_HEIGHT, keyPosition } from '../../chain/position.js';
import type { NameRecord } from '../../chain/protocol/names.js';
import type { Queryable } from '../connection/database.js';
import { entriesOf, namesOf } from './append.js';
import type { PlacedTransaction, Range } from '../facts/blocks.js';
import { listsReaching } from '../lists.js';
import type { Entry } from '../lists.js';
import type { MovedUses } from './moved-uses.js';
import { createNameState, newestRecords } from './name-state.js';
import type { NameState } from './name-state.js';
import { applyTo, operationsOn } from './name-history.js';

const KINDS = [ListKind.account, ListKind.oracle] as const;
const ROLES = { [ListKind.account]: 'payment', [ListKind.oracle]: 'oracle' } as const;

interface NameChanges {
  /** List entries of the transactions of the range. */
  entries: Entry[];
  /** Uses of the changed names above the range that move to other lists. */
  moves: MovedUses[];
  /** Records after the range of names that no stored transaction changes from the range on. */
  records: NameRecord[];
}

/**
 * Computes the effect on names when `transactions` replace a range of the chain. The names that the range changes or uses are computed up
 * to its end, both as it is stored and with `transactions`. The names in `changed`, whose transactions differ, are computed further up to
 * the head in both versions. It reads only transactions that change names, however many others use them. Call it before anything is
 * replaced.
 */
export async function nameChanges(
  db: Queryable,
  range: Range,
  transactions: readonly PlacedTransaction[],
  types: ReadonlyMap<string, number>,
  changed: ReadonlySet<string>,
): Promise<NameChanges> {
  const names = new Set([...namesOf(transactions), ...changed]);
  const lists = [...names].map((id) => ({ kind: ListKind.name, id }));
  const reaching = (await listsReaching(db, lists, range.from)).map(({ id }) => id);
  // Nothing changes the other names from the range on, so their newest records are their state before it.
  const isReaching = new Set(reaching);
  const settled = [...names].filter((name) => !isReaching.has(name));
  const before = createNameState(await newestRecords(db, settled));
  for await (const placed of operationsOn(db, reaching, { below: range.from })) applyTo(before, placed);
  const after = before.fork();
  const entries = entriesOf(transactions, types, after);
  const isSettled = new Set(settled);
  const records = after.changed().filter(({ nameHash }) => isSettled.has(nameHash));
  const used = await usedFrom(db, changed, range.to);
  const moves = used.size === 0 ? [] : await differingUses(db, range, { before, after, changed: used });
  return { entries, moves, records };
}

/** Those of the names that a transaction at or after a position uses; no uses of the others can move. */
async function usedFrom(db: Queryable, names: ReadonlySet<string>, from: bigint): Promise<Set<string>> {
  const lists = [...names].map((id) => ({ kind: ListKind.nameUse, id }));
  return new Set((await listsReaching(db, lists, from)).map(({ id }) => id));
}

/** Ranges above `range` in which a name points to something else in one state than in the other; both are advanced to the head. */
async function differingUses(
  db: Queryable,
  range: Range,
  { before, after, changed }: { before: NameState; after: NameState; changed: ReadonlySet<string> },
): Promise<MovedUses[]> {
  const moves: MovedUses[] = [];
  const open = new Map<string, Omit<MovedUses, 'to'>>();
  const compare = (names: Iterable<string>, from: bigint): void => {
    for (const name of names) {
      for (const kind of KINDS) {
        const [oldId, newId] = [before, after].map((state) => state.listOf({ name, role: ROLES[kind] })?.id ?? null);
        const label = `${kind} ${name}`;
        const last = open.get(label);
        if (last?.oldId === oldId && last?.newId === newId) continue;
        if (last !== undefined) moves.push({ ...last, to: from });
        if (oldId === newId) open.delete(label);
        else open.set(label, { name, kind, oldId: oldId ?? null, newId: newId ?? null, from });
      }
    }
  };
  let isAbove = false;
  for await (const placed of operationsOn(db, [...changed], { from: range.from })) {
    if (placed.position >= range.to) {
      if (!isAbove) compare(changed, range.to);
      isAbove = true;
      applyTo(after, placed);
    }
    applyTo(before, placed);
    // A transaction affects the ones after it.
    if (isAbove)
      compare(
        namesOf([placed]).filter((name) => changed.has(name)),
        placed.position + 1n,
      );
  }
  if (!isAbove) compare(changed, range.to);
  const end = keyPosition(MAX_HEIGHT);
  return [...moves, ...[...open.values()].map((last) => ({ ...last, to: end }))];
}
