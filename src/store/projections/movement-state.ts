/** What is stored below a position about money: balances, what the chain keeps, what generations earned, and what names point to. */
import { derive } from '../../chain/derive.js';
import { effectiveOf } from '../../chain/effective.js';
import type { Transaction } from '../../chain/facts.js';
import { MalformedError } from '../../chain/malformed.js';
import type { PointerKey } from '../../chain/money/execution.js';
import { paidGeneration } from '../../chain/money/key-block.js';
import type { Earnings } from '../../chain/money/key-block.js';
import { HELD } from '../../chain/money/movement.js';
import type { Held, Holdings } from '../../chain/money/movement.js';
import { isIdText } from '../../chain/operations.js';
import { heightOf } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';
import type { EarningsRow, HeldRow, Heights, LedgerKeyBlock, LedgerRules } from './movement-types.js';
import { pointersBefore } from './pointers.js';

interface Placed {
  position: bigint;
  transaction: Transaction;
}

const HELD_NAMES: Readonly<Record<number, Held['on'] | undefined>> = Object.fromEntries(
  Object.entries(HELD).map(([on, code]) => [code, on as Held['on']]),
);

/** A row of the table `held`. */
export interface StoredHeld {
  kind: number;
  id: string;
  position: string;
  amount: string;
  account: string;
  other: string | null;
  until: string | null;
  released: string | null;
}

export type HeldValues = Omit<HeldRow, 'on'>;

export const readHeldValues = (row: StoredHeld): HeldValues => ({
  ...{ id: row.id, account: row.account, other: row.other },
  position: BigInt(row.position),
  amount: BigInt(row.amount),
  until: row.until === null ? null : Number(row.until),
  released: row.released === null ? null : BigInt(row.released),
});

/** Holdings that remember what begins and ends within blocks. */
interface StoredHoldings extends Holdings {
  /** What follows happens there. */
  moveTo(position: bigint): void;
  /** What began, and what ended. */
  rows(): HeldRow[];
}

/** What the chain keeps before a position, as far as these blocks need it. */
export async function createStoredHoldings(
  db: Queryable,
  from: bigint,
  placed: readonly Placed[],
  heights: Heights,
): Promise<StoredHoldings> {
  const wanted = placed.flatMap(({ transaction }) => objectsOf(transaction));
  const { rows } = await db.query<StoredHeld>({
    name: 'held.before',
    text: `
      SELECT h.* FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
      JOIN held AS h ON h.kind = w.kind AND h.id = w.id AND h.position < $3 AND (h.released IS NULL OR h.released >= $3)
      UNION
      SELECT h.* FROM held AS h
      WHERE h.until >= $4 AND h.until < $5 AND h.position < $3 AND (h.released IS NULL OR h.released >= $3)`,
    values: [
      wanted.map(({ on }) => HELD[on]),
      wanted.map(({ id }) => id),
      from,
      heights.from - 1,
      heights.from + heights.count - 1,
    ],
  });
  return holdingsOf(
    rows.flatMap((row) => {
      const on = HELD_NAMES[row.kind];
      // Verification finds and mends a row of another kind.
      return on === undefined ? [] : [{ ...readHeldValues(row), on, released: null }];
    }),
  );
}

function holdingsOf(stored: readonly HeldRow[]): StoredHoldings {
  const key = ({ on, id }: Pick<Held, 'on' | 'id'>): string => `${on} ${id}`;
  const open = new Map(stored.map((row) => [key(row), row]));
  const changed = new Set<HeldRow>();
  let at = 0n;
  const release = (held: Pick<Held, 'on' | 'id'>): void => {
    const row = open.get(key(held));
    if (row === undefined) return;
    row.released = at;
    changed.add(row);
    open.delete(key(held));
  };
  return {
    moveTo(position) {
      at = position;
    },
    find: (on, id) => open.get(key({ on, id })),
    keep(held) {
      release(held);
      const row = { ...held, position: at, released: null };
      open.set(key(held), row);
      changed.add(row);
    },
    release,
    endingAfter: (height) => [...open.values()].filter(({ until }) => until === height),
    rows: () => [...changed],
  };
}

/** Objects of which a transaction may end or change what is kept. */
function objectsOf(transaction: Transaction): Pick<Held, 'on' | 'id'>[] {
  const found: Pick<Held, 'on' | 'id'>[] = [];
  for (const op of derive(transaction).operations) {
    if (op.on === 'name' && op.op === 'claim') found.push({ on: 'auction', id: op.name_hash });
    if (op.on === 'query' && op.op === 'respond') found.push({ on: 'query', id: op.id });
  }
  const channel = effectiveTx(transaction)?.['channel_id'];
  if (isIdText(channel)) found.push({ on: 'channel', id: channel });
  return found;
}

function effectiveTx(transaction: Transaction): Transaction['tx'] | undefined {
  try {
    return effectiveOf(transaction).tx;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

/** What names point to just before the transactions that pay or call them. */
export async function pointeesOf(
  db: Queryable,
  placed: readonly Placed[],
): Promise<(name: string, position: bigint, key: PointerKey) => string | undefined> {
  const asked = placed.flatMap(({ position, transaction }) => {
    const tx = effectiveTx(transaction);
    const name = tx?.['type'] === 'SpendTx' ? tx['recipient_id'] : tx?.['contract_id'];
    return typeof name === 'string' && name.startsWith('nm_') ? [{ name, position }] : [];
  });
  if (asked.length === 0) return () => undefined;
  const pointers = await pointersBefore(db, asked);
  const found = new Map(asked.map(({ name, position }, i) => [`${name} ${position}`, pointers[i]]));
  return (name, position, key) => {
    const pointed = found.get(`${name} ${position}`);
    return key === 'account_pubkey' ? pointed?.account : pointed?.contract;
  };
}

/** What generations earn, for the rewards of the key blocks of heights. */
interface StoredEarnings {
  of(height: number): Earnings | undefined;
  open(keyBlock: LedgerKeyBlock): void;
  add(row: EarningsRow): void;
}

type Sum = Earnings & { isKnown: boolean };

export async function earningsBefore(
  db: Queryable,
  from: bigint,
  heights: Heights,
  rules: LedgerRules,
): Promise<StoredEarnings> {
  const sums = new Map<number, Sum>();
  const open = ({ height, beneficiary, version }: LedgerKeyBlock): void =>
    void sums.set(height, { beneficiary, version, fees: 0n, isReported: false, isKnown: true });
  const add = (height: number, fees: bigint, isKnown: boolean, isReport: boolean): void => {
    const own = sums.get(height);
    if (own !== undefined) {
      own.fees += fees;
      own.isKnown &&= isKnown;
    }
    const reported = sums.get(height - 1);
    if (isReport && reported !== undefined) reported.isReported = true;
  };
  const paid = paidHeights(heights, rules);
  if (paid.from <= paid.to) {
    const { rows } = await db.query<{
      height: string;
      beneficiary: string;
      version: number;
      fees: string;
      known: boolean;
      report: boolean;
    }>({
      name: 'earnings.before',
      text: `
        SELECT k.height, k.beneficiary, k.version, COALESCE(sum(e.fees), 0) AS fees, COALESCE(bool_and(e.is_known), true) AS known,
          COALESCE(bool_or(e.is_report), false) AS report
        FROM key_blocks AS k
        LEFT JOIN earnings AS e ON e.position >= k.height << 33 AND e.position < (k.height + 1) << 33 AND e.position < $3
        WHERE k.height BETWEEN $1 AND $2 AND k.height << 33 < $3
        GROUP BY k.height, k.beneficiary, k.version ORDER BY k.height`,
      values: [paid.from, paid.to, from],
    });
    for (const { height, beneficiary, version } of rows) open({ height: Number(height), beneficiary, version });
    for (const { height, fees, known, report } of rows) add(Number(height), BigInt(fees), known, report);
  }
  return {
    of(height) {
      const sum = sums.get(height);
      return sum?.isKnown === true ? sum : undefined;
    },
    open,
    add: ({ position, fees, isKnown, isReport }) => add(heightOf(position), fees, isKnown, isReport),
  };
}

/** Generations for which the key blocks of heights pay, and the one after them, which tells of reports. */
function paidHeights({ from, count }: Heights, { rewards }: LedgerRules): { from: number; to: number } {
  if (rewards === null) return { from: 0, to: -1 };
  return { from: Math.max(0, paidGeneration(from, rewards)), to: paidGeneration(from + count - 1, rewards) + 2 };
}

/** Balances of accounts before a position; accounts without movements are absent. */
export async function balancesBefore(
  db: Queryable,
  position: bigint,
  accounts: readonly string[],
): Promise<Map<string, bigint>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; balance: string }>({
    name: 'movements.balances-before',
    text: `
      SELECT i.id, m.balance FROM ledger_ids AS i
      CROSS JOIN LATERAL (
        SELECT balance FROM movement_rows WHERE account = i.key AND position < $2 ORDER BY position DESC, index DESC LIMIT 1
      ) AS m
      WHERE i.id = ANY ($1::text[])`,
    values: [accounts, position],
  });
  return new Map(rows.map(({ id, balance }) => [id, BigInt(balance)]));
}
