import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../observe/logger.js';
import type { Route } from './endpoint.js';
import { compose, FastExchange } from './exchange.js';
import type { Layer } from './exchange.js';
import { isNormal } from './middleware/request-target.js';
import { acceptsJson } from './middleware/response-cache.js';
import { setEndpoint } from './router.js';

interface FastPathOptions {
  endpoints: readonly Route[];
  /** Layers of all requests. */
  outer: readonly Layer[];
  /** Layers of an endpoint. */
  layers: (endpoint: Route) => readonly Layer[];
  /** Whether the service may answer a path itself; other paths are forwarded. */
  isAnswered: (path: string) => boolean;
  forward: Layer;
  logger: Logger;
}

/** A tree of routes: each level is one segment of the path. */
interface RouteTree {
  segments: Map<string, RouteTree>;
  parameter?: RouteTree;
  /** The endpoint whose path ends here, with the names of its parameters; or that one must go through Koa. */
  route?: { handle: ReturnType<typeof compose>; names: readonly string[] } | 'through Koa';
}

/**
 * Answers nearly all requests for the database or the node without Koa: the same layers run, but Koa and its router cost
 * nothing. The returned function returns false for a request that must go through Koa: one that may want another format
 * than JSON, or whose target is not in its normal form.
 */
export function createFastPath(options: FastPathOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { outer, layers, isAnswered, logger } = options;
  const forward = withHeaders(options.forward);
  const forwarded = { handle: compose([...outer, forward]), names: [] };
  const root: RouteTree = { segments: new Map() };
  for (const endpoint of options.endpoints) {
    if (endpoint.method !== 'get') continue;
    // The others are documents, probes, streams, and what asks the compiler.
    const isFromDatabase = endpoint.cache === 'until-change' || (endpoint.cache === 'short' && endpoint.fixed !== true);
    if (!isFromDatabase) {
      nodeOf(root, endpoint.path).route = 'through Koa';
      continue;
    }
    const all = [...outer, setEndpoint(endpoint), ...layers(endpoint), forward];
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    nodeOf(root, endpoint.path).route = { handle: compose(all), names };
  }

  return (req, res) => {
    const { method, url = '' } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !acceptsJson(req.headers) || !isNormal(url)) return false;
    const ctx = new FastExchange(req, res, url);
    const values: string[] = [];
    const route = isAnswered(ctx.path) ? find(root, ctx.path.split('/'), 1, values) : forwarded;
    if (route === undefined || route === 'through Koa') return false;
    for (const [i, name] of route.names.entries()) ctx.params[name] = values[i]!;
    const answer = async (): Promise<void> => {
      await route.handle(ctx);
      ctx.end();
    };
    answer().catch((error: unknown) => {
      logger.debug({ err: error }, 'Connection failed');
      res.destroy();
    });
    return true;
  };
}

/** The answer of the node is written directly to `res`, so the headers of the exchange are set there first. */
const withHeaders =
  (forward: Layer): Layer =>
  (ctx, next) => {
    if (ctx instanceof FastExchange) ctx.applyHeaders();
    return forward(ctx, next);
  };

/** The node of the tree for a path; missing nodes are added. */
function nodeOf(root: RouteTree, path: string): RouteTree {
  let node = root;
  for (const segment of path.split('/').slice(1)) {
    let next = segment.startsWith('{') ? node.parameter : node.segments.get(segment);
    if (next === undefined) {
      next = { segments: new Map() };
      if (segment.startsWith('{')) node.parameter = next;
      else node.segments.set(segment, next);
    }
    node = next;
  }
  return node;
}

/**
 * Finds the route of a path and appends the values of its parameters to `values`. A fixed segment wins over a parameter.
 */
function find(node: RouteTree, segments: readonly string[], at: number, values: string[]): RouteTree['route'] {
  const segment = segments[at];
  if (segment === undefined) return node.route;
  const fixed = node.segments.get(segment);
  const route = fixed && find(fixed, segments, at + 1, values);
  if (route !== undefined || node.parameter === undefined) return route;
  values.push(segment);
  const found = find(node.parameter, segments, at + 1, values);
  if (found === undefined) values.pop();
  return found;
}
