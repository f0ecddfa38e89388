const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '');

/** Values of `sslmode` for which the driver does what they say. It cannot fall back as `prefer` and `allow` ask for. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Parameters of TLS and their values. All other text means TLS to the driver, even `false`. */
const ALLOWED = { sslmode: SSL_MODES, ssl: ['true', '1', '0', 'no-verify'] };

const MODES = `one of ${SSL_MODES.join(', ')}`;

const NO_FALLBACK =
  '(prefer and allow would fall back to a connection without TLS; use verify-full, or disable for a server without TLS)';

/** What the parameters of a URL must be, if one of TLS has another value: the end of a sentence. Undefined if all are allowed. */
export function allowedTls(url: string): string | undefined {
  const query = queryOf(url);
  const [wrong] = Object.entries(ALLOWED).filter(([name, values]) =>
    query.getAll(name).some((value) => !values.includes(value)),
  );
  if (wrong === undefined) return undefined;
  return wrong[0] === 'sslmode' ? `sslmode ${MODES} ${NO_FALLBACK}` : `ssl one of ${wrong[1].join(', ')}`;
}

/** The fault of PGSSLMODE, which the driver reads for a URL that says nothing about TLS; undefined if there is none. */
export function pgSslModeFault(mode: string, url: string): string | undefined {
  const isOpen = ![...queryOf(url).keys()].some((name) => name.startsWith('ssl'));
  return isOpen && !SSL_MODES.includes(mode)
    ? `PGSSLMODE=${JSON.stringify(mode)} is not ${MODES} ${NO_FALLBACK}`
    : undefined;
}

/** Whether the driver would refuse a URL because it has no certificate of an authority. */
export function lacksAuthority(url: string): boolean {
  const query = queryOf(url);
  return (
    query.get('uselibpqcompat') === 'true' &&
    query.getAll('sslmode').at(-1) === 'verify-ca' &&
    !query.has('sslrootcert')
  );
}

/** The parameter of a URL that turns certificate checks off, as `name=value`; undefined if there is none. */
export function uncheckedBy(url: string): string | undefined {
  const query = queryOf(url);
  const off = { sslmode: ['disable', 'no-verify'], ssl: ['0', 'no-verify'] };
  return Object.entries(off)
    .flatMap(([name, values]) =>
      values.filter((value) => query.getAll(name).includes(value)).map((value) => `${name}=${value}`),
    )
    .at(0);
}

/** Adds `sslmode=verify-full` and the authority's certificate file to a URL. Parameters that it has already stay. */
export function verified(url: string, caFile: string): string {
  const query = queryOf(url);
  const more = Object.entries({ sslmode: 'verify-full', sslrootcert: caFile })
    .filter(([name]) => !query.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return more.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${more.join('&')}`;
}
