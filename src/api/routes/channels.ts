import type { Router } from '@koa/router';
import { ListKind } from '../../chain/derive.js';
import { openChannels } from '../../store/queries/channels.js';
import { listTransactions } from '../../store/queries/list-pages.js';
import { parseWalk } from '../cursor.js';
import type { ApiDeps } from '../deps.js';
import { idParam, parseSlice } from '../parse.js';
import { sendList, sendPage } from '../reply.js';

export function channelRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  router.get('/middleware/channels/active', async (ctx) => {
    const slice = parseSlice({}, config.limitCap);
    sendPage(ctx, await openChannels(db, slice.take), slice, logger);
  });

  router.get('/middleware/channels/transactions/address/:address', async (ctx) => {
    const of = { kind: ListKind.channel, id: idParam(ctx, 'address'), type: null };
    const slice = parseWalk(ctx.query, config.limitCap);
    sendList(ctx, await listTransactions(db, of, 'oldest first', slice), slice, logger);
  });
}
