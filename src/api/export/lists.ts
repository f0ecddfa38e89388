/** What is read for an export of each list, batch by batch. */
import type { Queryable } from '../../store/database.js';
import * as objects from '../../store/queries/export-objects.js';
import * as transactions from '../../store/queries/export-transactions.js';
import type { ExportedTransaction } from '../../store/queries/export-transactions.js';
import type { ListOf } from '../../store/queries/lists.js';
import type { Slice } from '../../store/queries/slice.js';
import { accountRow, callRow, COLUMNS, intervalRow, nameRow } from './rows.js';
import type { Export } from './stream.js';

const anchorOf = ({ position, hash }: ExportedTransaction): transactions.Anchor => ({ position, hash });

export async function accountExport(
  db: Queryable,
  of: ListOf,
  slice: Slice,
): Promise<Export<transactions.ListedTransaction>> {
  const start = await transactions.listStart(db, of, slice.skip);
  return {
    columns: COLUMNS.account,
    row: (stored) => accountRow(stored, of.id),
    anchor: anchorOf,
    next: (last, anchor) => transactions.listBatch(db, of, last === null ? start : BigInt(last.ordinal), anchor),
    most: slice.wanted,
  };
}

export async function intervalExport(
  db: Queryable,
  from: number,
  to: number,
  type: readonly string[] | null,
  slice: Slice,
): Promise<Export<ExportedTransaction>> {
  const start = await transactions.intervalStart(db, from, to, type, slice.skip);
  return {
    columns: COLUMNS.interval,
    row: intervalRow,
    anchor: anchorOf,
    next: (last, anchor) =>
      transactions.intervalBatch(db, from, type, last === null ? (start ?? 0n) : BigInt(last.position), anchor),
    most: slice.wanted,
  };
}

export const namesExport = (
  db: Queryable,
  of: Parameters<typeof objects.namesBatch>[1],
  slice: Slice,
): Export<objects.ExportedName> => ({
  columns: COLUMNS.names,
  row: nameRow,
  anchor: ({ position, tx_hash: hash }) => ({ position, hash }),
  next: (last, anchor) => objects.namesBatch(db, of, last, last === null ? slice.skip : 0n, anchor),
  most: slice.wanted,
});

export const callsExport = (db: Queryable, contract: string, slice: Slice): Export<objects.ExportedCall> => ({
  columns: COLUMNS.calls,
  row: callRow,
  anchor: anchorOf,
  next: (last, anchor) => objects.callsBatch(db, contract, last?.position ?? null, slice.skip, anchor),
  most: slice.wanted,
});
