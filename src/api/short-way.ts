import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../observe/logger.js';
import type { Endpoint } from './endpoint.js';
import { composed, ShortExchange } from './exchange.js';
import type { Layer } from './exchange.js';
import { isNormal } from './middleware/request-target.js';
import { acceptsJson } from './middleware/response-cache.js';
import { mark } from './router.js';

interface ShortWay {
  endpoints: readonly Endpoint[];
  /** Layers of all requests. */
  outer: readonly Layer[];
  /** Layers of an endpoint. */
  layers: (endpoint: Endpoint) => readonly Layer[];
  /** Whether an endpoint may answer a path: the others are forwarded. */
  isAnswered: (path: string) => boolean;
  forward: Layer;
  logger: Logger;
}

/** Endpoints by the segments of their paths. */
interface Branch {
  words: Map<string, Branch>;
  parameter?: Branch;
  route?: { handle: ReturnType<typeof composed>; names: readonly string[] };
}

/**
 * The way of nearly all requests that the database or the node answers: the same layers as in Koa, without what Koa itself and its
 * router cost. Every request that is unusual takes the other way: one whose target has another form, or that may want
 * another form than JSON.
 */
export function createShortWay(options: ShortWay): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { outer, layers, isAnswered, logger } = options;
  const handedOver = handedTo(options.forward);
  const forwarded = { handle: composed([...outer, handedOver]), names: [] };
  const root: Branch = { words: new Map() };
  for (const endpoint of options.endpoints) {
    if (endpoint.method !== 'get' || endpoint.cache !== 'until-change') continue;
    const branch = branchOf(root, endpoint.path);
    const all = [...outer, mark(endpoint), ...layers(endpoint), handedOver];
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    branch.route = { handle: composed(all), names };
  }

  return (req, res) => {
    const { method, url = '' } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !acceptsJson(req.headers) || !isNormal(url)) return false;
    const ctx = new ShortExchange(req, res, url);
    const values: string[] = [];
    const route = isAnswered(ctx.path) ? find(root, ctx.path.split('/'), 1, values) : forwarded;
    if (route === undefined) return false;
    for (const [i, name] of route.names.entries()) ctx.params[name] = values[i]!;
    const answered = async (): Promise<void> => {
      await route.handle(ctx);
      ctx.end();
    };
    answered().catch((error: unknown) => {
      logger.debug({ err: error }, 'Connection failed');
      res.destroy();
    });
    return true;
  };
}

/** What the database does not hold is requested from the node, which answers past the exchange. */
const handedTo =
  (forward: Layer): Layer =>
  (ctx, next) => {
    if (ctx instanceof ShortExchange) ctx.handOver();
    return forward(ctx, next);
  };

function branchOf(root: Branch, path: string): Branch {
  let branch = root;
  for (const segment of path.split('/').slice(1)) {
    let next = segment.startsWith('{') ? branch.parameter : branch.words.get(segment);
    if (next === undefined) {
      next = { words: new Map() };
      if (segment.startsWith('{')) branch.parameter = next;
      else branch.words.set(segment, next);
    }
    branch = next;
  }
  return branch;
}

/** The route of a path; of several that match, the one with words where others have parameters. */
function find(branch: Branch, segments: readonly string[], at: number, values: string[]): Branch['route'] {
  const segment = segments[at];
  if (segment === undefined) return branch.route;
  const word = branch.words.get(segment);
  const route = word && find(word, segments, at + 1, values);
  if (route !== undefined || branch.parameter === undefined) return route;
  values.push(segment);
  const found = find(branch.parameter, segments, at + 1, values);
  if (found === undefined) values.pop();
  return found;
}
