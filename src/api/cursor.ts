import type { Exchange } from './exchange.js';
import type { ParsedUrlQuery } from 'node:querystring';
import { isId } from '../chain/encoding/encoding.js';
import type { Cursor, KeysetPage, Page, RankCursor, RankedKeysetPage } from '../store/queries/paging/slice.js';
import { endpointOf } from './endpoint.js';
import { badRequest, parsePage } from './parse.js';

const LAST_POSITION = 2n ** 63n - 1n;

/**
 * `limit` with either `page` or `cursor`, which comes from the link of the page before and names the last transaction
 * given there; for lists of transactions.
 */
export function parseWalk(query: ParsedUrlQuery, cap: number): Page | KeysetPage {
  // With a cursor the page is not used, but a malformed one is still refused.
  const page = parsePage(query, cap);
  const text = cursorIn(query);
  return text === undefined ? page : { by: 'cursor', after: parseCursor(text), take: page.take, wanted: page.wanted };
}

/** The same for ranked lists, whose cursor names the position of the last row. */
export function parseRanked(query: ParsedUrlQuery, cap: number): Page | RankedKeysetPage {
  const page = parsePage(query, cap);
  const text = cursorIn(query);
  return text === undefined ? page : { by: 'rank', after: parsePlace(text), take: page.take, wanted: page.wanted };
}

const cursorIn = (query: ParsedUrlQuery): string | undefined => [query['cursor']].flat()[0] || undefined;

const wrongCursor = () => badRequest('Invalid input: cursor must be one that a link to a next page gave');

function parseCursor(text: string): Cursor {
  const [, hash = '', digits = ''] = /^(th_\w{1,60})-(\d{1,19})$/.exec(text) ?? [];
  if (!isId(hash, 'th') || BigInt(digits) > LAST_POSITION) throw wrongCursor();
  return { hash, position: BigInt(digits) };
}

function parsePlace(text: string): RankCursor {
  const [whole, key = '', position = '', label = ''] =
    /^(-?\d{1,18})\.(\d{1,18})\.([0-9a-f]{0,1024})$/.exec(text) ?? [];
  if (whole === undefined) throw wrongCursor();
  // A label cannot contain U+0000, which the database cannot store.
  const decoded = Buffer.from(label, 'hex').toString().replaceAll('\0', '');
  return { key: BigInt(key), position: BigInt(position), label: decoded };
}

/** Links to the page after the row that `cursor` names; no link at the end of the list. */
export function linkNext(ctx: Exchange, cursor: string | null | undefined): void {
  if (cursor == null) return;
  const query = new URLSearchParams();
  for (const name of [...endpointOf(ctx).linked, 'int-as-string']) {
    const [value] = [ctx.query[name]].flat();
    if (value !== undefined) query.set(name, value);
  }
  query.set('cursor', cursor);
  ctx.append('Link', `<${ctx.path}?${query.toString()}>; rel="next"`);
}
