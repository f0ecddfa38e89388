/** Describes the compatible API as OpenAPI 3.0. Clients find its operations by the ids that they have there. */
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { version as serverVersion } from '../../observe/version.js';
import { INT_AS_STRING } from '../endpoint.js';
import type { CompatEndpoint, Version } from './endpoint.js';

type Document = ReturnType<typeof createDocument>;

const ERROR = z.object({ error: z.string() }).meta({ id: 'ErrorResponse' });

const refusal = (description: string) => ({ description, content: { 'application/json': { schema: ERROR } } });

const AS_TEXT = z.boolean().default(false).meta({ description: 'Whether all integers of the answer are texts.' });

/** The endpoints of a version. `server`: the path below which clients reach it. */
export function describe(
  endpoints: readonly CompatEndpoint[],
  version: Version,
  server: string,
  openapi: '3.0.3' | '3.1.1' = '3.0.3',
): Document {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    if (endpoint.version === version && endpoint.operation !== undefined)
      paths[endpoint.operation.path] = { get: operationOf(endpoint, endpoint.operation.id) };
  }
  return createDocument({
    openapi,
    info: {
      title: 'Chain middleware: compatible API',
      version: serverVersion,
      description: 'What clients of the æternity middleware call, answered by the chain middleware.',
    },
    servers: [{ url: server }],
    paths,
  });
}

function operationOf({ params, query, answer, summary, tag }: CompatEndpoint, id: string): ZodOpenApiOperationObject {
  const optional = Object.fromEntries(
    Object.entries({ ...query, [INT_AS_STRING]: AS_TEXT }).map(([name, schema]) => [name, schema.optional()]),
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    requestParams: {
      ...(Object.keys(params).length > 0 && { path: z.object(params) }),
      query: z.object(optional),
    },
    responses: {
      200: { description: summary, content: { 'application/json': { schema: answer } } },
      400: refusal('A parameter is malformed.'),
      404: refusal('There is no such thing.'),
      503: refusal('The database cannot answer just now.'),
    },
  };
}
