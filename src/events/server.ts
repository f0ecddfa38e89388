import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Address } from '../config/checks.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { Database } from '../store/database.js';
import { createHub } from './hub.js';
import type { HubLimits } from './hub.js';
import { streamEvents } from './stream.js';
import { createWebsockets } from './websocket.js';

export interface EventsConfig extends HubLimits {
  readonly websocketAddress: Address;
  /** First frame of each connection. */
  readonly websocketGreeting?: string | undefined;
  /** Bytes of the longest message. */
  readonly websocketMaxFrame: number;
  /** Time over which connections are closed at the end, ms. */
  readonly websocketDrainMs: number;
}

export interface EventsOptions {
  database: Database;
  config: EventsConfig;
  logger: Logger;
  metrics: Metrics;
  /** Time between two pings, ms. */
  pingMs?: number;
}

export interface Events {
  /** Begins to follow the log. */
  start(): Promise<void>;
  /** Listens on the address of its own. Throws one clear error when that cannot be had. */
  listen(): Promise<AddressInfo>;
  /** Calls back before events are pushed: what was kept of the state before them is out of date. */
  onNews(callback: () => void): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Takes no new connections and closes those there are, spread over the time set for that. */
  close(): Promise<void>;
}

/**
 * Time between two pings of a client, ms. A dead client is cut off at most two of these after its last sign of life: the
 * sign comes just after a ping, the next ping is not answered, and the one after that would be due.
 */
export const PING_MS = 20_000;
/** Time that the last clients have to answer the closing frame, ms. */
const GOODBYE_MS = 500;

/** Chain events for clients: websockets on an address of their own and on that of the HTTP server, and event streams. */
export function createEvents({ database, config, logger, metrics, pingMs = PING_MS }: EventsOptions): Events {
  let onNews: () => void = () => undefined;
  const hub = createHub({ database, limits: config, logger, metrics, onNews: () => onNews() });
  const websockets = createWebsockets({
    hub,
    logger,
    greeting: config.websocketGreeting,
    maxFrame: config.websocketMaxFrame,
    pingMs,
  });
  let leaving = false;
  const server = createServer((_, response) => {
    response.writeHead(426, { 'content-type': 'application/json', connection: 'Upgrade', upgrade: 'websocket' });
    response.end('{"reason":"Only websockets are served here"}');
  });

  const upgrade: Events['upgrade'] = (request, socket, head) => {
    if (leaving) socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    else websockets.upgrade(request, socket, head);
  };
  server.on('upgrade', upgrade);

  return {
    start: () => hub.start(),
    onNews: (callback) => void (onNews = callback),
    listen: () => listenOn(server, config.websocketAddress),
    upgrade,
    async stream(request, response) {
      if (leaving) response.writeHead(503, { connection: 'close' }).end();
      else await streamEvents(hub, request, response);
    },
    async close() {
      leaving = true;
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
    throw new MiddlewareError('unavailable', 'address_unavailable', message, { cause });
  }
  return server.address() as AddressInfo;
}
