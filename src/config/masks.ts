/** Host, port, path: the parts of a URL that are shown. */
const HOST_AND_PATH = /^(\[[0-9a-fA-F:.%]*\]|[^\s:/[\]\\@#]*)(:\d{1,5})?(\/[^\s:\\@#]*)?$/;

/**
 * `postgres://user:***@host/db`. Text of another form is masked completely, because the secret may be anywhere in it: without an `@`, for
 * example, the password is in the place of the port.
 */
export function maskPassword(text: string): string {
  const match = /^([a-z]+:\/\/)(?:(.*)@)?([^?]*)(\?.*)?$/s.exec(text.trim());
  if (match === null || !HOST_AND_PATH.test(match[3]!)) return '***';
  const [, scheme, login, rest, query] = match;
  const user = login?.split(':')[0];
  return `${scheme}${user === undefined ? '' : `${user}:***@`}${rest}${query === undefined ? '' : '?***'}`;
}

/**
 * Masks user and password in addresses of nodes and compilers, in texts and lists of texts. All text before an `@` is masked, up to a scheme:
 * in an address that is not valid, the password may contain characters that should have been encoded, such as `/` and commas. Without an
 * `@`, all text after a scheme is masked if there is something else than a port in the place of the port.
 */
export function maskLogins<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskLogins) as T;
  if (typeof value !== 'string') return value;
  const known = value.replace(/(^|:\/\/|,)(?:(?!:\/\/).)*@/gs, '$1***@');
  return known.replace(/:\/\/(\[[^\]]*\]|[^\s:/,?#[\]@*]+):(?!\d{1,5}(?:[\s/,?#]|$)).*/s, '://***') as T;
}

/** Name of a file for a message. If somebody wrote a URL there, it is masked. */
export const maskFile = (name: string): string => (/@|:\/\//.test(name) ? '***' : name);
