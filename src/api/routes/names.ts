import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { MiddlewareError } from '../../observe/errors.js';
import { nameOfHash, names, namesPointingTo, searchNames } from '../../store/queries/names.js';
import { seen } from '../../store/queries/page.js';
import { isCut } from '../../store/queries/slice.js';
import { linkNext, parseRanked } from '../cursor.js';
import type { ApiDeps } from '../deps.js';
import { idParam, idQuery, textParam } from '../parse.js';
import { found, sendJson, sendList, tellCut } from '../reply.js';

/** Beginnings of longer paths: alone they are neither a path nor searched for. */
const RESERVED = ['reverse', 'hash', 'auctions'];

export function nameRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  // Before the longer words of the same place, for of several routes that match the last one gives the metrics' label.
  router.get('/middleware/names/:name', async (ctx, next) => {
    const text = textParam(ctx, 'name').toLowerCase();
    if (text === 'active') {
      await next();
      return;
    }
    if (RESERVED.includes(text)) throw new MiddlewareError('not_found', 'not_found', 'Not found');
    const slice = parseRanked(ctx.query, config.limitCap);
    const row = found(ctx, await searchNames(db, text, slice));
    linkNext(ctx, row.next);
    tellCut(ctx, row.exhausted || isCut(slice, seen(slice, row)), logger);
    sendJson(ctx, row.body);
  });

  const list = (active: boolean) => async (ctx: Context) => {
    const slice = parseRanked(ctx.query, config.limitCap);
    const of = { owner: idQuery(ctx.query, 'owner'), active, reverse: active && 'reverse' in ctx.query };
    sendList(ctx, await names(db, of, slice), slice, logger);
  };
  router.get('/middleware/names', list(false));
  router.get('/middleware/names/active', list(true));

  router.get('/middleware/names/reverse/:account', async (ctx) => {
    const slice = parseRanked(ctx.query, config.limitCap);
    sendList(ctx, await namesPointingTo(db, idParam(ctx, 'account'), slice), slice, logger);
  });

  router.get('/middleware/names/hash/:hash', async (ctx) => {
    sendJson(ctx, found(ctx, await nameOfHash(db, idParam(ctx, 'hash'))).body);
  });
}
