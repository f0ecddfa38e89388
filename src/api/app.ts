import Koa from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { showPool } from '../observe/metrics.js';
import { createRequestCounter } from '../runtime/request-counter.js';
import { createAdmission } from './middleware/admission.js';
import { answerBase, createAnswer } from './answer.js';
import type { ApiDeps, BaseDeps } from './deps.js';
import type { Layer } from './exchange.js';
import { headGauges } from './head-gauges.js';
import {
  closeWhenDraining,
  createMeter,
  crossOrigin,
  measure,
  noSniff,
  requireChunked,
  requireHost,
  preflight,
  requestId,
} from './middleware/every-request.js';
import { hasIntAsString } from './endpoint.js';
import type { Route } from './endpoint.js';
import { compatEndpoints } from './compat/endpoints.js';
import { endpoints, OWN_PATHS } from './endpoints.js';
import { documentationRoutes } from './endpoints/documents.js';
import { EXPLORER_PATHS, explorerRoutes } from './endpoints/explorer.js';
import { GUIDE_PATHS, guideRoutes } from './endpoints/guide.js';
import { liveness, readiness } from './endpoints/health.js';
import { errorExit } from './middleware/error-answer.js';
import { errorPages } from './middleware/error-pages.js';
import { etagAndCompression } from './middleware/etag-and-compression.js';
import { ignoredParameters } from './middleware/ignored-parameters.js';
import { intAsString } from './middleware/int-as-string.js';
import { limitRate } from './middleware/rate-limit.js';
import type { ResponseCache } from './middleware/response-cache.js';
import { createRouter, mayBeAnswered, ownPathsOnly } from './router.js';
import { createFastPath } from './fast-path.js';
import { normalizeTarget } from './middleware/request-target.js';

interface App {
  koa: Koa;
  /** Answers a request without Koa; false if the request must go through Koa. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
}

/** The HTTP API: the service's own endpoints, the node's endpoints answered from the database, and `forward` for the rest. */
export function createApp(deps: ApiDeps, forward: Layer, cache: ResponseCache): App {
  const answer = createAnswer(deps, createAdmission(deps.config.databasePoolSize));
  const { rateLimitPerSecond, strictParameters } = deps.config;
  const layers = (endpoint: Route): Layer[] => [
    etagAndCompression(endpoint.cache),
    ...(endpoint.cache === 'until-change' ? [cache.middleware] : []),
    ...(hasIntAsString(endpoint) ? [intAsString] : []),
    // The node ignores what it does not know, and so does the copy in its place.
    ...(endpoint.forwarded === true ? [] : [ignoredParameters(endpoint, strictParameters)]),
    answer(endpoint),
  ];
  const routes: readonly Route[] = [...endpoints, ...compatEndpoints];
  const router = createRouter(routes, layers);
  documentationRoutes(router, etagAndCompression('short'));
  const hasExplorer = deps.config.explorer === 'on';
  if (hasExplorer) {
    explorerRoutes(router, etagAndCompression('short'));
    guideRoutes(router, etagAndCompression('short'));
  }
  const ownPaths = hasExplorer ? [...OWN_PATHS, ...EXPLORER_PATHS, ...GUIDE_PATHS] : OWN_PATHS;
  const isAnswered = mayBeAnswered(routes, ownPaths);

  const requests = deps.requests ?? createRequestCounter(rateLimitPerSecond, deps.now);
  const pages = hasExplorer ? [errorPages] : [];
  const outer = [...pages, ...everyRequest(deps), ...(rateLimitPerSecond > 0 ? [limitRate(requests)] : [])];
  const koa = createBase(deps, outer);
  koa.use((ctx, next) => (isAnswered(ctx.path) ? next() : forward(ctx, next)));
  koa.use(router.routes());
  koa.use(ownPathsOnly(ownPaths));
  koa.use(forward);
  return {
    koa,
    answer: createFastPath({ endpoints: routes, outer, layers, isAnswered, forward, logger: deps.logger }),
  };
}

/** The app of the metrics address: metrics for Prometheus, probes for the kubelet. */
export function createMetricsApp(
  deps: BaseDeps & {
    /** Connections of the pool by state. */
    poolState: () => Record<string, number>;
    /** Milliseconds of a monotonic clock. */
    now: () => number;
    serves: boolean;
    /** The metrics of all processes as one text; undefined if this is the only process. */
    collect: () => Promise<string> | undefined;
  },
): Koa {
  const answer = answerBase(deps);
  const showHead = headGauges({ ...deps, isExhausted: () => deps.poolState()['waiting'] !== 0 });
  const router = createRouter([liveness, readiness], (endpoint) => [
    ignoredParameters(endpoint, deps.config.strictParameters),
    answer(endpoint),
  ]);
  router.get('/metrics', async (ctx) => {
    ctx.state.route = '/metrics';
    // Before the question about the head, which is one more that may wait for a connection.
    showPool(deps.metrics, deps.poolState());
    if (deps.serves) await showHead();
    ctx.set('Content-Type', deps.metrics.registry.contentType);
    ctx.body = await (deps.collect() ?? deps.metrics.registry.metrics());
  });
  // Without the CORS headers: no web page may read the metrics through the browser of an administrator.
  const layers = everyRequest(deps).filter((layer) => layer !== crossOrigin);
  const app = createBase(deps, layers);
  app.use(router.routes());
  app.use(ownPathsOnly(['']));
  return app;
}

/** The layers of all requests, the outermost first. */
const everyRequest = (deps: BaseDeps): Layer[] => [
  requestId,
  noSniff,
  measure(createMeter(deps.metrics)),
  crossOrigin,
  closeWhenDraining(deps.draining),
  errorExit(deps.logger),
  requireHost,
  requireChunked,
  normalizeTarget,
];

function createBase(deps: BaseDeps, layers: readonly Layer[]): Koa {
  const app = new Koa();
  // Koa emits this only for faults of the connection itself: `errorExit` answers all other errors.
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'Connection failed'));
  for (const layer of layers) {
    if (layer === crossOrigin) app.use(preflight);
    app.use(layer);
  }
  return app;
}
