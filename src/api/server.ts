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
import type { Database } from '../store/database.js';
import { listen } from '../store/listen.js';
import type { Listener } from '../store/listen.js';
import { createApp, createMetricsApp } from './app.js';
import { answerMalformed } from './client-error.js';
import type { ApiConfig, ApiDeps, BaseDeps, PushedEvents } from './deps.js';
import { createDescriptions } from './descriptions.js';
import { createForward } from './forward.js';
import { createResponseCache } from './response-cache.js';
import { createStreams } from './streams.js';
import type { Streams } from './streams.js';
import { routeUpgrades } from './upgrade.js';

export interface ServerDeps {
  database: Database;
  config: ApiConfig;
  logger: Logger;
  metrics: Metrics;
  /** Without them there is no websocket and no event stream. */
  events?: PushedEvents;
  streams?: Streams;
  /** Milliseconds, by a clock that nobody sets: whatever is timed here must bear that the system's clock jumps. */
  now?: () => number;
}

export interface Server {
  /** Throws one clear error when the address cannot be had. */
  listen(): Promise<AddressInfo>;
  /** Takes no new connections, lets the requests under way end, and cuts those that take too long. */
  close(): Promise<void>;
}

const monotonic = (): number => performance.now();

/** Time that requests under way have when the server ends, but for streams, ms. */
const GRACE_MS = 10_000;

/** Time that a compiler service has for one answer, ms. */
const COMPILER_TIMEOUT_MS = 20_000;

/** What clients of a serving process see. */
export function createServer({
  database,
  config,
  logger,
  metrics,
  events,
  streams = createStreams(),
  now = monotonic,
}: ServerDeps): Server {
  let leaving = false;
  const draining = (): boolean => leaving;
  const compilers = createCompilers(config.compilerUrls ?? [], COMPILER_TIMEOUT_MS);
  const deps: ApiDeps = {
    db: database,
    descriptions: createDescriptions(),
    compilers,
    config,
    logger,
    metrics,
    events,
    streams,
    now,
    draining,
  };
  const { nodeUrls, nodeInternalUrl, forwardTimeoutMs: timeoutMs, streamDrainMs } = config;
  const forward = createForward({ nodeUrls, nodeInternalUrl, timeoutMs, logger, now, draining, streams });
  let listener: Listener | undefined;
  const cache = createResponseCache({ metrics, isTold: () => listener?.listening() === true, now });
  // Whoever takes leave, or counts what each client asks for, must see every request.
  const answer = (req: IncomingMessage, res: ServerResponse): boolean =>
    !leaving && config.rateLimitPerSecond === 0 && cache.answer(req, res);
  const { server: http, sockets } = serve(createApp(deps, forward.middleware, cache), answer);
  if (events !== undefined) {
    // The listener below may be told of a commit later than the one that pushes events.
    events.onNews(() => cache.clear());
    routeUpgrades(http, events);
    // They are closed with the events.
    http.on('upgrade', (_request, socket: Socket) => sockets.delete(socket));
  }

  return {
    async listen() {
      const address = await listenOn(http, config.httpAddress, 'HTTP_ADDRESS');
      listener = listen({ database, logger, onWake: () => cache.clear() });
      return address;
    },
    async close() {
      leaving = true;
      await drain(http, sockets, (socket) => (streams.carries(socket) ? streamDrainMs : GRACE_MS));
      await listener?.close();
      forward.close();
      compilers.close();
    },
  };
}

export interface MetricsServer {
  listen(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/**
 * Metrics and health, on an address of their own: there before the database is, and until the process ends. Of a process
 * that serves also the database's head is exported.
 */
export function createMetricsServer(
  deps: ServerDeps & Pick<BaseDeps, 'draining' | 'pending'> & { serves: boolean },
): MetricsServer {
  const { database, config, logger, metrics, draining, pending, serves } = deps;
  const poolState = (): Record<string, number> => database.pool();
  const app = createMetricsApp({ db: database, config, logger, metrics, draining, pending, poolState, serves });
  const { server, sockets } = serve(app);
  return {
    listen: () => listenOn(server, config.metricsAddress, 'METRICS_ADDRESS'),
    close: () => drain(server, sockets, () => GRACE_MS),
  };
}

interface Serving {
  server: HttpServer;
  /** Of all connections there are. */
  sockets: Set<Socket>;
}

/** `answer` may take a request before the app sees it. */
function serve(app: Koa, answer: (req: IncomingMessage, res: ServerResponse) => boolean = () => false): Serving {
  const handle = app.callback();
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    if (!answer(req, res)) void handle(req, res);
  };
  const sockets = new Set<Socket>();
  const server = createHttpServer({ requireHostHeader: false }, listener)
    .on('connection', (socket: Socket) => {
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
    throw new MiddlewareError('unavailable', 'address_unavailable', `${variable} ${host}:${port} ${reason}`, { cause });
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
