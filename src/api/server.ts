import type Koa from 'koa';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createCompilers } from '../compiler/versions.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database } from '../store/connection/database.js';
import { listenOn } from '../runtime/listen-on.js';
import { createRequestLine } from '../runtime/request-line.js';
import type { RequestLine } from '../runtime/request-line.js';
import { listen } from '../store/connection/listen.js';
import type { Listener } from '../store/connection/listen.js';
import { readsOf } from '../store/replicas/reads.js';
import type { Reads } from '../store/replicas/reads.js';
import { createBodies } from './bodies.js';
import { createApp, createMetricsApp } from './app.js';
import { answerMalformed } from './middleware/client-error.js';
import type { ApiConfig, ApiDeps, BaseDeps, PushedEvents } from './deps.js';
import { compatTarget, moveBelowPrefix } from './compat-prefix.js';
import { createNodeReader } from './node-reader.js';
import { createDescriptions } from './descriptions/descriptions.js';
import { createFinalHeight } from './final-height.js';
import { createForward } from './upstream/forward.js';
import { createResponseCache } from './middleware/response-cache.js';
import { createStreams } from './streams.js';
import type { Streams } from './streams.js';
import { routeUpgrades } from './upstream/upgrade.js';

/** Max times for a client, ms. Its connection is closed when one is exceeded. */
interface ClientTimeouts {
  /** For the headers of a request. */
  headMs: number;
  /** For a whole request. */
  requestMs: number;
  /** Without a byte in either direction while an answer is under way. */
  stallMs: number;
}

/** A client that sends 100 kB a second needs 50 s for the largest body. `stallMs` is longer than any answer takes to start. */
const CLIENT_TIMEOUTS: ClientTimeouts = { headMs: 15_000, requestMs: 60_000, stallMs: 120_000 };

interface ServerDeps {
  database: Database;
  /** Database of the requests of clients; `database` itself if absent. */
  reads?: Reads;
  config: ApiConfig;
  logger: Logger;
  metrics: Metrics;
  /** If absent, there is no websocket and no event stream. */
  events?: PushedEvents;
  streams?: Streams;
  requests?: ApiDeps['requests'];
  nodeHeight?: BaseDeps['nodeHeight'];
  clientTimeouts?: ClientTimeouts;
  /** Milliseconds of a monotonic clock: the clock of the system may jump. */
  now?: () => number;
}

interface Server {
  /** Throws `address_unavailable` if the address cannot be used. */
  listen(): Promise<AddressInfo>;
  /** The same for the address of the compatible API; undefined if none is set. */
  listenCompat(): Promise<AddressInfo | undefined>;
  /**
   * Drains: says to clients that their connections end, then accepts no new ones, waits for requests under way, and closes connections
   * whose request takes too long.
   */
  close(): Promise<void>;
}

const monotonic = (): number => performance.now();

/** Max time for requests under way, except streams, while the server drains, ms. */
const GRACE_MS = 10_000;

/**
 * Time for which a server that drains keeps idle connections, ms. A client that sends its next request meanwhile is asked to close the
 * connection, with the answer. If the connection were closed at once, the request might already be on its way, and be lost.
 */
const PARTING_MS = 2_000;

/** Max time for one answer of a compiler service, ms. */
const COMPILER_TIMEOUT_MS = 20_000;

/** The HTTP server for clients. */
export function createServer({
  database,
  reads = readsOf(database),
  config,
  logger,
  metrics,
  events,
  streams = createStreams(),
  requests,
  nodeHeight,
  clientTimeouts = CLIENT_TIMEOUTS,
  now = monotonic,
}: ServerDeps): Server {
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const compilers = createCompilers(config.compilerUrls ?? [], COMPILER_TIMEOUT_MS, config.compilerCaFile);
  const bodies = createBodies();
  const nodeReader = createNodeReader({
    urls: config.nodeUrls,
    internalUrl: config.nodeInternalUrl,
    caFile: config.nodeCaFile,
    now,
  });
  const deps: ApiDeps = {
    db: reads,
    reads,
    descriptions: createDescriptions(),
    bodies,
    compilers,
    config,
    logger,
    metrics,
    events,
    streams,
    finalHeight: createFinalHeight(reads, config.cacheDepth),
    nodeReader,
    requests,
    nodeHeight,
    now,
    draining,
    lastRead: {},
  };
  const { nodeUrls, nodeInternalUrl, nodeCaFile: caFile, forwardTimeoutMs: timeoutMs, streamDrainMs } = config;
  const forward = createForward({
    nodeUrls,
    nodeInternalUrl,
    caFile,
    timeoutMs,
    logger,
    now,
    draining,
    bodies,
    streams,
  });
  let listener: Listener | undefined;
  const cache = createResponseCache({ metrics, isListening: () => listener?.listening() === true, now });
  // Not while the server drains or limits the rate: every request must then pass all layers.
  const answerFromCache = (req: IncomingMessage, res: ServerResponse): boolean =>
    !isDraining && config.rateLimitPerSecond === 0 && cache.answer(req, res);
  reads.onNewState(() => cache.clear());
  const app = createApp(deps, forward.middleware, cache);
  const answer = (req: IncomingMessage, res: ServerResponse): boolean =>
    answerFromCache(req, res) || app.answer(req, res);
  const main = serve(app.koa, config, clientTimeouts, { answer });
  const compat = config.compatAddress && serve(app.koa, config, clientTimeouts, { answer, prepare: moveBelowPrefix });
  const servings = compat === undefined ? [main] : [main, compat];
  if (events !== undefined) {
    // The notification of a commit may reach the listener below after events were sent.
    events.beforeEvents(() => cache.clear());
    // A websocket is closed with the events, not with this server.
    for (const { server, line, sockets } of servings) {
      const targetOf = server === compat?.server ? compatTarget : undefined;
      routeUpgrades(server, line, events, (socket) => sockets.delete(socket), targetOf);
    }
  }

  return {
    async listen() {
      const address = await listenOn(main.server, config.httpAddress, 'HTTP_ADDRESS');
      const onWake = (commitNumber: bigint | undefined): void => {
        reads.committed(commitNumber);
        // With a number, `reads` calls back if the commit is new to it, and the cache is cleared above.
        if (commitNumber === undefined) cache.clear();
      };
      listener = listen({ database, logger, onWake });
      return address;
    },
    listenCompat: async () =>
      compat && config.compatAddress && listenOn(compat.server, config.compatAddress, 'COMPAT_ADDRESS'),
    async close() {
      isDraining = true;
      const graceMs = (socket: Socket): number => (streams.has(socket) ? streamDrainMs : GRACE_MS);
      await Promise.all(servings.map(({ server, sockets }) => drain(server, sockets, PARTING_MS, graceMs)));
      await listener?.close();
      forward.close();
      compilers.close();
      nodeReader.close();
    },
  };
}

interface MetricsServer {
  listen(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/**
 * The server of metrics and probes, on its own address. It starts before the database is reached and ends with the process.
 * If the process serves clients (`serves`), the metrics also show the head.
 */
export function createMetricsServer(
  deps: ServerDeps &
    Pick<BaseDeps, 'draining' | 'pending'> & { serves: boolean; collect?: () => Promise<string> | undefined },
): MetricsServer {
  const { database, config, logger, metrics, draining, pending, nodeHeight, serves, collect = () => undefined } = deps;
  const { clientTimeouts = CLIENT_TIMEOUTS, now = monotonic } = deps;
  const poolState = (): Record<string, number> => database.pool();
  const app = createMetricsApp({
    db: database,
    config,
    logger,
    metrics,
    draining,
    pending,
    nodeHeight,
    poolState,
    now,
    serves,
    collect,
    lastRead: serves ? {} : undefined,
  });
  const { server, sockets } = serve(app, config, clientTimeouts);
  return {
    listen: () => listenOn(server, config.metricsAddress, 'METRICS_ADDRESS'),
    close: () => drain(server, sockets, 0, () => GRACE_MS),
  };
}

interface Serving {
  server: HttpServer;
  /** All open connections. */
  sockets: Set<Socket>;
  line: RequestLine;
}

interface ServingOptions {
  /** May answer a request before the app gets it; returns false if it did not. */
  answer?: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Runs before anything else reads the request. */
  prepare?: (req: IncomingMessage) => void;
}

function serve(
  app: Koa,
  { keepAliveTimeoutMs }: ApiConfig,
  { headMs, requestMs, stallMs }: ClientTimeouts,
  { answer = () => false, prepare }: ServingOptions = {},
): Serving {
  const handle = app.callback();
  const line = createRequestLine();
  const listener = (req: IncomingMessage, res: ServerResponse): void =>
    line.enter(req, res, () => {
      prepare?.(req);
      if (!answer(req, res)) void handle(req, res);
    });
  const sockets = new Set<Socket>();
  const server = createHttpServer(
    {
      requireHostHeader: false,
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.ceil(headMs / 3),
    },
    listener,
  )
    .setTimeout(stallMs)
    .on('connection', (socket: Socket) => {
      // `routeUpgrades` emits the event again for a connection whose request asked for another protocol.
      if (sockets.has(socket)) return;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    })
    .on('clientError', (error: Error, socket: Duplex) =>
      line.malformed(socket as Socket, () => answerMalformed(error, socket)),
    )
    .on('connect', (_req: IncomingMessage, socket: Duplex) =>
      line.whenAnswered(socket as Socket, () => socket.destroy()),
    )
    .on('checkExpectation', (req: IncomingMessage, res: ServerResponse) =>
      line.enter(req, res, () => {
        const body = '{"reason":"Only 100-continue can be expected"}';
        const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
        res.writeHead(417, { ...headers, 'Content-Length': body.length }).end(body);
      }),
    );
  return { server, sockets, line };
}

/**
 * Closes the server. Connections that are open may be used for `partingMs`; each is closed by the answer to its next request. After
 * that `server.close` alone would also wait for connections that were busy when it was called and are idle now, so idle ones are
 * closed again and again. A connection that is still busy after `graceMs` is destroyed: its client gets an incomplete answer and
 * notices it.
 */
async function drain(
  server: HttpServer,
  sockets: Set<Socket>,
  partingMs: number,
  graceMs: (socket: Socket) => number,
): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  const started = performance.now();
  const step = (): void => {
    const elapsed = performance.now() - started;
    if (elapsed < partingMs && sockets.size > 0) return;
    if (server.listening) server.close();
    server.closeIdleConnections();
    for (const socket of sockets) if (elapsed >= graceMs(socket)) socket.destroy();
  };
  step();
  const timer = setInterval(step, 50);
  await closed;
  clearInterval(timer);
}
