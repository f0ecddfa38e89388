/** Exports of the lists, each read in batches. */
import { isId } from '../../chain/encoding/encoding.js';
import { AE } from '../../chain/networks.js';
import type { Currency } from '../../chain/networks.js';
import type { Queryable } from '../../store/connection/database.js';
import { logsBatch } from '../../store/queries/contract-logs.js';
import type { LogRow, LogsOf } from '../../store/queries/contract-logs.js';
import { widenedBatch } from '../../store/queries/account-transactions.js';
import type { Include } from '../../chain/lists.js';
import { LAST_POSITION } from '../../chain/position.js';
import { ledgerBatch } from '../../store/queries/ledger.js';
import type { ExportedMovement, LedgerOf } from '../../store/queries/ledger.js';
import { readCurrency } from '../../store/currency.js';
import * as objects from '../../store/queries/export-objects.js';
import * as transactions from '../../store/queries/export-transactions.js';
import type { ExportedTransaction } from '../../store/queries/export-transactions.js';
import type { ListOf } from '../../store/queries/lists.js';
import { skipOf } from '../../store/queries/paging/slice.js';
import type { Slice } from '../../store/queries/paging/slice.js';
import { badRequest } from '../parse.js';
import { accountRow, callRow, COLUMNS, intervalRow, ledgerRow, logRow, nameRow } from './rows.js';
import type { Export } from './stream.js';

const anchorOf = ({ position, hash }: ExportedTransaction): transactions.Anchor => ({ position, hash });

/**
 * Position of the transaction after which an export continues; null if it starts at the beginning. Throws a bad request if
 * the row no longer exists.
 */
async function positionOf(db: Queryable, after: string | null): Promise<bigint | null> {
  const position = after === null ? null : await transactions.positionOf(db, after);
  if (after !== null && position === null) throw unknownRow();
  return position;
}

/** Digits of the network's coin after the point. */
const digitsOf = async (db: Queryable): Promise<number> => (await currencyOf(db)).digits;

const currencyOf = async (db: Queryable): Promise<Currency> => (await readCurrency(db)) ?? AE;

export const unknownRow = () =>
  badRequest(
    'Invalid input: after is the hash of no row of this list; a reorg may have removed it: begin from the start',
  );

export const notOfARow = (columns: string) =>
  badRequest(`Invalid input: after must be ${columns} of a row of this list`);

/** The place in a list of events of contracts of the row that `after` names. Without an index: behind all events of the transaction. */
export async function eventPlace(
  db: Queryable,
  after: string | null,
): Promise<{ position: bigint; index: bigint | undefined } | null> {
  if (after === null) return null;
  const [hash = '', index, ...more] = after.split(',');
  if (!isId(hash, 'th') || !/^\d{1,9}$/.test(index ?? '0') || more.length > 0)
    throw notOfARow('tx_hash, or tx_hash,log_index');
  const position = await positionOf(db, hash);
  if (position === null || position > LAST_POSITION) throw unknownRow();
  return { position, index: index === undefined ? undefined : BigInt(index) };
}

export async function accountExport(
  db: Queryable,
  of: ListOf,
  slice: Slice,
  after: string | null,
): Promise<Export<transactions.ListedTransaction>> {
  const position = await positionOf(db, after);
  const start = await (position === null
    ? transactions.listStart(db, of, skipOf(slice))
    : transactions.listStartAfter(db, of, position));
  const digits = await digitsOf(db);
  return {
    columns: COLUMNS.account,
    row: (stored) => accountRow(stored, of.id, digits),
    anchor: anchorOf,
    next: (last, anchor) => transactions.listBatch(db, of, last === null ? start : BigInt(last.ordinal), anchor),
    max: slice.wanted,
  };
}

/** The same with transactions that do not name the account. */
export async function widenedExport(
  db: Queryable,
  account: string,
  include: readonly Include[],
  wanted: bigint | null,
  after: string | null,
): Promise<Export<transactions.AccountTransaction>> {
  const start = (await positionOf(db, after)) ?? LAST_POSITION;
  const digits = await digitsOf(db);
  return {
    columns: COLUMNS.account,
    row: (stored) => accountRow(stored, account, digits),
    anchor: anchorOf,
    next: (last, anchor) => widenedBatch(db, account, include, last === null ? start : BigInt(last.position), anchor),
    max: wanted,
  };
}

export async function intervalExport(
  db: Queryable,
  from: number,
  to: number,
  type: readonly string[] | null,
  slice: Slice,
  after: string | null,
): Promise<Export<ExportedTransaction>> {
  const position = await positionOf(db, after);
  const start = await transactions.intervalStart(db, from, to, type, position === null ? skipOf(slice) : 0n);
  const digits = await digitsOf(db);
  const first = position === null || start === null || position > start ? (start ?? 0n) : position;
  return {
    columns: COLUMNS.interval,
    row: (stored) => intervalRow(stored, digits),
    anchor: anchorOf,
    next: (last, anchor) =>
      transactions.intervalBatch(db, from, type, last === null ? first : BigInt(last.position), anchor),
    max: slice.wanted,
  };
}

export async function namesExport(
  db: Queryable,
  of: Parameters<typeof objects.namesBatch>[1],
  slice: Slice,
  after: string | null,
): Promise<Export<objects.ExportedName>> {
  const position = await positionOf(db, after);
  const name = position === null ? null : await objects.nameAt(db, position);
  if (position !== null && name === null) throw unknownRow();
  const skip = position === null ? skipOf(slice) : 0n;
  return {
    columns: COLUMNS.names,
    row: nameRow,
    anchor: ({ position, tx_hash: hash }) => ({ position, hash }),
    next: (last, anchor) => objects.namesBatch(db, of, last ?? name, last === null ? skip : 0n, anchor),
    max: slice.wanted,
  };
}

export async function callsExport(
  db: Queryable,
  contract: string,
  slice: Slice,
  after: string | null,
): Promise<Export<objects.ExportedCall>> {
  const position = await positionOf(db, after);
  const skip = position === null ? skipOf(slice) : 0n;
  const digits = await digitsOf(db);
  return {
    columns: COLUMNS.calls,
    row: (stored) => callRow(stored, digits),
    anchor: anchorOf,
    next: (last, anchor) =>
      objects.callsBatch(db, contract, last?.position ?? position?.toString() ?? null, skip, anchor),
    max: slice.wanted,
  };
}

export async function logsExport(
  db: Queryable,
  of: LogsOf,
  max: bigint | null,
  after: string | null,
): Promise<Export<LogRow>> {
  const place = await eventPlace(db, after);
  // Newest first: those of the transaction have an index of 0 or more.
  const start = place === null ? null : { position: place.position, index: Number(place.index ?? -1n) };
  return {
    columns: COLUMNS.logs,
    row: logRow,
    anchor: ({ position: at, hash }) => ({ position: at, hash }),
    next: (last, anchor) =>
      logsBatch(db, of, last === null ? start : { position: BigInt(last.position), index: last.log_index }, anchor),
    max,
  };
}

export async function ledgerExport(
  db: Queryable,
  of: LedgerOf,
  { forward, wanted }: { forward: boolean; wanted: bigint | null },
  after: string | null,
): Promise<Export<ExportedMovement>> {
  const position = await positionOf(db, after);
  // Behind all movements of the transaction.
  const start = position === null ? null : { position, index: forward ? 2 ** 15 : -1 };
  const currency = await currencyOf(db);
  return {
    columns: COLUMNS.ledger,
    row: (stored) => ledgerRow(stored, currency),
    anchor: ({ position: at, tx_hash: hash, block_hash: block }) => ({ position: at, hash: hash ?? block }),
    async next(last, anchor) {
      let place = last === null ? start : placeOf(last);
      // An empty batch would end the export.
      for (;;) {
        const { isValid, rows } = await ledgerBatch(db, of, forward, place, anchor);
        const listed = of.kinds === null ? rows : rows.filter(({ kind }) => of.kinds!.includes(kind));
        if (!isValid || rows.length === 0 || listed.length > 0) return { isValid, rows: listed };
        place = placeOf(rows.at(-1)!);
      }
    },
    max: wanted,
  };
}

const placeOf = ({ position, index }: ExportedMovement) => ({ position: BigInt(position), index });
