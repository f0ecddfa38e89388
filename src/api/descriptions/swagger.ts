import { version } from '../../observe/version.js';
import { createOpenApi } from './openapi.js';
import type { Endpoint } from '../endpoint.js';

type Node = { [member: string]: unknown };

/**
 * The description as Swagger 2.0, from which wallets build their clients. Required parameters become positional arguments in
 * the order of the description, optional ones become options. Schemas lose what Swagger 2.0 cannot express.
 */
export function createSwagger(endpoints: readonly Endpoint[]): Node {
  const { paths = {}, components = {} } = createOpenApi(endpoints, '3.0.3', ({ wallets }) => wallets === true);
  const of = (path: string): Endpoint => endpoints.find((endpoint) => endpoint.path === path)!;
  return {
    swagger: '2.0',
    info: { title: 'Chain middleware', version },
    basePath: '/middleware',
    consumes: ['application/json'],
    produces: ['application/json'],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path.slice('/middleware'.length),
        { [of(path).method]: operation((operations as Node)[of(path).method] as Node) },
      ]),
    ),
    definitions: Object.fromEntries(
      Object.entries(components.schemas ?? {}).map(([name, schema]) => [name, plain(schema)]),
    ),
  };

  function operation({ operationId, tags, summary, description, parameters, requestBody, responses }: Node): Node {
    const body = requestBody as { content: { 'application/json': Node } } | undefined;
    return {
      operationId,
      tags,
      summary,
      ...(description !== undefined && { description }),
      parameters: [
        ...((parameters ?? []) as Node[]).map(parameter),
        ...(body === undefined
          ? []
          : [{ in: 'body', name: 'body', required: true, schema: plain(body.content['application/json']['schema']) }]),
      ],
      responses: Object.fromEntries(
        Object.entries(responses as Node).map(([status, answer]) => [status, response(answer)]),
      ),
    };
  }

  function response(answer: unknown): Node {
    const { $ref } = answer as { $ref?: string };
    const whole = ($ref === undefined ? answer : components.responses?.[$ref.split('/').at(-1)!]) as Node;
    const content = whole['content'] as { 'application/json'?: Node } | undefined;
    const schema = content?.['application/json']?.['schema'];
    return { description: whole['description'], ...(schema !== undefined && { schema: plain(schema) }) };
  }
}

/** Of several types the first one is taken: in a URL all values are text. */
function parameter(parameter: unknown): Node {
  const { in: location, name, required, description, schema } = parameter as Node & { schema: Node };
  const type = [schema['type']].flat()[0];
  return { in: location, name, required: required === true, ...(description !== undefined && { description }), type };
}

/**
 * A schema in Swagger 2.0. Members that it has in another form are renamed, those that it lacks are dropped. Without
 * `anyOf`, the schema allows more values, never fewer.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('discriminator' in schema) return openUnion(schema);
  const result: Node = {};
  for (const [member, value] of Object.entries(schema)) {
    if (member === '$ref') result[member] = String(value).replace('#/components/schemas/', '#/definitions/');
    else if (member === 'nullable') result['x-nullable'] = value;
    else if (member === 'example') result[member] = value;
    else if (member !== 'anyOf' && member !== 'oneOf' && member !== 'propertyNames') result[member] = plain(value);
  }
  return result;
}

/** Swagger 2.0 has unions only by inheritance. So a union becomes an object with the member that all its types share. */
function openUnion({ description, example, discriminator }: Node): Node {
  const { propertyName } = discriminator as { propertyName: string };
  return {
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { type: 'string' } },
    description,
    example,
  };
}
