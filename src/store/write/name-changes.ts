import { ListKind } from '../../chain/derive.js';
import { MAX_HEIGHT, keyPosition } from '../../chain/position.js';
import type { NameRecord } from '../../chain/protocol/names.js';
import type { Queryable } from '../connection/database.js';
import { entriesOf, namesOf } from './append.js';
import type { PlacedTransaction } from './blocks.js';
import type { Range } from './facts.js';
import { listsReaching } from './lists.js';
import type { Entry } from './lists.js';
import type { Move } from './moves.js';
import { createNameBook, newestRecords } from './name-book.js';
import type { NameBook } from './name-book.js';
import { applyTo, operationsOn } from './name-history.js';

const KINDS = [ListKind.account, ListKind.oracle] as const;
const ROLES = { [ListKind.account]: 'payment', [ListKind.oracle]: 'oracle' } as const;

interface NameChanges {
  /** What the transactions of the range are listed under. */
  entries: Entry[];
  /** Where uses of the changed names above the range stand in other lists than before. */
  moves: Move[];
  /** Records of the names that nothing stored from the range on changes, as they are after it. */
  records: NameRecord[];
}

/**
 * Follows the names that concern a range of the chain through it, as it is stored and as `transactions` replace it, and those
 * of which the transactions differ on to the head, with both outcomes side by side. Only what changes names is read, whatever
 * number of transactions use them. To be called before anything is replaced.
 */
export async function followNames(
  db: Queryable,
  range: Range,
  transactions: readonly PlacedTransaction[],
  types: ReadonlyMap<string, number>,
  changed: ReadonlySet<string>,
): Promise<NameChanges> {
  const names = new Set([...namesOf(transactions), ...changed]);
  const lists = [...names].map((id) => ({ kind: ListKind.name, id }));
  const reaching = (await listsReaching(db, lists, range.from)).map(({ id }) => id);
  // What is stored of the others is how they stand at the range.
  const isReaching = new Set(reaching);
  const settled = [...names].filter((name) => !isReaching.has(name));
  const before = createNameBook(await newestRecords(db, settled));
  for await (const placed of operationsOn(db, reaching, { below: range.from })) applyTo(before, placed);
  const after = before.fork();
  const entries = entriesOf(transactions, types, after);
  const isSettled = new Set(settled);
  const records = after.changed().filter(({ nameHash }) => isSettled.has(nameHash));
  const used = await usedFrom(db, changed, range.to);
  const moves = used.size === 0 ? [] : await differingUses(db, range, { before, after, changed: used });
  return { entries, moves, records };
}

/** Those of the names that something from a position on uses: what the others point to lists nothing else there. */
async function usedFrom(db: Queryable, names: ReadonlySet<string>, from: bigint): Promise<Set<string>> {
  const lists = [...names].map((id) => ({ kind: ListKind.nameUse, id }));
  return new Set((await listsReaching(db, lists, from)).map(({ id }) => id));
}

/** Stretches above the range in which a name points to something else in one book than in the other; both are followed to the head. */
async function differingUses(
  db: Queryable,
  range: Range,
  { before, after, changed }: { before: NameBook; after: NameBook; changed: ReadonlySet<string> },
): Promise<Move[]> {
  const moves: Move[] = [];
  const open = new Map<string, Omit<Move, 'to'>>();
  const compare = (names: Iterable<string>, from: bigint): void => {
    for (const name of names) {
      for (const kind of KINDS) {
        const [was, becomes] = [before, after].map((book) => book.listOf({ name, role: ROLES[kind] })?.id ?? null);
        const label = `${kind} ${name}`;
        const last = open.get(label);
        if (last?.was === was && last?.becomes === becomes) continue;
        if (last !== undefined) moves.push({ ...last, to: from });
        if (was === becomes) open.delete(label);
        else open.set(label, { name, kind, was: was ?? null, becomes: becomes ?? null, from });
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
    // A transaction takes effect for those after it.
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
