import { ListKind } from '../../chain/derive.js';
import { heightOf, keyPosition } from '../../chain/position.js';
import { numberAndWake } from '../connection/commit-number.js';
import type { DbTransaction } from '../connection/database.js';
import { recordRewrite } from '../rewrites.js';
import { operationsOf, transactionsOf } from '../facts/blocks.js';
import type { Block, PlacedTransaction, Range } from '../facts/blocks.js';
import { deleteFacts, insertFacts, typeCodes } from './facts.js';
import { insertEntries } from './insert-entries.js';
import { entriesIn, idsOf, listsReaching, listsTouched } from '../lists.js';
import type { Entry } from '../lists.js';
import { PROJECTIONS } from '../projections/list.js';
import type { Afterwards, Replaced } from '../projections/projection.js';
import { replaceEntries } from './replace-entries.js';
import { derivedMoves, transferredTo } from './moved-uses.js';
import { replaceRecords, saveRecords } from './name-state.js';
import { nameChanges } from './name-changes.js';
import { nameHistory } from './name-history.js';
import { BY_INDEX } from './plans.js';
import { refreshFlags } from './refresh-flags.js';
import { deleteStrayEntries, objectKinds, objectsReferringTo } from './strays.js';
import { runAll } from './undo.js';

/**
 * Prepares a database transaction that replaces generations: it may take long, and constraints are checked at its end. When a list of a
 * million entries is renumbered, its sort needs 64 MB; with the 4 MB that PostgreSQL has by default it would use the disk.
 */
export const beginReplacing = (tx: DbTransaction): Promise<void> =>
  tx.run(`SET LOCAL statement_timeout = 0; SET LOCAL work_mem = '64MB'; SET CONSTRAINTS ALL DEFERRED; ${BY_INDEX}`);

/**
 * Stores consecutive whole generations anywhere in the chain, and replaces what is stored at their heights.
 *
 * The projections are updated too. The cost depends on what changed: lists are renumbered from the first change on, names are computed
 * through later transactions only if their own transactions changed, and payments to names move to other lists where the names point to
 * something else. For unchanged generations only their own rows are written again.
 */
export async function replaceGenerations(
  tx: DbTransaction,
  blocks: readonly Block[],
): Promise<{ transactions: number; invalid: number }> {
  const range = rangeOf(blocks);
  const transactions = transactionsOf(blocks);
  const types = await typeCodes(tx, new Set(transactions.map(({ transaction }) => transaction.type)));
  const unchanged = await areStored(tx, range, blocks, transactions);
  const referring = await objectsReferringTo(tx, range);
  const kinds = objectKinds();
  const ofBlocks = transactions.flatMap(({ derived }) => derived.lists.filter(({ kind }) => kinds.includes(kind)));
  const touched = distinct([...(await listsTouched(tx, kinds, range)), ...referring, ...ofBlocks]);
  const reaching = new Set((await listsReaching(tx, touched, range.from)).map(labelOf));
  // A row that refers to the range is wrong if its list has no entry there: such objects are rebuilt as well. The others have no operation in or above
  // the range: the new operations are applied to their rows.
  const isReferring = new Set(referring.map(labelOf));
  const rebuilt = touched.filter((list) => reaching.has(labelOf(list)) || isReferring.has(labelOf(list)));
  const stored = await entriesIn(tx, range);
  const changedNames = new Set(unchanged ? [] : idsOf(touched, ListKind.name));
  const names = await nameChanges(tx, range, transactions, types, changedNames);

  await recordRewrite(tx, heightOf(range.from));
  if (unchanged) await deleteStrayEntries(tx, range);
  const finish = await replaceAll(tx, {
    range,
    added: { blocks, transactions, operations: operationsOf(transactions), types },
    isUnchanged: unchanged,
    rebuilt: (kind) => idsOf(rebuilt, kind),
  });
  await deleteFacts(tx, range);
  await insertFacts(tx, blocks, transactions, types);

  const { removed, added } = differences(stored, names.entries);
  const derived = await derivedMoves(tx, names.moves);
  const transferred = await transferredTo(tx, names.moves);
  const mixed = mixedLists(stored, removed, added);
  const isMixed = (entry: Entry): boolean => mixed.size > 0 && mixed.has(labelOf(entry));
  await insertEntries(
    tx,
    added.filter((entry) => !isMixed(entry)),
  );
  const { exceptions } = derived;
  await replaceEntries(
    tx,
    [...removed, ...derived.removed],
    [...added.filter(isMixed), ...derived.added],
    names.moves,
    exceptions,
  );

  // A reload of unchanged facts must still mend wrong rows, so it rebuilds all touched names.
  const again = unchanged ? touched : rebuilt;
  const history = [...new Set([...idsOf(again, ListKind.name), ...transferred])];
  const recordsOf = await nameHistory(tx, history);
  await replaceRecords(
    tx,
    history,
    history.flatMap((name) => [...recordsOf(name)]),
  );
  await saveRecords(tx, names.records);
  await finish();
  await refreshFlags(tx);
  await numberAndWake(tx);
  return { transactions: transactions.length, invalid: transactions.filter(({ derived }) => !derived.valid).length };
}

/** Replaces what replaced blocks wrote to projections. Call the result when the facts, lists and names of the new ones are stored. */
async function replaceAll(tx: DbTransaction, replaced: Replaced): Promise<() => Promise<void>> {
  const steps: Afterwards[] = [];
  for (const { writes } of PROJECTIONS) {
    if (writes === undefined) continue;
    if (writes.replace !== undefined) steps.push(await writes.replace(tx, replaced));
    else
      steps.push(await writes.undo(tx, { ...replaced, touched: replaced.rebuilt }), () =>
        writes.append(tx, replaced.added),
      );
  }
  return () => runAll(steps);
}

function rangeOf(blocks: readonly Block[]): Range {
  const first = blocks[0];
  if (first?.kind !== 'key') throw new Error('a generation begins with its key block');
  return { from: keyPosition(first.keyBlock.height), to: keyPosition(heightOf(blocks.at(-1)!.position) + 1) };
}

/** Whether the same facts are stored in the range, with equal texts. */
async function areStored(
  tx: DbTransaction,
  range: Range,
  blocks: readonly Block[],
  transactions: readonly PlacedTransaction[],
): Promise<boolean> {
  const { rows } = await tx.query<{ of: string; position: string; body: string; info: string | null }>({
    name: 'facts.in',
    text: `
      SELECT 'block' AS of, height << 33 AS position, body, NULL AS info FROM key_block_texts
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
  // The stored call information may have been read later, for decoding: the new block may have none.
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

/** The entries that must be removed from the stored ones, and added to them, to get the wanted ones. */
function differences(stored: readonly Entry[], wanted: readonly Entry[]): { removed: Entry[]; added: Entry[] } {
  if (stored.length === 0) return { removed: [], added: [...wanted] };
  const entryLabel = ({ kind, id, position, type }: Entry): string => `${position} ${kind} ${type} ${id}`;
  const [a, b] = [new Set(stored.map(entryLabel)), new Set(wanted.map(entryLabel))];
  return {
    removed: stored.filter((entry) => !b.has(entryLabel(entry))),
    added: wanted.filter((entry) => !a.has(entryLabel(entry))),
  };
}

/** Lists that lose an entry, or that have a stored entry of the range above an added one: none when a gap is filled from below. */
function mixedLists(stored: readonly Entry[], removed: readonly Entry[], added: readonly Entry[]): Set<string> {
  const mixed = new Set(removed.map(labelOf));
  if (stored.length === 0) return mixed;
  const last = new Map(stored.map((entry) => [labelOf(entry), entry.position]));
  for (const entry of added) if (entry.position < (last.get(labelOf(entry)) ?? 0n)) mixed.add(labelOf(entry));
  return mixed;
}

const labelOf = ({ kind, id }: { kind: number; id: string }): string => `${kind} ${id}`;

function distinct(lists: readonly { kind: number; id: string }[]): { kind: number; id: string }[] {
  return [...new Map(lists.map((list) => [labelOf(list), list])).values()];
}
