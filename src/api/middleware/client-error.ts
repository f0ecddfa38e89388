import type { Socket } from 'node:net';
import { MAX_TARGET_BYTES } from './request-target.js';

const ANSWERS: Record<string, [status: string, reason: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Request header too large'],
  LONG_TARGET: ['414 URI Too Long', `The address is longer than ${MAX_TARGET_BYTES} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request timeout'],
};

/** Answers bytes that Node.js could not read as an HTTP request, in the form that all errors have. */
export function answerMalformed(error: Error, stream: unknown): void {
  const socket = stream as Socket;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = ANSWERS[isLongTarget(error) ? 'LONG_TARGET' : code] ?? [
    '400 Bad Request',
    'Malformed HTTP request',
  ];
  const body = JSON.stringify({ reason });
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Access-Control-Allow-Origin: *',
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Whether the headers exceeded their limit because the first line is too long. */
function isLongTarget(error: Error): boolean {
  const { code, rawPacket } = error as NodeJS.ErrnoException & { rawPacket?: Buffer };
  if (code !== 'HPE_HEADER_OVERFLOW' || rawPacket === undefined) return false;
  const end = rawPacket.indexOf('\r\n');
  return /^[A-Z]+ [^ ]/.test(rawPacket.toString('latin1', 0, 32)) && (end === -1 || end > MAX_TARGET_BYTES);
}
