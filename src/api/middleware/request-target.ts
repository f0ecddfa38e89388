import { setExtraFolders, pathToNormalizedUrl } from '../exchange.js';
import type { Layer } from '../exchange.js';
import { OWN_PATHS } from '../endpoints.js';
import { refuse } from '../reply.js';

const MALFORMED = { status: 400, reason: 'Invalid request target' };
const NOT_FOUND = { status: 404, reason: 'Not found' };

/**
 * Normalizes a request target, before any other code reads it. The result is a path and a query without a host. The path
 * has no empty segments, no `.` or `..`, and no slash at its end. The query is not changed, except that bytes that a target
 * must not contain are escaped. Returns a refusal if the target is not a path, hides `..` behind an escaped slash, leaves
 * the service's own paths by `..`, or writes one of them in an escaped form.
 */
export function formOf(target: string): string | typeof MALFORMED {
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
    const parts = decoded.split(/[/\\]/);
    if (decoded === '..') {
      if (segments.length === 1 && isOwn(segments[0]!)) leavesOwnPaths = true;
      segments.pop();
    } else if (parts.includes('..')) return MALFORMED;
    else segments.push(segment);
  }
  const [first = ''] = segments;
  // An own path in an escaped form would be forwarded to the node.
  if (leavesOwnPaths || (isOwn(first) && !OWN_PATHS.includes(`/${first}`))) return NOT_FOUND;
  return `/${segments.join('/')}${query}`;
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

/** Decodes a segment. If it contains a malformed escape, only dots and slashes are decoded. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
  }
}

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
  if (typeof form !== 'string') {
    refuse(ctx, form.status, form.reason);
    return undefined;
  }
  ctx.req.url = form;
  const steps = depthOf(url) - depthOf(form);
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
