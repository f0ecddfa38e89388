import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestLine } from '../../runtime/request-line.js';
import type { PushedEvents } from '../deps.js';

/** Paths of websockets: the service's own one, and those of the compatible API with their versions. */
const PATHS = [
  { path: /^\/websocket\/?(?:\?|$)/, compat: undefined },
  { path: /^\/mdw\/websocket\/?(?:\?|$)/, compat: 'v1' },
  { path: /^\/mdw\/v2\/websocket\/?(?:\?|$)/, compat: 'v2' },
  { path: /^\/mdw\/v3\/websocket\/?(?:\?|$)/, compat: 'v3' },
] as const;

/**
 * Gives websockets to the events, after the answers to the requests before them. Any other upgrade (for example `h2c`) is ignored, which HTTP allows: the request is
 * answered as if it asked for none. `targetOf`: the target on the main address.
 */
export function routeUpgrades(
  server: Server,
  line: RequestLine,
  events: PushedEvents,
  onWebsocket: (socket: Socket) => void,
  targetOf: (url: string) => string = (url) => url,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    line.whenAnswered(socket, () => {
      const isWebsocket = request.headers.upgrade?.toLowerCase() === 'websocket';
      const wanted = isWebsocket ? PATHS.find(({ path }) => path.test(targetOf(request.url ?? ''))) : undefined;
      if (wanted !== undefined) {
        onWebsocket(socket);
        events.upgrade(request, socket, head, wanted.compat);
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
