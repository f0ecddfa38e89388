import type { Context } from 'koa';
import type { ParsedUrlQuery } from 'node:querystring';
import { isId } from '../chain/encoding.js';
import type { Cursor, Slice } from '../store/queries/slice.js';
import { badRequest, parseSlice } from './parse.js';

/** Parameters that the next page has from this one. */
const KEPT = ['limit', 'txtype', 'tx_type', 'int-as-string'];

const LAST_POSITION = 2n ** 63n - 1n;

/**
 * `limit` with either `page` or `cursor`, which comes from the link of the page before and names the last transaction
 * given there; for lists of transactions.
 */
export function parseWalk(query: ParsedUrlQuery, cap: number): Slice {
  const [text] = [query['cursor']].flat();
  if (text === undefined || text === '') return parseSlice(query, cap);
  // A page is not read beside a cursor, but a wrong one is refused all the same.
  return { ...parseSlice(query, cap), skip: 0n, after: parseCursor(text) };
}

function parseCursor(text: string): Cursor {
  const [, hash = '', digits = ''] = /^(th_\w{1,60})-(\d{1,19})$/.exec(text) ?? [];
  if (!isId(hash, 'th') || BigInt(digits) > LAST_POSITION) {
    throw badRequest('Invalid input: cursor must be one that a link to a next page gave');
  }
  return { hash, position: BigInt(digits) };
}

/** Links to the page behind the row that `cursor` names; none when the list ends here. */
export function linkNext(ctx: Context, cursor: string | null | undefined): void {
  if (cursor == null) return;
  const query = new URLSearchParams();
  for (const name of KEPT) {
    const [value] = [ctx.query[name]].flat();
    if (value !== undefined) query.set(name, value);
  }
  query.set('cursor', cursor);
  ctx.append('Link', `<${ctx.path}?${query.toString()}>; rel="next"`);
}
