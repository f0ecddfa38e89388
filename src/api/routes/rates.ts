import type { Router } from '@koa/router';
import { spendRate } from '../../store/queries/rates.js';
import type { ApiDeps } from '../deps.js';
import { dayParam } from '../parse.js';
import { found, sendJson } from '../reply.js';

export function rateRoutes(router: Router, { db }: ApiDeps): void {
  router.get('/middleware/transactions/rate/:from/:to', async (ctx) => {
    sendJson(ctx, found(ctx, await spendRate(db, dayParam(ctx, 'from'), dayParam(ctx, 'to'))).body);
  });
}
