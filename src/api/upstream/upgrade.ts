import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestLine } from '../../runtime/request-line.js';
import type { PushedEvents } from '../deps.js';

/** Path of the websocket on the HTTP server. */
const PATH = /^\/websocket\/?(?:\?|$)/;

/**
 * Gives websockets to the events, after the answers to the requests before them. Any other upgrade (for example `h2c`) is ignored, which HTTP allows: the request is
 * answered as if it asked for none.
 */
export function routeUpgrades(
  server: Server,
  line: RequestLine,
  events: PushedEvents,
  onWebsocket: (socket: Socket) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    line.whenAnswered(socket, () => {
      const wanted = request.headers.upgrade?.toLowerCase() === 'websocket' && PATH.test(request.url ?? '');
      if (wanted) {
        onWebsocket(socket);
        events.upgrade(request, socket, head);
      } else serveWithoutUpgrade(server, request, socket, head);
    }),
  );
}

/** Without them, a request asks for no other protocol. `Connection` stays: it also names other headers. */
const DROPPED = new Set(['upgrade', 'http2-settings']);

/** Writes the request without the upgrade back to the front of the connection, and lets the server read it again. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (!DROPPED.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
