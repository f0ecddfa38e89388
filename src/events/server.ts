import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Address } from '../config/checks.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { RequestCounter } from '../runtime/request-counter.js';
import { listenOn } from '../runtime/listen-on.js';
import { createRequestLine } from '../runtime/request-line.js';
import type { Database } from '../store/connection/database.js';
import type { CompatVersion, RenderPayload } from './compat.js';
import { createHub } from './hub.js';
import type { HubLimits } from './hub.js';
import { createConnectionCounter } from './connection-counter.js';
import type { ConnectionLimits, ConnectionCounter } from './connection-counter.js';
import { streamEvents } from './stream.js';
import { createWebsockets } from './websocket.js';

interface EventsConfig extends HubLimits, ConnectionLimits {
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
  /** Counts for several processes that share the limits; absent if this process counts alone. */
  connections?: ConnectionCounter | undefined;
  /** Counts handshakes and messages for the rate limit; absent without one. Requests for event streams are counted as all requests. */
  requests?: RequestCounter | undefined;
  /** Time between two pings, ms. */
  pingMs?: number;
  /** Makes payloads of the compatible protocol. */
  renderCompat?: RenderPayload;
}

interface Events {
  /** Begins to follow the event log. */
  start(): Promise<void>;
  /** Listens on WEBSOCKET_ADDRESS. Throws `address_unavailable` if it cannot be used. */
  listen(): Promise<AddressInfo>;
  /** Calls back before events are sent: cached answers are out of date from then on. */
  beforeEvents(callback: () => void): void;
  /** `compat`: the version of the compatible protocol that the client speaks; absent for the service's own one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, compat?: CompatVersion): void;
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Drains: accepts no new connections and closes the open ones, spread over the drain time. */
  close(): Promise<void>;
}

/**
 * Time between two pings of a client, ms. A dead client is disconnected at most two intervals after its last message: if the
 * message came just after a ping, the next ping is sent and not answered, and the connection is closed at the one after.
 */
const PING_MS = 20_000;
/** Max time for the last clients to answer the closing frame, ms. */
const CLOSING_MS = 500;

/** Sends chain events to clients: by websockets, on their own address and on that of the HTTP server, and by event streams. */
export function createEvents(options: EventsOptions): Events {
  const { database, config, logger, metrics, pingMs = PING_MS } = options;
  const { connections = createConnectionCounter(config) } = options;
  let beforeEvents: () => void = () => undefined;
  const hub = createHub({ database, limits: config, connections, logger, metrics, beforeEvents: () => beforeEvents() });
  const websockets = createWebsockets({
    hub,
    requests: options.requests,
    logger,
    greeting: config.websocketGreeting,
    maxFrame: config.websocketMaxFrame,
    pingMs,
    renderCompat: options.renderCompat,
  });
  let isDraining = false;
  const line = createRequestLine();
  const server = createServer((request, response) =>
    line.enter(request, response, () => {
      const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
      response.writeHead(426, { ...headers, connection: 'Upgrade', upgrade: 'websocket' });
      response.end('{"reason":"Only websockets are served here"}');
    }),
  );

  const upgrade: Events['upgrade'] = (request, socket, head, compat) => {
    if (isDraining) refuse(socket);
    else websockets.upgrade(request, socket, head, compat);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    line.whenAnswered(socket, () => upgrade(request, socket, head)),
  );

  return {
    start: () => hub.start(),
    beforeEvents: (callback) => void (beforeEvents = callback),
    listen: () => listenOn(server, config.websocketAddress, 'WEBSOCKET_ADDRESS'),
    upgrade,
    async stream(request, response) {
      if (isDraining) response.writeHead(503, { connection: 'close' }).end();
      else await streamEvents(hub, request, response);
    },
    async close() {
      isDraining = true;
      server.close();
      await hub.drain(config.websocketDrainMs);
      await websockets.close(CLOSING_MS);
      server.closeAllConnections();
      await hub.close();
    },
  };
}

/** Refuses a websocket. Node.js has removed its own listeners: an error that nobody handles would end the process. */
function refuse(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n', () => socket.destroy());
}
