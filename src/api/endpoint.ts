import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ApiDeps } from './deps.js';
import type { SendTable } from './export/stream.js';
import { parsePath } from './parse.js';
import type { Ignored } from './parse.js';

/** What a request may cost the database, or that it asks the compiler. It decides how many requests of the kind run at a time. */
export type Cost = 'none' | 'light' | 'heavy' | 'compile';

/**
 * How long an answer may be reused. `until-change`: the server caches it until the copy changes. `short`: the server makes
 * it for each request, and clients may reuse it for some seconds. `never`: it is right only at this moment.
 */
export type CacheRule = 'until-change' | 'short' | 'never';

/** How the answers of an endpoint are tested; `docs/http.md` lists it. */
interface Evidence {
  /** What the test compares the answers with. */
  source: string;
  /** The suite under `test/` that compares them. */
  test: string;
  /** Name of the statement in `plans.test.ts` or `plans-objects.test.ts`, where its plan is checked; null: no statement. */
  plan: string | null;
}

/** Query parameters that are read into one value. */
export interface QueryPart<Value> {
  /** Schemas by the name in the URL, in the order of the documents. */
  parameters: Record<string, z.ZodType>;
  /** `cap` is the max number of rows of one answer. Throws a bad request that names the parameter. */
  read(query: ParsedUrlQuery, cap: number): Value;
  /** Its parameters of a request that have no effect, because of their value or because another one is missing. */
  ignored?(query: ParsedUrlQuery): Ignored[];
}

type Params = Record<string, z.ZodType>;
type Query = Record<string, QueryPart<unknown>>;

/** A request whose parameters are read by the schemas that document them. */
export interface Request<P extends Params, Q extends Query> {
  ctx: Exchange;
  params: { [Name in keyof P]: z.output<P[Name]> };
  query: { [Name in keyof Q]: Q[Name] extends QueryPart<infer Value> ? Value : never };
}

/** One endpoint. Router, admission, response cache and all documents are derived from it. */
export interface EndpointDefinition<P extends Params, Q extends Query, Deps> {
  method: 'get' | 'post';
  /** With parameters in braces: `/middleware/names/{name}`. */
  path: string;
  operationId: string;
  tag: 'transactions' | 'blocks' | 'names' | 'contracts' | 'tokens' | 'oracles' | 'channels' | 'service' | 'node';
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
  /** Statuses besides those that all endpoints have, and those that follow from the parameters. */
  refusals?: readonly (404 | 405 | 410 | 413 | 415 | 422)[];
  /** Schema of the answer of status 503, if it is not the usual error. */
  unavailable?: z.ZodType;
  /** The answer does not come from the database: it does not name the head, and does not fail with the database. */
  fixed?: boolean;
  /** If the object is not stored, the request is forwarded to the node, and errors of the node are passed on. */
  forwarded?: boolean;
  /** Whether it is in the Swagger 2.0 description, from which wallets build their clients. */
  wallets?: boolean;
  cost: Cost | ((request: Request<P, Q>) => Cost);
  cache: CacheRule;
  evidence: Evidence;
  /** The highest height that the request asks for. */
  upTo?(request: Request<P, Q>): number;
  /** Answers through `ctx`; returns false if the request must be forwarded to the node. */
  handle(request: Request<P, Q>, deps: Deps): Promise<void | false> | void;
  /** The same list as CSV or NDJSON, when `Accept` asks for it. */
  tables?(request: Request<P, Q>, deps: Deps): Promise<SendTable> | SendTable;
}

/** What the router, admission and the response cache need of an endpoint. */
export interface Route<Deps = ApiDeps> extends Pick<
  EndpointDefinition<Params, Query, Deps>,
  'method' | 'path' | 'body' | 'fixed' | 'forwarded' | 'cache'
> {
  /** The query parameters of a request that have no effect. */
  ignored(query: ParsedUrlQuery): Ignored[];
  /** Query parameters that the link to the next page copies from the request. */
  linkedParameters: readonly string[];
  /** Reads and checks the parameters. Throws a bad request that names the first malformed one. */
  open(ctx: Exchange, cap: number): OpenRequest<Deps>;
  /** Whether the list is also sent as CSV or NDJSON. */
  tables: boolean;
}

/** An endpoint whose parameters are no longer part of its type. */
export interface Endpoint<Deps = ApiDeps>
  extends
    Route<Deps>,
    Omit<
      EndpointDefinition<Params, Query, Deps>,
      'params' | 'query' | 'cost' | 'upTo' | 'handle' | 'tables' | keyof Route<Deps>
    > {
  params: Params;
  /** Query parameters by their names in the URL. */
  query: Params;
}

/** One request to an endpoint, after its parameters were read. */
interface OpenRequest<Deps> {
  cost: Cost;
  upTo: number | undefined;
  handle(deps: Deps): Promise<void | false> | void;
  tables?: ((deps: Deps) => Promise<SendTable> | SendTable) | undefined;
}

/** Parameters that say where a page begins. The link to the next page sets its own. */
const START_PARAMETERS = ['page', 'cursor', 'after'];

/** Parameter for clients whose numbers are doubles: integers of the answer become text. */
export const INT_AS_STRING = 'int-as-string';

/** Whether the endpoint has the parameter `int-as-string`. Not the node's paths: nodes ignore it. */
export const hasIntAsString = ({ path }: { path: string }): boolean => path.startsWith('/middleware/');

/** Names that may be repeated in headers and messages. */
const PLAIN_NAME = /^[\w.-]{1,32}$/;
/** Stands for a name that is not plain. */
export const OTHER_NAME = '*';

/** The names in a query that are no parameters of the endpoint. */
function unknownNames(path: string, parameters: Params): (query: ParsedUrlQuery) => Ignored[] {
  const known = new Set([...Object.keys(parameters), ...(hasIntAsString({ path }) ? [INT_AS_STRING] : [])]);
  const fault = `is not a parameter of this path: it has ${[...known].join(', ') || 'none'}`;
  return (query) =>
    Object.keys(query)
      .filter((name) => !known.has(name))
      .map((name) => ({ name: PLAIN_NAME.test(name) ? name : OTHER_NAME, fault }));
}

/** Makes an endpoint from its definition. The schemas of the parameters give the handler its types. */
export function endpoint<P extends Params, Q extends Query, Deps = ApiDeps>(
  definition: EndpointDefinition<P, Q, Deps>,
): Endpoint<Deps> {
  const { params = {} as P, query = {} as Q, cost, upTo, handle, tables, ...rest } = definition;
  const parameters = Object.assign({}, ...Object.values(query).map((part) => part.parameters)) as Params;
  const unknown = unknownNames(rest.path, parameters);
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
    ignored: (given) => [...unknown(given), ...Object.values(query).flatMap((part) => part.ignored?.(given) ?? [])],
    linkedParameters: Object.keys(parameters).filter((name) => !START_PARAMETERS.includes(name)),
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

/** The endpoint that answers the request. */
export const endpointOf = (ctx: Exchange): Route => ctx.state.endpoint as Route;
