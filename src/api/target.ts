import type { Middleware } from 'koa';
import { refuse } from './reply.js';

/**
 * Brings the request target into one form before anything looks at it: the path alone (a host in the target is
 * ignored), no empty or dot segments, no slash at the end. The query stays byte for byte. Undefined: it is no path, or
 * hides a way up behind encoded slashes.
 */
export function normalTarget(target: string): string | undefined {
  const local = target.startsWith('/') ? target : /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (local === undefined) return undefined;
  const [beforeFragment = ''] = local.split('#', 1);
  const queryAt = beforeFragment.indexOf('?');
  const path = queryAt === -1 ? beforeFragment : beforeFragment.slice(0, queryAt);
  const query = queryAt === -1 ? '' : beforeFragment.slice(queryAt);

  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const decoded = decode(segment);
    if (decoded === '' || decoded === '.') continue;
    if (decoded === '..') segments.pop();
    else if (decoded.split(/[/\\]/).some((part) => part === '..')) return undefined;
    else segments.push(segment);
  }
  return `/${segments.join('/')}${query}`;
}

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
  const target = normalTarget(url);
  if (target === undefined) {
    refuse(ctx, 400, 'Invalid request target');
    return undefined;
  }
  ctx.req.url = target;
  return next();
};
