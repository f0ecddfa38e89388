import type { Context } from 'koa';
import type { ParsedUrlQuery } from 'node:querystring';
import { isId } from '../chain/encoding.js';
import type { Cursor, Place, Slice } from '../store/queries/slice.js';
import { endpointOf } from './endpoint.js';
import { badRequest, parseSlice } from './parse.js';

const LAST_POSITION = 2n ** 63n - 1n;

/**
 * `limit` with either `page` or `cursor`, which comes from the link of the page before and names the last transaction
 * given there; for lists of transactions.
 */
export const parseWalk = (query: ParsedUrlQuery, cap: number): Slice =>
  parseEither(query, cap, (text) => ({ after: parseCursor(text) }));

/** The same for ranked lists, whose cursor names the place of the last row. */
export const parseRanked = (query: ParsedUrlQuery, cap: number): Slice =>
  parseEither(query, cap, (text) => ({ behind: parsePlace(text) }));

function parseEither(query: ParsedUrlQuery, cap: number, read: (cursor: string) => Partial<Slice>): Slice {
  // A page is not read beside a cursor, but a wrong one is refused all the same.
  const slice = parseSlice(query, cap);
  const [text] = [query['cursor']].flat();
  return text === undefined || text === '' ? slice : { ...slice, skip: 0n, ...read(text) };
}

const wrongCursor = () => badRequest('Invalid input: cursor must be one that a link to a next page gave');

function parseCursor(text: string): Cursor {
  const [, hash = '', digits = ''] = /^(th_\w{1,60})-(\d{1,19})$/.exec(text) ?? [];
  if (!isId(hash, 'th') || BigInt(digits) > LAST_POSITION) throw wrongCursor();
  return { hash, position: BigInt(digits) };
}

function parsePlace(text: string): Place {
  const [whole, key = '', position = '', label = ''] =
    /^(-?\d{1,18})\.(\d{1,18})\.([0-9a-f]{0,1024})$/.exec(text) ?? [];
  if (whole === undefined) throw wrongCursor();
  // No label has the character that the database cannot hold.
  const decoded = Buffer.from(label, 'hex').toString().replaceAll('\0', '');
  return { key: BigInt(key), position: BigInt(position), label: decoded };
}

/** Links to the page behind the row that `cursor` names; none when the list ends here. */
export function linkNext(ctx: Context, cursor: string | null | undefined): void {
  if (cursor == null) return;
  const query = new URLSearchParams();
  for (const name of [...endpointOf(ctx).linked, 'int-as-string']) {
    const [value] = [ctx.query[name]].flat();
    if (value !== undefined) query.set(name, value);
  }
  query.set('cursor', cursor);
  ctx.append('Link', `<${ctx.path}?${query.toString()}>; rel="next"`);
}
