import { expect } from 'chai';
import type { Json } from '../../src/chain/encoding/json.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { MadeGeneration, SeededDatabase } from '../support/seed.js';
import { transactionsIn } from '../support/outcome.js';

interface Listed {
  block_height: number;
  hash: string;
  tx: { type: string };
}

const TYPES = ['SpendTx', 'NameUpdateTx', 'OracleExtendTx'];

/** Generations without micro blocks, with empty ones, with one and with several transactions. */
const shape: MadeGeneration[] = Array.from({ length: 60 }, (_, height) => {
  if (height < 3 || height % 7 === 0) return {};
  return {
    microBlocks: Array.from({ length: height % 4 }, (_, micro) =>
      Array.from({ length: (height * 3 + micro) % 5 }, (_, n) => ({
        type: TYPES[height < 30 ? n % 2 : n % 3] ?? 'SpendTx',
      })),
    ),
  };
});

describe('transactions of an interval', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  let newestFirst: Listed[];
  const list = async (from: number | string, to: number | string, query = ''): Promise<Listed[]> =>
    transactionsIn(
      (await api.json(`/middleware/transactions/interval/${from}/${to}${query}`)) as Json,
    ) as unknown as Listed[];
  const between = (from: number, to: number): Listed[] =>
    newestFirst.filter(({ block_height }) => block_height >= from && block_height <= to);

  before(async () => {
    seeded = await emptyDatabase();
    const blocks = madeBlocks(shape);
    newestFirst = blocks
      .flatMap((block) => (block.kind === 'micro' ? block.transactions.map(({ transaction }) => transaction) : []))
      .map(({ body }) => JSON.parse(body) as Listed)
      .reverse();
    await append(seeded.database, null, blocks);
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('are those of the heights, both bounds included, newest first', async () => {
    expect(newestFirst).to.have.length.above(100);
    for (const [from, to] of [
      [0, 59],
      [0, 0],
      [8, 8],
      [9, 23],
      [30, 200],
      [0, 3],
      [57, 59],
    ] as const) {
      expect(await list(from, to), `${from}/${to}`).to.deep.equal(between(from, to));
    }
  });

  it('are empty for an interval that is reversed or outside the chain', async () => {
    for (const [from, to] of [
      [20, 10],
      [60, 1000],
      [-20, -1],
      ['99999999999999999999', '99999999999999999999999'],
    ] as const) {
      expect(await list(from, to), `${from}/${to}`).to.deep.equal([]);
    }
    expect(await list(-5, '99999999999999999999')).to.deep.equal(newestFirst);
    const end = `?cursor=${madeHash('th', 'unknown')}-${2n ** 63n - 1n}`;
    expect(await list(0, '99999999999999999999', end)).to.deep.equal(newestFirst);
  });

  for (const type of [undefined, ...TYPES]) {
    it(`come in pages of every size without gap or overlap (${type ?? 'all types'})`, async () => {
      const filter = type === undefined ? '' : `&txtype=${type.toLowerCase()}`;
      const expected = between(5, 52).filter(({ tx }) => type === undefined || tx.type === type);

      for (const limit of [1, 2, 3, 10, 64, 1000]) {
        const pages: Listed[] = [];
        for (let page = 1; ; page++) {
          const rows = await list(5, 52, `?limit=${limit}&page=${page}${filter}`);
          if (rows.length === 0) break;
          expect(rows).to.have.length(Math.min(limit, expected.length - pages.length));
          pages.push(...rows);
        }
        expect(pages).to.deep.equal(expected);
      }
    });
  }

  it('are empty for an unknown type and for limit 0', async () => {
    expect(await list(0, 59, '?txtype=NoSuchTx')).to.deep.equal([]);
    expect(await list(0, 59, '?limit=0')).to.deep.equal([]);
  });

  it('refuse bounds that are no integers', async () => {
    for (const path of ['a/5', '5/b', '1.5/2', '1/0x10', '1/', '1/2/3']) {
      const { status, body } = await api.get(`/middleware/transactions/interval/${path}`);
      expect(status, path).to.be.oneOf([400, 404]);
      expect(JSON.parse(body)).to.have.property('reason');
    }
  });

  it('are cut at the cap with a header, or refused when the interval is wide', async () => {
    const wide = await emptyDatabase();
    const long = Array.from({ length: 1200 }, (_, height) => (height < 30 ? { microBlocks: [[{}]] } : {}));
    await append(wide.database, null, madeBlocks(long));
    const capped = await testApi(wide.database, { limitCap: 10 });
    const ask = (path: string) => capped.get(`/middleware/transactions/interval/${path}`);
    const [narrow, refused, limited, fewer] = [
      await ask('0/999'),
      await ask('0/5000'),
      await ask('0/5000?limit=3'),
      await ask('21/5000'),
    ];
    await capped.close();
    await wide.drop();

    expect([narrow.status, narrow.headers['x-limit-capped']]).to.deep.equal([200, 'true']);
    expect((JSON.parse(narrow.body) as { transactions: unknown[] }).transactions).to.have.length(10);
    expect(refused.status).to.equal(400);
    expect((JSON.parse(refused.body) as { reason: string }).reason).to.contain('30');
    expect([limited.status, limited.headers['x-limit-capped']]).to.deep.equal([200, undefined]);
    expect((JSON.parse(limited.body) as { transactions: unknown[] }).transactions).to.have.length(3);
    expect([fewer.status, fewer.headers['x-limit-capped']]).to.deep.equal([200, undefined]);
  });
});
