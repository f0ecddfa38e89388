import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';

/** In a network whose proof of work cannot be checked, key blocks of any target and any number cost nothing. */
describe('branches without proof of work', () => {
  let server: TestDatabase;
  let count = 0;
  let populating: Populating | undefined;
  const ending: (() => Promise<void>)[] = [];

  before(async () => (server = await testDatabase()));
  afterEach(async () => {
    await populating?.stop();
    populating = undefined;
    for (const end of ending.splice(0).reverse()) await end();
  });
  after(() => server.drop());

  /** All nodes have the same first blocks. */
  const start = async (generations: number): Promise<Devnode> => {
    const node = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'unproven', generations, txsPerGeneration: 3, accounts: 6 } },
    });
    ending.push(() => node.close());
    return node;
  };
  const relayTo = async (url: string): Promise<Relay> => {
    const relay = await startRelay(url);
    ending.push(() => relay.shut());
    return relay;
  };
  /** A branch of lower height whose key blocks claim more work than all blocks of the other nodes. */
  const claiming = async (): Promise<Devnode> => {
    const node = await start(20);
    await node.fork({ depth: 15, grow: 14 });
    return node;
  };
  const follow = async (...urls: string[]): Promise<Populating> =>
    (populating = await startPopulating(server, `unproven_${++count}`, urls, { checkMs: 20, demoteMs: 200 }));

  const refused = (url: string): Promise<unknown> =>
    eventually(
      () => Promise.resolve(populating!.node.report()),
      (reports) => reports.some((report) => report.url === url && report.reason?.startsWith('shows a branch') === true),
    );
  const isCopyOf = async (node: Devnode): Promise<void> => {
    await populating!.at(node.top().hash);
    expect(await chainDump(populating!.database)).to.deep.equal(
      await cleanDump(server, `clean_${count}`, node.externalUrl),
    );
  };

  it('replace nothing by claims of difficulty, beside another node or alone', async () => {
    const [honest, liar] = [await start(20), await claiming()];
    await follow(honest.externalUrl, liar.externalUrl);
    await populating!.at(honest.top().hash);
    await refused(liar.externalUrl);
    await honest.grow(1);
    await isCopyOf(honest);
    await populating!.stop();

    const relay = await relayTo(honest.externalUrl);
    await follow(relay.url);
    await populating!.at(honest.top().hash);
    relay.lead(liar.externalUrl);
    await refused(relay.url);
    relay.lead(honest.externalUrl);
    await honest.grow(1);
    await isCopyOf(honest);
  });

  it('replace nothing either if they are longer, while another node has the stored branch', async () => {
    const [honest, liar] = [await start(20), await start(20)];
    await liar.fork({ depth: 5, grow: 7 });
    await follow(honest.externalUrl, liar.externalUrl);
    await populating!.at(honest.top().hash);
    await refused(liar.externalUrl);
    await honest.grow(1);
    await isCopyOf(honest);
  });

  it('are replaced by the branch that more nodes have, also by a shorter one, if the first node lies from the start', async () => {
    const [liar, one, other] = [await start(20), await start(20), await start(20)];
    await liar.fork({ depth: 5, grow: 9 });
    await follow(liar.externalUrl, one.externalUrl, other.externalUrl);
    await populating!.at(one.top().hash);
    for (const node of [one, other]) await node.grow(1);
    await isCopyOf(one);
  });

  it('are replaced by that of the node that is named first, if two nodes contradict each other', async () => {
    const [first, second] = [await start(8), await start(8)];
    const relay = await relayTo(first.externalUrl);
    await follow(relay.url, second.externalUrl);
    await populating!.at(first.top().hash);

    await relay.shut();
    await second.grow(6);
    await populating!.at(second.top().hash);
    await first.addMicroBlock();
    await first.grow(4);
    await relay.open();
    await populating!.at(first.top().hash);
    await refused(second.externalUrl);
    await first.grow(1);
    await isCopyOf(first);
  });

  it('replace a longer part than MAX_UNPROVEN_REORG only after another node has it, which is not the same one by another address', async () => {
    const BOUND = 3;
    const [node, second] = [await start(12), await start(12)];
    const alias = node.externalUrl.replace('127.0.0.1', 'localhost');
    const relay = await relayTo(node.externalUrl);
    populating = await startPopulating(
      server,
      `unproven_${++count}`,
      [node.externalUrl, alias, relay.url],
      { checkMs: 20, demoteMs: 200 },
      { maxUnprovenReorg: { blocks: BOUND } },
    );
    await populating.at(node.top().hash);
    const stored = await chainDump(populating.database);
    await node.fork({ depth: BOUND + 1, grow: BOUND + 2 });
    await populating.inState('reorg_held');
    const tries = () => populating!.log.filter(({ msg }) => msg === 'Following node').length;
    const before = tries();
    await eventually(
      () => Promise.resolve(tries()),
      (tried) => tried > before + 3,
    );
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await second.fork({ depth: BOUND + 1, grow: BOUND + 2 });
    relay.lead(second.externalUrl);
    await isCopyOf(node);
  });

  it('are followed in small reorgs of the only node, whatever their targets', async () => {
    const node = await start(8);
    await follow(node.externalUrl);
    await populating!.at(node.top().hash);
    for (const depth of [1, 2, 4]) {
      await node.fork({ depth, grow: depth + 1 });
      await populating!.at(node.top().hash);
      await node.microFork({ drop: 1 }).catch(() => undefined);
      await isCopyOf(node);
    }
  });
});
