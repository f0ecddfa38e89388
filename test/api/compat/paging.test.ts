import { expect } from 'chai';
import { below, pagesOf, recordedService } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import type { TestApi } from '../../support/api.js';

const ALICE = 'ak_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp';
const CONTRACT = 'ct_GV68inYjmsaFLD7ygfA7ThtZ8vAxyGobv43kAnALM4oXQfbin';

/** Lists of each kind, with filters and scopes. */
const LISTS = [
  '/v3/key-blocks',
  '/v3/key-blocks?scope=gen:10-60',
  '/v3/key-blocks?direction=forward',
  '/v3/key-blocks/58/micro-blocks',
  '/v3/transactions?scope=gen:200-20',
  '/v3/transactions?direction=forward&type=name_claim&type=spend',
  `/v3/transactions?account=${ALICE}`,
  `/v3/transactions?account=${ALICE}&type_group=oracle`,
  `/v3/transactions?contract=${CONTRACT}`,
  `/v3/transactions?sender_id=${ALICE}&direction=forward`,
  `/v2/txs?account=${ALICE}&type=spend&scope=txi:100-300`,
];

const LIMITS = [3, 40, 100];

const at = (path: string, limit: number): string => `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;

/** All pages from the last one back to the first one. */
async function pagesBefore(api: TestApi, last: Page): Promise<Page[]> {
  const pages = [last];
  while (pages[0]!.prev !== null) {
    if (pages.length > 1_000) throw new Error('the list does not begin');
    pages.unshift((await api.json(below(pages[0]!.prev))) as Page);
  }
  return pages;
}

const rows = (pages: readonly Page[]): string[] => pages.flatMap(({ data }) => data.map((row) => JSON.stringify(row)));

describe('pages of lists of the compatible API', () => {
  let service: RecordedService;
  let api: TestApi;

  before(async () => {
    service = await recordedService();
    ({ api } = service);
  });
  after(() => service.close());

  for (const path of LISTS) {
    it(`of ${path} are the same rows by next, by prev and with any limit`, async () => {
      const expected = rows(await pagesOf(api, at(path, 100)));
      expect(new Set(expected).size).to.equal(expected.length);
      expect(expected).not.to.have.length(0);
      for (const limit of LIMITS) {
        const pages = await pagesOf(api, at(path, limit));
        expect(rows(pages)).to.deep.equal(expected);
        expect(pages[0]!.prev).to.equal(null);
        expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).to.equal(true);
        expect(rows(await pagesBefore(api, pages.at(-1)!))).to.deep.equal(expected);
      }
    });
  }

  it('links to the same path below the prefix, with parameters in alphabetical order', async () => {
    const first = (await api.json(below('/v3/transactions?type=spend&limit=2&int-as-string=true'))) as Page;
    expect(first.next).to.match(/^\/v3\/transactions\?cursor=[\w-]+&int-as-string=true&limit=2&type=spend$/);
    const second = (await api.json(below(first.next!))) as Page;
    expect(second.prev).to.match(/^\/v3\/transactions\?cursor=[\w-]+&int-as-string=true&limit=2&rev=1&type=spend$/);
  });

  it('takes a cursor with parameters in another order and with another limit, and refuses that of another list', async () => {
    const { next } = (await api.json(below(`/v3/transactions?limit=3&type=spend&account=${ALICE}`))) as Page;
    const cursor = new URLSearchParams(next!.split('?')[1]).get('cursor')!;
    const expected = ((await api.json(below(next!))) as Page).data;
    const same = `/v3/transactions?type=spend&cursor=${cursor}&account=${ALICE}&direction=backward&limit=1&_cache=1`;
    expect(((await api.json(below(same))) as Page).data).to.deep.equal(expected.slice(0, 1));
    for (const other of [
      `/v3/transactions?cursor=${cursor}`,
      `/v3/transactions?type=spend&cursor=${cursor}&account=${ALICE}&direction=forward`,
      `/v3/transactions?type=spend&cursor=${cursor}&account=${ALICE}&scope=gen:1-200`,
      `/v3/key-blocks?cursor=${cursor}`,
      `/v3/key-blocks?cursor=${cursor.slice(0, -1)}`,
      `/v3/key-blocks?cursor=1`,
      `/v3/key-blocks?cursor=${'a'.repeat(3000)}`,
    ]) {
      const { status, body } = await api.get(below(other));
      expect(status, other).to.equal(400);
      expect(body).to.match(/^\{"error":"invalid cursor: /);
    }
    const { body } = await api.get(below(`/v3/transactions?cursor=${cursor}`));
    expect(body).to.contain('of another list, filter or direction');
  });
});

describe('pages of lists of the compatible API while the chain grows', () => {
  const HEIGHTS = [60, 90, 120, 150, 180, 214];

  for (const path of ['/v3/key-blocks', '/v3/transactions?direction=forward', `/v3/transactions?account=${ALICE}`]) {
    it(`lose no row of ${path} and repeat none`, async () => {
      const service = await recordedService('realnode', HEIGHTS[0]);
      try {
        const { api } = service;
        const before = rows(await pagesOf(api, at(path, 100)));
        const pages: Page[] = [];
        const heights = HEIGHTS.slice(1);
        for (let next: string | null = at(path, 9); next !== null; next = pages.at(-1)!.next) {
          pages.push((await api.json(below(next))) as Page);
          if (heights.length > 0) await service.grow(heights.shift());
        }
        const seen = rows(pages);
        expect(new Set(seen).size).to.equal(seen.length);
        expect(before.filter((row) => !seen.includes(row) && !row.includes('"height":60,'))).to.deep.equal([]);
        // Back from the last page come also the rows that were added before the first one.
        const all = rows(await pagesOf(api, at(path, 100)));
        expect(rows(await pagesBefore(api, pages.at(-1)!))).to.deep.equal(all);
      } finally {
        await service.close();
      }
    });
  }
});
