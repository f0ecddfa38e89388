import type { Router } from '@koa/router';
import { ListKind } from '../../chain/derive.js';
import { listCount } from '../../store/queries/lists.js';
import { listTransactions, listTransactionsWithTime } from '../../store/queries/list-pages.js';
import { intervalTransactions } from '../../store/queries/interval.js';
import { parseWalk } from '../cursor.js';
import type { ApiDeps } from '../deps.js';
import { badRequest, heightParam, idParam, parseType } from '../parse.js';
import { found, sendJson, sendList } from '../reply.js';

export function transactionRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  router.get('/middleware/transactions/account/:account', async (ctx) => {
    const of = { kind: ListKind.account, id: idParam(ctx, 'account'), type: parseType(ctx.query) };
    const slice = parseWalk(ctx.query, config.limitCap);
    sendList(ctx, await listTransactionsWithTime(db, of, slice), slice, logger);
  });

  router.get('/middleware/transactions/account/:account/count', async (ctx) => {
    const of = { kind: ListKind.account, id: idParam(ctx, 'account'), type: parseType(ctx.query) };
    sendJson(ctx, found(ctx, await listCount(db, of)).body);
  });

  router.get('/middleware/transactions/account/:sender/to/:receiver', async (ctx) => {
    const id = `${idParam(ctx, 'sender')}>${idParam(ctx, 'receiver')}`;
    const of = { kind: ListKind.pair, id, type: parseType(ctx.query) };
    const slice = parseWalk(ctx.query, config.limitCap);
    sendList(ctx, await listTransactions(db, of, 'newest first', slice), slice, logger);
  });

  router.get('/middleware/transactions/interval/:from/:to', async (ctx) => {
    const from = Math.max(heightParam(ctx, 'from'), 0);
    const to = heightParam(ctx, 'to');
    const type = parseType(ctx.query);
    const slice = parseWalk(ctx.query, config.limitCap);
    const answer = await intervalTransactions(db, from, to, type, slice);
    if (answer.row?.refused === true) {
      const { total } = answer.row;
      throw badRequest(`Invalid input: the interval holds ${total} transactions, give a limit or fewer heights`);
    }
    sendList(ctx, answer, slice, logger);
  });
}
