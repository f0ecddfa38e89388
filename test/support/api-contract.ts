/** Checks every answer that the tests get from the service against the description of its API. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe } from '../../src/api/compat/description.js';
import { compatEndpoints } from '../../src/api/compat/endpoints.js';
import { endpoints } from '../../src/api/endpoints.js';
import { createOpenApi } from '../../src/api/descriptions/openapi.js';
import { withIntegersAsText } from '../../src/api/descriptions/integers-as-text.js';
import { formOf } from '../../src/api/middleware/request-target.js';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Described {
  description?: string;
  content?: Record<string, { schema?: object }>;
  headers?: Record<string, unknown>;
  $ref?: string;
}

interface Operation {
  operationId: string;
  responses: Record<string, Described>;
  /** Additional media types of a list, on request. */
  'x-tables'?: string[];
}

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Described>; schemas: Record<string, Schema> };
}

const plain = (document: unknown): Document => JSON.parse(JSON.stringify(document)) as Document;

/** Tests make up transactions of unknown types or with missing members. Those of the recorded chain are complete. */
function forMadeUp(document: Document): Document {
  const { schemas } = document.components;
  schemas['Tx'] = { type: 'object', required: ['type'], properties: { type: { type: 'string' } } };
  for (const dated of [schemas['ToldQuery'], schemas['Question']?.properties?.['response']]) {
    if (dated !== undefined) dated.required = ['type', 'hash', 'timestamp'];
  }
  return document;
}

const DOCUMENTS = {
  api: forMadeUp(plain(createOpenApi(endpoints))),
  'api-as-text': forMadeUp(plain(withIntegersAsText(createOpenApi(endpoints)))),
};

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
for (const [name, document] of Object.entries(DOCUMENTS)) ajv.addSchema({ ...document, $id: name });

/** Paths of the service. An unknown path below them has the usual error answer, too. */
const OWN = /^\/(middleware|healthz|readyz|openapi\.json|docs)(\/|$)/;

/** Files of the page. */
const UNDESCRIBED = /^\/docs\/./;

/** The descriptions of the compatible API, in a form in which answers can be checked against them. */
const COMPATIBLE = {
  v2: plain(describe(compatEndpoints, 'v2', '/mdw/v2', '3.1.1')),
  v3: plain(describe(compatEndpoints, 'v3', '/mdw/v3', '3.1.1')),
};
for (const [name, document] of Object.entries(COMPATIBLE)) ajv.addSchema({ ...document, $id: `compat-${name}` });

/** Checks an answer of the compatible API. Routes that are in no description only have errors, or the answers of another one. */
function checkCompatible(
  path: string,
  status: number,
  asText: boolean,
  body: string,
  fail: (why: string) => never,
): void {
  if (status >= 400) {
    const { request_id: id, ...error } = JSON.parse(body) as Record<string, unknown>;
    if (typeof id !== (status === 500 ? 'string' : 'undefined'))
      fail('only a fault of the service has the id of the request');
    if (Object.keys(error).join() !== 'error' || typeof error['error'] !== 'string') fail('it is no error');
    return;
  }
  const [, , version = '', ...rest] = path.split('/');
  if (asText || (version !== 'v2' && version !== 'v3')) return;
  const template = templateOf(`/${rest.join('/')}`, Object.keys(COMPATIBLE[version].paths));
  if (template === undefined) return;
  const validate = validator(
    `compat-${version}#/paths/${escape(template)}/get/responses/200/content/application~1json/schema`,
  );
  if (!validate(JSON.parse(body))) fail(ajv.errorsText(validate.errors?.slice(0, 5)));
}

/** Operations seen, by `operationId`, with the statuses they answered. */
export const seenAnswers = new Map<string, Set<number>>();

/** Throws if the description does not allow an answer. */
export function checkAnswer(
  method: string,
  target: string,
  { status, headers }: Omit<Reply, 'body'>,
  bytes: Buffer,
): void {
  const body = decoded(bytes, headers['content-encoding']).toString();
  const fail = (why: string): never => {
    throw new Error(
      `${method} ${target} answered ${status} against the API's description: ${why}\n${body.slice(0, 500)}`,
    );
  };
  const form = formOf(target);
  // Errors are pages where the client asks for HTML, as browsers do.
  if ('reason' in form || status === 204 || (status >= 400 && headers['content-type']?.startsWith('text/html'))) return;
  const { pathname, searchParams } = new URL(form.routed, 'http://host');
  if (/^\/mdw(\/|$)/.test(pathname)) {
    if (method === 'HEAD' || status === 304) return;
    return checkCompatible(pathname, status, searchParams.get('int-as-string') === 'true', body, fail);
  }
  // Forwarded answers of the node are not checked.
  const isOwn = OWN.test(pathname) || headers['x-chain-height'] !== undefined || [502, 503, 504].includes(status);
  if (!isOwn || UNDESCRIBED.test(pathname)) return;

  const asText = pathname.startsWith('/middleware/') && searchParams.get('int-as-string')?.toLowerCase() === 'true';
  const name = asText && pathname !== '/middleware/api' ? 'api-as-text' : 'api';
  const { paths, components } = DOCUMENTS[name];
  const path = templateOf(pathname, Object.keys(paths));
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = path === undefined ? undefined : paths[path]?.[verb];
  const head = method === 'HEAD';
  if (path === undefined || operation === undefined) {
    if (status < 400) fail('no such operation');
    else if (!head) check(`${name}#/components/schemas/Error`);
    return;
  }
  let statuses = seenAnswers.get(operation.operationId);
  if (statuses === undefined) seenAnswers.set(operation.operationId, (statuses = new Set()));
  statuses.add(status);

  const described = operation.responses[status];
  if (described === undefined) return fail('the status is not told of');
  const named = described.$ref?.split('/').at(-1);
  const { content, headers: told = {} } = named === undefined ? described : components.responses[named]!;
  // All answers have this one, which only browsers use.
  if (headers['x-content-type-options'] !== 'nosniff') fail('it has no x-content-type-options');
  const own = Object.keys(headers).filter((one) => one.startsWith('x-') && one !== 'x-content-type-options');
  for (const header of [...own, ...(headers.link === undefined ? [] : ['link'])]) {
    const known = Object.keys(told).some((one) => one.toLowerCase() === header);
    if (!known && status === 200) fail(`the header ${header} is not told of`);
  }
  if (headers['x-request-id'] === undefined) fail('it has no x-request-id');
  if (content === undefined || head || status === 304) return;
  const type = headers['content-type']?.split(';')[0] ?? '';
  if (status === 200 && operation['x-tables']?.includes(type)) return;
  if (content[type] === undefined) fail(`the type ${type} is not told of`);
  if (type !== 'application/json') return;
  const at =
    named === undefined ? `paths/${escape(path)}/${verb}/responses/${status}` : `components/responses/${named}`;
  check(`${name}#/${at}/content/application~1json/schema`);

  function check(schema: string): void {
    if (headers['content-type'] !== 'application/json') fail('it is not application/json');
    const validate = validator(schema);
    if (!validate(JSON.parse(body))) fail(ajv.errorsText(validate.errors?.slice(0, 5)));
  }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

const validators = new Map<string, ValidateFunction>();

function validator(schema: string): ValidateFunction {
  let found = validators.get(schema);
  if (found === undefined) validators.set(schema, (found = ajv.compile({ $ref: schema })));
  return found;
}

const escape = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The path template of the description that matches a path; of several, the one with the most literal segments. */
function templateOf(path: string, templates: readonly string[]): string | undefined {
  const segments = path.split('/');
  const fits = templates.filter((template) => {
    const parts = template.split('/');
    return parts.length === segments.length && parts.every((part, i) => part.startsWith('{') || part === segments[i]);
  });
  const parameters = (template: string): number => template.split('{').length;
  return fits.sort((a, b) => parameters(a) - parameters(b))[0];
}
