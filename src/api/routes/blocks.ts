import type { Router } from '@koa/router';
import { generations } from '../../store/queries/generations.js';
import { rawGenerations } from '../../store/queries/raw-generations.js';
import { heightAt } from '../../store/queries/heights.js';
import type { ApiDeps } from '../deps.js';
import { heightParam, int64Param, parseSlice } from '../parse.js';
import { found, sendJson, tellCut } from '../reply.js';

/** A generation holds dozens of transactions as a rule: this bounds answers about unusually full ones. */
const TRANSACTIONS_PER_ENTRY = 20;

export function blockRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  for (const [path, read] of [
    ['/middleware/generations/:from/:to', generations],
    ['/middleware/new/generations/:from/:to', rawGenerations],
  ] as const) {
    router.get(path, async (ctx) => {
      const from = Math.max(heightParam(ctx, 'from'), 0);
      const to = heightParam(ctx, 'to');
      const slice = parseSlice(ctx.query, config.limitCap);
      const { body, cut } = found(ctx, await read(db, from, to, slice, config.limitCap * TRANSACTIONS_PER_ENTRY));
      tellCut(ctx, cut !== null, logger);
      if (cut !== null) ctx.set('x-limit-capped-by', cut);
      sendJson(ctx, body);
    });
  }

  router.get('/middleware/height/at/:milliseconds', async (ctx) => {
    sendJson(ctx, found(ctx, await heightAt(db, int64Param(ctx, 'milliseconds'))).body);
  });
}
