import Koa from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { healthFacts } from '../store/queries/status.js';
import { showPool } from '../observe/metrics.js';
import { inTime } from '../runtime/deadline.js';
import { createAdmission } from './middleware/admission.js';
import { answerBase, createAnswer } from './answer.js';
import type { ApiDeps, BaseDeps } from './deps.js';
import type { Layer } from './exchange.js';
import {
  closeWhenDraining,
  createMeter,
  crossOrigin,
  measure,
  mustNameHost,
  preflight,
  requestId,
} from './middleware/every-request.js';
import type { Endpoint } from './endpoint.js';
import { endpoints, OWN_PATHS } from './endpoints.js';
import { pieceRoutes } from './endpoints/documents.js';
import { EXPLORER_PATHS, explorerRoutes } from './endpoints/explorer.js';
import { GUIDE_PATHS, guideRoutes } from './endpoints/guide.js';
import { liveness, readiness } from './endpoints/health.js';
import { errorExit } from './middleware/error-answer.js';
import { finish } from './middleware/etag-and-compression.js';
import { intAsString } from './middleware/int-as-string.js';
import { limitRate } from './middleware/rate-limit.js';
import { createBuckets } from './middleware/request-buckets.js';
import type { ResponseCache } from './middleware/response-cache.js';
import { createRouter, mayBeAnswered, ownPathsOnly } from './router.js';
import { createShortWay } from './short-way.js';
import { normalizeTarget } from './middleware/request-target.js';

interface App {
  koa: Koa;
  /** Answers a request past Koa; false if it did not. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
}

/** What clients see: own answers, the node's answers from the database, and `forward` for everything else. */
export function createApp(deps: ApiDeps, forward: Layer, cache: ResponseCache): App {
  const answer = createAnswer(deps, createAdmission(deps.config.databasePoolSize));
  const layers = (endpoint: Endpoint): Layer[] => [
    finish(endpoint.cache),
    ...(endpoint.cache === 'until-change' ? [cache.middleware] : []),
    // Not for the node's own answers: nodes ignore it.
    ...(endpoint.path.startsWith('/middleware/') ? [intAsString] : []),
    answer(endpoint),
  ];
  const router = createRouter(endpoints, layers);
  pieceRoutes(router, finish('short'));
  const hasExplorer = deps.config.explorer === 'on';
  if (hasExplorer) {
    explorerRoutes(router, finish('short'));
    guideRoutes(router, finish('short'));
  }
  const ownPaths = hasExplorer ? [...OWN_PATHS, ...EXPLORER_PATHS, ...GUIDE_PATHS] : OWN_PATHS;
  const isAnswered = mayBeAnswered(endpoints, ownPaths);

  const { rateLimitPerSecond } = deps.config;
  const take = deps.takeRequest ?? createBuckets(rateLimitPerSecond, deps.now);
  const outer = [...everyRequest(deps), ...(rateLimitPerSecond > 0 ? [limitRate(rateLimitPerSecond, take)] : [])];
  const koa = createBase(deps, outer);
  koa.use((ctx, next) => (isAnswered(ctx.path) ? next() : forward(ctx, next)));
  koa.use(router.routes());
  koa.use(ownPathsOnly(ownPaths));
  koa.use(forward);
  return { koa, answer: createShortWay({ endpoints, outer, layers, isAnswered, forward, logger: deps.logger }) };
}

/** The routes for Prometheus and the kubelet, on their own address. */
export function createMetricsApp(
  deps: BaseDeps & {
    poolState: () => Record<string, number>;
    serves: boolean;
    /** The metrics of several processes as one text; undefined where this one is alone. */
    collect: () => Promise<string> | undefined;
  },
): Koa {
  const answer = answerBase(deps);
  const router = createRouter([liveness, readiness], (endpoint) => [answer(endpoint)]);
  router.get('/metrics', async (ctx) => {
    ctx.state.route = '/metrics';
    showPool(deps.metrics, deps.poolState());
    if (deps.serves) await readHead(deps);
    ctx.set('Content-Type', deps.metrics.registry.contentType);
    ctx.body = await (deps.collect() ?? deps.metrics.registry.metrics());
  });
  // For operators: no web page may read it from their browsers.
  const layers = everyRequest(deps).filter((layer) => layer !== crossOrigin);
  const app = createBase(deps, layers);
  app.use(router.routes());
  app.use(ownPathsOnly(['']));
  return app;
}

/** Max time to read the head from the database for a scrape, ms. */
const HEAD_MS = 1_000;

/** Sets the gauges of the database's head, or removes them while the head cannot be read. */
async function readHead({ db, metrics: { databaseHeight, lagSeconds } }: BaseDeps): Promise<void> {
  const answer = await inTime(
    HEAD_MS,
    healthFacts(db).catch(() => undefined),
  );
  if (answer?.head == null) databaseHeight.remove();
  else databaseHeight.set(answer.head.height);
  if (answer?.row?.age == null) lagSeconds.remove();
  else lagSeconds.set(Number(answer.row.age) / 1000);
}

/** The layers of all requests, from the outermost on. */
const everyRequest = (deps: BaseDeps): Layer[] => [
  requestId,
  measure(createMeter(deps.metrics)),
  crossOrigin,
  closeWhenDraining(deps.draining),
  errorExit(deps.logger),
  mustNameHost,
  normalizeTarget,
];

function createBase(deps: BaseDeps, layers: readonly Layer[]): Koa {
  const app = new Koa();
  // Reached only by faults of the connection itself: the error middleware answers everything else.
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'Connection failed'));
  for (const layer of layers) {
    if (layer === crossOrigin) app.use(preflight);
    app.use(layer);
  }
  return app;
}
