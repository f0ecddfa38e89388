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

/** They delimit the body: if `Connection` could remove them, the body would be read as another request. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** Whether a header belongs to one connection, in itself or as `Connection` names it. */
function ofConnection({ connection }: IncomingHttpHeaders): (name: string) => boolean {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') {
    return (name) => HOP_BY_HOP.has(name);
  }
  const named = new Set(connection.split(',').map((one) => one.trim().toLowerCase()));
  return (name) => HOP_BY_HOP.has(name) || (named.has(name) && !FRAMING.has(name));
}

/** Claims of the client about itself that the node would believe; `expect` was already answered here. */
const NOT_FOR_NODES = /^(?:expect|forwarded|x-real-ip|x-forwarded-.*)$/;

export function cleanRequest(headers: IncomingHttpHeaders): void {
  const isHop = ofConnection(headers);
  for (const name in headers) if (isHop(name) || NOT_FOR_NODES.test(name)) delete headers[name];
}

/**
 * The service sets these itself for the answer. They are emptied, which http-proxy takes for absent: all that is done with
 * headers after one was deleted takes longer.
 */
export function cleanResponse(headers: IncomingHttpHeaders): void {
  const isHop = ofConnection(headers);
  for (const name in headers) {
    if (isHop(name) || name === 'transfer-encoding' || name.startsWith('access-control-')) headers[name] = undefined;
  }
}
