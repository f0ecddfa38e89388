import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Layer } from './exchange.js';
import { isCompatPath } from './compat-prefix.js';
import type { Route } from './endpoint.js';
import { refuse } from './reply.js';

/** The layers of an endpoint, the outermost first; the last one runs its handler. */
type Layers<Deps> = (endpoint: Route<Deps>) => Layer[];

/** Routes requests to the endpoints. If several paths match, a fixed segment wins over a parameter. */
export function createRouter<Deps>(endpoints: readonly Route<Deps>[], layers: Layers<Deps>): Router {
  const router = new Router({ sensitive: true, strict: true });
  for (const endpoint of [...endpoints].sort(bySpecificity)) {
    router[endpoint.method](patternOf(endpoint), setEndpoint(endpoint), ...layers(endpoint));
  }
  return router;
}

const patternOf = ({ path }: { path: string }): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Stores in the exchange to which endpoint it was routed. */
export function setEndpoint<Deps>(endpoint: Route<Deps>): Layer {
  const route = patternOf(endpoint);
  return (ctx, next) => {
    ctx.state.endpoint = endpoint;
    ctx.state.route = route;
    return next();
  };
}

/** Sorts a fixed segment before a parameter: the router takes the first path that matches. */
const bySpecificity = (a: { path: string }, b: { path: string }): number => {
  const [one, other] = [a, b].map(({ path }) => path.replaceAll(/\{\w+\}/g, '\uffff'));
  return one! < other! ? -1 : one! > other! ? 1 : 0;
};

/** Answers requests below `paths` that no endpoint answered: 405 if the path has another method, otherwise 404. */
export function ownPathsOnly(paths: readonly string[]): Middleware {
  return (ctx, next) => {
    if (!paths.some((path) => ctx.path === path || ctx.path.startsWith(`${path}/`))) return next();
    ctx.state.route ??= 'unknown';
    const matched = (ctx.matched ?? []) as { methods: string[] }[];
    const methods = new Set(matched.flatMap((layer) => layer.methods));
    if (methods.size === 0) return refuse(ctx, 404, isCompatPath(ctx.path) ? 'no such route' : 'Not found');
    ctx.set('Allow', [...methods, 'OPTIONS'].sort().join(', '));
    if (ctx.method !== 'OPTIONS') return refuse(ctx, 405, 'Method not allowed');
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
    return undefined;
  };
}

/** Whether the service may answer a path itself: a cheap check before the routes are searched. */
export function mayBeAnswered(endpoints: readonly Route[], ownPaths: readonly string[]): (path: string) => boolean {
  const first = (path: string, segments: number): string => path.split('/', segments + 1).join('/');
  const own = new Set(ownPaths);
  const shared = new Set(endpoints.filter(({ forwarded }) => forwarded === true).map(({ path }) => first(path, 2)));
  return (path) => own.has(first(path, 1)) || shared.has(first(path, 2));
}
