import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Address } from '../config/checks.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database } from '../store/connection/database.js';
import { createHub } from './hub.js';
import type { HubLimits } from './hub.js';
import { createSeats } from './seats.js';
import type { SeatLimits, Seats } from './seats.js';
import { streamEvents } from './stream.js';
import { createWebsockets } from './websocket.js';

interface EventsConfig extends HubLimits, SeatLimits {
  readonly websocketAddress: Address;
  /** First frame of each connection. */
  readonly websocketGreeting?: string | undefined;
  /** Max bytes of a message. */
  readonly websocketMaxFrame: number;
  /** Time over which connections are closed when the server drains, ms. */
  readonly websocketDrainMs: number;
}

interface EventsOptions {
  database: Database;
  config: EventsConfig;
  logger: Logger;
  metrics: Metrics;
  /** Those of several processes, where they share the limits; absent where this one counts alone. */
  seats?: Seats | undefined;
  /** Time between two pings, ms. */
  pingMs?: number;
}

interface Events {
  /** Begins to follow the log. */
  start(): Promise<void>;
  /** Listens on its own address. Throws one clear error if that cannot be used. */
  listen(): Promise<AddressInfo>;
  /** Calls back before events are pushed: what is cached of the state before them is out of date. */
  onNews(callback: () => void): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Drains: takes no new connections and closes the open ones, spread over the drain time. */
  close(): Promise<void>;
}

/**
 * Time between two pings of a client, ms. A dead client is cut off at most two intervals after its last message: that
 * may come just after a ping, the next ping is not answered, and instead of the one after it the connection is cut.
 */
const PING_MS = 20_000;
/** Time that the last clients get to answer the closing frame, ms. */
const GOODBYE_MS = 500;

/** Chain events for clients: websockets on their own address and on that of the HTTP server, and event streams. */
export function createEvents(options: EventsOptions): Events {
  const { database, config, logger, metrics, seats = createSeats(config), pingMs = PING_MS } = options;
  let onNews: () => void = () => undefined;
  const hub = createHub({ database, limits: config, seats, logger, metrics, onNews: () => onNews() });
  const websockets = createWebsockets({
    hub,
    logger,
    greeting: config.websocketGreeting,
    maxFrame: config.websocketMaxFrame,
    pingMs,
  });
  let isDraining = false;
  const server = createServer((_, response) => {
    response.writeHead(426, { 'content-type': 'application/json', connection: 'Upgrade', upgrade: 'websocket' });
    response.end('{"reason":"Only websockets are served here"}');
  });

  const upgrade: Events['upgrade'] = (request, socket, head) => {
    if (isDraining) socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    else websockets.upgrade(request, socket, head);
  };
  server.on('upgrade', upgrade);

  return {
    start: () => hub.start(),
    onNews: (callback) => void (onNews = callback),
    listen: () => listenOn(server, config.websocketAddress),
    upgrade,
    async stream(request, response) {
      if (isDraining) response.writeHead(503, { connection: 'close' }).end();
      else await streamEvents(hub, request, response);
    },
    async close() {
      isDraining = true;
      server.close();
      await hub.drain(config.websocketDrainMs);
      await websockets.close(GOODBYE_MS);
      server.closeAllConnections();
      await hub.close();
    },
  };
}

async function listenOn(server: Server, { host, port }: Address): Promise<AddressInfo> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    const message = `WEBSOCKET_ADDRESS ${host}:${port} ${reason}`;
    throw new MiddlewareError('address_unavailable', message, { cause });
  }
  return server.address() as AddressInfo;
}
