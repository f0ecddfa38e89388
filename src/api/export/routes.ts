import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { ListKind } from '../../chain/derive.js';
import type { Queryable } from '../../store/database.js';
import * as objects from '../../store/queries/export-objects.js';
import * as transactions from '../../store/queries/export-transactions.js';
import type { ExportedTransaction } from '../../store/queries/export-transactions.js';
import type { ListOf } from '../../store/queries/lists.js';
import type { Slice } from '../../store/queries/slice.js';
import type { ApiDeps } from '../deps.js';
import { createGate } from '../gate.js';
import { heightParam, idParam, idQuery, parseSlice, parseType } from '../parse.js';
import { formatOf } from './format.js';
import { accountRow, callRow, COLUMNS, intervalRow, nameRow } from './rows.js';
import { sendExport } from './stream.js';
import type { Export } from './stream.js';

/** Exports under way at a time. */
const MOST_EXPORTS = 32;

const anchorOf = ({ position, hash }: ExportedTransaction): transactions.Anchor => ({ position, hash });

/**
 * Lists as CSV and NDJSON, for those who ask so; all others go on to the routes of the same paths. Without `limit` the
 * whole list is sent, whatever its length.
 */
export function exportRoutes(router: Router, { db, config, logger }: Pick<ApiDeps, 'db' | 'config' | 'logger'>): void {
  const gate = createGate({ most: MOST_EXPORTS, waiting: 0, waitMs: 0 });

  const route = <Stored>(
    path: string,
    open: (ctx: Context, slice: Slice) => Promise<{ name: string; exported: Export<Stored> }>,
  ): void => {
    router.get(path, async (ctx, next) => {
      const format = formatOf(ctx);
      if (format === null) {
        await next();
        return;
      }
      const { name, exported } = await open(ctx, parseSlice(ctx.query, config.limitCap));
      const leave = await gate.enter();
      ctx.res.once('close', leave);
      await sendExport(ctx, format, name, logger, exported);
    });
  };

  route('/middleware/transactions/account/:account', async (ctx, slice) => {
    const account = idParam(ctx, 'account');
    const of = { kind: ListKind.account, id: account, type: parseType(ctx.query) };
    return { name: `transactions-${account}`, exported: await accountExport(db, of, slice) };
  });

  route('/middleware/transactions/interval/:from/:to', async (ctx, slice) => {
    const from = Math.max(heightParam(ctx, 'from'), 0);
    const to = heightParam(ctx, 'to');
    return {
      name: `transactions-${from}-${to}`,
      exported: await intervalExport(db, from, to, parseType(ctx.query), slice),
    };
  });

  const names = (active: boolean) => (ctx: Context, slice: Slice) => {
    const of = { owner: idQuery(ctx.query, 'owner'), active, reverse: active && 'reverse' in ctx.query };
    return Promise.resolve({ name: 'names', exported: namesExport(db, of, slice) });
  };
  route('/middleware/names', names(false));
  route('/middleware/names/active', names(true));

  route('/middleware/contracts/calls/address/:address', (ctx, slice) => {
    const contract = idParam(ctx, 'address');
    return Promise.resolve({ name: `calls-${contract}`, exported: callsExport(db, contract, slice) });
  });
}

async function accountExport(db: Queryable, of: ListOf, slice: Slice): Promise<Export<transactions.ListedTransaction>> {
  const start = await transactions.listStart(db, of, slice.skip);
  return {
    columns: COLUMNS.account,
    row: (stored) => accountRow(stored, of.id),
    anchor: anchorOf,
    next: (last, anchor) => transactions.listBatch(db, of, last === null ? start : BigInt(last.ordinal), anchor),
    most: slice.wanted,
  };
}

async function intervalExport(
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

const namesExport = (
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

const callsExport = (db: Queryable, contract: string, slice: Slice): Export<objects.ExportedCall> => ({
  columns: COLUMNS.calls,
  row: callRow,
  anchor: anchorOf,
  next: (last, anchor) => objects.callsBatch(db, contract, last?.position ?? null, slice.skip, anchor),
  most: slice.wanted,
});
