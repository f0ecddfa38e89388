import Koa from 'koa';
import type { Middleware } from 'koa';
import { setTimeout } from 'node:timers/promises';
import { statusFacts } from '../store/queries/status.js';
import { createAdmission } from './admission.js';
import { answerBase, createAnswer } from './answer.js';
import type { ApiDeps, BaseDeps } from './deps.js';
import { closeWhenDraining, createMeter, crossOrigin, measure, mustNameHost, requestId } from './edge.js';
import type { Endpoint } from './endpoint.js';
import { endpoints, OWN_PATHS } from './endpoints.js';
import { pieceRoutes } from './endpoints/documents.js';
import { liveness, readiness } from './endpoints/health.js';
import { errorExit } from './error-exit.js';
import { finish } from './finish.js';
import { intAsString } from './int-as-string.js';
import { limitRate } from './rate-limit.js';
import type { ResponseCache } from './response-cache.js';
import { createRouter, mayBeAnswered, ownPathsOnly } from './router.js';
import { normalizeTarget } from './target.js';

/** What clients see: own answers, the node's answers from the database, and `forward` for everything else. */
export function createApp(deps: ApiDeps, forward: Middleware, cache: ResponseCache): Koa {
  const answer = createAnswer(deps, createAdmission(deps.config.databasePoolSize));
  const layers = (endpoint: Endpoint): Middleware[] => [
    finish(endpoint.cache),
    ...(endpoint.cache === 'until-change' ? [cache.middleware] : []),
    // Not for the node's own answers, where nodes take no notice of it.
    ...(endpoint.path.startsWith('/middleware/') ? [intAsString] : []),
    answer(endpoint),
  ];
  const router = createRouter(endpoints, layers);
  pieceRoutes(router, finish('short'));
  const isAnswered = mayBeAnswered(endpoints);

  const app = createBase(deps);
  if (deps.config.rateLimitPerSecond > 0) app.use(limitRate(deps.config.rateLimitPerSecond, deps.now));
  app.use((ctx, next) => (isAnswered(ctx.path) ? next() : (forward(ctx, next) as Promise<void>)));
  app.use(router.routes());
  app.use(ownPathsOnly(OWN_PATHS));
  app.use(forward);
  return app;
}

/** What Prometheus and the kubelet see, on an address of its own. */
export function createMetricsApp(deps: BaseDeps & { poolState: () => Record<string, number>; serves: boolean }): Koa {
  const answer = answerBase(deps);
  const router = createRouter([liveness, readiness], (endpoint) => [answer(endpoint)]);
  router.get('/metrics', async (ctx) => {
    ctx.state.route = '/metrics';
    for (const [state, connections] of Object.entries(deps.poolState())) {
      deps.metrics.poolConnections.set({ state }, connections);
    }
    if (deps.serves) await readHead(deps);
    ctx.set('Content-Type', deps.metrics.registry.contentType);
    ctx.body = await deps.metrics.registry.metrics();
  });
  const app = createBase(deps);
  app.use(router.routes());
  app.use(ownPathsOnly(['/']));
  return app;
}

/** Time that the database has to name its head for a scrape, ms. */
const HEAD_MS = 1_000;

/** Sets the gauges of the database's head; while it cannot be read there are none. */
async function readHead({ db, metrics: { databaseHeight, lagSeconds } }: BaseDeps): Promise<void> {
  const end = new AbortController();
  const late = setTimeout(HEAD_MS, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
  const answer = await Promise.race([statusFacts(db).catch(() => undefined), late]);
  end.abort();
  if (answer?.top == null) databaseHeight.remove();
  else databaseHeight.set(answer.top.height);
  if (answer?.row?.age == null) lagSeconds.remove();
  else lagSeconds.set(Number(answer.row.age) / 1000);
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
