/**
 * The SDK of 2020 as it was published. It knows a node by a description in Swagger 2.0, which nodes of its time had at `/api`; what
 * nodes of release 7 have there is put into that form here, and everything else is what the middleware answers.
 */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/populator.js';
import { startLive } from '../support/service.js';
import type { Service } from '../support/service.js';
import { npmPackages } from './tools.js';

const COIN = 10n ** 18n;
const SDK = '@aeternity/aepp-sdk@7.7.0';

interface Keys {
  publicKey: string;
  secretKey: string;
}

/** What is called here. */
interface Sdk {
  Crypto: { generateKeyPair(): Keys };
  MemoryAccount(options: { keypair: Keys }): unknown;
  Node(options: { url: string; forceCompatibility: boolean }): Promise<unknown>;
  Universal(options: object): Promise<{
    height(): Promise<number>;
    balance(address: string): Promise<string>;
    spend(amount: string, recipient: string): Promise<{ hash: string; blockHeight: number }>;
    api: { getTransactionByHash(hash: string): Promise<{ tx: { recipientId: string } }> };
  }>;
}

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

/** The same in Swagger 2.0, as far as that SDK reads it; it knows no methods but these two. */
function olderForm({ info, servers, paths, components }: Description): object {
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

/** What is at `to`, but for `/api`. */
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

describe('the SDK of 2020', function () {
  this.timeout(600_000);
  let sdk: Sdk;
  let keys: Keys;
  let service: Service;
  let front: { url: string; server: Server };

  before(async () => {
    const folder = await npmPackages('sdk-of-2020', [SDK]);
    sdk = createRequire(join(folder, 'package.json'))('@aeternity/aepp-sdk') as Sdk;
    keys = sdk.Crypto.generateKeyPair();
    service = await startLive({
      funds: { [keys.publicKey]: 10_000n * COIN },
      mining: { autostart: true, beneficiary: keys.publicKey, intervalMs: 2_000 },
    });
    const description = (await (await fetch(`${service.url}/api`)).json()) as Description;
    front = await withDescription(service.url, olderForm(description));
  });
  after(async () => {
    front.server.close();
    front.server.closeAllConnections();
    await service.close();
  });

  it('connects, reads the height and a balance, and spends', async () => {
    const instance = await sdk.Node({ url: front.url, forceCompatibility: true });
    const client = await sdk.Universal({
      nodes: [{ name: 'middleware', instance }],
      accounts: [sdk.MemoryAccount({ keypair: keys })],
      address: keys.publicKey,
      networkId: 'ae_dev',
    });
    expect(await client.height()).to.be.a('number');
    const recipient = sdk.Crypto.generateKeyPair().publicKey;
    const { hash, blockHeight } = await client.spend(String(5n * COIN), recipient);
    expect(blockHeight).to.be.above(0);
    expect(await client.balance(recipient)).to.equal(String(5n * COIN));
    expect((await client.api.getTransactionByHash(hash)).tx.recipientId).to.equal(recipient);

    const list = await eventually(
      async () =>
        (await (await fetch(`${service.url}/middleware/transactions/account/${recipient}`)).json()) as {
          hash: string;
        }[],
      (found) => found.length > 0,
    );
    expect(list.map((one) => one.hash)).to.deep.equal([hash]);
  });
});
