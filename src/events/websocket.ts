import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import type { Logger } from '../observe/logger.js';
import { retryAfter } from '../runtime/request-counter.js';
import type { Quota, RequestCounter } from '../runtime/request-counter.js';
import { REASONS } from './client.js';
import type { Client, EndReason, Transport } from './client.js';
import { createCompatPeer } from './compat.js';
import type { CompatVersion, RenderPayload } from './compat.js';
import { sharePayloads } from './shared-payloads.js';
import type { Hub } from './hub.js';

interface WebsocketOptions {
  hub: Hub;
  /** Counts handshakes and messages for the rate limit; undefined without one. */
  requests: RequestCounter | undefined;
  logger: Logger;
  /** First frame of each connection; none if absent. */
  greeting: string | undefined;
  /** Max bytes of a client's message. */
  maxFrame: number;
  /** Time between two pings, ms. A client that does not answer within it is disconnected. */
  pingMs: number;
  /** Makes payloads of the compatible protocol; absent where that is not served. */
  renderCompat?: RenderPayload | undefined;
}

interface Websockets {
  /**
   * Takes over a connection that asks for a websocket, or refuses a malformed handshake. `compat`: the version of the compatible protocol that
   * the client speaks; absent for the service's own one.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, compat?: CompatVersion): void;
  /** Waits up to `graceMs` for connections that are being closed, then closes those that are still open at once. */
  close(graceMs: number): Promise<void>;
}

/** Max time for a client to answer the closing frame before its connection is destroyed, ms. */
const CLOSING_MS = 2_000;
/** Number of groups in which clients are pinged, one group after the other. */
const GROUPS = 20;
/** Max messages of a client that wait. With more of them, nothing is read from its connection. */
const MAX_WAITING_MESSAGES = 16;

interface Peer {
  ws: WebSocket;
  /** Whether it has sent anything since the last ping. */
  alive: boolean;
  /** Why the connection ended, if the service knows more than that the client closed it. */
  reason?: EndReason;
}

/** Connects websockets to the hub: handshakes, frames, pings. */
export function createWebsockets(options: WebsocketOptions): Websockets {
  const { hub, requests, logger, greeting, maxFrame, pingMs } = options;
  const renderCompat = options.renderCompat && sharePayloads(options.renderCompat);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // The library would buffer pongs without limit for a client that does not read.
    autoPong: false,
    // One message or ping of a connection in a turn of the event loop, however many arrive at once.
    allowSynchronousEvents: false,
    maxPayload: maxFrame,
  });
  server.on('wsClientError', (error, socket) => {
    logger.debug({ reason: error.message }, 'Refused a malformed websocket handshake');
    refuse(socket, '400 Bad Request', 'Not a websocket handshake');
  });
  const peers = createPings(pingMs);

  function accept(ws: WebSocket, socket: Duplex, address: string, compat: CompatVersion | undefined): void {
    const peer: Peer = { ws, alive: true };
    const transport = transportOf(ws, socket);
    const own =
      compat === undefined || renderCompat === undefined
        ? { transport, receive: hub.receive }
        : createCompatPeer(transport, hub, compat, renderCompat);
    const leave = peers.add(peer);
    ws.on('error', (error: NodeJS.ErrnoException) => {
      peer.reason ??= error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'frame' : 'error';
      logger.debug({ reason: error.message }, 'Websocket failed');
    });
    let client: Client | undefined;
    let isOpen = true;
    ws.on('close', () => {
      isOpen = false;
      leave();
      if (client !== undefined) hub.disconnect(client, peer.reason ?? 'client');
    });
    const onConnected = (connected: Client | undefined): void => {
      client = connected;
      if (connected === undefined) return;
      if (!isOpen) return hub.disconnect(connected, 'client');
      ws.on('pong', () => (peer.alive = true));
      ws.on('ping', (data) => {
        peer.alive = true;
        ws.pong(data);
        hub.closeIfSlow(connected);
      });
      const handle = inOrder(ws, connected, own.receive, requests);
      ws.on('message', (data) => {
        peer.alive = true;
        handle(asBuffer(data));
      });
      if (greeting !== undefined && compat === undefined) ws.send(greeting);
    };
    const connected = hub.connect(own.transport, address, compat === undefined ? 'plain' : 'cursor');
    if (!(connected instanceof Promise)) return onConnected(connected);
    // Until the client is connected, its messages are not read.
    ws.pause();
    void connected.then((known) => {
      onConnected(known);
      ws.resume();
    });
  }

  return {
    upgrade(request, socket, head, compat) {
      const address = request.socket.remoteAddress ?? '';
      const shake = (quota: Quota | undefined): void => {
        if (quota?.allowed !== false)
          return server.handleUpgrade(request, socket, head, (ws) => accept(ws, socket, address, compat));
        const { perSecond } = requests!;
        refuse(socket, '429 Too Many Requests', `More than ${perSecond} requests per second`, [
          `Retry-After: ${retryAfter(quota, perSecond)}`,
        ]);
      };
      const quota = requests?.count(address);
      if (!(quota instanceof Promise)) return shake(quota);
      // Nobody else listens while the quota is asked for.
      socket.on('error', () => undefined);
      void quota.then(shake);
    },
    async close(graceMs) {
      const open = peers.stop().map(({ ws }) => ws);
      const all = Promise.all(open.map((ws) => new Promise((resolve) => ws.once('close', resolve))));
      await Promise.race([all, pause(graceMs, undefined, { ref: false })]);
      for (const ws of open) ws.terminate();
      server.close();
    },
  };
}

/** Pings the peers in groups, one group after the other, and disconnects those that have sent nothing since the last ping. */
function createPings(pingMs: number): {
  /** Returns the function that removes the peer. */
  add: (peer: Peer) => () => void;
  /** Ends the pings; returns the peers. */
  stop: () => Peer[];
} {
  const groups = Array.from({ length: GROUPS }, () => new Set<Peer>());
  let turn = 0;
  let joined = 0;
  const pinging = setInterval(() => {
    for (const peer of groups[turn++ % GROUPS]!) {
      // Nothing is read from a connection whose messages wait, so it could not answer.
      if (peer.alive || peer.ws.isPaused) {
        peer.alive = false;
        peer.ws.ping();
      } else {
        peer.reason = 'dead';
        peer.ws.terminate();
      }
    }
  }, pingMs / GROUPS);
  pinging.unref();
  return {
    add(peer) {
      const group = groups[joined++ % GROUPS]!;
      group.add(peer);
      return () => void group.delete(peer);
    },
    stop() {
      clearInterval(pinging);
      return groups.flatMap((group) => [...group]);
    },
  };
}

/** Answers a handshake that is refused, and closes the connection, also if the client leaves its side open. */
function refuse(socket: Duplex, status: string, reason: string, headers: readonly string[] = []): void {
  const body = JSON.stringify({ reason });
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'X-Content-Type-Options: nosniff',
    ...headers,
  ];
  socket.on('error', () => undefined).once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Writes shared frames directly to the socket. The library also writes there, but only between whole frames. */
function transportOf(ws: WebSocket, socket: Duplex): Transport {
  return {
    send(frame) {
      if (ws.readyState === ws.OPEN) socket.write(frame);
    },
    cork: () => socket.cork(),
    uncork: () => socket.uncork(),
    backlog: () => socket.writableLength,
    close(reason) {
      const { code, text } = REASONS[reason];
      ws.close(code, text);
      setTimeout(() => ws.terminate(), CLOSING_MS).unref();
    },
  };
}

/**
 * Makes a function that handles the messages of a client one after the other, because one may wait for the database, or for the
 * rate limit: a message above it is late, but not lost.
 */
function inOrder(
  ws: WebSocket,
  client: Client,
  receive: Hub['receive'],
  requests: RequestCounter | undefined,
): (message: Buffer) => void {
  const waiting: Buffer[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      if (client.closed) break;
      const delayMs = requests === undefined ? 0 : await requests.delayOf(client.address);
      if (delayMs > 0) await pause(delayMs, undefined, { ref: false });
      const done = receive(client, message);
      if (done !== undefined) await done;
    }
    working = false;
    if (ws.isPaused) ws.resume();
  }

  return (message) => {
    waiting.push(message);
    if (!working) void work();
    else if (waiting.length > MAX_WAITING_MESSAGES) ws.pause();
  };
}

const asBuffer = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
