/** `postgres://user:***@host/db`. Text of another form is masked completely, because the secret may be anywhere in it. */
export function maskPassword(text: string): string {
  const match = /^([a-z]+:\/\/)(?:(.*)@)?([^?]*)(\?.*)?$/s.exec(text);
  if (match === null) return '***';
  const [, scheme, login, rest, query] = match;
  const user = login?.split(':')[0];
  return `${scheme}${user === undefined ? '' : `${user}:***@`}${rest}${query === undefined ? '' : '?***'}`;
}

/** Masks user and password in addresses of nodes and compilers, in texts and lists of texts. */
export function maskLogins<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskLogins) as T;
  return typeof value === 'string' ? (value.replace(/[^\s/,]*@/g, '***@') as T) : value;
}
