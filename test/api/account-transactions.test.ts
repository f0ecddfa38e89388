import { expect } from 'chai';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { recordedGenerations } from '../support/recording.js';
import { append, emptyDatabase, madeHash, recordedBlocks } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';
import { asNode } from '../support/outcome.js';

const FIELDS = [
  'sender_id',
  'account_id',
  'ga_id',
  'caller_id',
  'recipient_id',
  'initiator_id',
  'responder_id',
  'from_id',
  'to_id',
  'owner_id',
  'payer_id',
];

interface Listed {
  hash: string;
  time: number;
  tx: Record<string, unknown> & { type: string };
}

/** Every recorded transaction, newest first, with the time of its micro block, read directly from the recording. */
function allNewestFirst(): Listed[] {
  return recordedGenerations()
    .flatMap(({ microBlocks }) =>
      microBlocks.flatMap(({ header, transactions }) => {
        const { time } = JSON.parse(header) as { time: number };
        return (JSON.parse(transactions) as { transactions: Listed[] }).transactions.map((tx) => ({ ...tx, time }));
      }),
    )
    .reverse();
}

const names = (account: string) => (transaction: Listed) => FIELDS.some((field) => transaction.tx[field] === account);

describe('transactions of an account', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  const all = allNewestFirst();
  const accounts = [...new Set(all.flatMap(({ tx }) => FIELDS.map((field) => String(tx[field]))))].filter((id) =>
    id.startsWith('ak_'),
  );
  const busiest = accounts.reduce((most, one) =>
    all.filter(names(one)).length > all.filter(names(most)).length ? one : most,
  );
  const path = `/middleware/transactions/account/${busiest}`;
  const list = async (query = ''): Promise<Listed[]> => (await api.json(`${path}${query}`)) as Listed[];

  before(async () => {
    seeded = await emptyDatabase();
    await append(seeded.database, null, recordedBlocks());
    api = await testApi(seeded.database, { limitCap: 1000 });
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('are those that name it, newest first, with the time of the micro block', async () => {
    for (const account of accounts) {
      const listed = asNode((await api.json(`/middleware/transactions/account/${account}`)) as Listed[]);
      const expected = all.filter(names(account));
      // Payments to a name of the account are in its list as well.
      const named = listed.filter(names(account));

      expect(named).to.deep.equal(expected);
      for (const { tx } of listed.filter((one) => !names(account)(one))) {
        expect(tx['recipient_id']).to.match(/^nm_/);
      }
    }
  });

  it('are counted as they are listed', async () => {
    for (const account of accounts) {
      const listed = asNode((await api.json(`/middleware/transactions/account/${account}`)) as Listed[]);
      expect(await api.json(`/middleware/transactions/account/${account}/count`)).to.deep.equal({
        count: listed.length,
      });
    }
  });

  it('keep every digit', async () => {
    const body = (await api.get(path)).body;

    expect(body).to.match(/"amount":\d{20,}/);
    expect(body).not.to.match(/:\d+(\.\d+)?e/i);
  });

  it('come in pages without gap or overlap, and are empty after the last page', async () => {
    const whole = await list();
    const pages: Listed[] = [];
    for (let page = 1; ; page++) {
      const rows = await list(`?limit=7&page=${page}`);
      if (rows.length === 0) break;
      pages.push(...rows);
    }

    expect(pages).to.deep.equal(whole);
    expect(await list('?limit=3')).to.deep.equal(whole.slice(0, 3));
    expect(await list('?limit=10&page=99999999999999999999999999')).to.deep.equal([]);
    expect(await list('?limit=99999999999999999999999&page=1')).to.deep.equal(whole);
  });

  it('treat text that is not an integer as absent, and ignore page without limit', async () => {
    const whole = await list();

    for (const query of [
      '?limit=abc',
      '?limit=NaN&page=2',
      '?page=2',
      '?limit=',
      '?limit=1e3',
      '?page=-4',
      '?limit=1.5',
    ]) {
      expect(await list(query), query).to.deep.equal(whole);
    }
    expect(await list('?limit=2&page=abc')).to.deep.equal(whole.slice(0, 2));
    expect(await list('?limit=2&limit=5')).to.deep.equal(whole.slice(0, 2));
  });

  it('are empty for limit 0, and a bad request for negative numbers', async () => {
    expect(await list('?limit=0')).to.deep.equal([]);
    for (const [query, field] of [
      ['?limit=-1', 'limit'],
      ['?limit=5&page=0', 'page'],
      ['?limit=5&page=-7', 'page'],
    ] as const) {
      const { status, body } = await api.get(`${path}${query}`);
      expect(status, query).to.equal(400);
      expect((JSON.parse(body) as { reason: string }).reason).to.contain(field);
    }
  });

  it('can be filtered by type, in upper or lower case', async () => {
    const types = [...new Set((await list()).map(({ tx }) => tx.type))];
    expect(types).to.have.length.above(3);

    for (const type of types) {
      const expected = (await list()).filter(({ tx }) => tx.type === type);
      expect(await list(`?txtype=${type.toUpperCase()}`)).to.deep.equal(expected);
      expect(await list(`?tx_type=${type}&limit=2&page=2`)).to.deep.equal(expected.slice(2, 4));
      expect(await api.json(`${path}/count?txtype=${type}`)).to.deep.equal({ count: expected.length });
    }
    for (const type of ['NoSuchTx', '%25', 'Spend%25', 'Spend_x']) {
      expect(await list(`?txtype=${type}`), type).to.deep.equal([]);
      expect(await api.json(`${path}/count?txtype=${type}`)).to.deep.equal({ count: 0 });
    }
  });

  it('are empty for an identifier that no transaction names', async () => {
    for (const id of [madeHash('ak', 'nobody'), madeHash('kh', 'nobody'), madeHash('ok', 'nobody')]) {
      expect(await api.json(`/middleware/transactions/account/${id}`)).to.deep.equal([]);
      expect(await api.json(`/middleware/transactions/account/${id}/count`)).to.deep.equal({ count: 0 });
    }
  });

  it('refuse a malformed identifier and name the parameter', async () => {
    for (const id of [
      'abc',
      'ak_',
      `${busiest}x`,
      busiest.slice(0, -1),
      `x${busiest}`,
      "ak_'%20OR%201=1",
      '%00',
      '%zz',
    ]) {
      for (const end of ['', '/count']) {
        const { status, headers, body } = await api.get(`/middleware/transactions/account/${id}${end}`);
        expect(status, id).to.equal(400);
        expect(headers['content-type']).to.equal('application/json');
        expect((JSON.parse(body) as { reason: string }).reason).to.contain('account');
      }
    }
  });

  it('report when the cap cut them, and only then', async () => {
    const capped = await testApi(seeded.database, { limitCap: 5 });
    const whole = await list();
    const [cut, paged, within] = [
      await capped.get(path),
      await capped.get(`${path}?limit=8&page=2`),
      await capped.get(`${path}?limit=5`),
    ];
    await capped.close();

    expect(JSON.parse(cut.body)).to.deep.equal(whole.slice(0, 5));
    expect(cut.headers['x-limit-capped']).to.equal('true');
    expect(JSON.parse(paged.body)).to.deep.equal(whole.slice(8, 13));
    expect(paged.headers['x-limit-capped']).to.equal('true');
    expect(within.headers).not.to.have.property('x-limit-capped');
    expect((await api.get(path)).headers).not.to.have.property('x-limit-capped');
  });
});
