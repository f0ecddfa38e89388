import { expect } from 'chai';
import { networkOf } from '../../src/chain/networks.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { nodeAt } from '../support/copy.js';
import { readHead } from '../../src/store/chain-state.js';
import { emptyCopy } from '../support/roles.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { buildOnce } from '../support/mdw.js';
import { chainDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';

/** A search in graphs this small takes much less than a millisecond. */
const EDGE_BITS = 11;
const BENEFICIARIES = [
  'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
  'ak_542o93BKHiANzqNaFj6UurrJuDuxU61zCGr9LJCwtTUg34kWt',
] as const;

describe('the proof of work of key blocks', () => {
  let server: TestDatabase;
  let populating: Populating | undefined;
  const ending: (() => Promise<void>)[] = [];

  before(async () => {
    // The thread that searches for proofs runs the compiled program.
    buildOnce();
    server = await testDatabase();
  });
  afterEach(async () => {
    await populating?.stop();
    populating = undefined;
    for (const end of ending.splice(0).reverse()) await end();
  });
  after(() => server.drop());

  /** Chains with the same genesis block; without edge bits their proofs are not valid. */
  const miner = async (beneficiary: 0 | 1, blocks: number, edgeBits: number): Promise<Devnode> => {
    const node = await startDevnode({
      external: '127.0.0.1:0',
      source: {
        live: {
          seed: 'work',
          startTime: 1_700_000_000_000,
          mining: { beneficiary: BENEFICIARIES[beneficiary], edgeBits },
        },
      },
    });
    ending.push(() => node.close());
    for (let block = 0; block < blocks; block++) await node.mineKeyBlock();
    return node;
  };

  const relayTo = async (node: Devnode): Promise<Relay> => {
    const relay = await startRelay(node.externalUrl);
    ending.push(() => relay.shut());
    return relay;
  };

  // With full proof, the answers of these nodes would be refused before their proof of work is checked.
  const follow = async (schema: string, url: string, node: Devnode, config = {}): Promise<Populating> => {
    const started = await startPopulating(
      server,
      schema,
      [url],
      { checkMs: 100, proof: 'off' },
      { powEdgeBits: EDGE_BITS, ...config },
    );
    populating = started;
    await started.at(node.top().hash);
    await eventually(
      () => Promise.resolve(started.log),
      (lines) => lines.some(({ msg }) => msg === 'Caught up with the node'),
    );
    return started;
  };

  const refused = async (log: Populating['log']): Promise<void> => {
    await eventually(
      () => Promise.resolve(log),
      (lines) => lines.some(({ state }) => state === 'node_no_work'),
    );
  };

  it('lets a heavier branch replace the stored one, and is required of it', async () => {
    const [mined, longer, imitated] = [
      await miner(0, 3, EDGE_BITS),
      await miner(1, 4, EDGE_BITS),
      await miner(1, 6, 0),
    ];
    const relay = await relayTo(mined);
    // At any depth: a branch with proven work is not held.
    const { database, log, at } = await follow('branch', relay.url, mined, { maxUnprovenReorg: { blocks: 0 } });
    const stored = await chainDump(database);

    relay.lead(imitated.externalUrl);
    await refused(log);
    expect(await chainDump(database)).to.deep.equal(stored);

    relay.lead(longer.externalUrl);
    await at(longer.top().hash);
  });

  it('is required of a branch that an earlier process staged without it', async () => {
    const [mined, imitated] = [await miner(0, 3, EDGE_BITS), await miner(1, 6, 0)];
    const relay = await relayTo(mined);
    const before = await follow('settings', relay.url, mined, {
      powEdgeBits: undefined,
      maxUnprovenReorg: { blocks: 0 },
    });
    relay.lead(imitated.externalUrl);
    await eventually(
      () => Promise.resolve(before.log),
      (lines) => lines.some(({ state }) => state === 'reorg_held'),
    );
    const stored = await chainDump(before.database);
    await before.stop();

    populating = await startPopulating(
      server,
      'settings',
      [relay.url],
      { checkMs: 100, proof: 'off' },
      { powEdgeBits: EDGE_BITS },
    );
    await refused(populating.log);
    expect(await chainDump(populating.database)).to.deep.equal(stored);
  });

  it('is required of every new block while the head is followed', async () => {
    const mined = await miner(0, 2, EDGE_BITS);
    let spoiled = false;
    const proxy: TestServer = await startServer(async (request, response) => {
      const answer = await fetch(mined.externalUrl + request.url!);
      const text = await answer.text();
      reply(response, answer.status, spoiled ? text.replace(/"nonce": ?\d+/, '"nonce":1') : text);
    });
    ending.push(() => proxy.close());
    const { database, log, at } = await follow('followed', proxy.url, mined);
    const stored = await chainDump(database);

    spoiled = true;
    await mined.mineKeyBlock();
    await refused(log);
    expect(await chainDump(database)).to.deep.equal(stored);

    spoiled = false;
    await at(mined.top().hash);
  });

  it('is required in the first load: blocks that claim too much work would never be replaced', async () => {
    const [mined, imitated] = [await miner(0, 3, EDGE_BITS), await miner(1, 6, 0)];
    const relay = await relayTo(imitated);
    const times = { checkMs: 100, demoteMs: 100, proof: 'off' } as const;
    populating = await startPopulating(server, 'first', [relay.url], times, { powEdgeBits: EDGE_BITS });
    await refused(populating.log);
    // The genesis block needs none.
    expect((await readHead(populating.database))?.height ?? 0).to.equal(0);

    relay.lead(mined.externalUrl);
    await populating.at(mined.top().hash);
  });

  it('is required of blocks that fill a gap', async () => {
    const imitated = await open({ source: { generate: { seed: 'gap', generations: 70, txsPerGeneration: 1 } } });
    ending.push(closeDevnodes);
    const database = await emptyCopy(server.url, 'gap');
    const node = nodeAt(imitated.externalUrl);
    await replaceHeights({ database, node, heights: [{ from: 70, to: 70 }] });
    node.close();

    const times = { checkMs: 100, demoteMs: 100 };
    populating = await startPopulating(server, 'gap', [imitated.externalUrl], times, { powEdgeBits: EDGE_BITS });
    await eventually(
      () => Promise.resolve(populating!.log),
      (lines) => lines.some(({ msg, code }) => msg === 'Failed to fill a gap, will retry' && code === 'node_no_work'),
    );
    const { rows } = await database.query({
      text: 'SELECT height FROM key_blocks WHERE height BETWEEN 1 AND 69',
      name: '',
    });
    expect(rows).to.deep.equal([]);
    await database.close();
  });

  it('is required of heights loaded with -H, one by one and in batches', async () => {
    const imitated = await open({ source: { generate: { seed: 'by hand', generations: 20, txsPerGeneration: 1 } } });
    ending.push(closeDevnodes);
    const database = await emptyCopy(server.url, 'by_hand');
    const node = nodeAt(imitated.externalUrl);
    const load = (from: number, to: number, powEdgeBits?: number) =>
      replaceHeights({
        database,
        node,
        heights: [{ from, to }],
        network: networkOf('ae_private', { powEdgeBits, powIntervalMs: undefined }),
      });
    const refused = await load(0, 20, EDGE_BITS);
    const genesis = await load(0, 1);
    const again = await load(1, 1, EDGE_BITS);
    node.close();

    expect(refused.failed.map(({ code }) => code)).to.deep.equal(Array(20).fill('node_no_work'));
    expect(genesis.failed).to.deep.equal([]);
    expect(again.failed.map(({ height, code }) => [height, code])).to.deep.equal([[1, 'node_no_work']]);
    await database.close();
  });

  it('is not required in a network that is not known to have it', async () => {
    const imitated = await miner(0, 3, 0);
    const { at } = await follow('imitated', imitated.externalUrl, imitated, { powEdgeBits: undefined });

    await imitated.mineKeyBlock();
    await at(imitated.top().hash);
  });

  it('has the graph size of the main and the test network, in other networks that of the setting', () => {
    const edgeBitsOf = (id: string, powEdgeBits?: number) =>
      networkOf(id, { powEdgeBits, powIntervalMs: undefined }).work?.edgeBits;
    expect(edgeBitsOf('ae_mainnet')).to.equal(29);
    expect(edgeBitsOf('ae_uat')).to.equal(29);
    expect(edgeBitsOf('ae_private')).to.equal(undefined);
    expect(edgeBitsOf('ae_private', 15)).to.equal(15);
    expect(edgeBitsOf('ae_mainnet', 0)).to.equal(undefined);
  });
});
