import { expect } from 'chai';
import { testApi } from '../support/api.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { expectPages, expectRefused, malformed } from '../support/paging.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import { plainTransactions, textOf, topHeight } from '../support/slow-model.js';
import { plainRate, spendsBetween } from '../support/slow-objects.js';
import { transactionsIn } from '../support/outcome.js';
import { shareOf } from '../support/share.js';

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'a generated chain': () => generatedModel('spends'),
})) {
  describe(`spends of ${what}`, () => {
    let model: Modelled;
    before(async () => (model = await build()));
    after(() => model.close());

    it('are listed from one account to another, newest first', async () => {
      const pairs = new Map<string, number>();
      for (const { type, tx } of plainTransactions(model.chain)) {
        const pair = `${textOf(tx['sender_id'])}/to/${textOf(tx['recipient_id'])}`;
        if (type === 'SpendTx') pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
      expect(Math.max(...pairs.values())).to.be.above(2);
      for (const [pair, count] of shareOf([...pairs])) {
        const [sender = '', receiver = ''] = pair.split('/to/');
        const whole = spendsBetween(model.chain, sender, receiver);
        const path = `/middleware/transactions/account/${pair}`;
        expect(transactionsIn(await model.exact(path)), pair).to.deep.equal(whole);
        if (count < 3) continue;
        await expectPages(model, path, whole, transactionsIn);
        expect(transactionsIn(await model.exact(`${path}?txtype=spendtx`))).to.deep.equal(whole);
        expect(await model.exact(`${path}?txtype=NameClaimTx`)).to.deep.equal({ transactions: [] });
      }
      const nobody = madeHash('ak', 'nobody');
      expect(await model.exact(`/middleware/transactions/account/${nobody}/to/${nobody}`)).to.deep.equal({
        transactions: [],
      });
      const { api, ...rest } = model;
      const refused = Object.entries(malformed('/middleware/transactions/account/', 'sender'));
      await expectRefused(
        { api, ...rest },
        {
          ...malformed(`/middleware/transactions/account/${nobody}/to/`, 'receiver'),
          ...Object.fromEntries(refused.map(([path, field]) => [`${path}/to/${nobody}`, field])),
        },
      );
    });

    it('are summed by day, both bounds left out', async () => {
      const days = plainRate(model.chain, '00010101', '99991231').map(({ date }) => textOf(date).replaceAll('-', ''));
      expect(days).to.have.length.above(0);
      for (const [from, to] of [
        ['00010101', '99991231'],
        [days[0]!, days.at(-1)!],
        ['20000101', days.at(-1)!],
        [days[0]!, '20990101'],
        [days[0]!, days[0]!],
        ['20990101', '20000101'],
      ] as const) {
        const path = `/middleware/transactions/rate/${from}/${to}`;
        expect(await model.exact(path), path).to.deep.equal(plainRate(model.chain, from, to));
      }
    });

    it('refuse an invalid day', async () => {
      for (const day of [
        '2019-01-01',
        '20190229',
        '20191301',
        '20190100',
        '00000101',
        '2019010',
        '201901011',
        'x',
        '%00',
        '-1',
      ]) {
        await expectRefused(model, {
          [`/middleware/transactions/rate/${day}/20190105`]: 'from',
          [`/middleware/transactions/rate/20190105/${day}`]: 'to',
        });
      }
      expect(await model.exact('/middleware/transactions/rate/20200228/20200301')).to.deep.equal([]);
      expect(await model.exact('/middleware/transactions/rate/20200229/20200301')).to.deep.equal([]);
    });

    it('are counted with all transactions up to a height', async () => {
      const all = plainTransactions(model.chain);
      for (let height = -1; height <= topHeight(model.chain) + 1; height += 7) {
        const count = all.filter((transaction) => transaction.height <= height).length;
        expect(await model.exact(`/middleware/count/height/${height}`)).to.deep.equal({ count });
      }
      expect(await model.exact('/middleware/count/height/99999999999999999999')).to.deep.equal({ count: all.length });
      expect(await model.exact('/middleware/count/current')).to.deep.equal({ count: all.length });
      expect((await model.api.get('/middleware/count/height/x')).status).to.equal(400);
    });
  });
}

describe('spends per day', () => {
  it('take the day of the micro block in UTC, and only days with spends', async () => {
    const day = 86_400_000;
    const seeded = await emptyDatabase();
    const spend = {};
    const at = (time: number, type = 'SpendTx') => ({ time, microBlocks: [[{ ...spend, type }]] });
    // A micro block is three seconds younger than its key block.
    const chain = [at(day - 3001), at(day - 3000), at(3 * day, 'NamePreclaimTx'), at(5 * day), at(6 * day - 3001)];
    await append(seeded.database, null, madeBlocks(chain));
    const api = await testApi(seeded.database);
    const amount = (count: number): string => String(BigInt(count) * 20000000000000000000n);
    const rates = await api.json('/middleware/transactions/rate/19691231/19700107');
    const inner = await api.json('/middleware/transactions/rate/19700101/19700106');
    await api.close();
    await seeded.drop();

    expect(rates).to.deep.equal([
      { date: '1970-01-01', count: 1, amount: amount(1) },
      { date: '1970-01-02', count: 1, amount: amount(1) },
      { date: '1970-01-06', count: 2, amount: amount(2) },
    ]);
    expect(inner).to.deep.equal([{ date: '1970-01-02', count: 1, amount: amount(1) }]);
  });
});

describe('an empty database', () => {
  it('has no answer for any request', async () => {
    const empty = await emptyDatabase();
    const api = await testApi(empty.database);
    const [ak, ch, ct, ok, nm] = ['ak', 'kh', 'th', 'ok', 'mh'].map((prefix) => madeHash(prefix as 'ak', 'x'));
    // One after the other, because so many at once would be refused.
    const answers: [string, number][] = [];
    for (const path of [
      '/middleware/names',
      `/middleware/names?owner=${ak}`,
      '/middleware/names/active',
      `/middleware/names/active?owner=${ak}&reverse`,
      `/middleware/names/reverse/${ak}`,
      '/middleware/names/x',
      '/middleware/names/auctions/active',
      '/middleware/names/auctions/bids/x.chain',
      `/middleware/names/auctions/bids/account/${ak}`,
      '/middleware/oracles/list',
      `/middleware/oracles/${ok}`,
      '/middleware/channels/active',
      '/middleware/contracts/all',
      `/middleware/contracts/calls/address/${ct}`,
      '/middleware/transactions/rate/20190101/20190105',
      `/middleware/channels/transactions/address/${ch}`,
      `/middleware/contracts/transactions/address/${ct}`,
      `/middleware/transactions/account/${ak}/to/${ak}`,
      `/middleware/names/hash/${nm}`,
      '/middleware/names/auctions/x.chain/info',
      `/middleware/contracts/transactions/creation/address/${ct}`,
      '/middleware/names/auctions/active/count',
      '/middleware/count/height/5',
    ]) {
      answers.push([path, (await api.get(path)).status]);
    }
    await api.close();
    await empty.drop();

    for (const answer of answers) expect(answer).to.deep.equal([answer[0], 503]);
  });
});
