import { expect } from 'chai';
import type { Json } from '../../src/chain/encoding/json.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { parseRankedKeysetPage } from '../../src/api/cursor.js';
import { searchNames } from '../../src/store/queries/names.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { expectPages, expectRefused, malformed } from '../support/paging.js';
import { recorded, recording } from '../support/recording.js';
import { madeHash } from '../support/seed.js';
import {
  isActiveName,
  lastingFirst,
  nameRecord,
  newestFirst,
  plainNames,
  plainNameTransactions,
  pointsTo,
  byName,
} from '../support/slow-names.js';
import type { PlainName } from '../support/slow-names.js';
import { topHeight } from '../support/slow-model.js';
import { asNode } from '../support/outcome.js';

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'the recorded chain up to height 36': () => recordedModel(36),
  'a generated chain': () => generatedModel('names'),
})) {
  describe(`names of ${what}`, () => {
    let model: Modelled;
    let all: PlainName[];
    let top: number;
    before(async () => {
      model = await build();
      all = plainNames(model.chain);
      top = topHeight(model.chain);
      expect(all).to.have.length.above(4);
    });
    after(() => model.close());

    const records = (names: readonly PlainName[]): Json[] => names.map((name) => nameRecord(name, top));
    const active = (): PlainName[] => all.filter((name) => isActiveName(name, top));
    const owners = (): string[] => [...new Set(all.map(({ owner }) => owner))];

    it('are listed, those claimed last first', () =>
      expectPages(model, '/middleware/names', records([...all].sort(newestFirst))));

    it('are listed by owner, those that expire last first', async () => {
      for (const owner of owners()) {
        const owned = all.filter((name) => name.owner === owner).sort(lastingFirst);
        await expectPages(model, `/middleware/names?owner=${owner}`, records(owned));
      }
      expect(await model.exact(`/middleware/names?owner=${madeHash('ak', 'nobody')}`)).to.deep.equal([]);
      expect(await model.exact('/middleware/names?owner=&limit=1')).to.have.length(1);
    });

    it('are active while claimed, out of auction, unrevoked and not expired', async () => {
      const names = active().sort(newestFirst);
      expect(names.length).to.be.above(2).and.below(all.length);
      await expectPages(model, '/middleware/names/active', records(names));
      await expectPages(model, '/middleware/names/active?reverse', records([...names].reverse()));
      for (const owner of owners()) {
        const owned = active()
          .filter((name) => name.owner === owner)
          .sort(lastingFirst);
        const path = `/middleware/names/active?owner=${owner}`;
        expect(await model.exact(path)).to.deep.equal(records(owned));
        expect(await model.exact(`${path}&limit=2&page=1`)).to.deep.equal(records(owned.slice(0, 2)));
        expect(await model.exact(`${path}&reverse=false`)).to.deep.equal(records([...owned].reverse()));
      }
    });

    it('are found by what they point to', async () => {
      const targets = new Set(
        all.flatMap(({ pointers }) => ((pointers ?? []) as { id: string }[]).map(({ id }) => id)),
      );
      expect(targets.size).to.be.above(2);
      for (const id of [...targets].filter((target) => !target.startsWith('ba_'))) {
        const pointing = active()
          .filter((name) => pointsTo(name, id))
          .sort(byName);
        expect(await model.exact(`/middleware/names/reverse/${id}`), id).to.deep.equal(records(pointing));
        expect(await model.exact(`/middleware/names/reverse/${id}?limit=1&page=1`)).to.deep.equal(
          records(pointing.slice(0, 1)),
        );
      }
      expect(await model.exact(`/middleware/names/reverse/${madeHash('ak', 'nobody')}`)).to.deep.equal([]);
    });

    it('are found for many accounts in one request, their own before others', async () => {
      const accounts = [
        ...new Set(
          all.flatMap(({ pointers, owner }) => [owner, ...((pointers ?? []) as { id: string }[]).map(({ id }) => id)]),
        ),
      ].filter((id) => id.startsWith('ak_'));
      const nameOf = (account: string): Json[] => {
        const pointing = active()
          .filter((name) => pointsTo(name, account))
          .sort(byName);
        const name = pointing.find(({ owner }) => owner === account) ?? pointing[0];
        return name === undefined ? [] : [{ account, name: name.name }];
      };
      const expected = accounts.flatMap(nameOf);
      expect(expected).to.have.length.within(1, accounts.length - 1);
      for (let i = 0; i < accounts.length; i += 100) {
        const some = accounts.slice(i, i + 100);
        const answer = await model.exact(`/middleware/names/of/${[...some, some[0]].join(',')}`);
        expect(answer).to.deep.equal(some.flatMap(nameOf));
      }
      const many = Array.from({ length: 101 }, (_, i) => madeHash('ak', `many ${i}`)).join(',');
      for (const wrong of [many, `${accounts[0]},`, `${accounts[0]},x`]) {
        const { status, body } = await model.api.get(`/middleware/names/of/${wrong}`);
        expect([status, body], wrong).to.satisfy(
          ([code, text]: [number, string]) => code === 400 && text.includes('accounts must'),
        );
      }
    });

    it('are found by their hash, the latest record of each', async () => {
      for (const { name_hash } of all) {
        const latest = all.findLast((name) => name.name_hash === name_hash)!;
        expect(await model.exact(`/middleware/names/hash/${name_hash}`)).to.deep.equal({
          name: nameRecord(latest, top),
        });
      }
      const { status, body } = await model.api.get(`/middleware/names/hash/${madeHash('ak', 'nobody')}`);
      expect([status, body]).to.deep.equal([404, '{"reason":"Not found"}']);
    });

    it('list the transactions of all their claims, newest first', async () => {
      const transactions = plainNameTransactions(model.chain);
      expect(Math.max(...[...transactions.values()].map((list) => list.length))).to.be.above(2);
      for (const [hash, expected] of transactions) {
        await expectPages(model, `/middleware/names/transactions/${hash}`, expected, (rows) =>
          asNode(rows as object[]),
        );
      }
      expect(await model.exact(`/middleware/names/transactions/${madeHash('ak', 'nobody')}`)).to.deep.equal([]);
    });

    it('are found by any part, in upper or lower case, those that expire last first', async () => {
      const parts = new Set(all.flatMap(({ name }) => [name, name.slice(2, 6), name.slice(0, 3)]));
      for (const part of [...parts, '.chain', '.', '-', 'e']) {
        const found = all.filter(({ name }) => name.includes(part)).sort(lastingFirst);
        for (const text of [part, part.toUpperCase()]) {
          if (text.toLowerCase() !== part) continue;
          const path = `/middleware/names/${encodeURIComponent(text)}`;
          if (part === '.') continue;
          expect(await model.exact(path), path).to.deep.equal(records(found));
        }
      }
      await expectPages(
        model,
        '/middleware/names/chain',
        records(all.filter(({ name }) => name.includes('chain')).sort(lastingFirst)),
      );
      for (const text of ['%25', '_ai', '%5C', "'", '%27%3B--', 'nosuchname', '%E2%98%83', '%zz', '%F0%9F%98%80']) {
        expect(await model.exact(`/middleware/names/${text}`), text).to.deep.equal([]);
      }
    });

    it('are searched from the end of the previous search: each search for two characters reads a limited number of rows', async () => {
      const found: Json[] = [];
      let cursor: string | null = '';
      let searches = 0;
      while (cursor !== null) {
        const { row } = await searchNames(model.database, 'ch', parseRankedKeysetPage({ limit: '2', cursor }, 100), 3);
        found.push(...(parseExact(row!.body) as Json[]));
        cursor = row!.next;
        searches += 1;
        if (row!.exhausted) expect(cursor).to.be.a('string');
      }

      expect(found).to.deep.equal(records(all.filter(({ name }) => name.includes('ch')).sort(lastingFirst)));
      expect(searches).to.be.at.least(Math.floor(all.length / 3));
    });

    it('are found by the index if the first rows do not fill the page', async () => {
      const parts = new Set(
        all.flatMap(({ name }) => [name, name.slice(2, 6), name.slice(0, 3), 'chain', 'nosuchname']),
      );
      for (const part of parts) {
        if ([...part].length < 3) continue;
        const found: Json[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const slice = parseRankedKeysetPage({ limit: '2', cursor }, 100);
          const { row } = await searchNames(model.database, part, slice, undefined, 1);
          expect(row!.exhausted).to.equal(false);
          found.push(...(parseExact(row!.body) as Json[]));
          cursor = row!.next;
        }
        expect(found, part).to.deep.equal(records(all.filter(({ name }) => name.includes(part)).sort(lastingFirst)));
      }
    });

    it('refuse malformed identifiers, and answer 404 for incomplete paths', async () => {
      await expectRefused(model, {
        ...malformed('/middleware/names/reverse/', 'account'),
        ...malformed('/middleware/names/hash/', 'hash'),
        ...malformed('/middleware/names/transactions/', 'hash'),
        ...malformed('/middleware/names?owner=', 'owner'),
        ...malformed('/middleware/names/active?owner=', 'owner'),
        '/middleware/names/a%00b': 'name',
      });
      for (const word of ['reverse', 'hash', 'auctions']) {
        expect((await model.api.get(`/middleware/names/${word}`)).status, word).to.equal(404);
        expect((await model.api.get(`/middleware/names/${word}/`)).status, word).to.equal(404);
      }
    });
  });
}

describe('names of the recorded chain', () => {
  let model: Modelled;
  before(async () => (model = await recordedModel()));
  after(() => model.close());

  it('equal the state of the node at the head', async () => {
    const asked = [...recording().keys()].filter((key) => key.startsWith('GET /v2/names/'));
    expect(asked).to.have.length.above(9);
    for (const key of asked) {
      const path = key.slice('GET '.length);
      const name = decodeURIComponent(path.slice('/v2/names/'.length)).toLowerCase();
      const active = (await model.exact('/middleware/names/active')) as { name: string }[];
      const found = active.find((record) => record.name === name);
      if (recording().get(key)!.status === 404) {
        expect(found, name).to.equal(undefined);
        continue;
      }
      const told = parseExact(recorded(path)) as { id: string; owner: string; pointers: Json; ttl: number };
      const { name_hash: id, owner, pointers, expires_at: ttl } = found as unknown as Record<string, Json>;
      // The node returns the same for a name without pointers and one that was never updated.
      expect({ id, owner, pointers: pointers ?? [], ttl }, name).to.deep.equal(told);
    }
  });

  it('name the head that the answers were made from, and answer HEAD', async () => {
    const { headers } = await model.api.get('/middleware/names/active');
    expect(headers['x-chain-height']).to.equal('214');
    const head = await model.api.get('/middleware/names', { method: 'HEAD' });
    expect([head.status, head.body]).to.deep.equal([200, '']);
    expect((await model.api.get('/middleware/names', { method: 'POST' })).status).to.equal(405);
  });
});

describe('lists longer than the cap', () => {
  let model: Modelled;
  before(async () => (model = await recordedModel(undefined, { limitCap: 1 })));
  after(() => model.close());

  it('are cut and report it, and the page numbers do not shift', async () => {
    for (const path of [
      '/middleware/names',
      '/middleware/names/active',
      '/middleware/names/chain',
      '/middleware/contracts/all',
      '/middleware/oracles/list',
      '/middleware/channels/active',
    ]) {
      const { body, headers } = await model.api.get(path);
      expect(parseExact(body), path).to.have.length(1);
      expect(headers['x-limit-capped'], path).to.equal('true');
      if (path.endsWith('channels/active')) continue;
      const [first, second] = [await model.api.get(`${path}?limit=1`), await model.api.get(`${path}?limit=1&page=2`)];
      expect(first.body).to.equal(body);
      expect(parseExact(second.body)).to.have.length(1).and.not.to.deep.equal(parseExact(body));
      expect(second.headers).not.to.have.property('x-limit-capped');
    }
  });
});
