import type { Router } from '@koa/router';
import { MAX_HEIGHT } from '../../chain/position.js';
import { countUpTo, sizeUpTo } from '../../store/queries/sums.js';
import type { ApiDeps } from '../deps.js';
import { heightParam } from '../parse.js';
import { found, sendJson } from '../reply.js';

export function sumRoutes(router: Router, { db }: ApiDeps): void {
  router.get('/middleware/size/current', async (ctx) => {
    sendJson(ctx, found(ctx, await sizeUpTo(db, MAX_HEIGHT)).body);
  });

  router.get('/middleware/size/height/:height', async (ctx) => {
    sendJson(ctx, found(ctx, await sizeUpTo(db, heightParam(ctx, 'height'))).body);
  });

  router.get('/middleware/count/current', async (ctx) => {
    sendJson(ctx, found(ctx, await countUpTo(db, MAX_HEIGHT)).body);
  });

  router.get('/middleware/count/height/:height', async (ctx) => {
    sendJson(ctx, found(ctx, await countUpTo(db, heightParam(ctx, 'height'))).body);
  });
}
