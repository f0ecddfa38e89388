import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { isId } from '../../chain/encoding.js';
import type { IdPrefix } from '../../chain/encoding.js';
import { MAX_HEIGHT } from '../../chain/position.js';
import type { Answer } from '../../store/queries/answer.js';
import type { NodeRow } from '../../store/queries/node-cache.js';
import * as cache from '../../store/queries/node-cache.js';
import type { ApiDeps } from '../deps.js';
import { nameTop, sendJson, tellDepth } from '../reply.js';

/**
 * The node's paths that are answered from the database. What is malformed or not stored goes on to the node, which knows
 * best. What cannot be read just now does not: it may well be stored and told already, and the node that is asked may be
 * behind, so its answer could take back what clients know.
 */
export function nodeCacheRoutes(router: Router, { db, config, metrics }: ApiDeps): void {
  const byHash = (prefix: IdPrefix, read: (hash: string) => Promise<Answer<NodeRow>>) => (ctx: Context) => {
    const { hash = '' } = ctx.params as Record<string, string | undefined>;
    return isId(hash, prefix) ? read(hash) : undefined;
  };
  const byHeight = (read: (height: number) => Promise<Answer<NodeRow>>) => (ctx: Context) => {
    const { height = '' } = ctx.params as Record<string, string | undefined>;
    return /^(0|[1-9]\d{0,9})$/.test(height) && Number(height) <= MAX_HEIGHT ? read(Number(height)) : undefined;
  };
  const paths: [path: string, read: (ctx: Context) => Promise<Answer<NodeRow>> | undefined][] = [
    ['/v2/generations/current', () => cache.currentGeneration(db)],
    ['/v2/generations/height/:height', byHeight((height) => cache.generationAt(db, height))],
    ['/v2/key-blocks/current/height', () => cache.currentHeight(db)],
    ['/v2/key-blocks/hash/:hash', byHash('kh', (hash) => cache.keyBlock(db, hash))],
    ['/v2/key-blocks/height/:height', byHeight((height) => cache.keyBlockAt(db, height))],
    ['/v2/micro-blocks/hash/:hash/header', byHash('mh', (hash) => cache.microBlockHeader(db, hash))],
    ['/v2/micro-blocks/hash/:hash/transactions', byHash('mh', (hash) => cache.microBlockTransactions(db, hash))],
    [
      '/v2/micro-blocks/hash/:hash/transactions/count',
      byHash('mh', (hash) => cache.microBlockTransactionCount(db, hash)),
    ],
    ['/v2/transactions/:hash', byHash('th', (hash) => cache.transaction(db, hash))],
  ];
  for (const [path, read] of paths) {
    router.get(path, async (ctx, next) => {
      const answer = await read(ctx);
      metrics.cacheHits.inc({ result: answer?.row == null ? 'miss' : 'hit' });
      if (answer?.row == null) {
        await next();
        return;
      }
      nameTop(ctx, answer);
      tellDepth(ctx, Number(answer.row.height), answer, config.cacheDepth);
      sendJson(ctx, answer.row.body);
    });
  }
}
