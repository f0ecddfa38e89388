/** `postgres://user:***@host/db`; text of another form is masked whole, as it is not known where its secret is. */
export function maskPassword(text: string): string {
  const match = /^([a-z]+:\/\/)(?:(.*)@)?([^?]*)(\?.*)?$/s.exec(text);
  if (match === null) return '***';
  const [, scheme, login, rest, query] = match;
  const user = login?.split(':')[0];
  return `${scheme}${user === undefined ? '' : `${user}:***@`}${rest}${query === undefined ? '' : '?***'}`;
}

/** Node and compiler addresses may carry a user and password too. */
export function maskLogins<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskLogins) as T;
  return typeof value === 'string' ? (value.replace(/[^\s/,]*@/g, '***@') as T) : value;
}
