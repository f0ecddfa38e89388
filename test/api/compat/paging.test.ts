import { expect } from 'chai';
import { below, pagesBefore, pagesOf, recordedService, withLimit } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import type { TestApi } from '../../support/api.js';
import { createWorld } from '../../support/events.js';

const ALICE = 'ak_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp';
const CONTRACT = 'ct_GV68inYjmsaFLD7ygfA7ThtZ8vAxyGobv43kAnALM4oXQfbin';

const NAME = 'nm_xa89iRsKkmvTDJXttLZuoU48CD2A83UpcYcmSsMhPTQphhSeN';

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
  '/v3/names',
  '/v3/names?direction=forward&state=active',
  '/v3/names?by=name',
  '/v3/names?by=activation&state=active',
  '/v3/names?state=auction',
  '/v3/names?by=name&state=auction',
  '/v2/names?by=name&direction=forward',
  '/v3/names?owned_by=ak_Bo5TFTJJpuGqXSFm5sWMCitSE2VSREEsVZJA1C3UGBTTuidji',
  `/v3/names/${NAME}/claims`,
  `/v3/names/${NAME}/history`,
  `/v3/accounts/${ALICE}/names/pointees`,
  '/v2/names/search?only=active&only=auction&direction=forward',
  '/v3/oracles?direction=forward',
  `/v3/oracles/ok_${ALICE.slice(3)}/queries`,
  `/v3/oracles/ok_${ALICE.slice(3)}/responses`,
  '/v3/channels',
  '/v3/contracts',
  `/v3/accounts/${ALICE}/activities?direction=forward&owned_only=true`,
  `/v3/accounts/${NAME}/activities`,
];

const LIMITS = [3, 40, 100];

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
      const expected = rows(await pagesOf(api, withLimit(path, 100)));
      expect(new Set(expected).size).to.equal(expected.length);
      expect(expected).not.to.have.length(0);
      for (const limit of LIMITS) {
        const pages = await pagesOf(api, withLimit(path, limit));
        expect(rows(pages)).to.deep.equal(expected);
        expect(pages[0]!.prev).to.equal(null);
        expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).to.equal(true);
        const back = await pagesBefore(api, pages.at(-1)!);
        expect(rows(back)).to.deep.equal(expected);
        expect(back.filter(({ data }) => data.length === 0)).to.deep.equal([]);
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

/** Branches that replace others between pages of one list. */
const FORKS = 5;

describe('pages of lists of the compatible API while branches replace each other', () => {
  it('have each row that stayed once, whatever came and went between two pages', async () => {
    const world = await createWorld({ generations: 12 });
    try {
      const { compat } = await world.serve();
      const read = async (path: string): Promise<Page> => (await (await fetch(compat + path)).json()) as Page;
      const all = async (path: string): Promise<string[]> => {
        const found: string[] = [];
        for (let next: string | null = withLimit(path, 100); next !== null;) {
          const page: Page = await read(next);
          found.push(...rows([page]));
          next = page.next;
        }
        return found;
      };
      for (const path of ['/v3/transactions?direction=forward', '/v3/transactions?type=spend', '/v3/key-blocks']) {
        let stayed = new Set(await all(path));
        const seen: string[] = [];
        let forks = 0;
        for (let next: string | null = withLimit(path, 7); next !== null;) {
          const page: Page = await read(next);
          seen.push(...rows([page]));
          next = page.next;
          if (++forks > FORKS) continue;
          await world.devnode.fork({ depth: 2, grow: 3, retainTxs: 'some' });
          await world.sync();
          const now = new Set(await all(path));
          stayed = new Set([...stayed].filter((row) => now.has(row)));
        }
        for (const row of stayed)
          expect(
            seen.filter((one) => one === row),
            path,
          ).to.have.length(1);
        expect(stayed.size).to.be.above(10);
        const count = (await (await fetch(`${compat}/v3/transactions/count?type=spend`)).json()) as number;
        expect(count).to.equal((await all('/v3/transactions?type=spend')).length);
      }
    } finally {
      await world.close();
    }
  });
});

describe('pages of lists of the compatible API while the chain grows', () => {
  const HEIGHTS = [60, 90, 120, 150, 180, 214];

  for (const path of ['/v3/key-blocks', '/v3/transactions?direction=forward', `/v3/transactions?account=${ALICE}`]) {
    it(`lose no row of ${path} and repeat none`, async () => {
      const service = await recordedService('realnode', HEIGHTS[0]);
      try {
        const { api } = service;
        const before = rows(await pagesOf(api, withLimit(path, 100)));
        const pages: Page[] = [];
        const heights = HEIGHTS.slice(1);
        for (let next: string | null = withLimit(path, 9); next !== null; next = pages.at(-1)!.next) {
          pages.push((await api.json(below(next))) as Page);
          if (heights.length > 0) await service.grow(heights.shift());
        }
        const seen = rows(pages);
        expect(new Set(seen).size).to.equal(seen.length);
        expect(before.filter((row) => !seen.includes(row) && !row.includes('"height":60,'))).to.deep.equal([]);
        // Back from the last page come also the rows that were added before the first one.
        const all = rows(await pagesOf(api, withLimit(path, 100)));
        expect(rows(await pagesBefore(api, pages.at(-1)!))).to.deep.equal(all);
      } finally {
        await service.close();
      }
    });
  }
});
