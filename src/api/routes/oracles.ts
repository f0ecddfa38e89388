import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { activeOracles, oracleQuestions } from '../../store/queries/oracles.js';
import { parseRanked, parseWalk } from '../cursor.js';
import type { ApiDeps } from '../deps.js';
import { idParam, textParam } from '../parse.js';
import { sendList } from '../reply.js';

const LISTS = ['list', 'all'];

export function oracleRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  // Before the words of the same place, for of several routes that match the last one gives the metrics' label.
  router.get('/middleware/oracles/:oracle', async (ctx, next) => {
    if (LISTS.includes(textParam(ctx, 'oracle'))) {
      await next();
      return;
    }
    const slice = parseWalk(ctx.query, config.limitCap);
    sendList(ctx, await oracleQuestions(db, idParam(ctx, 'oracle'), slice), slice, logger);
  });

  const list = async (ctx: Context): Promise<void> => {
    const slice = parseRanked(ctx.query, config.limitCap);
    sendList(ctx, await activeOracles(db, slice), slice, logger);
  };
  for (const word of LISTS) router.get(`/middleware/oracles/${word}`, list);
}
