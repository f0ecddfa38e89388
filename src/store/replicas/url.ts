/** The URL of a replica; a missing user, password, database or parameters are taken from the URL of the primary. */
export function completeUrl(replica: string, primary: string): string {
  if (!URL.canParse(replica) || !URL.canParse(primary)) return replica;
  const url = new URL(replica);
  const from = new URL(primary);
  // A parameter wins over the same part of a URL.
  const own = url.username === '' ? ['host', 'port'] : ['host', 'port', 'user', 'password'];
  if (url.username === '') {
    url.username = from.username;
    url.password = from.password;
  }
  if (url.pathname.length < 2) url.pathname = from.pathname;
  if (url.search === '') {
    for (const name of own) from.searchParams.delete(name);
    url.search = from.search;
  }
  return url.href;
}
