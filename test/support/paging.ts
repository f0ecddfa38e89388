import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import type { Modelled } from './modelled.js';
import { nextOf } from './walks.js';

/** The only list without links, because it is small and sorted on request. */
const UNLINKED = '/middleware/names/auctions/active';

/**
 * Checks that a path returns `whole`, that its pages are parts of it for all forms of `limit` and `page`, and that the links lead through all
 * pages.
 */
export async function expectPages(
  { exact, api }: Modelled,
  path: string,
  whole: readonly Json[],
  list: (answer: Json) => Json = (answer) => answer,
): Promise<void> {
  const get = async (query: string): Promise<Json> =>
    list(await exact(`${path}${path.includes('?') ? '&' : '?'}${query}`));
  expect(list(await exact(path)), path).to.deep.equal(whole);
  for (const [query, rows] of [
    ['limit=abc', whole],
    ['limit=NaN&page=7', whole],
    ['page=2', whole],
    ['limit=2', whole.slice(0, 2)],
    ['limit=2&page=2', whole.slice(2, 4)],
    ['limit=3&page=x', whole.slice(0, 3)],
    ['limit=1000000000000&page=1', whole],
    ['limit=99999999999999999999999999', whole],
    [`limit=1&page=${whole.length + 1}`, []],
    ['limit=5&page=99999999999999999999999999', []],
    ['limit=0', []],
  ] as const) {
    expect(await get(query), `${path} ${query}`).to.deep.equal(rows);
  }
  const walked: Json[] = [];
  for (let page = 1; ; page += 1) {
    const rows = (await get(`limit=3&page=${page}`)) as Json[];
    if (rows.length === 0) break;
    walked.push(...rows);
  }
  expect(walked, `${path} page by page`).to.deep.equal(whole);
  if (path !== UNLINKED) {
    const followed: Json[] = [];
    let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=3`;
    for (let pages = 0; next !== undefined; pages += 1) {
      expect(pages, `${path} by links`).to.be.below(Math.max(1, Math.ceil(whole.length / 3)));
      const { headers, body } = await api.get(next);
      followed.push(...(list(parseExact(body)) as Json[]));
      next = nextOf(next, headers.link);
    }
    expect(followed, `${path} by links`).to.deep.equal(whole);
  }
  for (const query of ['limit=-1', 'limit=2&page=0', 'limit=2&page=-3']) {
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
    expect(status, `${path} ${query}`).to.equal(400);
    expect((JSON.parse(body) as { reason: string }).reason).to.match(/limit|page/);
  }
}

/** Checks that each path is refused as malformed, and that the reason names the field. */
export async function expectRefused({ api }: Modelled, paths: Record<string, string>): Promise<void> {
  for (const [path, field] of Object.entries(paths)) {
    const { status, headers, body } = await api.get(path);
    expect(status, path).to.equal(400);
    expect(headers['content-type'], path).to.equal('application/json');
    expect((JSON.parse(body) as { reason: string }).reason, path).to.contain(field);
  }
}

/** Each path with texts that are not identifiers. */
export const malformed = (path: string, field: string): Record<string, string> =>
  Object.fromEntries(
    [
      'abc',
      'ak_',
      'ak_0OIl',
      "ak_'%20OR%201=1--",
      'x_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp',
      'ak_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dq',
      '%00',
      '%zz',
      '%ff',
    ].map((id) => [`${path}${id}`, field]),
  );
