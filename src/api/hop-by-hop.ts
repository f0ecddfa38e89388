import type { IncomingHttpHeaders } from 'node:http';

/** Headers that are about one connection and end there (RFC 9110, 7.6.1). */
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

/** They frame the body: if `Connection` could have them dropped, the body would be read as another request. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** Removes them, and those that `Connection` names. `transfer-encoding` stays. */
export function dropHopByHop(headers: IncomingHttpHeaders): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...HOP_BY_HOP, ...named]) {
    if (!FRAMING.has(name)) delete headers[name];
  }
}

/** What the node would believe about the client only because the client says so; `expect` was answered here already. */
const NOT_FOR_NODES = ['expect', 'forwarded', 'x-real-ip'];

export function cleanRequest(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  for (const name of Object.keys(headers)) {
    if (NOT_FOR_NODES.includes(name) || name.startsWith('x-forwarded-')) delete headers[name];
  }
}

/** The answer's own framing and origins are set anew here. */
export function cleanResponse(headers: IncomingHttpHeaders): void {
  dropHopByHop(headers);
  delete headers['transfer-encoding'];
  for (const name of Object.keys(headers)) {
    if (name.startsWith('access-control-')) delete headers[name];
  }
}
