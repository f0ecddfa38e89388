import { expect } from 'chai';
import type { Devnode, DevnodeOptions, GenerateOptions } from '../../devtools/devnode/start.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';

type Chain = Omit<GenerateOptions, 'seed'> & { seed?: string; networkId?: string };

const NETWORK = 'hc_changed';
const HYPERCHAIN = { consensus: 'hyperchain', networkId: NETWORK } as const;
const ON_DEMAND = { consensus: 'on_demand', networkId: NETWORK } as const;
/** Longer than the stored chain, so that its length would decide for it. */
const LONGER = 20;

/** What is stored, what the node then shows, and how that is named. */
const CHANGES: Record<string, { stored: Chain; shown: Chain; state: string; named: RegExp }> = {
  'another network with the same genesis block': {
    stored: HYPERCHAIN,
    shown: { ...HYPERCHAIN, networkId: 'hc_other' },
    state: 'node_wrong_network',
    named: /hc_other, not hc_changed/,
  },
  'another network with another genesis block': {
    stored: HYPERCHAIN,
    shown: { ...HYPERCHAIN, networkId: 'hc_other', seed: 'other' },
    state: 'node_wrong_network',
    named: /hc_other, not hc_changed/,
  },
  'another genesis block': {
    stored: HYPERCHAIN,
    shown: { ...HYPERCHAIN, seed: 'other' },
    state: 'node_wrong_genesis',
    named: /has genesis kh_\w+, not kh_/,
  },
  'another form': {
    stored: HYPERCHAIN,
    shown: { consensus: 'pow', networkId: NETWORK },
    state: 'node_wrong_genesis',
    named: /has genesis kh_\w+, not kh_/,
  },
  'another form after the same genesis block': {
    stored: ON_DEMAND,
    shown: { consensus: 'pow', networkId: NETWORK },
    state: 'node_breaks_rules',
    named: /it has a proof of work, and the newest stored one has neither proof nor signature/,
  },
  'another form after the same genesis block, the other way around': {
    stored: { consensus: 'pow', networkId: NETWORK },
    shown: ON_DEMAND,
    state: 'node_breaks_rules',
    named: /it has neither proof nor signature, and the newest stored one has a proof of work/,
  },
};

describe('a node that changes to', () => {
  let server: TestDatabase;
  let populating: Populating;
  let relay: Relay;
  let number = 0;

  before(async () => (server = await testDatabase()));
  afterEach(async () => {
    await populating.stop().catch(() => undefined);
    await relay.shut();
    await closeDevnodes();
  });
  after(() => server.drop());

  const chain = ({ networkId, ...generate }: Chain, generations: number): Promise<Devnode> =>
    open({
      ...({ networkId } as Pick<DevnodeOptions, 'networkId'>),
      source: { generate: { seed: 'changed', generations, txsPerGeneration: 4, accounts: 20, ...generate } },
    });
  const start = async (urls: string[]): Promise<Populating> =>
    (populating = await startPopulating(server, `changed_${number++}`, urls, { checkMs: 50, demoteMs: 200 }));
  const named = (state: string): Promise<unknown> =>
    eventually(
      () => Promise.resolve(populating.log.find((line) => JSON.stringify(line).includes(state))),
      (line) => line !== undefined,
    );

  for (const [what, { stored, shown, state, named: text }] of Object.entries(CHANGES)) {
    it(`${what} is not followed and named, nothing is written, and it goes on when the node is back`, async () => {
      const [first, other] = await Promise.all([chain(stored, 12), chain(shown, LONGER)]);
      relay = await startRelay(first.externalUrl);
      await start([relay.url]);
      await populating.at(first.top().hash);
      const before = await chainDump(populating.database);
      relay.lead(other.externalUrl);
      await named(state);
      expect(JSON.stringify(populating.log)).to.match(text);
      await other.grow(2);
      const asked = populating.requests();
      await eventually(
        () => Promise.resolve(populating.requests()),
        (now) => now > asked + 20,
      );
      expect(await chainDump(populating.database)).to.deep.equal(before);
      await first.grow(2);
      relay.lead(first.externalUrl);
      await populating.at(first.top().hash);
    });

    it(`${what} beside a node of the stored chain is left for that one, and nothing of it is stored`, async () => {
      const [first, other] = await Promise.all([chain(stored, 12), chain(shown, LONGER)]);
      relay = await startRelay(first.externalUrl);
      await start([relay.url, first.externalUrl]);
      await populating.at(first.top().hash);
      relay.lead(other.externalUrl);
      await first.grow(2);
      await populating.at(first.top().hash);
      await first.fork({ depth: 2, grow: 4 });
      await populating.at(first.top().hash);
      const clean = await cleanDump(server, `clean_${number++}`, first.externalUrl);
      expect(await chainDump(populating.database)).to.deep.equal(clean);
    });
  }
});
