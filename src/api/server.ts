import type Koa from 'koa';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createCompilers } from '../compiler/versions.js';
import type { Address } from '../config/checks.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database } from '../store/connection/database.js';
import { listen } from '../store/connection/listen.js';
import type { Listener } from '../store/connection/listen.js';
import { readsOf } from '../store/replicas/reads.js';
import type { Reads } from '../store/replicas/reads.js';
import { createApp, createMetricsApp } from './app.js';
import { answerMalformed } from './middleware/client-error.js';
import type { ApiConfig, ApiDeps, BaseDeps, PushedEvents } from './deps.js';
import { createDescriptions } from './descriptions.js';
import { createForward } from './upstream/forward.js';
import { createResponseCache } from './middleware/response-cache.js';
import { createStreams } from './streams.js';
import type { Streams } from './streams.js';
import { routeUpgrades } from './upstream/upgrade.js';

/** How long a client may take, ms; then its connection is cut. */
interface Patience {
  /** For the headers of a request. */
  headMs: number;
  /** For a whole request. */
  requestMs: number;
  /** Without a byte in either direction while an answer is under way. */
  stallMs: number;
}

/** The largest body takes a client with 100 kB a second 50 s; `stallMs` is longer than anything waits for an answer. */
const PATIENCE: Patience = { headMs: 15_000, requestMs: 60_000, stallMs: 120_000 };

interface ServerDeps {
  database: Database;
  /** Where the statements of clients go: the database itself unless given. */
  reads?: Reads;
  config: ApiConfig;
  logger: Logger;
  metrics: Metrics;
  /** Without them there is no websocket and no event stream. */
  events?: PushedEvents;
  streams?: Streams;
  takeRequest?: ApiDeps['takeRequest'];
  patience?: Patience;
  /** Milliseconds of a monotonic clock: the system's clock may jump. */
  now?: () => number;
}

interface Server {
  /** Throws one clear error when the address cannot be used. */
  listen(): Promise<AddressInfo>;
  /** Drains: takes no new connections, lets requests under way end, and cuts those that take too long. */
  close(): Promise<void>;
}

const monotonic = (): number => performance.now();

/** Time that requests under way get when the server drains, except streams, ms. */
const GRACE_MS = 10_000;

/** Timeout of one answer of a compiler service, ms. */
const COMPILER_TIMEOUT_MS = 20_000;

/** What clients of a serving process see. */
export function createServer({
  database,
  reads = readsOf(database),
  config,
  logger,
  metrics,
  events,
  streams = createStreams(),
  takeRequest,
  patience = PATIENCE,
  now = monotonic,
}: ServerDeps): Server {
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const compilers = createCompilers(config.compilerUrls ?? [], COMPILER_TIMEOUT_MS, config.compilerCaFile);
  const deps: ApiDeps = {
    db: reads,
    reads,
    descriptions: createDescriptions(),
    compilers,
    config,
    logger,
    metrics,
    events,
    streams,
    takeRequest,
    now,
    draining,
  };
  const { nodeUrls, nodeInternalUrl, nodeCaFile: caFile, forwardTimeoutMs: timeoutMs, streamDrainMs } = config;
  const forward = createForward({ nodeUrls, nodeInternalUrl, caFile, timeoutMs, logger, now, draining, streams });
  let listener: Listener | undefined;
  const cache = createResponseCache({ metrics, isListening: () => listener?.listening() === true, now });
  // While the server drains or limits the rate, every request must pass all layers.
  const fromCache = (req: IncomingMessage, res: ServerResponse): boolean =>
    !isDraining && config.rateLimitPerSecond === 0 && cache.answer(req, res);
  reads.onNews(() => cache.clear());
  const app = createApp(deps, forward.middleware, cache);
  const { server: http, sockets } = serve(app.koa, patience, (req, res) => fromCache(req, res) || app.answer(req, res));
  if (events !== undefined) {
    // The listener below may hear of a commit later than the one that pushes events.
    events.onNews(() => cache.clear());
    // Websockets are closed with the events.
    routeUpgrades(http, events, (socket) => sockets.delete(socket));
  }

  return {
    async listen() {
      const address = await listenOn(http, config.httpAddress, 'HTTP_ADDRESS');
      const onWake = (commitNumber: bigint | undefined): void => {
        reads.committed(commitNumber);
        // Otherwise it is cleared if there is news.
        if (commitNumber === undefined) cache.clear();
      };
      listener = listen({ database, logger, onWake });
      return address;
    },
    async close() {
      isDraining = true;
      await drain(http, sockets, (socket) => (streams.carries(socket) ? streamDrainMs : GRACE_MS));
      await listener?.close();
      forward.close();
      compilers.close();
    },
  };
}

interface MetricsServer {
  listen(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/**
 * Metrics and health, on an address of their own: there before the database is, and until the process ends. Of a process
 * that serves also the database's head is exported.
 */
export function createMetricsServer(
  deps: ServerDeps &
    Pick<BaseDeps, 'draining' | 'pending'> & { serves: boolean; collect?: () => Promise<string> | undefined },
): MetricsServer {
  const { database, config, logger, metrics, draining, pending, serves, collect = () => undefined } = deps;
  const { patience = PATIENCE } = deps;
  const poolState = (): Record<string, number> => database.pool();
  const app = createMetricsApp({
    db: database,
    config,
    logger,
    metrics,
    draining,
    pending,
    poolState,
    serves,
    collect,
  });
  const { server, sockets } = serve(app, patience);
  return {
    listen: () => listenOn(server, config.metricsAddress, 'METRICS_ADDRESS'),
    close: () => drain(server, sockets, () => GRACE_MS),
  };
}

interface Serving {
  server: HttpServer;
  /** All open connections. */
  sockets: Set<Socket>;
}

/** `answer` may take a request before the app sees it. */
function serve(
  app: Koa,
  { headMs, requestMs, stallMs }: Patience,
  answer: (req: IncomingMessage, res: ServerResponse) => boolean = () => false,
): Serving {
  const handle = app.callback();
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    if (!answer(req, res)) void handle(req, res);
  };
  const sockets = new Set<Socket>();
  const server = createHttpServer(
    {
      requireHostHeader: false,
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.ceil(headMs / 3),
    },
    listener,
  )
    .setTimeout(stallMs)
    .on('connection', (socket: Socket) => {
      // A request for another protocol comes in as a new connection, see `routeUpgrades`.
      if (sockets.has(socket)) return;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    })
    .on('clientError', answerMalformed)
    .on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => {
      const body = '{"reason":"Only 100-continue can be expected"}';
      res.writeHead(417, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
    });
  return { server, sockets };
}

async function listenOn(server: HttpServer, { host, port }: Address, variable: string): Promise<AddressInfo> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    throw new MiddlewareError('address_unavailable', `${variable} ${host}:${port} ${reason}`, { cause });
  }
  return server.address() as AddressInfo;
}

/**
 * `close` alone would wait for connections that were busy when it was called and are kept alive since. Each connection has
 * `graceMs` and is destroyed then: its client sees the connection break in the middle of the answer.
 */
async function drain(server: HttpServer, sockets: Set<Socket>, graceMs: (socket: Socket) => number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const began = performance.now();
  const closing = setInterval(() => {
    server.closeIdleConnections();
    const passed = performance.now() - began;
    for (const socket of sockets) if (passed >= graceMs(socket)) socket.destroy();
  }, 50);
  await closed;
  clearInterval(closing);
}
