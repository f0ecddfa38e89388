import type { Operation } from '../../chain/operations.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { AnsweredInfo } from '../due-infos.js';
import type { Block, Placed, PlacedTransaction, Range } from '../facts/blocks.js';
import type { Difference, Key } from '../facts/difference.js';
import type { Read } from '../facts/read.js';
import type { KeyBlockRow, Window } from '../facts/window.js';

/** One derived table, or tables that are written together, with all that is true of them. `list.ts` has the list of them. */
export interface Projection {
  /** Name of its file. */
  name: string;
  /** When its rows are written, for `docs/architecture.md`. */
  written: string;
  tables: readonly Table[];
  /** Absent where triggers write the rows, and where `store/write` does, which says why. */
  writes?: Writes;
  /**
   * Writes the rows of the next part of the blocks above a position, which an earlier version stored. Returns the position up to which they are
   * written; null at the end.
   */
  backfill?: (tx: DbTransaction, after: bigint) => Promise<bigint | null>;
  /**
   * Name of its row in `backfills`, if it is not `name`. A backfill that begins again has another one: a populator of the version before that still runs
   * would take the row for its own, and end it without what is new.
   */
  backfillName?: string;
  /** Absent where rows do not depend on all transactions of a list. */
  objects?: Objects;
  /** Compares the stored rows of a window with those that follow from its facts. */
  window?: (db: Queryable, window: CheckedWindow) => Promise<Difference[]>;
  /** Checks of objects and lists; `heights`: only of those that these heights change, undefined for the whole copy. */
  checks?: (db: Queryable, heights: readonly HeightRange[] | undefined) => Promise<Check[]>;
  /** Checks of what depends on the whole copy. */
  wholeChecks?: readonly Check[];
  /** Computes the rows again that differ although no height decides them. */
  mend?: (write: Write, wrong: WrongKeys) => Promise<void>;
}

interface Table {
  name: string;
  /** SELECT of its rows, ordered, without what differs between two copies of a chain: keys of lists, codes of types, answers of nodes. Absent if nothing is left. */
  rows?: string;
  /** The column by which rows about a height are found that is not stored; absent if `undo` deletes them. */
  at?: 'position' | 'height';
  /** Divided in the partitioned layout. */
  isPartitioned?: true;
}

/** How new, removed and replaced blocks change a projection. */
interface Writes {
  /** Writes what follows from blocks above the stored head. */
  append: (tx: DbTransaction, added: Added) => Promise<void>;
  /** Takes back what blocks wrote that are removed, and all blocks above them. */
  undo: (tx: DbTransaction, removed: Removed) => Promise<Afterwards>;
  /** Replaces generations anywhere in the chain; absent if that is `undo` and `append`. */
  replace?: (tx: DbTransaction, replaced: Replaced) => Promise<Afterwards>;
  /**
   * Writes what follows from call information that a node answered after the block, in place of what followed from an earlier answer. Absent if
   * nothing does. Meanwhile a reorg may have stored another transaction at the position.
   */
  answered?: (tx: DbTransaction, answers: readonly AnsweredInfo[]) => Promise<void>;
}

/**
 * Changes of blocks have two steps: before their facts and list entries change, and afterwards. The first one returns the second one, to which it
 * passes what it has read; undefined if there is nothing left to do.
 */
export type Afterwards = (() => Promise<void>) | undefined;

export interface Added {
  blocks: readonly Block[];
  transactions: readonly PlacedTransaction[];
  /** Of the transactions. */
  operations: readonly Placed<Operation>[];
  /** Codes of the types of the transactions. */
  types: ReadonlyMap<string, number>;
}

export interface Removed {
  range: Range;
  /** Ids of the lists of a kind with an entry in the range; only of kinds of `Objects`. */
  touched: (kind: number) => string[];
}

export interface Replaced {
  range: Range;
  added: Added;
  /** The same facts are written again. Rows that were wrong must be right then, and what nodes told stays until they tell it again. */
  isUnchanged: boolean;
  /** Ids of the objects of a kind that must be computed again, because of later transactions or of wrong rows. */
  rebuilt: (kind: number) => string[];
}

/** Objects whose row is computed from all transactions of their list, in chain order. */
export interface Objects {
  /** Kind of the lists. */
  kind: number;
  table: string;
  /** Column with the id of the list. */
  id: string;
  /** Columns with positions of transactions of the list. */
  positions: readonly string[];
}

/** Generations that are verified together, as far as projections need them. */
export interface CheckedWindow extends Window {
  /** Also the last one before the window. */
  keyBlocks: readonly KeyBlockRow[];
  transactions: readonly Read[];
  calls: CallDecoder;
}

/** Decodes contract calls by the code of the contract; null if it cannot. */
export interface CallDecoder {
  decodeCall(code: string, callData: string): { function: string; arguments: unknown } | null;
  decodeResult(code: string, functionName: string, returnValue: string): object | null;
}

/** Inclusive. */
export interface HeightRange {
  from: number;
  to: number;
}

export type Check = (db: Queryable) => Promise<Difference[]>;

/** Runs work in a database transaction of its own, while the caller has the right to write. */
export type Write = <T>(work: (tx: DbTransaction) => Promise<T>) => Promise<T>;

/** Keys of the rows of a table that differ. */
export type WrongKeys = (table: string) => readonly Key[];

/** Max keys that are mended in one database transaction where each of them reads many rows. */
const MAX_KEYS = 10;

export function* inChunks<T>(keys: readonly T[]): Generator<T[]> {
  for (let from = 0; from < keys.length; from += MAX_KEYS) yield keys.slice(from, from + MAX_KEYS);
}
