import { setExtraFolders, setForwardedTarget, pathToNormalizedUrl } from '../exchange.js';
import type { Layer } from '../exchange.js';
import { OWN_PATHS } from '../endpoints.js';
import { refuse } from '../reply.js';

const MALFORMED = { status: 400, reason: 'Invalid request target' };
const NOT_FOUND = { status: 404, reason: 'Not found' };

/** The two forms of a target that is not refused. */
interface Forms {
  /** For routes, endpoints and the cache. Letters, digits and `-._~` are not escaped, so a path has one form for all of them. */
  routed: string;
  /** For the node: each segment and the query are as the client sent them. */
  forwarded: string;
}

/**
 * Normalizes a request target, before any other code reads it. Both forms are a path and a query without a host. The path
 * has no empty segments, no `.` or `..`, and no slash at its end. The query is not changed, except that bytes that a target
 * must not contain are escaped. Returns a refusal if the target is not a path, hides `..` behind an escaped slash, leaves
 * the service's own paths by `..`, or hides one of them behind an escaped slash.
 */
export function formOf(target: string): Forms | typeof MALFORMED {
  const local = target.startsWith('/') ? target : /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (local === undefined) return MALFORMED;
  const [beforeFragment = ''] = local.replace(/[^\x21-\x7e]/g, escaped).split('#', 1);
  const queryAt = beforeFragment.indexOf('?');
  const path = queryAt === -1 ? beforeFragment : beforeFragment.slice(0, queryAt);
  const query = queryAt === -1 ? '' : beforeFragment.slice(queryAt);

  let leavesOwnPaths = false;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const decoded = decode(segment);
    if (decoded === '' || decoded === '.') continue;
    if (decoded === '..') {
      if (segments.length === 1 && isOwn(segments[0]!)) leavesOwnPaths = true;
      segments.pop();
    } else if (decoded.includes('..') && decoded.split(/[/\\]/).includes('..')) return MALFORMED;
    else segments.push(segment);
  }
  const routed = segments.map(withoutNeedlessEscapes);
  const [first = ''] = routed;
  // An own path with an escaped slash would be forwarded to the node.
  if (leavesOwnPaths || (isOwn(first) && !OWN_PATHS.includes(`/${first}`))) return NOT_FOUND;
  return { routed: `/${routed.join('/')}${query}`, forwarded: `/${segments.join('/')}${query}` };
}

/** Node.js decodes targets as Latin-1, so each character is one byte. */
const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Whether a first segment is that of one of the service's own paths, also in an escaped form. */
const isOwn = (segment: string): boolean =>
  OWN_PATHS.includes(
    `/${
      decode(segment)
        .split(/[/\\]/)
        .find((part) => part !== '' && part !== '.') ?? ''
    }`,
  );

const unescaped = (escape: string): string => String.fromCharCode(parseInt(escape.slice(1), 16));

/** Escapes of letters, digits and `-._~`: with and without them, an address is the same (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

const withoutNeedlessEscapes = (segment: string): string =>
  segment.includes('%') ? segment.replace(NEEDLESS, unescaped) : segment;

/** Decodes the escapes of ASCII in a segment: no path of the service or the node has other characters. */
export const decode = (segment: string): string =>
  segment.includes('%') ? segment.replace(/%[0-7][\da-f]/gi, unescaped) : segment;

/** Max length of a target. No path of the service or the node is longer. */
export const MAX_TARGET_BYTES = 8192;

/** Targets that are already normal, as nearly all are. */
const NORMAL = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+(?:\?[\x21\x22\x24-\x7e]*)?$/;

/** Whether a target is already normal: a cheap check, which may return false for some normal ones. */
export const isNormal = (url: string): boolean => url.length <= MAX_TARGET_BYTES && NORMAL.test(url);

export const normalizeTarget: Layer = (ctx, next) => {
  const { url = '' } = ctx.req;
  if (isNormal(url)) return next();
  if (url.length > MAX_TARGET_BYTES) {
    refuse(ctx, 414, `The address is longer than ${MAX_TARGET_BYTES} bytes`);
    return undefined;
  }
  const form = formOf(url);
  if ('reason' in form) {
    refuse(ctx, form.status, form.reason);
    return undefined;
  }
  ctx.req.url = form.routed;
  setForwardedTarget(ctx, form.forwarded);
  const steps = depthOf(url) - depthOf(form.routed);
  if (steps <= 0) return next();
  setExtraFolders(ctx, steps);
  return next().then(() => {
    // After the response cache, whose answers are for the normalized target.
    const link = ctx.response.get('Link');
    if (link && !ctx.headerSent) ctx.set('Link', link.replaceAll('<../', `<${pathToNormalizedUrl(ctx)}../`));
  });
};

/** Number of folders in a target, counted as by clients that resolve relative addresses. */
function depthOf(target: string): number {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return new URL(`http://localhost${local}`).pathname.split('/').length;
}
