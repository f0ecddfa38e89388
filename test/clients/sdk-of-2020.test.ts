/**
 * The SDK of 2020, unmodified. It needs a description of the node in Swagger 2.0, which nodes of that time had at `/api`. The test converts the
 * description of nodes of release 7 to that form. All other answers come from the middleware.
 */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/populator.js';
import { startPublished } from './published-sdk.js';
import type { Published } from './published-sdk.js';

interface Schema {
  schema: object;
}

interface Operation {
  parameters?: ({ $ref: string } | Schema)[];
  requestBody?: { required?: boolean; content: Record<string, Schema> };
  responses: Record<string, { $ref?: string; content?: Record<string, Schema> }>;
}

/** OpenAPI 3. */
interface Description {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { schemas: object; parameters: Record<string, Schema>; responses: Operation['responses'] };
}

/** Converts a description to Swagger 2.0, as far as that SDK reads it. The SDK supports only GET and POST. */
function toSwagger2({ info, servers, paths, components }: Description): object {
  const last = (reference: string): string => reference.split('/').at(-1)!;
  const schemaOf = (content: Record<string, Schema> = {}): object => content['application/json']?.schema ?? {};
  const parametersOf = ({ parameters = [], requestBody }: Operation): object[] => [
    ...parameters.map((one) => {
      const { schema, ...rest } = '$ref' in one ? components.parameters[last(one.$ref)]! : one;
      return { ...rest, ...schema };
    }),
    ...(requestBody ? [{ name: 'body', in: 'body', required: true, schema: schemaOf(requestBody.content) }] : []),
  ];
  const operationOf = (operation: Operation | undefined): object | undefined =>
    operation && {
      ...operation,
      parameters: parametersOf(operation),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, one]) => {
          const { content } = one.$ref === undefined ? one : components.responses[last(one.$ref)]!;
          return [status, { schema: schemaOf(content) }];
        }),
      ),
    };
  const swagger = {
    swagger: '2.0',
    info,
    basePath: servers[0]!.url,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, { get, post }]) => [path, { get: operationOf(get), post: operationOf(post) }]),
    ),
    definitions: components.schemas,
  };
  return JSON.parse(JSON.stringify(swagger).replaceAll('#/components/schemas/', '#/definitions/')) as object;
}

/** Starts a proxy to `to` that answers `/api` with the description. */
async function withDescription(to: string, description: object): Promise<{ url: string; server: Server }> {
  const server = createServer((req, res) => {
    if (req.url === '/api')
      return void res.setHeader('content-type', 'application/json').end(JSON.stringify(description));
    const passed = request(to + req.url!, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    req.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('the SDK of 2020', () => {
  let published: Published<unknown>;
  let front: { url: string; server: Server };

  before(async () => {
    published = await startPublished('sdk-of-2020', '7.7.0');
    const { url } = published.service;
    const description = (await (await fetch(`${url}/api`)).json()) as Description;
    front = await withDescription(url, toSwagger2(description));
  });
  after(async () => {
    front.server.close();
    front.server.closeAllConnections();
    await published.service.close();
  });

  it('connects, reads the height and a balance, and spends', async () => {
    const { hash, recipient } = await published.spends({ url: front.url, forceCompatibility: true });

    const listed = `${published.service.url}/middleware/transactions/account/${recipient}`;
    const list = await eventually(
      async () => (await (await fetch(listed)).json()) as { hash: string }[],
      (found) => found.length > 0,
    );
    expect(list.map((one) => one.hash)).to.deep.equal([hash]);
  });
});
