import type { IncomingHttpHeaders } from 'node:http';

/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
]);

/** Headers that delimit the body. If `Connection` could remove them, the body would be read as a second request. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** Whether a header belongs to one connection: always, or because `Connection` names it. */
function ofConnection({ connection }: IncomingHttpHeaders): (name: string) => boolean {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') {
    return (name) => HOP_BY_HOP.has(name);
  }
  const named = new Set(connection.split(',').map((one) => one.trim().toLowerCase()));
  return (name) => HOP_BY_HOP.has(name) || (named.has(name) && !FRAMING.has(name));
}

/** Headers in which a client could lie about its address to the node; also `expect`, which was already answered here. */
const NOT_FOR_NODES = /^(?:expect|forwarded|x-real-ip|x-forwarded-.*)$/;

/** Deletes the headers that must not be sent to the node. */
export function cleanRequest(headers: IncomingHttpHeaders): void {
  const isHop = ofConnection(headers);
  for (const name in headers) if (isHop(name) || NOT_FOR_NODES.test(name)) delete headers[name];
}

/**
 * Removes the headers that the service sets itself. They are set to undefined, which http-proxy takes for absent: after a
 * `delete`, all further access to the headers would be slower.
 */
export function cleanResponse(headers: IncomingHttpHeaders): void {
  const isHop = ofConnection(headers);
  for (const name in headers) {
    if (isHop(name) || name === 'transfer-encoding' || name.startsWith('access-control-')) headers[name] = undefined;
  }
}
