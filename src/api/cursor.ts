import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import { isId } from '../chain/encoding/encoding.js';
import { LAST_POSITION } from '../chain/position.js';
import type { Cursor, KeysetPage, Page, RankCursor, RankedKeysetPage } from '../store/queries/paging/slice.js';
import { endpointOf, INT_AS_STRING } from './endpoint.js';
import { badRequest, firstOf, parsePage } from './parse.js';

/**
 * Reads `limit` with `page` or `cursor`, for lists of transactions. The cursor comes from the link to the next page; it
 * names the last transaction of the page before. Throws a bad request.
 */
export function parseKeysetPage(query: ParsedUrlQuery, cap: number): Page | KeysetPage {
  // `page` is not used if there is a cursor, but a malformed one is refused all the same.
  const page = parsePage(query, cap);
  const text = cursorIn(query);
  return text === undefined ? page : { by: 'cursor', after: parseCursor(text), take: page.take, wanted: page.wanted };
}

/** The same for lists in another order: their cursor names the rank of the last row. Throws a bad request. */
export function parseRankedKeysetPage(query: ParsedUrlQuery, cap: number): Page | RankedKeysetPage {
  const page = parsePage(query, cap);
  const text = cursorIn(query);
  return text === undefined ? page : { by: 'rank', after: parseRankCursor(text), take: page.take, wanted: page.wanted };
}

const cursorIn = (query: ParsedUrlQuery): string | undefined => firstOf(query, 'cursor') || undefined;

const invalidCursor = () => badRequest('Invalid input: cursor must be one that a link to a next page gave');

function parseCursor(text: string): Cursor {
  const [, hash = '', digits = ''] = /^(th_\w{1,60})-(\d{1,19})$/.exec(text) ?? [];
  if (!isId(hash, 'th') || BigInt(digits) > LAST_POSITION) throw invalidCursor();
  return { hash, position: BigInt(digits) };
}

function parseRankCursor(text: string): RankCursor {
  const [whole, key = '', position = '', label = ''] =
    /^(-?\d{1,18})\.(\d{1,18})\.([0-9a-f]{0,1024})$/.exec(text) ?? [];
  if (whole === undefined) throw invalidCursor();
  // A label cannot contain U+0000, which the database cannot store.
  const decoded = Buffer.from(label, 'hex').toString().replaceAll('\0', '');
  return { key: BigInt(key), position: BigInt(position), label: decoded };
}

/**
 * Sets the header `Link` to the page after `cursor`, and returns its query; none at the end of the list, where the cursor is absent. The target is
 * relative, so that it works behind a path prefix. It goes up to the root and down again, so that it also works for clients
 * that resolve it against the root of the server: they ignore `../` there.
 */
export function linkNext(ctx: Exchange, cursor: string | null | undefined): string | null {
  if (cursor == null) return null;
  const path = '../'.repeat(ctx.path.split('/').length - 2) + ctx.path.slice(1);
  const query = nextPage(ctx, cursor);
  ctx.append('Link', `<${path}?${query}>; rel="next"`);
  return query;
}

function nextPage(ctx: Exchange, cursor: string): string {
  const query = new URLSearchParams();
  for (const name of [...endpointOf(ctx).linkedParameters, INT_AS_STRING]) {
    const value = firstOf(ctx.query, name);
    if (value !== undefined) query.set(name, value);
  }
  query.set('cursor', cursor);
  return query.toString();
}
