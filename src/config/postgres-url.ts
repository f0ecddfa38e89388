const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '');

/** The parameter by which a URL says that no certificate is to be checked; undefined if it does not. */
export function uncheckedBy(url: string): string | undefined {
  const query = queryOf(url);
  const off = { sslmode: ['disable', 'allow', 'prefer', 'no-verify'], ssl: ['0', 'false', 'no-verify'] };
  const [found] = Object.entries(off).filter(([name, values]) => values.includes(query.get(name) ?? ''));
  return found && `${found[0]}=${query.get(found[0])}`;
}

/** The URL with the authority that the server must be signed by; what the URL says itself stays. */
export function verified(url: string, caFile: string): string {
  const query = queryOf(url);
  const more = Object.entries({ sslmode: 'verify-full', sslrootcert: caFile })
    .filter(([name]) => !query.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return more.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${more.join('&')}`;
}
