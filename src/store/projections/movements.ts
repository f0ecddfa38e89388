/**
 * What changed each balance, with the balance after it. Rows need call information, which is read after a block, and balances build on those below. So a
 * work of its own writes them in the order of the chain, behind the load: `extendLedger`. Removed blocks take their rows along.
 */
import { MalformedError } from '../../chain/malformed.js';
import { HELD } from '../../chain/money/movement.js';
import { LAST_POSITION } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import { positionsOf } from '../facts/window.js';
import type { Window } from '../facts/window.js';
import { blocksOf, readLedger } from './ledger-blocks.js';
import type { Ledger } from './ledger-blocks.js';
import { mendPlace, verifyPlace } from './ledger-place.js';
import { awaitingHeights, cutLedger, rewriteUnlessDue } from './ledger-rewrite.js';
import { ledgerRows } from './movement-rows.js';
import { readHeldValues } from './movement-state.js';
import type { HeldValues, StoredHeld } from './movement-state.js';
import type { LedgerRows } from './movement-types.js';
import { forgetAnswers } from './node-money.js';
import type { CheckedWindow, Projection } from './projection.js';

/** With its code: a stored one may be wrong. */
type CodedHeld = HeldValues & { kind: number };

interface Stored {
  movements: {
    position: string;
    account: string;
    index: number;
    counterparty: string | null;
    kind: number;
    amount: string;
    balance: string;
    isFromNode: boolean;
  }[];
  held: StoredHeld[];
  earnings: { position: string; fees: string; is_known: boolean; is_report: boolean }[];
  gaps: { position: string; gaps: number }[];
  unseen: { position: string; amount: string }[];
}

async function storedRows(db: Queryable, [from, to]: readonly [bigint, bigint]): Promise<Stored> {
  const read = async <Row extends object>(name: string, text: string): Promise<Row[]> =>
    (await db.query<Row>({ name: `verify.${name}`, text, values: [from, to] })).rows;
  return {
    movements: await read(
      'movements',
      `SELECT m.position, a.id AS account, m.index, c.id AS counterparty, m.kind, m.amount, m.balance,
        m.from_node AS "isFromNode"
      FROM movements AS m LEFT JOIN ledger_ids AS a ON a.key = m.account LEFT JOIN ledger_ids AS c ON c.key = m.counterparty
      WHERE m.position >= $1 AND m.position < $2`,
    ),
    held: await read(
      'held',
      `SELECT * FROM held WHERE position >= $1 AND position < $2
      UNION SELECT * FROM held WHERE released >= $1 AND released < $2`,
    ),
    earnings: await read('earnings', 'SELECT * FROM earnings WHERE position >= $1 AND position < $2'),
    gaps: await read('ledger-gaps', 'SELECT * FROM ledger_gaps WHERE position >= $1 AND position < $2'),
    unseen: await read('unseen-held', 'SELECT * FROM unseen_held WHERE position >= $1 AND position < $2'),
  };
}

async function differences(db: Queryable, window: CheckedWindow): Promise<Difference[]> {
  const ledger = await readLedger(db, false);
  if (ledger === undefined) return [];
  const found: Difference[] = [];
  // Heights that are to be written again are left out: their call information is being read.
  let from = window.from;
  for (const height of [...(await awaitingHeights(db, window)), window.to + 1n]) {
    if (from < height) found.push(...(await readableDifferences(db, { from, to: height - 1n }, ledger)));
    from = height + 1n;
  }
  return found;
}

/** A transaction that cannot be read is a difference of its own, and all rows follow from it: they are compared when it is mended. */
async function readableDifferences(db: Queryable, window: Window, ledger: Ledger): Promise<Difference[]> {
  try {
    return await partDifferences(db, window, ledger);
  } catch (error) {
    if (error instanceof MalformedError) return [];
    throw error;
  }
}

async function partDifferences(db: Queryable, window: Window, ledger: Ledger): Promise<Difference[]> {
  const [from, to] = positionsOf(window);
  const expected = await ledgerRows(db, await blocksOf(db, { from, to }, ledger.position), ledger.rules);
  const stored = await storedRows(db, [from, to]);
  const heightOfKey = ([position]: readonly (string | bigint)[]): number => heightOfPosition(position!);
  return [
    ...compareAll(
      'movement_rows',
      heightOfKey,
      expected.movements.map(({ position, index, ...row }) => [[position, BigInt(index)], row]),
      stored.movements.map((row) => [[row.position, BigInt(row.index)], row]),
    ),
    ...heldDifferences(expected, stored, [from, to]),
    ...compareAll(
      'earnings',
      heightOfKey,
      expected.earnings.map(({ position, fees, isKnown, isReport }) => [
        [position],
        { fees, is_known: isKnown, is_report: isReport },
      ]),
      stored.earnings.map((row) => [[row.position], row]),
    ),
    ...compareAll(
      'ledger_gaps',
      heightOfKey,
      expected.gaps.map(({ position, gaps }) => [[position], { gaps }]),
      stored.gaps.map((row) => [[row.position], row]),
    ),
    ...compareAll(
      'unseen_held',
      heightOfKey,
      expected.unseen.map(({ position, amount }) => [[position], { amount }]),
      stored.unseen.map((row) => [[row.position], row]),
    ),
  ];
}

/** Beginnings and ends are compared for themselves: each is mended by its own height. */
function heldDifferences({ held }: LedgerRows, stored: Stored, [from, to]: readonly [bigint, bigint]): Difference[] {
  const expected = held.map((row) => ({ ...row, kind: HELD[row.on] }));
  const rows = stored.held.map((row) => ({ ...readHeldValues(row), kind: row.kind }));
  const begins = (all: readonly CodedHeld[]): [Key, object][] =>
    all.flatMap(({ kind, id, position, amount, account, other, until }) =>
      position < from ? [] : [[[position, BigInt(kind), id], { amount, account, other, until }]],
    );
  const ends = (all: readonly CodedHeld[]): [Key, object][] =>
    all.flatMap(({ kind, id, position, released }) =>
      released === null || released < from || released >= to ? [] : [[[released, BigInt(kind), id], { position }]],
    );
  const heightOfKey = ([position]: Key): number => heightOfPosition(position!);
  return [
    ...compareAll('held', heightOfKey, begins(expected), begins(rows)),
    ...compareAll('held', heightOfKey, ends(expected), ends(rows)),
  ];
}

export const movements: Projection = {
  name: 'movements',
  written: 'behind the load, in the order of the chain, by `populate/ledger`',
  // Without `rows`: how far they are written differs between two copies of a chain.
  tables: [
    ...['movement_rows', 'held', 'earnings', 'ledger_gaps', 'unseen_held'].map((name) => ({
      name,
      at: 'position' as const,
    })),
    // What a node answered. No rule gives it.
    { name: 'node_money', at: 'height' },
    { name: 'ledger_corrections', at: 'position' },
  ],
  writes: {
    append: () => Promise.resolve(),
    undo: async (tx, { range }) => {
      await cutLedger(tx, await forgetAnswers(tx, { from: range.from, to: LAST_POSITION }));
      return undefined;
    },
    replace: async (tx, { range, isUnchanged }) => {
      if (isUnchanged) return () => rewriteUnlessDue(tx, range);
      await cutLedger(tx, await forgetAnswers(tx, range));
      return undefined;
    },
  },
  window: differences,
  wholeChecks: [verifyPlace],
  mend: async (write, wrong) => {
    if (wrong('ledger').length > 0) await write(mendPlace);
  },
};
