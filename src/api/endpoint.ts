import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ApiDeps } from './deps.js';
import type { SendTable } from './export/stream.js';
import { parsePath } from './parse.js';

/** What a request may cost the database; decides how many of its kind run at a time. */
export type Cost = 'none' | 'light' | 'heavy';

/**
 * How long an answer may be reused. `until-change`: cached until the copy changes. `short`: made for each request, and
 * reused by clients for some seconds. `never`: about this moment.
 */
export type CacheRule = 'until-change' | 'short' | 'never';

/** How the answers of an endpoint are tested; `docs/http.md` lists it. */
interface Evidence {
  /** What its answers are compared with. */
  source: string;
  /** The suite under `test/` that compares them. */
  test: string;
  /** Statement whose plan a test checks, as `plans.test.ts` or `plans-objects.test.ts` name it; null: there is none. */
  plan: string | null;
}

/** Parameters of the query that together make one value. */
export interface QueryPart<Value> {
  /** By their names in the URL, in the order of the documents. */
  parameters: Record<string, z.ZodType>;
  /** `cap` is the max number of rows of one answer. Throws a bad request that names the parameter. */
  read(query: ParsedUrlQuery, cap: number): Value;
}

type Params = Record<string, z.ZodType>;
type Query = Record<string, QueryPart<unknown>>;

/** A request whose parameters are read by the schemas that document them. */
export interface Request<P extends Params, Q extends Query> {
  ctx: Exchange;
  params: { [Name in keyof P]: z.output<P[Name]> };
  query: { [Name in keyof Q]: Q[Name] extends QueryPart<infer Value> ? Value : never };
}

/** Everything that is known of one endpoint. Router, admission, response cache and all documents follow from it. */
export interface EndpointDefinition<P extends Params, Q extends Query, Deps> {
  method: 'get' | 'post';
  /** With `{parameter}` in braces. */
  path: string;
  operationId: string;
  tag: 'transactions' | 'blocks' | 'names' | 'contracts' | 'oracles' | 'channels' | 'service' | 'node';
  summary: string;
  description: string;
  /** Parameters of the path, in its order. */
  params?: P;
  query?: Q;
  body?: z.ZodType;
  /** The answer of status 200. */
  answer: z.ZodType;
  /** Media type of the answer, if it is not JSON. */
  mediaType?: string;
  /** A list, though it has no `limit`. */
  list?: boolean;
  /** Statuses besides those that every endpoint may have, or that follow from its parameters. */
  refusals?: readonly (404 | 405 | 410 | 413 | 415 | 422)[];
  /** Has this schema instead of the error's when status 503 is answered. */
  unavailable?: z.ZodType;
  /** Made without the database: neither names the head nor fails with it. */
  fixed?: boolean;
  /** What is not stored is requested from the node; its errors are passed on. */
  forwarded?: boolean;
  /** Part of the Swagger 2.0 description, from which wallets build their clients. */
  wallets?: boolean;
  cost: Cost | ((request: Request<P, Q>) => Cost);
  cache: CacheRule;
  evidence: Evidence;
  /** The highest height that a request is about, where it is about certain heights. */
  upTo?(request: Request<P, Q>): number;
  /** Answers through `ctx`; false if it has no answer but the node may have one. */
  handle(request: Request<P, Q>, deps: Deps): Promise<void | false> | void;
  /** The same list as CSV or NDJSON, when `Accept` asks for it. */
  tables?(request: Request<P, Q>, deps: Deps): Promise<SendTable> | SendTable;
}

/** An endpoint with any parameters. */
export interface Endpoint<Deps = ApiDeps> extends Omit<
  EndpointDefinition<Params, Query, Deps>,
  'params' | 'query' | 'cost' | 'upTo' | 'handle' | 'tables'
> {
  params: Params;
  /** Parameters of the query by their names in the URL. */
  query: Params;
  /** Parameters that the link to the next page takes over from a request. */
  linked: readonly string[];
  /** Reads and checks the parameters. Throws a bad request that names the first that is malformed. */
  open(ctx: Exchange, cap: number): OpenRequest<Deps>;
  /** Whether there are tables. */
  tables: boolean;
}

/** One request to an endpoint, its parameters read. */
interface OpenRequest<Deps> {
  cost: Cost;
  upTo: number | undefined;
  handle(deps: Deps): Promise<void | false> | void;
  tables?: ((deps: Deps) => Promise<SendTable> | SendTable) | undefined;
}

/** Parameters that say where a list begins; the link to the next page sets its own. */
const BEGINNINGS = ['page', 'cursor', 'after'];

/** Makes an endpoint of its definition; its handler is typed by the schemas of its parameters. */
export function endpoint<P extends Params, Q extends Query, Deps = ApiDeps>(
  definition: EndpointDefinition<P, Q, Deps>,
): Endpoint<Deps> {
  const { params = {} as P, query = {} as Q, cost, upTo, handle, tables, ...rest } = definition;
  const parameters = Object.assign({}, ...Object.values(query).map((part) => part.parameters)) as Params;
  const read = (ctx: Exchange, cap: number): Request<P, Q> => ({
    ctx,
    params: parsePath(ctx, params),
    query: Object.fromEntries(
      Object.entries(query).map(([name, part]) => [name, part.read(ctx.query, cap)]),
    ) as Request<P, Q>['query'],
  });
  return {
    ...rest,
    params,
    query: parameters,
    linked: Object.keys(parameters).filter((name) => !BEGINNINGS.includes(name)),
    tables: tables !== undefined,
    open(ctx, cap) {
      const request = read(ctx, cap);
      return {
        cost: typeof cost === 'function' ? cost(request) : cost,
        upTo: upTo?.(request),
        handle: (deps) => handle(request, deps),
        tables: tables && ((deps) => tables(request, deps)),
      };
    },
  };
}

/** The endpoint to which a request was routed. */
export const endpointOf = (ctx: Exchange): Endpoint => ctx.state.endpoint as Endpoint;
