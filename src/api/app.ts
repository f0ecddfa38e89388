import { Router } from '@koa/router';
import Koa from 'koa';
import type { Middleware } from 'koa';
import type { ApiDeps, BaseDeps } from './deps.js';
import { closeWhenDraining, createMeter, crossOrigin, measure, mustNameHost, requestId } from './edge.js';
import { errorExit } from './error-exit.js';
import { exportRoutes } from './export/routes.js';
import { finish } from './finish.js';
import { healthRoutes } from './health.js';
import type { HotAnswers } from './hot-answers.js';
import { intAsString } from './int-as-string.js';
import { createLoad } from './load.js';
import { limitRate } from './rate-limit.js';
import { refuse } from './reply.js';
import { auctionRoutes } from './routes/auctions.js';
import { blockRoutes } from './routes/blocks.js';
import { channelRoutes } from './routes/channels.js';
import { contractRoutes } from './routes/contracts.js';
import { documentRoutes } from './routes/documents.js';
import { eventRoutes } from './routes/events.js';
import { nameRoutes } from './routes/names.js';
import { nodeCacheRoutes } from './routes/node-cache.js';
import { oracleRoutes } from './routes/oracles.js';
import { rateRoutes } from './routes/rates.js';
import { rewardRoutes } from './routes/rewards.js';
import { statusRoutes } from './routes/status.js';
import { sumRoutes } from './routes/sums.js';
import { transactionRoutes } from './routes/transactions.js';
import { verifyRoutes } from './routes/verify.js';
import { normalizeTarget, OWN_PATHS } from './target.js';

/** Beginnings of all routes: what goes to the node anyway need not pass the layers of own answers. */
const HAS_ROUTES =
  /^\/(?:middleware|healthz|readyz|openapi\.json|docs|v2\/(?:generations|(?:key|micro)-blocks|transactions))\b/;

/** What clients see: own answers, the node's answers from the database, and `forward` for everything else. */
export function createApp(deps: ApiDeps, forward: Middleware, hot: HotAnswers): Koa {
  const load = createLoad(deps.config.databasePoolSize);
  const router = new Router({ sensitive: true, strict: true });
  healthRoutes(router, deps);
  statusRoutes(router, deps);
  exportRoutes(router, { ...deps, db: load.heavy(deps.db) });
  transactionRoutes(router, deps);
  blockRoutes(router, deps);
  rewardRoutes(router, deps);
  sumRoutes(router, deps);
  rateRoutes(router, deps);
  nameRoutes(router, deps);
  auctionRoutes(router, deps);
  oracleRoutes(router, deps);
  channelRoutes(router, deps);
  contractRoutes(router, deps);
  verifyRoutes(router, deps);
  eventRoutes(router, deps);
  documentRoutes(router);
  nodeCacheRoutes(router, { ...deps, db: load.light(deps.db) });

  const app = createBase(deps);
  if (deps.config.rateLimitPerSecond > 0) app.use(limitRate(deps.config.rateLimitPerSecond, deps.now));
  app.use((ctx, next) => (HAS_ROUTES.test(ctx.path) ? next() : (forward(ctx, next) as Promise<void>)));
  app.use(finish).use(hot.middleware).use(intAsString).use(load.middleware);
  app.use(router.routes());
  app.use(ownPathsOnly(...OWN_PATHS));
  app.use(forward);
  return app;
}

/** What Prometheus and the kubelet see, on an address of its own. */
export function createMetricsApp(deps: BaseDeps & { poolState: () => Record<string, number> }): Koa {
  const router = new Router({ sensitive: true, strict: true });
  healthRoutes(router, deps);
  router.get('/metrics', async (ctx) => {
    for (const [state, connections] of Object.entries(deps.poolState())) {
      deps.metrics.poolConnections.set({ state }, connections);
    }
    ctx.set('Content-Type', deps.metrics.registry.contentType);
    ctx.body = await deps.metrics.registry.metrics();
  });
  const app = createBase(deps);
  app.use(router.routes());
  app.use(ownPathsOnly('/'));
  return app;
}

function createBase(deps: BaseDeps): Koa {
  const app = new Koa();
  // Reached only by faults of the connection itself: everything else ends in the error exit.
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'Connection failed'));
  return app
    .use(requestId)
    .use(measure(createMeter(deps.metrics)))
    .use(crossOrigin)
    .use(closeWhenDraining(deps.draining))
    .use(errorExit(deps.logger))
    .use(mustNameHost)
    .use(normalizeTarget);
}

/** Ends what is left under the service's own paths: 405 when another method would do, else 404. */
function ownPathsOnly(...prefixes: string[]): Middleware {
  return (ctx, next) => {
    if (!prefixes.some((prefix) => ctx.path === prefix || ctx.path.startsWith(prefix === '/' ? '/' : `${prefix}/`))) {
      return next();
    }
    ctx.state.route = 'unknown';
    const matched = (ctx.matched ?? []) as { methods: string[] }[];
    const methods = new Set(matched.flatMap((layer) => layer.methods));
    if (methods.size === 0) return refuse(ctx, 404, 'Not found');
    ctx.set('Allow', [...methods, 'OPTIONS'].sort().join(', '));
    if (ctx.method === 'OPTIONS') ctx.status = 204;
    else refuse(ctx, 405, 'Method not allowed');
  };
}
