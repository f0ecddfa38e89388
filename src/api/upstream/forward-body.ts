import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';

/** Max size of a body, bytes. The limit of the node is about the same. */
export const MAX_BODY = 5 * 1024 * 1024;

/** A body up to this size is buffered, so that it can be sent to another node if the first one cannot be reached; bytes. */
export const REPEATABLE_BODY = 64 * 1024;

export class BodyTooLarge extends Error {}

/** Size of the body by `content-length`, bytes; MAX_BODY for a body without this header, 0 without a body. */
export function declaredLength(request: IncomingMessage): number {
  const length = request.headers['content-length'];
  if (length !== undefined) return Number(length);
  return request.headers['transfer-encoding'] === undefined ? 0 : MAX_BODY;
}

export const hasBody = (request: IncomingMessage): boolean => declaredLength(request) > 0;

/**
 * Whether the request must be refused because http-proxy would announce an empty body but send the body all the same: the
 * node would read it as a second request, which was never checked.
 */
export const isUnframed = (request: IncomingMessage): boolean =>
  (request.method === 'DELETE' || request.method === 'OPTIONS') && request.headers['transfer-encoding'] !== undefined;

/** The body as a stream; fails with BodyTooLarge when it exceeds MAX_BODY. */
export function withinLimit(request: IncomingMessage): Transform {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > MAX_BODY) done(new BodyTooLarge());
      else done(null, chunk);
    },
  });
  request.on('error', (error) => limit.destroy(error));
  return request.pipe(limit);
}
