import type { Router } from '@koa/router';
import { ListKind } from '../../chain/derive.js';
import { contractCalls, contractCreation, contracts } from '../../store/queries/contracts.js';
import { listTransactions } from '../../store/queries/list-pages.js';
import { parseRanked, parseWalk } from '../cursor.js';
import type { ApiDeps } from '../deps.js';
import { idParam } from '../parse.js';
import { found, sendJson, sendList } from '../reply.js';

export function contractRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  router.get('/middleware/contracts/all', async (ctx) => {
    const slice = parseRanked(ctx.query, config.limitCap);
    sendList(ctx, await contracts(db, slice), slice, logger);
  });

  router.get('/middleware/contracts/calls/address/:address', async (ctx) => {
    const slice = parseRanked(ctx.query, config.limitCap);
    sendList(ctx, await contractCalls(db, idParam(ctx, 'address'), slice), slice, logger);
  });

  router.get('/middleware/contracts/transactions/address/:address', async (ctx) => {
    const of = { kind: ListKind.contract, id: idParam(ctx, 'address'), type: null };
    const slice = parseWalk(ctx.query, config.limitCap);
    // Nothing of a contract precedes its creation, which some clients take the first entry for.
    sendList(ctx, await listTransactions(db, of, 'oldest first', slice), slice, logger);
  });

  router.get('/middleware/contracts/transactions/creation/address/:address', async (ctx) => {
    sendJson(ctx, found(ctx, await contractCreation(db, idParam(ctx, 'address'))).body);
  });
}
