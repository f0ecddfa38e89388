/** One endpoint of the compatible API, and what is derived from it: a route for each version that has it. */
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import { integersAsStrings } from '../../chain/encoding/integers-as-strings.js';
import { stringifyExact } from '../../chain/encoding/json.js';
import type { Answer } from '../../store/queries/answer.js';
import type { ApiDeps } from '../deps.js';
import { INT_AS_STRING } from '../endpoint.js';
import type { CacheRule, Cost, Route } from '../endpoint.js';
import type { Exchange } from '../exchange.js';
import { requireHead, sendJson, setHeadHeaders } from '../reply.js';
import { invalid } from './errors.js';
import type { Parameters, Values } from './parameters.js';
import { COMPAT_PREFIX } from '../compat-prefix.js';

export type Version = 'v2' | 'v3';

export interface CompatRequest<P extends Parameters, Q extends Parameters> {
  ctx: Exchange;
  version: Version;
  params: Values<P>;
  /** Absent parameters are absent. */
  query: Partial<Values<Q>>;
}

/** Where a version has the endpoint: the path below the version, and the operation id of the description. */
interface Operation {
  path: string;
  id: string;
}

/** An answer, with the head from which it was made. A value may contain bigints; a text is JSON. */
export interface Result extends Pick<Answer, 'head'> {
  value: unknown;
}

export interface CompatDefinition<P extends Parameters, Q extends Parameters> {
  v3?: Operation;
  v2?: Operation;
  /** Another path that answers as version 3 does. */
  plain?: string;
  tag: string;
  summary: string;
  params?: P;
  query?: Q;
  /** Names of parameters that `handle` reads itself. */
  also?: readonly string[];
  /** Whether a parameter that the endpoint does not have is refused. */
  strict?: boolean;
  answer: z.ZodType | Record<Version, z.ZodType>;
  /** What the request costs the database; light if absent. */
  cost?: Cost | ((request: CompatRequest<P, Q>) => Cost);
  cache?: CacheRule;
  /** The answer is also one while nothing is stored. */
  always?: true;
  handle(request: CompatRequest<P, Q>, deps: ApiDeps): Promise<Result>;
}

/** The endpoint in one version. */
export interface CompatEndpoint extends Route {
  version: Version;
  /** Absent if no description has it. */
  operation?: Operation;
  tag: string;
  summary: string;
  params: Record<string, z.ZodType>;
  query: Record<string, z.ZodType>;
  answer: z.ZodType;
}

/** Parameters that every strict endpoint allows. The flags belong to version 2; version 3 ignores them. */
const ALWAYS_ALLOWED = [
  'limit',
  'cursor',
  'rev',
  'direction',
  'scope',
  'range',
  'scope_type',
  'tx_hash',
  'expand',
  'by',
  INT_AS_STRING,
];

/** Makes the routes of an endpoint, one for each version that has it. */
export function compatible<P extends Parameters, Q extends Parameters>(
  definition: CompatDefinition<P, Q>,
): readonly CompatEndpoint[] {
  const routes = (['v3', 'v2'] as const).flatMap((version) => {
    const operation = definition[version];
    if (operation === undefined) return [];
    return [{ ...routeOf(definition, version, `/${version}${operation.path}`), operation }];
  });
  return definition.plain === undefined ? routes : [...routes, routeOf(definition, 'v3', definition.plain)];
}

function routeOf<P extends Parameters, Q extends Parameters>(
  definition: CompatDefinition<P, Q>,
  version: Version,
  path: string,
): CompatEndpoint {
  const { params = {} as P, query = {} as Q, tag, summary, cost = 'light', cache = 'until-change' } = definition;
  const { answer, handle, always, strict, also = [] } = definition;
  return {
    method: 'get',
    path: COMPAT_PREFIX + path,
    version,
    tag,
    summary,
    params: schemasOf(params),
    query: schemasOf(query),
    answer: version in answer ? (answer as Record<Version, z.ZodType>)[version] : (answer as z.ZodType),
    cache,
    ...(always && { fixed: true as const }),
    tables: false,
    linkedParameters: [],
    ignored: () => [],
    open(ctx) {
      if (strict === true) refuseUnknown(ctx.query, [...Object.keys(query), ...also]);
      const request = { ctx, version, params: readPath(ctx, params), query: readQuery(ctx.query, query) };
      return {
        cost: typeof cost === 'function' ? cost(request) : cost,
        upTo: undefined,
        async handle(deps) {
          const { value, head } = await handle(request, deps);
          if (always !== true) requireHead(ctx, { head });
          else if (head !== null) setHeadHeaders(ctx, { head });
          const text = typeof value === 'string' ? value : stringifyExact(value);
          sendJson(ctx, hasIntegersAsText(ctx) ? integersAsStrings(text) : text);
        },
      };
    },
  };
}

const schemasOf = (parameters: Parameters): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema]));

/** Values of a query parameter, in the order of the query. */
export const valuesOf = (query: ParsedUrlQuery, name: string): readonly string[] => {
  const value = query[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
};

/** Any value but `true` leaves integers as they are. */
const hasIntegersAsText = ({ query }: Exchange): boolean => valuesOf(query, INT_AS_STRING).includes('true');

function readPath<P extends Parameters>({ params = {} }: Exchange, parameters: P): Values<P> {
  const read = Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(decoded(params[name]!))]);
  return Object.fromEntries(read) as Values<P>;
}

/** A segment of the path as text. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('id', segment);
  }
}

function readQuery<Q extends Parameters>(query: ParsedUrlQuery, parameters: Q): Partial<Values<Q>> {
  const read: [string, unknown][] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const texts = valuesOf(query, name);
    if (texts.length === 0) continue;
    read.push([name, parameter.readAll?.(texts) ?? parameter.read(texts.at(-1)!)]);
  }
  return Object.fromEntries(read) as Partial<Values<Q>>;
}

function refuseUnknown(query: ParsedUrlQuery, known: readonly string[]): void {
  const unknown = Object.keys(query).find(
    (name) => !known.includes(name) && !ALWAYS_ALLOWED.includes(name) && !name.startsWith('_'),
  );
  if (unknown !== undefined) {
    const plain = known.filter((name) => !name.includes('.'));
    const allowed = [...new Set([...plain, 'limit', 'cursor', 'direction', 'scope'])].join(', ');
    throw invalid('query', `${unknown.slice(0, 50)} is not a parameter of this path: ${allowed}`);
  }
}
