/** The URL of a replica, with what it lacks of user, password, database and parameters taken from that of the primary. */
export function completeUrl(replica: string, primary: string): string {
  if (!URL.canParse(replica) || !URL.canParse(primary)) return replica;
  const url = new URL(replica);
  const from = new URL(primary);
  if (url.username === '') {
    url.username = from.username;
    url.password = from.password;
  }
  if (url.pathname.length < 2) url.pathname = from.pathname;
  if (url.search === '') url.search = from.search;
  return url.href;
}
