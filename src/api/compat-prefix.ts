import type { IncomingMessage } from 'node:http';

/** The compatible API on the main address is below this path; on its own address it is at the root. */
export const COMPAT_PREFIX = '/mdw';

export const isCompatPath = (path: string): boolean =>
  path.startsWith(COMPAT_PREFIX) &&
  (path.length === COMPAT_PREFIX.length || '/?'.includes(path[COMPAT_PREFIX.length]!));

const atRoot = new WeakSet<IncomingMessage>();

/** Moves a request on the own address to where the compatible API is on the main address. */
export function moveBelowPrefix(request: IncomingMessage): void {
  atRoot.add(request);
  request.url = compatTarget(request.url ?? '/');
}

/** Whether a request came on the own address. */
export const isAtRoot = (request: IncomingMessage): boolean => atRoot.has(request);

/** The target on the main address for one on the own address. */
export function compatTarget(target: string): string {
  const local = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  return local.startsWith('/') ? COMPAT_PREFIX + local : `${COMPAT_PREFIX}/${local}`;
}
