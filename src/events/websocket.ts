import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import type { Logger } from '../observe/logger.js';
import { REASONS } from './client.js';
import type { Client, Transport } from './client.js';
import type { Hub } from './hub.js';

interface WebsocketOptions {
  hub: Hub;
  logger: Logger;
  /** First frame of each connection; none if absent. */
  greeting: string | undefined;
  /** Max bytes of a client's message. */
  maxFrame: number;
  /** Time between two pings, ms; a client that does not answer within it is cut off. */
  pingMs: number;
}

interface Websockets {
  /** Takes over a connection that asks for a websocket; refuses a broken handshake. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Lets connections that are being closed answer for `graceMs`, then cuts off those still open. */
  close(graceMs: number): Promise<void>;
}

/** Time that a client gets to answer the closing frame before its connection is cut, ms. */
const CLOSING_MS = 2_000;
/** Clients are pinged in this number of groups, one after the other. */
const GROUPS = 20;
/** Reading from a connection pauses while more messages wait. */
const INBOX = 16;

interface Peer {
  ws: WebSocket;
  /** Has sent something since the last ping. */
  alive: boolean;
  /** Why it ended, if the service knows more than the close code says. */
  why?: string;
}

/** The websocket side of the hub: handshakes, frames, pings. */
export function createWebsockets({ hub, logger, greeting, maxFrame, pingMs }: WebsocketOptions): Websockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // It would buffer without bound for a client that does not read.
    autoPong: false,
    maxPayload: maxFrame,
  });
  server.on('wsClientError', (error, socket) => {
    logger.debug({ reason: error.message }, 'Broken websocket handshake');
    socket.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n${BROKEN}`);
  });
  const groups = Array.from({ length: GROUPS }, () => new Set<Peer>());
  let turn = 0;
  let joined = 0;

  const pinging = setInterval(() => {
    for (const peer of groups[turn++ % GROUPS]!) {
      if (peer.alive) {
        peer.alive = false;
        peer.ws.ping();
      } else {
        peer.why = 'dead';
        peer.ws.terminate();
      }
    }
  }, pingMs / GROUPS);
  pinging.unref();

  function accept(ws: WebSocket, socket: Duplex, address: string): void {
    const peer: Peer = { ws, alive: true };
    const group = groups[joined++ % GROUPS]!;
    group.add(peer);
    ws.on('error', (error: NodeJS.ErrnoException) => {
      peer.why ??= error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'frame' : 'error';
      logger.debug({ reason: error.message }, 'Fault of a websocket');
    });
    let client: Client | undefined;
    let isOpen = true;
    ws.on('close', () => {
      isOpen = false;
      group.delete(peer);
      if (client !== undefined) hub.disconnect(client, peer.why ?? 'client');
    });
    const begin = (connected: Client | undefined): void => {
      client = connected;
      if (connected === undefined) return;
      if (!isOpen) return hub.disconnect(connected, 'client');
      ws.on('pong', () => (peer.alive = true));
      ws.on('ping', (data) => {
        peer.alive = true;
        ws.pong(data);
        hub.boundBacklog(connected);
      });
      const take = inTurn(ws, connected, hub);
      ws.on('message', (data) => {
        peer.alive = true;
        take(asBuffer(data));
      });
      if (greeting !== undefined) ws.send(greeting);
    };
    const connected = hub.connect(transportOf(ws, socket), address, 'plain');
    if (!(connected instanceof Promise)) return begin(connected);
    // What the client sends meanwhile waits in the connection.
    ws.pause();
    void connected.then((known) => {
      begin(known);
      ws.resume();
    });
  }

  return {
    upgrade(request, socket, head) {
      const address = request.socket.remoteAddress ?? '';
      server.handleUpgrade(request, socket, head, (ws) => accept(ws, socket, address));
    },
    async close(graceMs) {
      clearInterval(pinging);
      const open = groups.flatMap((group) => [...group].map(({ ws }) => ws));
      const all = Promise.all(open.map((ws) => new Promise((resolve) => ws.once('close', resolve))));
      await Promise.race([all, pause(graceMs, undefined, { ref: false })]);
      for (const ws of open) ws.terminate();
      server.close();
    },
  };
}

const BROKEN = '{"reason":"Not a websocket handshake"}';

/** Writes frames that all receivers share, past the library; the library writes between them, never into one. */
function transportOf(ws: WebSocket, socket: Duplex): Transport {
  return {
    send(frame) {
      if (ws.readyState === ws.OPEN) socket.write(frame);
    },
    hold: () => socket.cork(),
    release: () => socket.uncork(),
    backlog: () => socket.writableLength,
    close(reason) {
      const { code, text } = REASONS[reason];
      ws.close(code, text);
      setTimeout(() => ws.terminate(), CLOSING_MS).unref();
    },
  };
}

/** Handles the messages of a client one after the other, also when one has to wait for the database. */
function inTurn(ws: WebSocket, client: Client, hub: Hub): (message: Buffer) => void {
  const inbox: Buffer[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    for (let message = inbox.shift(); message !== undefined; message = inbox.shift()) {
      const done = hub.receive(client, message);
      if (done !== undefined) await done;
    }
    working = false;
    if (ws.isPaused) ws.resume();
  }

  return (message) => {
    inbox.push(message);
    if (!working) void work();
    else if (inbox.length > INBOX) ws.pause();
  };
}

const asBuffer = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
