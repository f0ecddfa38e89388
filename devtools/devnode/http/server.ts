import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MiddlewareError } from '../../../src/observe/errors.js';
import type { Answer } from '../wire/answer.js';

export interface Listening {
  /** For example `http://127.0.0.1:3013`. */
  url: string;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 60_000;

/** Listens on `host:port`; port 0 means a free port. Throws `cannot_listen` if the address is in use. */
export async function listen(
  address: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const match = /^(.+):(\d{1,5})$/.exec(address);
  if (match === null) throw new MiddlewareError('usage', `not host:port: ${address}`);
  const host = match[1]!.replace(/^\[(.*)\]$/, '$1');
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new MiddlewareError('cannot_listen', `cannot listen on ${address}: ${cause.message}`, { cause })),
    );
    server.listen(Number(match[2]), host, resolve);
  });
  return { url: urlOf(server), close: () => close(server) };
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Headers of an answer as the node sends them. `height` is the height of the head. */
function headersOf(answer: Answer, length: number, height: number): string[] {
  if (answer.bare === true) return ['content-length', String(length)];
  const headers = ['content-length', String(length), 'server', 'Cowboy', 'x-ae-height', String(height)];
  if (answer.body !== undefined) headers.push('content-type', 'application/json');
  if (answer.allow !== undefined) headers.push('allow', answer.allow);
  if (answer.retryAfter !== undefined) headers.push('retry-after', String(answer.retryAfter));
  return headers;
}

export function send(response: ServerResponse, answer: Answer, height: number): void {
  const body = answer.body ?? '';
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(answer.status, headersOf(answer, length, height));
  response.end(body);
}

/** Announces the whole body, sends half of it and closes the connection. */
export function sendHalf(response: ServerResponse, answer: Answer, height: number): void {
  const body = Buffer.from(answer.body ?? '');
  response.writeHead(answer.status, headersOf(answer, body.length + 1, height));
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
