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
 * The headers of an answer that are sent on. The node may be somebody else's, and its answers have the origin of the explorer:
 * other headers could set cookies, redirect or start scripts there.
 */
const PASSED = new Set([
  // An answer 405 must have it, and it acts on nothing.
  'allow',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'retry-after',
  'vary',
  'x-ae-height',
]);

/** JSON is the only type that no browser runs or shows as a page. A list of types is none: browsers would take the last one. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;\s*charset="?[\w-]+"?)?$/i;

/** Statuses whose answers have no body. */
const NO_BODY = new Set([204, 304]);

/**
 * Removes the headers that are not sent on, and adds those that keep a browser from running the answer. Removed ones are set to
 * undefined, which http-proxy takes for absent: after a `delete`, all further access to the headers would be slower.
 */
export function cleanResponse(headers: IncomingHttpHeaders, status: number): void {
  const isHop = ofConnection(headers);
  for (const name in headers) if (!PASSED.has(name) || isHop(name)) headers[name] = undefined;
  const type = headers['content-type'];
  if (type === undefined ? !NO_BODY.has(status) : !JSON_TYPE.test(type)) {
    headers['content-type'] = 'application/octet-stream';
  }
  headers['content-security-policy'] = 'sandbox';
}
