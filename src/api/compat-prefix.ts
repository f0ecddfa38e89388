/** The compatible API on the main address is below this path; on its own address it is at the root. */
export const COMPAT_PREFIX = '/mdw';

export const isCompatPath = (path: string): boolean =>
  path.startsWith(COMPAT_PREFIX) &&
  (path.length === COMPAT_PREFIX.length || '/?'.includes(path[COMPAT_PREFIX.length]!));

/** The target on the main address for one on the own address. */
export function compatTarget(target: string): string {
  const local = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  return local.startsWith('/') ? COMPAT_PREFIX + local : `${COMPAT_PREFIX}/${local}`;
}
