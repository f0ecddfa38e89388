import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import { statusFacts } from '../../src/store/queries/status.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { THIEF, forge, leaderKey, startForger } from '../support/forged-head.js';
import type { Forgery } from '../support/forged-head.js';
import type { TestServer } from '../support/http-server.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { shareOf } from '../support/share.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const SEED = 'unsigned';
const byLeader = (message: Uint8Array, miner: string): Uint8Array => leaderKey(SEED, miner).sign(message);
const byThief = (message: Uint8Array): Uint8Array => THIEF.sign(message);

/** Blocks with right hashes that a node made up. */
const FORGERIES: Record<string, Parameters<typeof forge>[1]> = {
  'a block that nobody signed': { signsBlock: () => new Uint8Array(64), signsPayment: () => [] },
  'a block that the leader did not sign': { signsBlock: byThief, signsPayment: (message) => [byThief(message)] },
  'a block of the leader with a payment that nobody signed': { signsBlock: byLeader, signsPayment: () => [] },
  'a block of the leader with a payment that another account signed': {
    signsBlock: byLeader,
    signsPayment: (message) => [byThief(message)],
  },
  'a block of the leader with a payment that is in the chain already': {
    signsBlock: byLeader,
    signsPayment: () => [],
    repeats: 'stored',
  },
  'a block of the leader with a payment twice': {
    signsBlock: byLeader,
    signsPayment: (message) => [byThief(message)],
    repeats: 'itself',
  },
};

const UNSIGNED =
  /^height \d+: (block mh_\w+|transaction th_\w+ of block mh_\w+) is not signed: (ak_\w+, the leader of its generation, did not sign it|ak_\w+ did not sign it|0 signatures instead of 1)$/;

describe('a node that adds to the head', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let liar: TestServer;
  let forgery: Forgery | undefined;
  let copies = 0;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ seed: SEED, generations: 8, txsPerGeneration: 6 });
    liar = await startForger(devnode, () => forgery);
  });
  after(async () => {
    await liar.close();
    await closeDevnodes();
    await server.drop();
  });

  const nodes: Record<string, () => string[]> = {
    'first, beside an honest node': () => [liar.url, devnode.externalUrl],
    'second, beside an honest node': () => [devnode.externalUrl, liar.url],
    'between two honest nodes': () => [devnode.externalUrl, liar.url, `${devnode.externalUrl}/`],
    'first, beside two honest nodes': () => [liar.url, devnode.externalUrl, `${devnode.externalUrl}/`],
  };
  const places = Object.entries(FORGERIES).flatMap(([title, how]) =>
    Object.entries(nodes).map(([place, urls]) => ({ title, how, place, urls })),
  );
  for (const { title, how, place, urls } of shareOf(places)) {
    it(`${title}, ${place}: it is never stored, and the honest head is followed`, async () => {
      forgery = await forge(devnode, how);
      const populating = await startPopulating(server, `beside_${(copies += 1)}`, urls(), { checkMs: 50 });
      try {
        await populating.at(devnode.top().hash);
        forgery = await forge(devnode, how);
        await devnode.addMicroBlock({ txs: 2 });
        await populating.at(devnode.top().hash);
        await devnode.grow(1);
        forgery = await forge(devnode, how);
        await populating.at(devnode.top().hash);

        const stored = await chainDump(populating.database);
        expect(stored).to.deep.equal(await cleanDump(server, `clean_${copies}`, devnode.externalUrl));
      } finally {
        await populating.stop();
      }
    });
  }

  for (const [title, how] of shareOf(Object.entries(FORGERIES))) {
    it(`${title}, alone: it is not stored, the reason is named, and the load goes on when the node is honest`, async () => {
      forgery = await forge(devnode, how);
      const populating = await startPopulating(server, `alone_${(copies += 1)}`, [liar.url], { distrustMs: 100 });
      try {
        const facts = await eventually(
          async () => {
            const answer = await statusFacts(populating.database);
            return 'row' in answer ? (answer.row as { node_state: string; node_reason: string }) : undefined;
          },
          (row) => row?.node_state === (how.repeats === undefined ? 'node_unsigned' : 'node_breaks_rules'),
        );
        expect(facts!.node_reason).to.match(how.repeats === undefined ? UNSIGNED : /^its chain has th_\w+ twice$/);
        expect((await readHead(populating.database))?.microHashes ?? []).not.to.include(forgery.hash);

        forgery = undefined;
        await populating.at(devnode.top().hash);
        const clean = await cleanDump(server, `clean_${copies}`, devnode.externalUrl);
        expect(await chainDump(populating.database)).to.deep.equal(clean);
      } finally {
        await populating.stop();
      }
    });
  }
});
