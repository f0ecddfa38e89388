import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { version } from '../../observe/version.js';
import type { Endpoint } from '../endpoint.js';
import { error, nodeError } from '../schemas/service.js';

export type Document = ReturnType<typeof createDocument>;

const INFO = {
  title: 'Chain middleware',
  version,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  contact: { name: 'The maintainers of the chain middleware' },
  description: `What the service answers from its own copy of an æternity chain. Whatever is not listed here, outside
\`/middleware\`, goes to the node.

Amounts, fees and nonces have all their digits, which may be more than a double holds. With \`int-as-string=true\` every
integer of the answers under \`/middleware\` is text, for which \`/openapi.json?int-as-string=true\` is the description. With the
header \`x-min-height\` an answer that names its head is made from one of at least that height, or is 412. Repeated parameters count once, the first of them; unknown ones are ignored, and named in the header \`x-ignored-parameters\`;
a server with \`STRICT_PARAMETERS=on\` refuses them.`.replace(/(?<!\n)\n(?!\n)/g, ' '),
};

const TAGS: Record<Endpoint['tag'], string> = {
  transactions: 'Transactions by account, height and day',
  blocks: 'Blocks, generations and what they earn',
  names: 'Names and their auctions',
  contracts: 'Contracts, their calls and the compiler',
  tokens: 'Tokens (AEX-9), collections (AEX-141), and what accounts hold of them',
  oracles: 'Oracles and the questions to them',
  channels: 'State channels',
  service: 'The service itself',
  node: "The node's own queries that are answered from the database",
};

/**
 * Media types of lists that are also sent as tables, one entry a line. They are not described as answers of the operation:
 * generated clients would have to handle both types for every list, though they get a table only on request.
 */
const TABLES = ['text/csv', 'application/x-ndjson'] as const;
const AS_TABLE = ` With \`Accept: ${TABLES.join('` or `')}\` the list is sent as a table.`;

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const number = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

const HEADERS = {
  requestId: { 'x-request-id': text('Name of this request in the logs; the one of the request if it had one.') },
  ignored: {
    'x-ignored-parameters': text(
      'Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16.',
    ),
  },
  head: {
    'x-chain-height': number('Height of the key block that the answer was made from.'),
    'x-chain-hash': text('Hash of that key block.'),
  },
  caching: {
    ETag: text('Names these bytes: with `If-None-Match` they are sent only if they have changed.'),
    'Cache-Control': text('How long the answer may be kept.'),
  },
  aged: {
    Age: number('Only while the database cannot be read: seconds since the answer was read from it.'),
  },
  list: {
    'x-limit-capped': text('`true` where the answer holds less than was asked for.'),
    'x-limit-capped-by': text(
      'Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many).',
    ),
    'x-total-count': number('Length of the whole list, where it is known.'),
  },
  cursor: { Link: text('The next page, while there is one: `rel="next"`.') },
  page: { 'Content-Security-Policy': text('The page loads nothing from anywhere else.') },
  retry: { 'Retry-After': number('Seconds after which to try again.') },
};

/** A schema with its example. */
const shown = (schema: z.ZodType) => {
  const { example } = schema.meta() ?? {};
  return { schema, ...(example !== undefined && { example }) };
};

const json = (schema: z.ZodType) => ({ 'application/json': shown(schema) });
const refusal = (description: string, headers = {}): ZodOpenApiResponseObject => ({
  description,
  headers: { ...HEADERS.requestId, ...headers },
  content: json(error),
});

/** Answers of errors by status. Each has an id, so that the document contains it once. */
const REFUSALS: Record<number, ZodOpenApiResponseObject> = {
  304: { id: 'NotModified', description: 'What the client has is still right.' },
  400: { id: 'BadRequest', ...refusal('A parameter is malformed; the reason names it and what is allowed.') },
  404: { id: 'NotFound', ...refusal('There is no such thing.') },
  410: { id: 'Gone', ...refusal('The events asked for are no longer kept.') },
  412: { id: 'HeadTooLow', ...refusal('The head is lower than the `x-min-height` of the request.') },
  413: { id: 'TooLarge', ...refusal('The body is too large.') },
  414: { id: 'AddressTooLong', ...refusal('The address is too long.') },
  415: { id: 'UnsupportedMediaType', ...refusal('The body is not JSON by its type.') },
  422: { id: 'UnprocessableContent', ...refusal('A member of the body is missing or of the wrong type.') },
  429: { id: 'TooManyRequests', ...refusal('Too many requests of this client.', HEADERS.retry) },
  431: { id: 'HeaderTooLarge', ...refusal('The target and headers of the request are too large.') },
  500: { id: 'InternalError', ...refusal('A fault of the service.') },
  502: { id: 'BadGateway', ...refusal('The node could not be reached.') },
  503: {
    id: 'Unavailable',
    ...refusal(
      'The database cannot answer just now, or the chain is loaded for the first time and what is asked for may not be there yet.',
      HEADERS.retry,
    ),
  },
  504: { id: 'GatewayTimeout', ...refusal('The node did not answer in time.') },
};

const NODE_REFUSALS: Record<number, ZodOpenApiResponseObject> = Object.fromEntries(
  [400, 404, 410].map((status) => [
    status,
    { id: `NodeRefusal${status}`, description: "The node's own refusal.", content: json(nodeError) },
  ]),
);

function responses(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const { query, mediaType = 'application/json' } = endpoint;
  const headers = {
    ...HEADERS.requestId,
    ...(endpoint.forwarded === true ? {} : HEADERS.ignored),
    ...(endpoint.fixed === true ? {} : HEADERS.head),
    ...(endpoint.method === 'get' && mediaType === 'application/json' ? HEADERS.caching : {}),
    ...(endpoint.cache === 'until-change' ? HEADERS.aged : {}),
    ...(mediaType === 'text/html' ? HEADERS.page : {}),
    ...(endpoint.list === true || 'limit' in query ? HEADERS.list : {}),
    ...('cursor' in query ? HEADERS.cursor : {}),
  };
  const answers: Record<string, ZodOpenApiResponseObject> = {
    200: { description: endpoint.summary, headers, content: { [mediaType]: shown(endpoint.answer) } },
  };
  const add = (...statuses: number[]): void => {
    for (const status of statuses) answers[status] = REFUSALS[status]!;
  };
  if (endpoint.method === 'get') add(304);
  if (endpoint.fixed !== true) add(412);
  // A strict server refuses unknown parameters of all own paths.
  if (endpoint.forwarded !== true || hasParameters(endpoint)) add(400);
  add(...(endpoint.refusals ?? []), 414, 429, 431, 500, 503);
  if (endpoint.forwarded === true) {
    add(502, 504);
    Object.assign(answers, NODE_REFUSALS);
  }
  if (endpoint.unavailable !== undefined) {
    answers[503] = {
      description: 'Not well, or the database cannot answer just now.',
      headers: { ...HEADERS.requestId, ...HEADERS.retry },
      content: json(endpoint.unavailable),
    };
  }
  return answers;
}

const hasParameters = ({ params, query }: Endpoint): boolean =>
  Object.keys(params).length > 0 || Object.keys(query).length > 0;

function operation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, params, query, body, tables } = endpoint;
  const optional = Object.fromEntries(Object.entries(query).map(([name, schema]) => [name, schema.optional()]));
  return {
    operationId,
    tags: [tag],
    summary,
    description: tables ? description + AS_TABLE : description,
    ...(tables && { 'x-tables': TABLES }),
    requestParams: {
      ...(Object.keys(params).length > 0 && { path: z.object(params) }),
      ...(Object.keys(query).length > 0 && { query: z.object(optional) }),
    },
    ...(body !== undefined && { requestBody: { required: true, content: json(body) } }),
    responses: responses(endpoint),
  };
}

/** Describes a value that may be null by two types. From a union with null, Java generators make a class that does not compile. */
function nullAsType(schema: { anyOf?: unknown }): void {
  const [value, nothing, ...others] = (schema.anyOf ?? []) as Record<string, unknown>[];
  if (nothing?.['type'] !== 'null' || value?.['type'] === undefined || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value['type'], 'null'] });
}

/** Relative to the address of the description, which may be behind a path prefix. */
const SERVER = { url: '.' };

/** The description of the API, as OpenAPI 3.1 or 3.0; of the endpoints for which `only` returns true. */
export function createOpenApi(
  endpoints: readonly Endpoint[],
  openapi: '3.1.1' | '3.0.3' = '3.1.1',
  only: (endpoint: Endpoint) => boolean = () => true,
): Document {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints.filter(only)) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operation(endpoint) };
  }
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  return createDocument(
    { openapi, info: INFO, servers: [SERVER], security: [], tags, paths },
    { override: ({ jsonSchema }) => nullAsType(jsonSchema) },
  );
}
