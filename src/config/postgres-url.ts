const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '');

/** The parameter of a URL that turns certificate checks off, as `name=value`; undefined if there is none. */
export function uncheckedBy(url: string): string | undefined {
  const query = queryOf(url);
  const off = { sslmode: ['disable', 'allow', 'prefer', 'no-verify'], ssl: ['0', 'false', 'no-verify'] };
  const [found] = Object.entries(off).filter(([name, values]) => values.includes(query.get(name) ?? ''));
  return found && `${found[0]}=${query.get(found[0])}`;
}

/** Adds `sslmode=verify-full` and the authority's certificate file to a URL. Parameters that it has already stay. */
export function verified(url: string, caFile: string): string {
  const query = queryOf(url);
  const more = Object.entries({ sslmode: 'verify-full', sslrootcert: caFile })
    .filter(([name]) => !query.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return more.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${more.join('&')}`;
}
