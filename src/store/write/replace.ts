import { ListKind } from '../../chain/derive.js';
import { keyPosition } from '../../chain/position.js';
import type { Transaction } from '../database.js';
import { callsOf, entriesOf, namesOf, operationsOf } from './append.js';
import { transactionsOf } from './blocks.js';
import type { Block, PlacedTransaction } from './blocks.js';
import { deleteFacts, insertFacts, typeCodes } from './facts.js';
import type { Range } from './facts.js';
import { entriesAt, listsTouched, replaceEntries } from './lists.js';
import type { Entry } from './lists.js';
import { createNameBook, replaceRecords } from './name-book.js';
import { inOrder, operationsClosure } from './name-history.js';
import { applyObjects, decodeAgain, forgetObjects } from './objects.js';
import { settle } from './settle.js';
import { storedTransactions } from './stored.js';
import { daysOf, rebuildDays, rebuildSums } from './sums.js';
import { FOLDED, rebuildOraclesAndChannels } from './truncate.js';

/**
 * Puts one whole generation in its place, wherever in the chain that is, replacing what is stored there.
 *
 * Everything that follows from it is brought up to date as well: lists are numbered anew from there on, objects that it
 * or its predecessor touched are folded anew, payments through names are resolved anew. A generation that is stored
 * already and unchanged costs no more than its own rows.
 */
export async function replaceGeneration(
  tx: Transaction,
  blocks: readonly Block[],
): Promise<{ transactions: number; invalid: number }> {
  const first = blocks[0];
  if (first?.kind !== 'key') throw new Error('a generation begins with its key block');
  const { height } = first.keyBlock;
  const range: Range = { from: keyPosition(height), to: keyPosition(height + 1) };
  const transactions = transactionsOf(blocks);
  const types = await typeCodes(tx, new Set(transactions.map(({ transaction }) => transaction.type)));

  const before = await listsTouched(tx, [...FOLDED, ListKind.nameUse], range);
  const days = await daysOf(tx, range);
  const stored = await storedHashes(tx, range);
  const unchanged = isSame(stored, transactions);

  if (unchanged) await decodeAgain(tx, range);
  else await forgetObjects(tx, range);
  await deleteFacts(tx, range);
  await insertFacts(tx, blocks, transactions, types);

  const places = new Set([...stored.keys(), ...transactions.map(({ position }) => position)]);
  await rebuildLists(tx, transactions, places, before, types);
  const after = transactions.flatMap(({ derived }) => derived.lists);
  await rebuildOraclesAndChannels(tx, distinct([...before, ...after]));
  const operations = operationsOf(transactions).filter(({ op }) => op.on === 'query' || op.on === 'contract');
  await applyObjects(tx, operations, callsOf(transactions));
  await rebuildSums(tx, height, height);
  await rebuildDays(tx, [...new Set([...days, ...(await daysOf(tx, range))])]);
  await settle(tx);
  await tx.query({ name: 'events.wake', text: `SELECT pg_notify('mdw_' || current_schema(), '')` });
  return { transactions: transactions.length, invalid: transactions.filter(({ derived }) => !derived.valid).length };
}

async function storedHashes(tx: Transaction, range: Range): Promise<Map<bigint, string>> {
  const { rows } = await tx.query<{ position: string; hash: string }>({
    name: 'transactions.hashes',
    text: 'SELECT position, hash FROM transactions WHERE position >= $1 AND position < $2',
    values: [range.from, range.to],
  });
  return new Map(rows.map((row) => [BigInt(row.position), row.hash]));
}

const isSame = (stored: ReadonlyMap<bigint, string>, transactions: readonly PlacedTransaction[]): boolean =>
  stored.size === transactions.length &&
  transactions.every(({ position, transaction }) => stored.get(position) === transaction.hash);

/**
 * Brings the lists and the names up to date with the generation's transactions, which now are the facts at `places`.
 *
 * A changed name may change where later transactions stand that use it: these are derived anew along with it.
 */
async function rebuildLists(
  tx: Transaction,
  transactions: readonly PlacedTransaction[],
  places: ReadonlySet<bigint>,
  before: readonly { kind: number; id: string }[],
  types: ReadonlyMap<string, number>,
): Promise<void> {
  const seeds = new Set([
    ...idsOf(before, ListKind.name),
    ...idsOf(before, ListKind.nameUse),
    ...namesOf(transactions),
  ]);
  const names = await dependentNames(tx, seeds);
  const users = await storedTransactions(
    tx,
    [...names].map((id) => ({ kind: ListKind.nameUse, id })),
  );
  const used = new Set([...names, ...users.flatMap(({ derived }) => derived.uses.map((use) => use.name))]);
  const history = await operationsClosure(tx, [...used]);

  const involved = new Map<bigint, PlacedTransaction>();
  for (const placed of [...history, ...users]) if (!places.has(placed.position)) involved.set(placed.position, placed);
  for (const placed of transactions) involved.set(placed.position, placed);
  const ordered = inOrder(involved.values());
  const codes = new Map([...types, ...(await typeCodes(tx, new Set(ordered.map((p) => p.transaction.type))))]);
  const book = createNameBook(new Map());
  const entries = entriesOf(ordered, codes, book);

  const positions = [...new Set([...places, ...involved.keys()])];
  const differing = differences(positions, await entriesAt(tx, positions), entries);
  await replaceEntries(
    tx,
    [...differing],
    entries.filter(({ position }) => differing.has(position)),
  );
  await replaceRecords(
    tx,
    [...names],
    [...names].flatMap((name) => [...book.records(name)]),
  );
}

/** The names and those that were transferred to one of them, and so on: their owners may change with them. */
async function dependentNames(tx: Transaction, seeds: ReadonlySet<string>): Promise<Set<string>> {
  const names = new Set(seeds);
  let wanted = [...seeds];
  while (wanted.length > 0) {
    const users = await storedTransactions(
      tx,
      wanted.map((id) => ({ kind: ListKind.nameUse, id })),
    );
    const transferred = users.flatMap(({ derived }) =>
      derived.operations.flatMap((op) => (op.on === 'name' ? [op.name_hash] : [])),
    );
    wanted = [...new Set(transferred)].filter((name) => !names.has(name));
    for (const name of wanted) names.add(name);
  }
  return names;
}

/** Places at which the two sets of entries are not the same. */
function differences(positions: readonly bigint[], stored: readonly Entry[], wanted: readonly Entry[]): Set<bigint> {
  const at = (entries: readonly Entry[]): Map<bigint, string> => {
    const labels = new Map<bigint, string[]>();
    for (const { kind, id, position, type } of entries) {
      const label = `${kind} ${id} ${type}`;
      const list = labels.get(position);
      if (list === undefined) labels.set(position, [label]);
      else list.push(label);
    }
    return new Map([...labels].map(([position, list]) => [position, list.sort().join('\n')]));
  };
  const [a, b] = [at(stored), at(wanted)];
  return new Set(positions.filter((position) => a.get(position) !== b.get(position)));
}

const idsOf = (lists: readonly { kind: number; id: string }[], kind: number): string[] =>
  lists.flatMap((list) => (list.kind === kind ? [list.id] : []));

function distinct(lists: readonly { kind: number; id: string }[]): { kind: number; id: string }[] {
  return [...new Map(lists.map((list) => [`${list.kind} ${list.id}`, list])).values()];
}
