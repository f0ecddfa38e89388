import { expect } from 'chai';
import { work } from '../../src/chain/work/target.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import { startCheapChain } from '../support/cheap-chain.js';
import type { CheapChain } from '../support/cheap-chain.js';
import { buildOnce } from '../support/mdw.js';
import { chainDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';

/** A proof of work in graphs of this size is found in some 90 ms. */
const EDGE_BITS = 15;
const INTERVAL_MS = 60_000;
/** More than the key blocks whose target is that of the genesis block. */
const BLOCKS = 22;
/** Less than the time in which a node must answer. */
const SLOW_MS = 200;
const BENEFICIARY = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

/** Proofs of work are real, but of blocks whose targets, versions or times no honest node accepts. */
describe('key blocks that were mined against the rules', () => {
  let server: TestDatabase;
  let honest: Devnode;
  let populating: Populating | undefined;
  const ending: (() => Promise<void>)[] = [];

  before(async () => {
    buildOnce();
    server = await testDatabase();
    honest = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        live: {
          seed: 'rules',
          startTime: 1_700_000_000_000,
          mining: { beneficiary: BENEFICIARY, edgeBits: EDGE_BITS, intervalMs: INTERVAL_MS },
        },
      },
    });
    for (let block = 0; block < BLOCKS; block++) await honest.mineKeyBlock();
  });
  afterEach(async () => {
    await populating?.stop();
    populating = undefined;
    for (const end of ending.splice(0).reverse()) await end();
  });
  after(async () => {
    await honest.close();
    await server.drop();
  });

  const cheap = async (from: number, count: number, more: object = {}): Promise<CheapChain> => {
    const chain = await startCheapChain({ url: honest.externalUrl, from, count, edgeBits: EDGE_BITS, ...more });
    ending.push(() => chain.close());
    return chain;
  };
  const follow = async (schema: string, urls: string[]): Promise<Populating> => {
    populating = await startPopulating(server, schema, urls, { checkMs: 100, demoteMs: 500, work: SETTINGS }, SETTINGS);
    return populating;
  };
  const SETTINGS = { powEdgeBits: EDGE_BITS, powIntervalMs: INTERVAL_MS };
  /** Announcements of mined blocks of the liar. */
  const eventsAbout = async ({ database }: Populating, { mined }: CheapChain): Promise<unknown[]> => {
    const { rows } = await database.query({
      name: 'test.announced-blocks',
      text: 'SELECT kind, hash FROM events WHERE hash = ANY ($1)',
      values: [mined],
    });
    return rows;
  };
  const blocksOf = async ({ database }: Populating): Promise<string[]> => (await chainDump(database))['key_blocks']!;

  /** Work of the key blocks above a height. */
  const workAbove = async (url: string, from: number, to: number): Promise<bigint> => {
    const heights = Array.from({ length: to - from }, (_, i) => from + 1 + i);
    const blocks = heights.map(async (height) => (await fetch(`${url}/v3/key-blocks/height/${height}`)).json());
    return work(((await Promise.all(blocks)) as { target: number }[]).map(({ target }) => BigInt(target)));
  };

  for (const [where, depth, count] of [
    ['from far below its head', 4, 20],
    ['beside its last blocks', 2, 8],
    ['on top of the honest chain', 0, 5],
  ] as const) {
    const schema = where.split(' ').at(-1)!;
    const cheapest = async (): Promise<CheapChain> => {
      const from = honest.height() - depth;
      const liar = await cheap(from, count);
      const claimed = await workAbove(liar.url, from, from + count);
      expect(claimed > (await workAbove(honest.externalUrl, from, honest.height()))).to.equal(true);
      return liar;
    };

    it(`are not stored ${where}, whoever is asked first`, async () => {
      for (const first of ['liar', 'honest']) {
        const liar = await cheapest();
        const urls = first === 'liar' ? [liar.url, honest.externalUrl] : [honest.externalUrl, liar.url];
        const running = await follow(`${first}_first_${schema}`, urls);
        await running.at(honest.top().hash);
        await honest.mineKeyBlock();
        await running.at(honest.top().hash);
        expect((await blocksOf(running)).length).to.equal(honest.height() + 1);
        expect(await eventsAbout(running, liar)).to.deep.equal([]);
        await running.stop();
        populating = undefined;
      }
    });

    it(`are not stored ${where} from a node that is alone with a copy of the honest chain`, async () => {
      const running = await follow(`alone_${schema}`, [honest.externalUrl]);
      await running.at(honest.top().hash);
      const stored = await blocksOf(running);
      await running.stop();
      populating = undefined;
      const liar = await cheapest();
      const again = await follow(`alone_${schema}`, [liar.url]);
      await again.inState('node_breaks_rules');
      expect(await blocksOf(again)).to.deep.equal(stored);
      expect(await eventsAbout(again, liar)).to.deep.equal([]);
    });
  }

  it('are not stored from a node that is alone, and the state says why', async () => {
    const liar = await cheap(honest.height(), 5);
    const running = await follow('alone', [liar.url]);
    await running.inState('node_breaks_rules');
    expect((await readHead(running.database))?.height ?? -1).to.be.at.most(honest.height());
    const reasons = running.log.flatMap(({ state, reason }) => (state === 'node_breaks_rules' ? [reason] : []));
    expect(reasons[0]).to.match(/its target is 553713663 instead of \d+/);
  });

  it('are not stored with another version, or a time in the past or far in the future', async () => {
    const target = honest.top();
    const before = await fetch(`${honest.externalUrl}/v3/key-blocks/height/${target.height}`);
    const { time } = (await before.json()) as { time: number };
    for (const [name, changes, reason] of [
      ['version', { version: 5 }, 'its version is 5 instead of 6'],
      ['past', { time: time - 3_600_000 }, 'median time'],
      ['future', { time: Date.now() + 3_600_000 }, 'ahead of the clock'],
    ] as const) {
      const liar = await cheap(honest.height(), 1, { changes: () => changes });
      const running = await follow(`rule_${name}`, [liar.url]);
      await running.inState('node_breaks_rules');
      expect(JSON.stringify(running.log)).to.contain(reason);
      await running.stop();
      populating = undefined;
    }
  });

  /** Answers after a while, as a node does that wants to keep its clients waiting. */
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, SLOW_MS));
  const isBehind = ({ log }: Populating): boolean =>
    log.some(({ state, node }) => state === 'behind' && node === honest.externalUrl);

  for (const [where, order] of [
    ['first', ['liar', 'honest']],
    ['second', ['honest', 'liar']],
    ['between two honest nodes', ['honest', 'liar', 'honest']],
  ] as const)
    it(`keep no honest node waiting if they are many, without work and answered slowly, by the node that is ${where}`, async () => {
      const liar = await cheap(honest.height() - 1, 2_000, { delay: slowly, edgeBits: 0 });
      const relay = await startRelay(honest.externalUrl);
      ending.push(() => relay.shut());
      const honestUrls = [honest.externalUrl, relay.url];
      const urls = order.map((one) => (one === 'liar' ? liar.url : honestUrls.shift()!));
      const running = await follow(`endless_${where.slice(0, 6)}`, urls);
      await running.at(honest.top().hash);
      await honest.mineKeyBlock();
      await running.at(honest.top().hash);
      expect((await blocksOf(running)).length).to.equal(honest.height() + 1);
      expect(isBehind(running)).to.equal(false);
      if (order[0] === 'liar') return;
      expect(running.log.filter(({ msg, node }) => msg === 'Following node' && node === liar.url)).to.deep.equal([]);
    });

  it('are not stored without work from a node that is alone', async () => {
    const liar = await cheap(honest.height() - 1, 2_000, { edgeBits: 0 });
    const running = await follow('endless_alone', [liar.url]);
    await running.inState('node_no_work');
    expect((await readHead(running.database))?.height ?? -1).to.be.below(honest.height());
  });
});
