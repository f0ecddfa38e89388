/** Addresses of the pages: the part of the URL after `#`, so that they work behind any path prefix. */

import { corrected, hasRightChecksum } from './checksum.js';

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

/** Address of the page of an identifier; undefined for identifiers without a page, such as `cb_…`. */
export function pageOf(id: string): string | undefined {
  const page = PAGES_BY_PREFIX[IDENTIFIER.exec(id)?.[1] ?? ''];
  return page === undefined ? undefined : `#/${page}/${id}`;
}

export const pageOfName = (name: string): string => `#/name/${encodeURIComponent(name)}`;

/** What a pasted address of a page of an explorer is about, here or elsewhere: `…/transactions/th_…`, `…/generation/42`. */
function subjectOf(url: string): string | undefined {
  const own = /#\/(\w+\/.+)$/.exec(url);
  if (own !== null) return `#/${own[1]!}`;
  const parts = decode(url).split(/[/?#&=]/);
  const found = parts.findLast((part) => pageOf(part) !== undefined || IS_NAME.test(part)) ?? parts.findLast(isHeight);
  return found === undefined ? undefined : target(found);
}

const IS_NAME = /^[^/\s]+\.(chain|test)$/i;
const isHeight = (text: string): boolean => /^\d+$/.test(text);

/** Address for a search. Text that is neither an identifier, a height nor an address of a page is searched for in names. */
export function target(text: string): string | undefined {
  const term = text.trim();
  if (term === '') return undefined;
  if (isHeight(term)) return `#/generation/${BigInt(term)}`;
  if (IS_NAME.test(term)) return pageOfName(term);
  if (/^https?:\/\//.test(term)) return subjectOf(term) ?? `#/names/${encodeURIComponent(term)}`;
  return pageOf(term) ?? `#/names/${encodeURIComponent(term)}`;
}

/** The identifier with a mistyped character in a text that is searched for; undefined if there is none. */
export function mistyped(text: string): string | undefined {
  return wrongIn(parseRoute(target(text) ?? ''));
}

/** The identifier of an address, if its checksum is wrong. */
export function wrongIn({ subject: id }: Route): string | undefined {
  return pageOf(id) === undefined || hasRightChecksum(id.slice(3)) ? undefined : id;
}

/** The identifier that differs by one letter and has the right checksum; undefined if there is none. */
export function correctedId(id: string): string | undefined {
  const base58 = Math.abs(id.length - USUAL_LENGTH) > 3 ? undefined : corrected(id.slice(3));
  return base58 === undefined ? undefined : id.slice(0, 3) + base58;
}

/** Of identifiers, with the prefix; they differ by two. Others are not worth the time. */
const USUAL_LENGTH = 53;

export interface Route {
  page: string;
  /** What the page shows: an identifier, a height, a name or a search text; empty if the page needs none. */
  subject: string;
  query: URLSearchParams;
}

/** Parses an address such as `#/account/ak_…?page=2`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/');
  return { page, subject: decode(rest.join('/')), query: new URLSearchParams(query) };
}

/** Address of a page with these query parameters; those that are undefined or empty are left out. */
export function addressOf({ page, subject }: Route, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]));
  return `#/${page}${subject === '' ? '' : `/${encodeURIComponent(subject)}`}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
