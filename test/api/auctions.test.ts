import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { expectPages, expectRefused, malformed } from '../support/paging.js';
import { recording } from '../support/recording.js';
import { madeHash } from '../support/seed.js';
import { plainTransactions, textOf, topHeight } from '../support/slow-model.js';
import {
  auctionEntry,
  bidRecords,
  bidsOf,
  byName,
  plainNames,
  runningAuctions,
  withEntry,
} from '../support/slow-names.js';
import type { PlainName } from '../support/slow-names.js';

const ACTIVE = '/middleware/names/auctions/active';
const bySoonest = (a: PlainName, b: PlainName): number => a.auction_end_height - b.auction_end_height || byName(a, b);
const byBid = (a: PlainName, b: PlainName): number => {
  const [low, high] = [BigInt(a.winningBid as bigint), BigInt(b.winningBid as bigint)];
  return low < high ? 1 : low > high ? -1 : byName(a, b);
};

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'a generated chain': () => generatedModel('auctions'),
})) {
  describe(`auctions of ${what}`, () => {
    let model: Modelled;
    let running: PlainName[];
    before(async () => {
      model = await build();
      running = runningAuctions(model.chain);
      expect(running).to.have.length.above(1);
    });
    after(() => model.close());

    it('are listed while they run, in the requested order', async () => {
      await expectPages(
        model,
        ACTIVE,
        [...running].sort(bySoonest).map((name) => auctionEntry(name, topHeight(model.chain))),
      );
      for (const [query, order] of [
        ['sort=expiration', bySoonest],
        ['sort=name', byName],
        ['sort=max_bid', byBid],
        ['sort=whatever', bySoonest],
      ] as const) {
        const entries = [...running].sort(order).map((name) => auctionEntry(name, topHeight(model.chain)));
        expect(await model.exact(`${ACTIVE}?${query}`), query).to.deep.equal(entries);
        expect(await model.exact(`${ACTIVE}?${query}&reverse`)).to.deep.equal([...entries].reverse());
        expect(await model.exact(`${ACTIVE}?${query}&limit=1&page=2`)).to.deep.equal(entries.slice(1, 2));
      }
    });

    it('are listed and counted by the length of the name', async () => {
      const lengths = new Set(running.map(({ name }) => Buffer.byteLength(name)));
      for (const length of [...lengths, 3, 0, -5, 10n ** 30n]) {
        const entries = running
          .filter(({ name }) => BigInt(Buffer.byteLength(name)) === BigInt(length))
          .sort(bySoonest);
        expect(await model.exact(`${ACTIVE}?length=${length}`)).to.deep.equal(
          entries.map((name) => auctionEntry(name, topHeight(model.chain))),
        );
        expect(await model.exact(`${ACTIVE}/count?length=${length}&limit=1`)).to.deep.equal({
          count: entries.length,
          result: 'OK',
        });
      }
      const all = { count: running.length, result: 'OK' };
      expect(await model.exact(`${ACTIVE}/count`)).to.deep.equal(all);
      expect(await model.exact(`${ACTIVE}/count?length=NaN&limit=1&page=2&reverse=true`)).to.deep.equal(all);
      expect(await model.exact(`${ACTIVE}?length=NaN`)).to.have.length(running.length);
    });

    it('report their bids, newest first, also when they are over', async () => {
      const names = withEntry(plainNames(model.chain));
      expect(names.some(({ claims }) => claims.length > 1)).to.equal(true);
      for (const name of names) {
        for (const text of [name.name, name.name.toUpperCase()]) {
          if (text.toLowerCase() !== name.name) continue;
          const info = `/middleware/names/auctions/${encodeURIComponent(text)}/info`;
          expect(await model.exact(info)).to.deep.equal({
            info: auctionEntry(name, topHeight(model.chain)),
            bids: bidRecords(name),
          });
        }
        const path = `/middleware/names/auctions/bids/${encodeURIComponent(name.name)}`;
        expect(await model.exact(path)).to.deep.equal(bidRecords(name));
        expect(await model.exact(`${path}?limit=1&page=2`)).to.deep.equal(bidRecords(name).slice(1, 2));
      }
    });

    it('list the bids of an account', async () => {
      const bidders = new Set(plainTransactions(model.chain).map(({ tx }) => textOf(tx['account_id'])));
      let bids = 0;
      for (const account of bidders) {
        if (!account.startsWith('ak_')) continue;
        const expected = bidsOf(model.chain, account);
        bids += expected.length;
        await expectPages(model, `/middleware/names/auctions/bids/account/${account}`, expected);
      }
      expect(bids).to.be.above(5);
      expect(await model.exact(`/middleware/names/auctions/bids/account/${madeHash('ak', 'nobody')}`)).to.deep.equal(
        [],
      );
    });

    it('are empty for names without a bid', async () => {
      const old = plainNames(model.chain).filter(({ winningBid }) => winningBid === undefined);
      for (const name of [
        'nosuchname.chain',
        'x',
        '%25',
        '%20',
        "'",
        ...old.map((one) => encodeURIComponent(one.name)),
      ]) {
        expect((await model.api.get(`/middleware/names/auctions/${name}/info`)).status, name).to.equal(404);
        expect(await model.exact(`/middleware/names/auctions/bids/${name}`), name).to.deep.equal([]);
      }
      await expectRefused(model, {
        ...malformed('/middleware/names/auctions/bids/account/', 'account'),
        '/middleware/names/auctions/a%00b/info': 'name',
        '/middleware/names/auctions/bids/a%00b': 'name',
      });
    });
  });
}

describe('auctions of the recorded chain', () => {
  let model: Modelled;
  before(async () => (model = await recordedModel()));
  after(() => model.close());

  it('equal the state of the node at the head', async () => {
    const told = [...recording()].filter(([key, { status }]) => key.startsWith('GET /v2/auctions/') && status === 200);
    const entries = (await model.exact(`${ACTIVE}?sort=name`)) as Record<string, Json>[];
    expect(entries).to.have.length(told.length);
    for (const [key, { body }] of told) {
      const name = key.slice('GET /v2/auctions/'.length);
      const node = parseExact(body) as Record<string, Json>;
      expect(
        entries.find((entry) => entry['name'] === name),
        name,
      ).to.deep.equal({
        name,
        expiration: node['ends_at'],
        winning_bid: textOf(node['highest_bid']),
        winning_bidder: node['highest_bidder'],
      });
    }
    expect(topHeight(model.chain)).to.equal(214);
  });
});
