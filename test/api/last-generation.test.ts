import { expect } from 'chai';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { openExplorer } from '../support/explorer.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { MadeGeneration, MadeTransaction, SeededDatabase } from '../support/seed.js';
import { skipFor } from '../support/skip.js';

const NAME = 'twelvechars1.chain';
const [ALICE, BOB] = [madeHash('ak', 'alice'), madeHash('ak', 'bob')];
const CLAIMED = 2;
/** 480 generations for a label of 12 characters. */
const END = CLAIMED + 480;

const claim = (owner: string, fee: bigint, salt: bigint): MadeTransaction => ({
  tx: {
    type: 'NameClaimTx',
    account_id: owner,
    name: NAME,
    name_fee: fee,
    name_salt: salt,
    fee: 20_000n,
    nonce: 1n,
    version: 2n,
  },
});

/** The protocol: the node takes a bid in the generation in which the auction ends, and names the owner from the next one on. */
describe('the last generation of an auction', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  let top: { hash: string; height: number } | undefined;

  before(async () => {
    seeded = await emptyDatabase();
    api = await testApi(seeded.database);
    await add(Array.from({ length: CLAIMED }, () => ({})));
    await add([{ microBlocks: [[claim(ALICE, 100n, 7n)]] }, {}]);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  /** Adds generations to the head. */
  async function add(generations: MadeGeneration[]): Promise<void> {
    const blocks = madeBlocks(generations, top === undefined ? 0 : top.height + 1, top?.hash);
    await append(seeded.database, top?.hash ?? null, blocks);
    const last = blocks.at(-1)!;
    if (last.kind !== 'key') throw new Error('the last block must be a key block');
    const { hash, height } = last.keyBlock;
    top = { hash, height };
  }

  const addTo = (height: number): Promise<void> =>
    add(Array.from({ length: height - (top?.height ?? -1) }, () => ({})));

  /** What all lists, the views and the exports say of the name. */
  async function standing(): Promise<unknown> {
    const names = async (path: string): Promise<string[]> =>
      ((await api.json(path)) as { name: string }[]).map(({ name }) => name);
    const { rows } = await seeded.database.query<{ state: string; running: boolean }>({
      name: 'test.standing',
      text: 'SELECT v.state, a.running FROM v_names AS v JOIN v_name_auctions AS a USING (name)',
    });
    const table = await api.get('/middleware/names/active', { headers: { accept: 'text/csv' } });
    return {
      active: await names('/middleware/names/active'),
      owned: await names(`/middleware/names/active?owner=${ALICE}`),
      exported: table.body.includes(NAME),
      auctions: await names('/middleware/names/auctions/active'),
      count: ((await api.json('/middleware/names/auctions/active/count')) as { count: number }).count,
      views: rows,
    };
  }

  const IN_AUCTION = {
    active: [],
    owned: [],
    exported: false,
    auctions: [NAME],
    count: 1,
    views: [{ state: 'auction', running: true }],
  };
  const OWNED = {
    active: [NAME],
    owned: [NAME],
    exported: true,
    auctions: [],
    count: 0,
    views: [{ state: 'active', running: false }],
  };

  it('belongs to the auction: no list names an owner before the next one', async () => {
    await addTo(END - 1);
    expect(await standing(), 'the generation before').to.deep.equal(IN_AUCTION);
    await addTo(END);
    expect(await standing()).to.deep.equal(IN_AUCTION);
  });

  /** The facts of the name in the explorer. */
  async function shown(): Promise<string> {
    const browser = await startBrowser();
    try {
      const window = await openExplorer(browser, `http://127.0.0.1:${api.port}`);
      await window.show(`#/name/${NAME}`);
      return await window.text();
    } finally {
      await browser.close();
    }
  }

  it('belongs to the auction in the explorer, too', async function () {
    if (browserProgram === undefined) skipFor('no Chromium', this);
    expect(await shown())
      .to.contain('Highest bid, by')
      .and.to.contain('The auction ends unless there is a higher bid');
  });

  it('is followed by the generation in which the name has an owner', async () => {
    await addTo(END + 1);
    expect(await standing()).to.deep.equal(OWNED);
    if (browserProgram !== undefined)
      expect(await shown())
        .to.contain('Owner')
        .and.not.to.contain('Highest bid, by');
  });

  it('takes a higher bid, which prolongs the auction', async () => {
    const other = await emptyDatabase();
    const otherApi = await testApi(other.database);
    try {
      const chain: MadeGeneration[] = Array.from({ length: END + 1 }, () => ({}));
      chain[CLAIMED] = { microBlocks: [[claim(ALICE, 100n, 7n)]] };
      chain[END] = { microBlocks: [[claim(BOB, 200n, 0n)]] };
      await append(other.database, null, madeBlocks(chain));
      expect(await otherApi.json('/middleware/names/active')).to.deep.equal([]);
      expect(await otherApi.json('/middleware/names/auctions/active')).to.deep.equal([
        { name: NAME, expiration: END + 480, winning_bid: '200', winning_bidder: BOB },
      ]);
    } finally {
      await otherApi.close();
      await other.drop();
    }
  });
});
