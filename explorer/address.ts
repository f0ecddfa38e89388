/** Addresses of the pages: what stands after `#` in the URL, so that they work behind any path prefix. */

const PAGES_BY_PREFIX: Record<string, string> = {
  ak: 'account',
  kh: 'block',
  mh: 'block',
  th: 'transaction',
  ct: 'contract',
  ok: 'oracle',
  ch: 'channel',
  nm: 'name',
};

const IDENTIFIER = /^([a-z]{2})_[1-9A-HJ-NP-Za-km-z]{20,}$/;

/** The page of an identifier; undefined for those that have none, such as `cb_…`. */
export function pageOf(id: string): string | undefined {
  const page = PAGES_BY_PREFIX[IDENTIFIER.exec(id)?.[1] ?? ''];
  return page === undefined ? undefined : `#/${page}/${id}`;
}

/** Where a search leads. What is no identifier and no height is searched for in the names. */
export function target(text: string): string | undefined {
  const wanted = text.trim();
  if (wanted === '') return undefined;
  if (/^\d+$/.test(wanted)) return `#/generation/${BigInt(wanted)}`;
  if (/\.(chain|test)$/.test(wanted)) return `#/name/${encodeURIComponent(wanted)}`;
  return pageOf(wanted) ?? `#/names/${encodeURIComponent(wanted)}`;
}

export interface Place {
  page: string;
  /** What the page is about. */
  of: string;
  query: URLSearchParams;
}

/** `#/account/ak_…?page=2` in its parts. */
export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/');
  return { page, of: decode(rest.join('/')), query: new URLSearchParams(query) };
}

export function addressOf({ page, of }: Place, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]));
  return `#/${page}${of === '' ? '' : `/${encodeURIComponent(of)}`}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
