import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { ParsedUrlQuery } from 'node:querystring';
import { nameHash } from '../../chain/ids.js';
import { MalformedError } from '../../chain/malformed.js';
import * as auctions from '../../store/queries/auctions.js';
import { parseWalk } from '../cursor.js';
import type { ApiDeps } from '../deps.js';
import { given, idParam, parseSlice, textParam } from '../parse.js';
import { found, nameTop, sendJson, sendList } from '../reply.js';
import { auctionLength } from '../schemas/parameters.js';

const INT64_MAX = 2n ** 63n - 1n;

export function auctionRoutes(router: Router, { db, config, logger }: ApiDeps): void {
  router.get('/middleware/names/auctions/active', async (ctx) => {
    const slice = parseSlice(ctx.query, config.limitCap);
    const of = { sort: sortOf(ctx.query), reverse: 'reverse' in ctx.query, length: lengthOf(ctx.query) };
    sendList(ctx, await auctions.runningAuctions(db, of, slice), slice, logger);
  });

  router.get('/middleware/names/auctions/active/count', async (ctx) => {
    sendJson(ctx, found(ctx, await auctions.runningAuctionCount(db, lengthOf(ctx.query))).body);
  });

  router.get('/middleware/names/auctions/:name/info', async (ctx) => {
    const slice = parseSlice({}, config.limitCap);
    sendList(ctx, await auctions.auctionInfo(db, hashParam(ctx), slice), slice, logger);
  });

  router.get('/middleware/names/auctions/bids/:name', async (ctx) => {
    const slice = parseSlice(ctx.query, config.limitCap);
    const answer = await auctions.auctionBids(db, hashParam(ctx), slice);
    if (answer.row !== null) return sendList(ctx, answer, slice, logger);
    nameTop(ctx, answer);
    sendJson(ctx, '[]');
  });

  router.get('/middleware/names/auctions/bids/account/:account', async (ctx) => {
    const slice = parseWalk(ctx.query, config.limitCap);
    sendList(ctx, await auctions.bidsOfAccount(db, idParam(ctx, 'account'), slice), slice, logger);
  });
}

/** The hash of a name in whatever letters; empty, which nothing has, for text that cannot be a name. */
function hashParam(ctx: Context): string {
  try {
    return nameHash(textParam(ctx, 'name'));
  } catch (error) {
    if (error instanceof MalformedError) return '';
    throw error;
  }
}

function sortOf({ sort }: ParsedUrlQuery): auctions.AuctionsOf['sort'] {
  const [first] = [sort].flat();
  return first === 'name' || first === 'max_bid' ? first : 'expiration';
}

/** Absent when it is no integer: explorers send `NaN`. */
function lengthOf(query: ParsedUrlQuery): bigint | null {
  const length = given(auctionLength, 'length', query) ?? null;
  if (length === null || length < 0n) return length === null ? null : -1n;
  return length > INT64_MAX ? INT64_MAX : length;
}
