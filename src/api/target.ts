import type { Middleware } from 'koa';
import { OWN_PATHS } from './endpoints.js';
import { refuse } from './reply.js';

const MALFORMED = { status: 400, reason: 'Invalid request target' };
const ASTRAY = { status: 404, reason: 'Not found' };

/**
 * Brings the request target into one form before anything looks at it: the path alone (a host in the target is
 * ignored), no empty or dot segments, no slash at the end. The query stays byte for byte. Otherwise the refusal: it is no
 * path, hides a way up behind encoded slashes, or leads out of the service's own paths.
 */
export function formOf(target: string): string | typeof MALFORMED {
  const local = target.startsWith('/') ? target : /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (local === undefined) return MALFORMED;
  const [beforeFragment = ''] = local.split('#', 1);
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
  // Written in another way it would pass for a path of the node.
  if (isAstray || (isOwn(first) && !OWN_PATHS.includes(`/${first}`))) return ASTRAY;
  return `/${segments.join('/')}${query}`;
}

/** Whether the first segment of a path is, or hides, that of an own one. */
const isOwn = (segment: string): boolean =>
  OWN_PATHS.includes(
    `/${
      decode(segment)
        .split(/[/\\]/)
        .find((part) => part !== '' && part !== '.') ?? ''
    }`,
  );

/** What a server would make of the segment; malformed escapes stand for themselves. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
  }
}

/** Bytes; longer ones are no address of anything here or at the node. */
export const LONGEST_TARGET = 8192;

/** Targets that are in that form: most are. */
const NORMAL = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+(?:\?[^#]*)?$/;

export const normalizeTarget: Middleware = (ctx, next) => {
  const { url = '' } = ctx.req;
  if (url.length > LONGEST_TARGET) {
    refuse(ctx, 414, `The address is longer than ${LONGEST_TARGET} bytes`);
    return undefined;
  }
  if (NORMAL.test(url)) return next();
  const form = formOf(url);
  if (typeof form !== 'string') {
    refuse(ctx, form.status, form.reason);
    return undefined;
  }
  ctx.req.url = form;
  return next();
};
