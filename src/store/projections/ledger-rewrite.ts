/** Removes movements with their blocks, and computes them again where blocks were loaded again. */
import { keyPosition } from '../../chain/position.js';
import type { DbTransaction, Queryable } from '../connection/database.js';
import type { Range } from '../facts/blocks.js';
import type { Window } from '../facts/window.js';
import { blocksOf, readLedger } from './ledger-blocks.js';
import { ledgerRows } from './movement-rows.js';
import { balancesBefore } from './movement-state.js';
import { deleteRows, insertRows } from './movement-write.js';

/** Removes all rows from a position on. The background work continues there. */
export async function cutLedger(tx: DbTransaction, from: bigint): Promise<void> {
  // Also waits for a part that is being written from blocks that are about to be removed.
  const ledger = await readLedger(tx, true);
  if (ledger === undefined || ledger.position < from) return;
  await deleteRows(tx, { from, to: null });
  // What is written again has to be compared again.
  await tx.query({
    name: 'ledger_checks.cut',
    text: `
      UPDATE ledger_checks SET height = ($1::bigint >> 33) - 1, wrong_at = CASE WHEN wrong_at << 33 < $1 THEN wrong_at END
      WHERE height >= $1::bigint >> 33`,
    values: [from],
  });
  await tx.query({
    name: 'ledger_rewrites.cut',
    text: 'DELETE FROM ledger_rewrites WHERE height << 33 >= $1',
    values: [from],
  });
  await tx.query({
    name: 'ledger.cut',
    // Of the last block below: a micro block of the same generation may come there later.
    text: `
      UPDATE ledger SET position = GREATEST(
        (SELECT COALESCE(max(position), -1) FROM micro_blocks WHERE position < $1),
        (SELECT COALESCE(max(height) << 33, -1) FROM key_blocks WHERE height < ($1 + (1::bigint << 33) - 1) >> 33)
      )`,
    values: [from],
  });
}

/** Computes the rows of unchanged blocks again; later, if their call information is read again first. */
export async function rewriteUnlessDue(tx: DbTransaction, range: Range): Promise<void> {
  const ledger = await readLedger(tx, true);
  if (ledger === undefined || ledger.position < range.from) return;
  const { rows } = await tx.query<{ is_due: boolean }>({
    name: 'ledger_rewrites.await',
    text: `
      WITH due AS (SELECT EXISTS (SELECT FROM due_infos WHERE position >= $1 AND position < $2) AS is_due),
      awaiting AS (
        INSERT INTO ledger_rewrites (height)
        SELECT h.height FROM due, generate_series($1::bigint >> 33, ($2::bigint - 1) >> 33) AS h (height) WHERE due.is_due
        ON CONFLICT DO NOTHING
      )
      SELECT is_due FROM due`,
    values: [range.from, range.to],
  });
  if (rows[0]?.is_due === false) await rewrite(tx, range);
}

/** Computes again the rows of the lowest height that waited for call information and has it; false if there is none. */
export async function rewriteNext(tx: DbTransaction): Promise<boolean> {
  const { rows } = await tx.query<{ height: string }>({
    name: 'ledger_rewrites.next',
    text: `
      SELECT r.height FROM ledger_rewrites AS r
      WHERE NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position >= r.height << 33 AND d.position < (r.height + 1) << 33)
      ORDER BY r.height LIMIT 1`,
  });
  const height = rows[0] === undefined ? undefined : Number(rows[0].height);
  if (height === undefined) return false;
  await rewrite(tx, { from: keyPosition(height), to: keyPosition(height + 1) });
  return true;
}

/** A block after which a node has another balance of an account than our rows give, though both were the same before it. */
export interface Mismatch {
  account: string;
  /** Of the block, and of the last transaction in it. */
  position: bigint;
  end: bigint;
  hash: string;
  /** What the node says more. */
  amount: bigint;
}

/**
 * Adds a row for what a node's balance says more. Rows above it build on the new balance: only those of the account change, and none is computed again.
 * False if the rows are others now, or the block is.
 */
export async function correct(tx: DbTransaction, { account, position, end, hash, amount }: Mismatch): Promise<boolean> {
  const ledger = await readLedger(tx, true);
  if (ledger === undefined || ledger.position < position) return false;
  const { rows } = await tx.query<{ position: string }>({
    name: 'ledger_corrections.insert',
    text: `
      INSERT INTO ledger_corrections AS c (position, account, amount)
      SELECT $1::bigint, $2, $3::numeric WHERE EXISTS (SELECT FROM micro_blocks WHERE position = $4 AND hash = $5)
        OR EXISTS (SELECT FROM key_blocks WHERE height = $4::bigint >> 33 AND hash = $5)
      ON CONFLICT (position, account) DO UPDATE SET amount = c.amount + EXCLUDED.amount RETURNING position`,
    values: [end, account, amount, position, hash],
  });
  if (rows.length === 0) return false;
  const height = Number(end >> 33n);
  const range = { from: keyPosition(height), to: keyPosition(height + 1) };
  await tx.query({
    name: 'movement_rows.shift',
    text: `
      UPDATE movement_rows SET balance = balance + $3::numeric
      WHERE account = (SELECT key FROM ledger_ids WHERE id = $1) AND position >= $2`,
    values: [account, range.to, amount],
  });
  await rewrite(tx, range);
  return true;
}

/** Answers at a time from which on rows are written again in parts, instead of each height for itself. */
const MANY = 10;

/** What a node answered about these generations, ascending, changes them and the key blocks above them. */
export async function applyAnswers(tx: DbTransaction, heights: readonly number[]): Promise<void> {
  const ledger = await readLedger(tx, true);
  const written = heights.filter((height) => ledger !== undefined && keyPosition(height) < ledger.position);
  if (written[0] === undefined) return;
  if (written.length >= MANY) return cutLedger(tx, keyPosition(written[0]) + 1n);
  await tx.query({
    name: 'ledger_rewrites.answered',
    text: `
      INSERT INTO ledger_rewrites (height) SELECT DISTINCT t.height + n FROM unnest($1::bigint[]) AS t (height), generate_series(0, 1) AS n
      ON CONFLICT DO NOTHING`,
    values: [written],
  });
}

/** Heights of a window that wait to be computed again, ascending. */
export async function awaitingHeights(db: Queryable, { from, to }: Window): Promise<bigint[]> {
  const { rows } = await db.query<{ height: string }>({
    name: 'verify.ledger-rewrites',
    text: 'SELECT height FROM ledger_rewrites WHERE height BETWEEN $1 AND $2 ORDER BY height',
    values: [from, to],
  });
  return rows.map(({ height }) => BigInt(height));
}

async function rewrite(tx: DbTransaction, range: Range): Promise<void> {
  const ledger = (await readLedger(tx, true))!;
  const rows = await ledgerRows(tx, await blocksOf(tx, range, ledger.position), ledger.rules);
  const values = [range.from, range.to];
  const { rows: before } = await tx.query<{ id: string }>({
    name: 'movements.accounts-of',
    text: `
      SELECT DISTINCT i.id FROM movement_rows AS m JOIN ledger_ids AS i ON i.key = m.account
      WHERE m.position >= $1 AND m.position < $2`,
    values,
  });
  // What began in the range may have ended above it.
  const { rows: ended } = await tx.query<{ kind: number; id: string; position: string; released: string }>({
    name: 'held.ended-above',
    text: 'SELECT kind, id, position, released FROM held WHERE position >= $1 AND position < $2 AND released >= $2',
    values,
  });
  await deleteRows(tx, range);
  await insertRows(tx, rows);
  await tx.query({
    name: 'held.end-again',
    text: `
      UPDATE held AS h SET released = e.released
      FROM unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[]) AS e (kind, id, position, released)
      WHERE h.kind = e.kind AND h.id = e.id AND h.position = e.position AND h.position >= $5 AND h.position < $6 AND h.released IS NULL`,
    values: [
      ended.map(({ kind }) => kind),
      ended.map(({ id }) => id),
      ended.map(({ position }) => position),
      ended.map(({ released }) => released),
      ...values,
    ],
  });
  await tx.query({
    name: 'ledger_rewrites.done',
    text: 'DELETE FROM ledger_rewrites WHERE height >= $1::bigint >> 33 AND height < $2::bigint >> 33',
    values,
  });
  const accounts = new Set([...before.map(({ id }) => id), ...rows.movements.map(({ account }) => account)]);
  if (await isBaseChanged(tx, range.to, [...accounts])) await cutLedger(tx, range.to);
}

/** Whether the rows above a position build on other balances of these accounts than those below it. */
async function isBaseChanged(tx: DbTransaction, position: bigint, accounts: readonly string[]): Promise<boolean> {
  const balances = await balancesBefore(tx, position, accounts);
  const { rows } = await tx.query<{ changed: boolean }>({
    name: 'movements.is-base-changed',
    text: `
      SELECT EXISTS (
        SELECT FROM unnest($1::text[], $2::numeric[]) AS w (id, balance)
        JOIN ledger_ids AS i ON i.id = w.id
        CROSS JOIN LATERAL (
          SELECT balance - amount - COALESCE(fee, 0) AS before FROM movement_rows WHERE account = i.key AND position >= $3 ORDER BY position, index LIMIT 1
        ) AS m
        WHERE m.before <> w.balance
      ) AS changed`,
    values: [accounts, accounts.map((account) => balances.get(account) ?? 0n), position],
  });
  return rows[0]?.changed === true;
}
