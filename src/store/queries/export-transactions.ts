import { ListKind } from '../../chain/derive.js';
import { KINDS } from '../../chain/money/kinds.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';
import { listCount, listValues, numbered } from './lists.js';
import type { ListOf } from './lists.js';
import { microBlockOf } from '../positions.js';
import { intervalTransactions } from './paging/interval.js';
import { TYPE_CODE } from './transaction-types.js';
import { entriesBefore } from './paging/keyset.js';

/** Reads whole lists in batches, newest first, without a long database transaction. */

export interface ExportedTransaction {
  position: string;
  height: string;
  /** Time of the micro block, ms since 1970. */
  time: string;
  block_hash: string;
  hash: string;
  body: string;
  info: string | null;
}

/** A row of an earlier batch: while it has the same position, so has everything before it in the chain. */
export interface Anchor {
  position: string;
  hash: string;
}

export interface Batch<Row> {
  /** The anchor still has its position. */
  isValid: boolean;
  rows: Row[];
}

/** Where the next batch begins: below this ordinal or position, which an earlier batch had. */
type Before = bigint;

/** Rows of one batch. */
export const ROWS = 200;

export const ANCHOR_VALID = (position: string, hash: string): string => `
  SELECT ${hash}::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = ${position}::bigint AND t.hash = ${hash}
  ) AS is_valid`;

const COLUMNS = `
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info`;

export const JOINED = (position: string): string => `
  JOIN transactions AS t ON t.position = ${position}
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = ${microBlockOf(position)} LIMIT 1) AS m`;

/** Runs a statement that gives `is_valid` and the commit number with each row, and one row of nulls when there are none. */
export async function batch<Row extends { position: string }>(
  db: Queryable,
  statement: { name: string; text: string; values: unknown[] },
): Promise<Batch<Row>> {
  const { rows } = await db.query<Row & { is_valid: boolean }>({ ...statement, numbered: true });
  return { isValid: rows[0]?.is_valid ?? false, rows: rows.filter(({ position }) => position !== null) };
}

/**
 * Position of a transaction; null when it is not stored. Like the other places from which an export continues, it comes with the commit
 * number, so that the rows are not read from an earlier state of another branch.
 */
export async function positionOf(db: Queryable, hash: string): Promise<bigint | null> {
  const { rows } = await db.query<{ position: string }>({
    name: 'export.position',
    text: `SELECT position, ${COMMIT_NUMBER} FROM transactions_by_hash WHERE hash = $1`,
    values: [hash],
  });
  return rows[0] === undefined ? null : BigInt(rows[0].position);
}

/** The first ordinal of a list whose entry is at or after a position. */
export async function listStartAfter(db: Queryable, of: ListOf, position: bigint): Promise<Before> {
  const byType = of.type !== null;
  const { ordinal, entries, list } = numbered(byType);
  const values = listValues(of);
  const { rows } = await db.query<{ count: string }>({
    name: `export.list_start${byType ? '_by_type' : ''}`,
    text: `
      SELECT before.count, ${COMMIT_NUMBER}
      ${list}
      CROSS JOIN LATERAL (${entriesBefore(`$${values.length + 1}::bigint`, '<', ordinal, entries)}) AS before`,
    values: [...values, position],
  });
  return BigInt(rows[0]?.count ?? 0) + 1n;
}

/** The oldest ordinal of the newest `skip` entries of a list; above all ordinals if `skip` is 0. */
export async function listStart(db: Queryable, of: ListOf, skip: bigint): Promise<Before> {
  const { row } = await listCount(db, of);
  const { count } = JSON.parse(row?.body ?? '{"count":0}') as { count: number };
  return BigInt(count) - skip + 1n;
}

/** A transaction in a list of an account. */
export interface AccountTransaction extends ExportedTransaction {
  /** Accounts (and the name itself) that list a transaction whose recipient is given by name; null for other transactions. */
  payees: readonly string[] | null;
  /** What it changed in the balance of the account, but fees and gas; null where movements do not say all of it, or are not written yet. */
  moved: string | null;
  /** Fees and gas that the account paid; null as above. */
  paid: string | null;
  /** The other side of the first change that is no fee or gas; null if there is none, or as above. */
  moved_with: string | null;
}

export interface ListedTransaction extends AccountTransaction {
  ordinal: string;
}

const PAYEES = `
  CASE WHEN t.body LIKE '%"recipient_id":"nm\\_%' THEN ARRAY(
    SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
    WHERE e.position = t.position AND l.kind = ${ListKind.account}
  ) END AS payees`;

export const ACCOUNT_COLUMNS = `${PAYEES}, w.moved, w.paid, w.moved_with, ${COLUMNS}`;

const COSTS = `(${KINDS.fee.code}, ${KINDS.gas.code})`;

/** What a transaction `t` changed in the balance of an account. With NOT EXISTS PostgreSQL would read all gaps of the chain for a batch. */
export const MONEY = (account: string): string => `
  LEFT JOIN LATERAL (
    SELECT COALESCE(sum(m.amount) FILTER (WHERE m.kind NOT IN ${COSTS}), 0)::text AS moved,
      (-COALESCE(sum(m.amount) FILTER (WHERE m.kind IN ${COSTS}), 0))::text AS paid,
      (
        SELECT c.id FROM ledger_ids AS c
        WHERE c.key = (array_agg(m.counterparty ORDER BY m.index) FILTER (WHERE m.kind NOT IN ${COSTS}))[1]
      ) AS moved_with
    FROM movements AS m
    WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = ${account}) AND m.position = t.position
  ) AS w ON t.position <= (SELECT l.position | 65535 FROM ledger AS l WHERE l.one)
    AND (SELECT g.position FROM ledger_gaps AS g WHERE g.position = t.position) IS NULL
    AND (SELECT r.height FROM ledger_rewrites AS r WHERE r.height = t.position >> 33) IS NULL`;

/**
 * Ordinals have no gaps, so a batch is a range of them. With `LIMIT` alone PostgreSQL, which expects most lists to be short,
 * would read and sort the whole rest of a long list for each batch.
 */
export function listBatch(
  db: Queryable,
  of: ListOf,
  before: Before,
  anchor: Anchor | null,
): Promise<Batch<ListedTransaction>> {
  const byType = of.type !== null;
  const { ordinal, entries, list } = numbered(byType);
  const first = listValues(of).length + 1;
  return batch<ListedTransaction>(db, {
    name: `export.list${byType ? '_by_type' : ''}`,
    text: `
      SELECT a.is_valid, ${COMMIT_NUMBER}, item.*
      FROM (${ANCHOR_VALID(`$${first + 1}`, `$${first + 2}`)}) AS a
      LEFT JOIN LATERAL (
        SELECT picked.ordinal, ${ACCOUNT_COLUMNS}
        FROM (
          SELECT picked.*
          ${list}
          CROSS JOIN LATERAL (SELECT LEAST($${first}::bigint, c.total + 1) AS before LIMIT 1) AS w
          CROSS JOIN LATERAL (
            SELECT e.position, ${ordinal} AS ordinal ${entries}
              AND ${ordinal} < w.before AND ${ordinal} >= w.before - ${ROWS}
          ) AS picked
        ) AS picked
        ${JOINED('picked.position')}
        ${MONEY('$2')}
      ) AS item ON true
      ORDER BY item.ordinal DESC`,
    values: [...listValues(of), before, anchor?.position ?? null, anchor?.hash ?? null],
  });
}

/** The oldest position of the newest `skip` transactions of an interval; above the interval if `skip` is 0. Null when there are no more. */
export async function intervalStart(
  db: Queryable,
  from: number,
  to: number,
  type: readonly string[] | null,
  skip: bigint,
): Promise<Before | null> {
  if (skip === 0n) return (BigInt(to) + 1n) << 33n;
  const { row } = await intervalTransactions(db, from, to, type, {
    by: 'number',
    skip: skip - 1n,
    take: 1,
    wanted: 1n,
  });
  const position = row?.next?.split('-')[1];
  return position === undefined ? null : BigInt(position);
}

export function intervalBatch(
  db: Queryable,
  from: number,
  type: readonly string[] | null,
  before: Before,
  anchor: Anchor | null,
): Promise<Batch<ExportedTransaction>> {
  return batch<ExportedTransaction>(db, {
    name: `export.interval${type === null ? '' : '_by_type'}`,
    text: `
      SELECT a.is_valid, ${COMMIT_NUMBER}, item.*
      FROM (${ANCHOR_VALID('$3', '$4')}) AS a
      LEFT JOIN LATERAL (
        SELECT ${COLUMNS}
        FROM (
          SELECT t.position
          FROM transactions AS t
          WHERE
            ${type === null ? '' : `t.type = ${TYPE_CODE('$5')} AND`}
            t.position >= ($1::bigint << 33) AND t.position < $2::bigint
          ORDER BY t.position DESC
          LIMIT ${ROWS}
        ) AS picked
        ${JOINED('picked.position')}
      ) AS item ON true
      ORDER BY item.position DESC`,
    values: [from, before, anchor?.position ?? null, anchor?.hash ?? null, ...(type === null ? [] : [type])],
  });
}
