import type { IncomingHttpHeaders } from 'node:http';

/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
];

/** They delimit the body: if `Connection` could remove them, the body would be read as another request. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** Removes them, and those that `Connection` names. `transfer-encoding` stays. */
function dropHopByHop(headers: IncomingHttpHeaders): void {
  const { connection } = headers;
  for (const name of HOP_BY_HOP) if (headers[name] !== undefined) delete headers[name];
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return;
  for (const one of connection.split(',')) {
    const name = one.trim().toLowerCase();
    if (!FRAMING.has(name)) delete headers[name];
  }
}

/** Claims of the client about itself that the node would believe; `expect` was already answered here. */
const NOT_FOR_NODES = /^(?:expect|forwarded|x-real-ip|x-forwarded-.*)$/;

export function cleanRequest(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  for (const name in headers) if (NOT_FOR_NODES.test(name)) delete headers[name];
}

/** The service sets these itself for the answer. */
export function cleanResponse(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  if (headers['transfer-encoding'] !== undefined) delete headers['transfer-encoding'];
  for (const name in headers) if (name.startsWith('access-control-')) delete headers[name];
}
