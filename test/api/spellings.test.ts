import { expect } from 'chai';
import { asciiName, nameHash } from '../../src/chain/protocol/ids.js';
import { searchNames } from '../../src/store/queries/names.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { MadeTransaction, SeededDatabase } from '../support/seed.js';

const claim = (name: string): MadeTransaction => ({
  tx: {
    type: 'NameClaimTx',
    account_id: madeHash('ak', 'alice'),
    name,
    name_fee: 100n,
    name_salt: 7n,
    fee: 20_000n,
    nonce: 1n,
    version: 2n,
  },
});

/** Names as they were claimed, with other spellings of each. */
const NAMES: Record<string, string[]> = {
  'ünïcödénämetest5.chain': [
    'ÜNÏCÖDÉNÄMETEST5.chain',
    'ünïcödénämetest5.chain'.normalize('NFD'),
    'ÜNÏCÖDÉNÄMETEST5.CHAIN'.normalize('NFD'),
    'ünïcödénämetest5',
    'ünïcödénämetest5'.normalize('NFD'),
  ],
  // Claimed in other forms than that in which it is searched for.
  [`${'décomposée'.normalize('NFD')}.chain`]: ['décomposée.chain', 'DÉCOMPOSÉE'],
  'xn--strae-oqa.chain': ['straße.chain', 'STRAßE'],
  'UPPERcaseName12345.chain': ['uppercasename12345.chain', 'UPPERCASENAME12345', 'uppercasename12345'],
  'ｗｉｄｅ.chain': ['wide.chain', 'ＷＩＤＥ', 'wide', 'ＷＩＤＥ．ｃｈａｉｎ', 'wide。chain', 'WIDE｡CHAIN'],
  'soft.chain': ['so\u00adft.chain', 'SO\u00adFT'],
};

describe('a name in any spelling', () => {
  let seeded: SeededDatabase;
  let api: TestApi;

  before(async () => {
    seeded = await emptyDatabase();
    api = await testApi(seeded.database);
    // Expires later than all of them, and contains none.
    const others = Array.from({ length: 20 }, (_, i) => claim(`another${i}.chain`));
    await append(
      seeded.database,
      null,
      madeBlocks([{}, { microBlocks: [Object.keys(NAMES).map(claim)] }, { microBlocks: [others] }]),
    );
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  for (const [name, spellings] of Object.entries(NAMES)) {
    const hash = nameHash(name);
    const ascii = [asciiName(name), asciiName(name).toUpperCase(), asciiName(name).replace('.chain', '')];
    for (const text of new Set([name, name.toLowerCase(), ...spellings, ...ascii])) {
      const path = encodeURIComponent(text);
      it(`is found by the search: ${path}`, async () => {
        const found = (await api.json(`/middleware/names/${path}`)) as { name_hash: string }[];
        expect(found.map(({ name_hash }) => name_hash)).to.deep.equal([hash]);
      });

      it(`is found by the search with the index: ${path}`, async () => {
        const slice = { by: 'number' as const, skip: 0n, take: 10, wanted: 10n };
        const { row } = await searchNames(seeded.database, text.normalize('NFC').toLowerCase(), slice, undefined, 1);
        expect(row!.exhausted).to.equal(false);
        const found = JSON.parse(row!.body) as { name_hash: string }[];
        expect(found.map(({ name_hash }) => name_hash)).to.deep.equal([hash]);
      });

      if (/[.。．｡]/.test(text))
        it(`is found with its auction: ${path}`, async () => {
          const bids = (await api.json(`/middleware/names/auctions/bids/${path}`)) as { tx: { name: string } }[];
          expect(bids.map(({ tx }) => tx.name)).to.deep.equal([name]);
          const { info } = (await api.json(`/middleware/names/auctions/${path}/info`)) as { info: { name: string } };
          expect(info.name).to.equal(name.toLowerCase());
        });
    }
  }

  it('is found by a part in large letters or another normal form', async () => {
    for (const part of ['CÖDÉN', 'cödén'.normalize('NFD'), 'CÖDÉN'.normalize('NFD')]) {
      const found = (await api.json(`/middleware/names/${encodeURIComponent(part)}`)) as { name: string }[];
      expect(found.map(({ name }) => name)).to.deep.equal(['ünïcödénämetest5.chain']);
    }
  });

  it('is found once, also from page to page', async () => {
    let url: URL | undefined = new URL('http://host/middleware/names/chain?limit=4&cursor=');
    const found: string[] = [];
    while (url !== undefined) {
      const { headers, body } = await api.get(url.pathname + url.search);
      found.push(...(JSON.parse(body) as { name: string }[]).map(({ name }) => name));
      const next = /<([^>]*)>/.exec(String(headers['link'] ?? ''))?.[1];
      url = next === undefined ? undefined : new URL(next, url);
    }
    expect(found).to.have.length(26);
    expect(new Set(found).size).to.equal(26);
  });
});
