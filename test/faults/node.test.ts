import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode, GenerateOptions } from '../../devtools/devnode/start.js';
import type { Misbehaviour } from '../../devtools/devnode/misbehaviour.js';
import type { createNodePool } from '../../src/node/pool.js';
import { ask, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { MIXTURE } from '../support/histories.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';

/** Misbehaviours of a node, and the node state that the populator then reports. */
const FAULTS: [what: string, misbehaviour: Misbehaviour, state: string][] = [
  ['is behind', { behind: 4 }, 'behind'],
  ['claims to be on another network', { networkId: 'ae_other' }, 'node_wrong_network'],
  [
    'claims another genesis block',
    { genesis: 'kh_2CipHmrBcC5LrmnggBrAGuxAf2fPDrAt79asKnadME4nyPRzBL' },
    'node_wrong_genesis',
  ],
  ['answers 500', { status: 500 }, 'node_error'],
  ['answers 503', { status: 503 }, 'node_busy'],
  ['answers 429 with retry-after', { status: 429, retryAfter: 2 }, 'node_busy'],
  ['never answers', { hang: true }, 'node_timeout'],
  ['answers after the time limit', { slowMs: 400 }, 'node_timeout'],
  ['breaks off its answers', { truncate: true }, 'node_malformed'],
  ['returns the block of another height', { wrongHeight: true }, 'node_lies'],
];

describe('a populator whose node misbehaves', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let relay: Relay;
  let populating: Populating;
  let api: TestApi;
  let schema = '';
  let count = 0;
  const others: (() => Promise<void>)[] = [];

  const start = (generate: Partial<GenerateOptions> = {}, networkId?: string): Promise<Devnode> =>
    startDevnode({
      external: '127.0.0.1:0',
      source: {
        generate: {
          seed: 'faults',
          generations: 8,
          txsPerGeneration: 6,
          accounts: 10,
          ...generate,
        },
      },
      ...(networkId !== undefined && { networkId }),
    });

  /** Another node, which is closed after the test. */
  const another = async (...options: Parameters<typeof start>): Promise<Devnode> => {
    const node = await start(...options);
    others.push(() => node.close());
    return node;
  };

  const begin = async (
    urls: string[],
    options: Partial<Parameters<typeof createNodePool>[0]> = { checkMs: 100 },
  ): Promise<void> => {
    schema = `faults_${++count}`;
    populating = await startPopulating(server, schema, urls, options);
    api = await testApi(populating.database, {}, { metrics: populating.metrics });
    await populating.at(devnode.top().hash);
    await reportsState('ok');
  };

  before(async () => (server = await testDatabase()));
  beforeEach(async () => {
    devnode = await start();
    relay = await startRelay(devnode.externalUrl);
  });
  afterEach(async () => {
    await api.close();
    await populating.stop();
    await relay.shut();
    await devnode.close();
    for (const close of others.splice(0)) await close();
  });
  after(() => server.drop());

  /**
   * Resolves once database, readiness, metrics and log all report this state of the node. They may pass through others: on a busy machine an
   * honest node is late, too.
   */
  const reportsState = async (state: string): Promise<void> => {
    const reported = async (): Promise<unknown> => {
      const readiness = JSON.parse((await api.get('/readyz')).body) as { node_state: string };
      const status = JSON.parse((await api.get('/middleware/status')).body) as { node_state?: string };
      const { body } = await ask(api.metricsPort, '/metrics');
      const metrics = body.split('\n').filter((line) => /^mdw_node_state\{.*\} 1$/.test(line));
      const logged = populating.log.findLast(({ msg }) => msg === 'Waiting for the node; nothing is deleted meanwhile');
      return [readiness.node_state, status.node_state ?? 'ok', metrics, state === 'ok' ? state : logged?.['state']];
    };
    await eventually(reported, (found) =>
      isDeepStrictEqual(found, [state, state, [`mdw_node_state{state="${state}"} 1`], state]),
    );
  };

  /** Resolves when the populator has sent some more requests to the node. */
  const looks = async (requests = 6): Promise<void> => {
    const until = populating.requests() + requests;
    await eventually(
      () => Promise.resolve(populating.requests()),
      (asked) => asked >= until,
    );
  };

  /** Expects the copy to have the node's chain, exactly like a clean load. */
  const expectChainOf = async (node: Devnode): Promise<void> => {
    await populating.at(node.top().hash);
    await reportsState('ok');
    expect(await chainDump(populating.database)).to.deep.equal(
      await cleanDump(server, `${schema}_clean`, node.externalUrl),
    );
  };

  for (const [what, misbehaviour, state] of FAULTS) {
    it(`keeps the stored blocks, reports the state and continues afterwards, when it ${what}`, async () => {
      await begin([relay.url]);
      const stored = await chainDump(populating.database);

      devnode.misbehave(misbehaviour);
      // Wrong answers for heights are detected only when there is a height to request.
      if (state === 'node_lies') await devnode.grow(2);
      await reportsState(state);
      await devnode.grow(2);
      await looks();

      expect(await chainDump(populating.database)).to.deep.equal(stored);
      expect(await api.json('/readyz')).to.include({ ready: true, node_state: state });
      devnode.misbehave(null);
      await expectChainOf(devnode);
      expect(populating.log.map(({ msg }) => msg)).to.include('Node recovered');
    });
  }

  it('waits while connections are refused, and continues when the node is back', async () => {
    await begin([relay.url]);
    const stored = await chainDump(populating.database);

    await relay.shut();
    await reportsState('node_unreachable');
    await devnode.fork({ depth: 3, grow: 5 });
    await looks();

    expect(await chainDump(populating.database)).to.deep.equal(stored);
    await relay.open();
    await expectChainOf(devnode);
  });

  it('loads from a slow node', async () => {
    await begin([relay.url], { timeoutMs: 2_000 });

    devnode.misbehave({ slowMs: 60 });
    await devnode.grow(4);

    await expectChainOf(devnode);
  });

  it('starts with an empty copy while the node has faults, and loads everything once it has recovered', async () => {
    // Also one by one, as a node is asked that does not answer about all of a block.
    devnode.misbehave({ truncate: true, paths: '/transactions' });
    schema = `faults_${++count}`;
    populating = await startPopulating(server, schema, [relay.url]);
    api = await testApi(populating.database, {}, { metrics: populating.metrics });

    await reportsState('node_malformed');
    devnode.misbehave(null);

    await expectChainOf(devnode);
  });

  it('loads the whole chain from a node that fails every third request', async () => {
    await begin([relay.url], { checkMs: 100, retries: [1, 2] });
    devnode.misbehave([
      { status: 500, probability: 0.15 },
      { truncate: true, probability: 0.15 },
    ]);
    await devnode.grow(6);

    await populating.at(devnode.top().hash);
    devnode.misbehave(null);
    await expectChainOf(devnode);
  });

  it('deletes nothing when every second answer is of an older state', async () => {
    await begin([relay.url]);
    const stored = await chainDump(populating.database);

    devnode.misbehave({ disagree: true });
    await looks(40);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await devnode.grow(3);
    devnode.misbehave(null);
    await expectChainOf(devnode);
  });

  it('never mixes the two branches of a node that switches between them', async () => {
    await devnode.fork({ depth: 3, grow: 3 });
    await begin([relay.url]);

    devnode.misbehave({ disagree: true });
    for (let round = 0; round < 5; round++) {
      await looks(8);
      const { rows } = await populating.database.query({ name: 'test.mixture', text: MIXTURE });
      expect(rows).to.deep.equal([]);
    }

    devnode.misbehave(null);
    await devnode.grow(1);
    await expectChainOf(devnode);
  });

  it('deletes nothing for a shorter, lighter branch, and follows it once it is longer', async () => {
    await begin([relay.url]);
    const stored = await chainDump(populating.database);
    const other = await another({ generations: 4 });
    await other.grow(2, { txsPerGeneration: 3 });

    relay.lead(other.externalUrl);
    await reportsState('behind');
    await looks(20);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await other.grow(4);
    await expectChainOf(other);
  });

  it('follows a branch that claims to be heavier once it is longer', async () => {
    await begin([relay.url]);
    const stored = await chainDump(populating.database);

    await devnode.fork({ depth: 5, grow: 2 });
    await reportsState('behind');
    await looks(20);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await devnode.grow(4);
    await expectChainOf(devnode);
  });

  it('deletes nothing for a longer branch of another network that has the same genesis block', async () => {
    // With the default pause between checks: nothing may be deleted during the pause either.
    await begin([relay.url], {});
    const stored = await chainDump(populating.database);
    const other = await another({ generations: 12, txsPerGeneration: 3 }, 'ae_other');

    relay.lead(other.externalUrl);
    await reportsState('node_wrong_network');
    await looks(2);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await devnode.grow(1);
    relay.lead(devnode.externalUrl);
    await expectChainOf(devnode);
  });

  it('deletes nothing for a longer chain with another genesis block', async () => {
    await begin([relay.url], {});
    const stored = await chainDump(populating.database);
    const other = await another({ seed: 'other', generations: 12, txsPerGeneration: 3 });

    relay.lead(other.externalUrl);
    await reportsState('node_wrong_genesis');
    await looks(2);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await devnode.grow(1);
    relay.lead(devnode.externalUrl);
    await expectChainOf(devnode);
  });

  it('reads from the second node as soon as the first fails, and from the first again when the second does', async () => {
    const second = await startRelay(devnode.externalUrl);
    others.push(() => second.shut());
    // Refused connections fail at once. A late answer on a busy machine must not count as another fault.
    await begin([relay.url, second.url], { checkMs: 100, timeoutMs: 5_000 });

    await relay.shut();
    await devnode.grow(2);
    await expectChainOf(devnode);

    await relay.open();
    await eventually(
      () => Promise.resolve(populating.node.report()[0]!.state),
      (state) => state === 'ok',
    );
    await second.shut();
    await devnode.fork({ depth: 2, grow: 3 });
    await expectChainOf(devnode);
    expect(populating.log.map(({ msg }) => msg)).not.to.include('Waiting for the node; nothing is deleted meanwhile');
  });

  it('does not follow a second node that is of another network', async () => {
    const other = await another({ generations: 12, txsPerGeneration: 3 }, 'ae_other');
    await begin([relay.url, other.externalUrl]);
    const stored = await chainDump(populating.database);

    await relay.shut();
    await reportsState('node_wrong_network');
    await looks();
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await relay.open();
    await devnode.grow(1);
    await expectChainOf(devnode);
  });
});
