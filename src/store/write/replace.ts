import { ListKind } from '../../chain/derive.js';
import { heightOf, keyPosition } from '../../chain/position.js';
import { numberAndWake } from '../connection/commit-number.js';
import type { DbTransaction } from '../connection/database.js';
import { noteRewrite } from '../rewrites.js';
import { callsOf, operationsOf } from './append.js';
import { transactionsOf } from './blocks.js';
import type { Block, PlacedTransaction } from './blocks.js';
import { deleteFacts, insertFacts, typeCodes } from './facts.js';
import type { Range } from './facts.js';
import { insertEntries } from './insert-entries.js';
import { entriesIn, listsReaching, listsTouched } from './lists.js';
import type { Entry } from './lists.js';
import { replaceEntries } from './replace-entries.js';
import { derivedMoves, transferredWith } from './moves.js';
import { replaceRecords, saveRecords } from './name-book.js';
import { followNames } from './name-changes.js';
import { nameHistory } from './name-history.js';
import { applyObjects, decodeAgain, forgetObjects } from './objects.js';
import { BY_INDEX } from './plans.js';
import { settle } from './settle.js';
import { forgetStrays, objectsNaming } from './strays.js';
import { daysOf, rebuildDays, replaceSums, sumsOf } from './sums.js';
import { FOLDED, rebuildOraclesAndChannels } from './truncate.js';

/**
 * Prepares a transaction that replaces generations: it may take long, and only at its end must all rows fit together. A list of
 * a million entries that is numbered again is sorted in memory with 64 MB, and on disk with the 4 MB that PostgreSQL gives by default.
 */
export const beginReplacing = (tx: DbTransaction): Promise<void> =>
  tx.run(`SET LOCAL statement_timeout = 0; SET LOCAL work_mem = '64MB'; SET CONSTRAINTS ALL DEFERRED; ${BY_INDEX}`);

/**
 * Puts whole generations, one after the other, in their place, wherever in the chain that is, replacing what is stored there.
 *
 * What follows from them is brought up to date as well, at the price of what changed: lists are numbered again from where they
 * changed, names are followed through later transactions only if their own transactions are others than before, and payments
 * through them are listed again where they point to something else. Generations that are stored already and unchanged cost no
 * more than their own rows.
 */
export async function replaceGenerations(
  tx: DbTransaction,
  blocks: readonly Block[],
): Promise<{ transactions: number; invalid: number }> {
  const range = rangeOf(blocks);
  const transactions = transactionsOf(blocks);
  const types = await typeCodes(tx, new Set(transactions.map(({ transaction }) => transaction.type)));
  const unchanged = await areStored(tx, range, blocks, transactions);
  const naming = await objectsNaming(tx, range);
  const touched = distinct([...(await listsTouched(tx, FOLDED, range)), ...naming, ...foldedLists(transactions)]);
  const reaching = new Set((await listsReaching(tx, touched, range.from)).map(labelOf));
  // What a row says of the range is wrong if nothing is listed there: such objects are made again as well.
  const isNamed = new Set(naming.map(labelOf));
  const isFolded = (list: { kind: number; id: string }): boolean =>
    reaching.has(labelOf(list)) || isNamed.has(labelOf(list));
  const folded = touched.filter(isFolded);
  const topMost = touched.filter((list) => !isFolded(list));
  const days = await daysOf(tx, range);
  const sums = await sumsOf(tx, range);
  const stored = await entriesIn(tx, range);
  const changedNames = new Set(unchanged ? [] : idsOf(touched, ListKind.name));
  const names = await followNames(tx, range, transactions, types, changedNames);

  await noteRewrite(tx, heightOf(range.from));
  const operations = operationsOf(transactions);
  const calls = callsOf(transactions);
  if (unchanged) {
    await decodeAgain(tx, range);
    await forgetStrays(tx, range, operations, calls);
  } else await forgetObjects(tx, range);
  await deleteFacts(tx, range);
  await insertFacts(tx, blocks, transactions, types);

  const { gone, come } = differences(stored, names.entries);
  const derived = await derivedMoves(tx, names.moves);
  const transferred = await transferredWith(tx, names.moves);
  const mixed = mixedLists(stored, gone, come);
  const isMixed = (entry: Entry): boolean => mixed.size > 0 && mixed.has(labelOf(entry));
  await insertEntries(
    tx,
    come.filter((entry) => !isMixed(entry)),
  );
  const { exceptions } = derived;
  await replaceEntries(
    tx,
    [...gone, ...derived.gone],
    [...come.filter(isMixed), ...derived.come],
    names.moves,
    exceptions,
  );

  // Where the facts are as they were, the rows may not be.
  const again = unchanged ? touched : folded;
  const history = [...new Set([...idsOf(again, ListKind.name), ...transferred])];
  const recordsOf = await nameHistory(tx, history);
  await replaceRecords(
    tx,
    history,
    history.flatMap((name) => [...recordsOf(name)]),
  );
  await saveRecords(tx, names.records);
  await rebuildOraclesAndChannels(tx, folded);
  const isTopMost = new Set(topMost.map(labelOf));
  const isNew = ({ op }: (typeof operations)[number]): boolean => {
    if (op.on === 'oracle') return isTopMost.has(labelOf({ kind: ListKind.oracleLife, id: op.id }));
    if (op.on === 'channel') return isTopMost.has(labelOf({ kind: ListKind.channel, id: op.id }));
    return true;
  };
  await applyObjects(tx, operations.filter(isNew), calls);
  await replaceSums(tx, blocks, transactions, types, sums);
  await rebuildDays(tx, [...new Set([...days, ...(await daysOf(tx, range))])]);
  await settle(tx);
  await numberAndWake(tx);
  return { transactions: transactions.length, invalid: transactions.filter(({ derived }) => !derived.valid).length };
}

function rangeOf(blocks: readonly Block[]): Range {
  const first = blocks[0];
  if (first?.kind !== 'key') throw new Error('a generation begins with its key block');
  return { from: keyPosition(first.keyBlock.height), to: keyPosition(heightOf(blocks.at(-1)!.position) + 1) };
}

/** Whether the very same facts stand in the range, text by text. */
async function areStored(
  tx: DbTransaction,
  range: Range,
  blocks: readonly Block[],
  transactions: readonly PlacedTransaction[],
): Promise<boolean> {
  const { rows } = await tx.query<{ of: string; position: string; body: string; info: string | null }>({
    name: 'facts.in',
    text: `
      SELECT 'block' AS of, height << 33 AS position, body, NULL AS info FROM key_blocks
      WHERE height >= $1::bigint >> 33 AND height < $2::bigint >> 33
      UNION ALL SELECT 'block', position, body, NULL FROM micro_blocks WHERE position >= $1 AND position < $2
      UNION ALL
      SELECT 'transaction', t.position, t.body, (SELECT i.body FROM infos AS i WHERE i.position = t.position)
      FROM transactions AS t
      WHERE t.position >= $1 AND t.position < $2`,
    values: [range.from, range.to],
  });
  // A micro block has the position of its first transaction.
  const stored = new Map(rows.map((row) => [`${row.of} ${row.position}`, row]));
  // Call information that was read for the decoding does not come with a block.
  const isStored = (of: string, position: bigint, body: string, info: string | null): boolean => {
    const row = stored.get(`${of} ${position}`);
    return row?.body === body && (info === null || row.info === info);
  };
  return (
    stored.size === blocks.length + transactions.length &&
    blocks.every((block) =>
      isStored('block', block.position, block.kind === 'key' ? block.keyBlock.body : block.microBlock.body, null),
    ) &&
    transactions.every(({ position, transaction }) =>
      isStored('transaction', position, transaction.body, transaction.info),
    )
  );
}

/** What has to go from the stored entries, and what has to come, for them to be the wanted ones. */
function differences(stored: readonly Entry[], wanted: readonly Entry[]): { gone: Entry[]; come: Entry[] } {
  if (stored.length === 0) return { gone: [], come: [...wanted] };
  const entryLabel = ({ kind, id, position, type }: Entry): string => `${position} ${kind} ${type} ${id}`;
  const [a, b] = [new Set(stored.map(entryLabel)), new Set(wanted.map(entryLabel))];
  return {
    gone: stored.filter((entry) => !b.has(entryLabel(entry))),
    come: wanted.filter((entry) => !a.has(entryLabel(entry))),
  };
}

/** Lists of which something goes, or in which something that is stored stands above what comes: none when a gap is filled from below. */
function mixedLists(stored: readonly Entry[], gone: readonly Entry[], come: readonly Entry[]): Set<string> {
  const mixed = new Set(gone.map(labelOf));
  if (stored.length === 0) return mixed;
  const last = new Map(stored.map((entry) => [labelOf(entry), entry.position]));
  for (const entry of come) if (entry.position < (last.get(labelOf(entry)) ?? 0n)) mixed.add(labelOf(entry));
  return mixed;
}

const labelOf = ({ kind, id }: { kind: number; id: string }): string => `${kind} ${id}`;

const idsOf = (lists: readonly { kind: number; id: string }[], kind: number): string[] =>
  lists.flatMap((list) => (list.kind === kind ? [list.id] : []));

function* foldedLists(transactions: readonly PlacedTransaction[]): Generator<{ kind: number; id: string }> {
  for (const { derived } of transactions) for (const list of derived.lists) if (FOLDED.includes(list.kind)) yield list;
}

function distinct(lists: readonly { kind: number; id: string }[]): { kind: number; id: string }[] {
  return [...new Map(lists.map((list) => [labelOf(list), list])).values()];
}
