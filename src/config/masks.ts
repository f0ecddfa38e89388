/** `postgres://user:***@host/db`. Text of another form is masked completely, because the secret may be anywhere in it. */
export function maskPassword(text: string): string {
  const match = /^([a-z]+:\/\/)(?:(.*)@)?([^?]*)(\?.*)?$/s.exec(text);
  if (match === null) return '***';
  const [, scheme, login, rest, query] = match;
  const user = login?.split(':')[0];
  return `${scheme}${user === undefined ? '' : `${user}:***@`}${rest}${query === undefined ? '' : '?***'}`;
}

/**
 * Masks user and password in addresses of nodes and compilers, in texts and lists of texts. All text before an `@` is masked, up to a scheme:
 * in an address that is not valid, the password may contain characters that should have been encoded, such as `/` and commas.
 */
export function maskLogins<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskLogins) as T;
  return typeof value === 'string' ? (value.replace(/(^|:\/\/|,)(?:(?!:\/\/).)*@/gs, '$1***@') as T) : value;
}
