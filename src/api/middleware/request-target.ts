import type { Layer } from '../exchange.js';
import { OWN_PATHS } from '../endpoints.js';
import { refuse } from '../reply.js';

const MALFORMED = { status: 400, reason: 'Invalid request target' };
const ASTRAY = { status: 404, reason: 'Not found' };

/**
 * Brings the request target into one form before anything looks at it: the path alone (a host in the target is
 * ignored), no empty or dot segments, no slash at the end. What no target may hold is escaped, all else of the query stays byte for byte. Returns a refusal if it is no
 * path, hides a way up behind encoded slashes, or leads out of the service's own paths.
 */
export function formOf(target: string): string | typeof MALFORMED {
  const local = target.startsWith('/') ? target : /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (local === undefined) return MALFORMED;
  const [beforeFragment = ''] = local.replace(/[^\x21-\x7e]/g, escaped).split('#', 1);
  const queryAt = beforeFragment.indexOf('?');
  const path = queryAt === -1 ? beforeFragment : beforeFragment.slice(0, queryAt);
  const query = queryAt === -1 ? '' : beforeFragment.slice(queryAt);

  let isAstray = false;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const decoded = decode(segment);
    if (decoded === '' || decoded === '.') continue;
    const parts = decoded.split(/[/\\]/);
    if (decoded === '..') {
      if (segments.length === 1 && isOwn(segments[0]!)) isAstray = true;
      segments.pop();
    } else if (parts.includes('..')) return MALFORMED;
    else segments.push(segment);
  }
  const [first = ''] = segments;
  // Written in another way it would be taken for a path of the node.
  if (isAstray || (isOwn(first) && !OWN_PATHS.includes(`/${first}`))) return ASTRAY;
  return `/${segments.join('/')}${query}`;
}

/** Targets come as Latin-1, a byte for a character. */
const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Whether the first segment of a path is one of the service, plainly or escaped. */
const isOwn = (segment: string): boolean =>
  OWN_PATHS.includes(
    `/${
      decode(segment)
        .split(/[/\\]/)
        .find((part) => part !== '' && part !== '.') ?? ''
    }`,
  );

/** The segment as a server would decode it; malformed escapes stay as they are. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
  }
}

/** Neither the service nor the node has a longer address. */
export const MAX_TARGET_BYTES = 8192;

/** Targets that are already in that form, as nearly all are. */
const NORMAL = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+(?:\?[\x21\x22\x24-\x7e]*)?$/;

/** Whether a target needs no other form. */
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
  return next();
};
