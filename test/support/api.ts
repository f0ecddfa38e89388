/** A running server and a simple client that sends requests exactly as given. */
import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiConfig } from '../../src/api/deps.js';
import { createMetricsServer, createServer } from '../../src/api/server.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Database } from '../../src/store/connection/database.js';
import { checkAnswer } from './api-contract.js';
import type { Reply } from './api-contract.js';
import { asServed } from './roles.js';
import { emptyDatabase, silent } from './seed.js';
import type { SeededDatabase } from './seed.js';

export type { Reply } from './api-contract.js';

type ServerDeps = Parameters<typeof createServer>[0];

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface TestApi {
  port: number;
  metricsPort: number;
  get(path: string, options?: RequestOptions): Promise<Reply>;
  /** The answer as JSON; the status must be 200. */
  json(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Ports of servers whose answers are checked against the description of the API. */
const described = new Set<number>();

export async function testApi(
  database: Database,
  config: Partial<ApiConfig> = {},
  deps: Partial<ServerDeps> = {},
): Promise<TestApi> {
  let leaving = false;
  const served = asServed(database);
  const all: ServerDeps = {
    database: served ?? database,
    logger: silent,
    metrics: createMetrics(),
    config: {
      httpAddress: { host: '127.0.0.1', port: 0 },
      metricsAddress: { host: '127.0.0.1', port: 0 },
      nodeUrls: ['http://127.0.0.1:1'],
      forwardTimeoutMs: 20_000,
      keepAliveTimeoutMs: 65_000,
      streamDrainMs: 120_000,
      databasePoolSize: 4,
      cacheDepth: { blocks: 480 },
      rateLimitPerSecond: 0,
      limitCap: 10_000,
      pollIntervalMs: 1_000,
      statusMaxBlockAge: 900,
      statusMaxQueueLength: 2,
      explorer: 'on',
      strictParameters: 'off',
      ...config,
    },
    ...deps,
  };
  const server = createServer(all);
  const metricsServer = createMetricsServer({ ...all, draining: () => leaving, serves: true });
  const http = await server.listen();
  const metrics = await metricsServer.listen();
  described.add(http.port);
  const get = (path: string, options?: RequestOptions): Promise<Reply> => ask(http.port, path, options);
  return {
    port: http.port,
    metricsPort: metrics.port,
    get,
    async json(path) {
      const { status, body } = await get(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      return JSON.parse(body) as unknown;
    },
    async close() {
      described.delete(http.port);
      leaving = true;
      await server.close();
      await metricsServer.close();
      await served?.close();
    },
  };
}

/** Sends one request, byte for byte, on a new connection, and checks the answer against the description of the API. */
export async function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { ...length, ...headers }, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const reply = { status: answer.statusCode ?? 0, headers: answer.headers, body: bytes.toString() };
  if (described.has(port)) checkAnswer(method, path, reply, bytes);
  return reply;
}

export interface FakeNode {
  url: string;
  server: HttpServer;
  /** Requests it got: `METHOD target`, and their headers. */
  seen: { line: string; headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

/** A real HTTP server instead of the node. It records the requests. */
export async function fakeNode(answer: RequestListener, host = '127.0.0.1'): Promise<FakeNode> {
  const seen: FakeNode['seen'] = [];
  const server = createHttpServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body: Buffer.concat(chunks).toString() });
      answer(req, res);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    server,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server with an empty copy, in front of a node that answers `"of the node"` to every request. */
export async function emptyService(): Promise<{ seeded: SeededDatabase; api: TestApi; close(): Promise<void> }> {
  const seeded = await emptyDatabase();
  const node = await fakeNode((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('"of the node"');
  });
  const api = await testApi(seeded.database, { nodeUrls: [node.url] });
  return {
    seeded,
    api,
    async close() {
      await api.close();
      await node.close();
      await seeded.drop();
    },
  };
}
