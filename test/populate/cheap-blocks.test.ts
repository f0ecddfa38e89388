import { expect } from 'chai';
import { startDevnode } from '../../src/devnode/start.js';
import type { Devnode } from '../../src/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import { startCheapChain } from '../support/cheap-chain.js';
import type { CheapChain } from '../support/cheap-chain.js';
import { buildOnce } from '../support/mdw.js';
import { chainDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';

/** A search in graphs this small takes much less than a millisecond. */
const EDGE_BITS = 11;
const INTERVAL_MS = 60_000;
/** More than the key blocks whose target is that of the genesis block. */
const BLOCKS = 22;
/** Less than the time in which a node must answer. */
const SLOW_MS = 200;
const BENEFICIARY = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

/** Proofs of work are real, but of blocks whose targets, versions or times no honest node accepts. */
describe('key blocks that were mined against the rules', function () {
  this.timeout(120_000);
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
  const blocksOf = async ({ database }: Populating): Promise<string[]> => (await chainDump(database))['key_blocks']!;

  it('are not stored on top of the honest chain, whoever is asked first', async () => {
    const liar = await cheap(honest.height(), 5);
    for (const [schema, urls] of [
      ['liar_first', [liar.url, honest.externalUrl]],
      ['honest_first', [honest.externalUrl, liar.url]],
    ] as const) {
      const running = await follow(schema, [...urls]);
      await running.at(honest.top().hash);
      await honest.mineKeyBlock();
      await running.at(honest.top().hash);
      expect((await blocksOf(running)).length).to.equal(honest.height() + 1);
      await running.stop();
      populating = undefined;
    }
  });

  it('are not stored from a node that is alone, and the state says why', async () => {
    const liar = await cheap(honest.height(), 5);
    const running = await follow('alone', [liar.url]);
    await running.inState('node_breaks_rules');
    expect((await readHead(running.database))?.height ?? -1).to.be.at.most(honest.height());
    const reasons = running.log.flatMap(({ state, reason }) => (state === 'node_breaks_rules' ? [reason] : []));
    expect(reasons[0]).to.match(/its target is 553713663 instead of \d+/);
  });

  it('do not replace blocks from below the head, however many they are', async () => {
    const running = await follow('below', [honest.externalUrl]);
    await running.at(honest.top().hash);
    const stored = await blocksOf(running);
    await running.stop();
    populating = undefined;
    const liar = await cheap(BLOCKS - 4, 30);
    const again = await follow('below', [liar.url]);
    await again.inState('node_breaks_rules');
    expect(await blocksOf(again)).to.deep.equal(stored);
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
