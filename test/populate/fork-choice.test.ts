import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { EDGE_BITS } from '../support/histories.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';

/** The work of branches is checked. */
const SETTINGS = { powEdgeBits: EDGE_BITS };

describe('the populator, choosing between branches', () => {
  let server: TestDatabase;
  const nodes: Devnode[] = [];
  const relays: Relay[] = [];
  const servers: TestServer[] = [];
  let populating: Populating | undefined;

  before(async () => (server = await testDatabase()));
  afterEach(async () => {
    await populating?.stop();
    populating = undefined;
    for (const relay of relays.splice(0)) await relay.shut();
    for (const liar of servers.splice(0)) await liar.close();
    for (const node of nodes.splice(0)) await node.close();
  });
  after(() => server.drop());

  /** All nodes have the same first blocks. */
  const start = async (generations: number): Promise<Devnode> => {
    const node = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'choice', generations, txsPerGeneration: 3, accounts: 6, edgeBits: EDGE_BITS } },
    });
    nodes.push(node);
    return node;
  };

  const relayTo = async (node: Devnode): Promise<Relay> => {
    const relay = await startRelay(node.externalUrl);
    relays.push(relay);
    return relay;
  };

  /** A node whose blocks above 5 have more work, and one with a longer branch of easy blocks. */
  const heavyAndLong = async (): Promise<[heavy: Devnode, long: Devnode]> => {
    const heavy = await start(20);
    await heavy.fork({ depth: 15, grow: 14 });
    return [heavy, await start(20)];
  };

  const looks = async (populating: Populating, requests: number): Promise<void> => {
    const until = populating.requests() + requests;
    await eventually(
      () => Promise.resolve(populating.requests()),
      (asked) => asked >= until,
    );
  };

  const said = (populating: Populating, reason: string): Promise<unknown> =>
    eventually(
      () => Promise.resolve(populating.log),
      (lines) => lines.some((line) => line['reason'] === reason),
    );

  /** A copy of a node that claims height 5,000,000 and returns a key block for it. */
  const claiming = async (honest: Devnode): Promise<TestServer> => {
    const genuine = async (path: string): Promise<string> => (await fetch(honest.externalUrl + path)).text();
    const HEIGHT = 5_000_000;
    const liar = await startServer(async (request, response) => {
      const path = request.url!;
      if (path.endsWith('/status')) {
        const status = JSON.parse(await genuine(path)) as Record<string, unknown>;
        return reply(response, 200, JSON.stringify({ ...status, top_block_height: HEIGHT }));
      }
      if (!path.endsWith('/generations/current') && !path.endsWith(`/height/${HEIGHT}`)) {
        const answer = await fetch(honest.externalUrl + path);
        return reply(response, answer.status, await answer.text());
      }
      const top = (await genuine('/v2/key-blocks/current')).replace(/"height": ?\d+/, `"height":${HEIGHT}`);
      reply(response, 200, path.endsWith('/current') ? `{"key_block":${top},"micro_blocks":[]}` : top);
    });
    servers.push(liar);
    return liar;
  };

  it('does not replace real work by a longer branch of trivial blocks', async () => {
    const [heavy, long] = await heavyAndLong();
    expect(long.height()).to.be.above(heavy.height());
    const relay = await relayTo(heavy);
    populating = await startPopulating(server, 'heavy', [relay.url], { checkMs: 100 }, SETTINGS);
    await populating.at(heavy.top().hash);
    const stored = await chainDump(populating.database);

    relay.lead(long.externalUrl);
    await looks(populating, 60);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await heavy.grow(1);
    relay.lead(heavy.externalUrl);
    await populating.at(heavy.top().hash);
  });

  it('follows a lower branch with more work', async () => {
    const [heavy, long] = await heavyAndLong();
    const relay = await relayTo(long);
    populating = await startPopulating(server, 'long', [relay.url], { checkMs: 100 }, SETTINGS);
    await populating.at(long.top().hash);

    relay.lead(heavy.externalUrl);
    await populating.at(heavy.top().hash);

    expect(await chainDump(populating.database)).to.deep.equal(await cleanDump(server, 'clean', heavy.externalUrl));
  });

  it('does not follow a branch of equal work until it is heavier', async () => {
    const one = await start(6);
    const other = await start(6);
    await one.grow(2, { txsPerGeneration: 1 });
    await other.grow(2, { txsPerGeneration: 5 });
    expect(one.top().hash).not.to.equal(other.top().hash);
    const relay = await relayTo(one);
    populating = await startPopulating(server, 'equal', [relay.url], { checkMs: 100 }, SETTINGS);
    await populating.at(one.top().hash);
    const stored = await chainDump(populating.database);

    relay.lead(other.externalUrl);
    await looks(populating, 30);
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await other.mineKeyBlock();
    await populating.at(other.top().hash);
  });

  it('follows the node of the heavier branch again after it did not answer for a while', async () => {
    const [heavy, long] = await heavyAndLong();
    const relay = await relayTo(heavy);
    populating = await startPopulating(
      server,
      'back',
      [relay.url, long.externalUrl],
      { checkMs: 100, demoteMs: 200 },
      SETTINGS,
    );
    await populating.at(heavy.top().hash);
    const stored = await chainDump(populating.database);

    await relay.shut();
    await said(populating, 'shows a branch that has no more work than the stored one');
    expect(await chainDump(populating.database)).to.deep.equal(stored);

    await relay.open();
    await heavy.grow(1);
    await populating.at(heavy.top().hash);
    await eventually(
      () => Promise.resolve(populating!.node.report()),
      ([first]) => first!.followed,
    );
  });

  it('finds the heavier branch on the node that is not followed', async () => {
    const [heavy, long] = await heavyAndLong();
    populating = await startPopulating(
      server,
      'rival',
      [long.externalUrl, heavy.externalUrl],
      { checkMs: 100 },
      SETTINGS,
    );

    await populating.at(heavy.top().hash);
    await heavy.grow(1);
    await populating.at(heavy.top().hash);
  });

  it('finds it also if the branches differ in the last blocks only, once they differ for some time', async () => {
    const [light, heavy] = [await start(6), await start(6)];
    await heavy.fork({ depth: 2, grow: 2 });
    populating = await startPopulating(
      server,
      'shallow',
      [light.externalUrl, heavy.externalUrl],
      { checkMs: 20 },
      SETTINGS,
    );
    await populating.at(heavy.top().hash);
  });

  it('stops following a node that stays some blocks behind another', async () => {
    const [late, early] = [await start(6), await start(8)];
    populating = await startPopulating(server, 'late', [late.externalUrl, early.externalUrl], { checkMs: 20 });
    await populating.at(early.top().hash);
  });

  it('stops following a node that has fewer blocks than are stored', async () => {
    const [early, late, ahead] = [await start(8), await start(6), await start(8)];
    const relay = await relayTo(early);
    populating = await startPopulating(server, 'less', [relay.url, late.externalUrl, ahead.externalUrl], {
      checkMs: 20,
    });
    await populating.at(early.top().hash);

    await relay.shut();
    await ahead.grow(1);
    await populating.at(ahead.top().hash);
  });

  it('follows the honest node although another one claims height 5,000,000 and returns a key block for it', async () => {
    const honest = await start(8);
    const liar = await claiming(honest);
    const urls = [liar.url, honest.externalUrl];
    populating = await startPopulating(server, 'claims', urls, { checkMs: 100, api: 'v2', proof: 'off' });

    await populating.at(honest.top().hash);
    await eventually(
      () => Promise.resolve(populating!.node.report()),
      ([, second]) => second!.followed,
    );
    expect(populating.node.report().map(({ state }) => state)).to.deep.equal(['behind', 'ok']);
    await honest.grow(1);
    await populating.at(honest.top().hash);
  });

  it('asks the honest node before the demotion of the other is over, however long the last pause was', async () => {
    const honest = await start(8);
    const urls = [(await claiming(honest)).url, honest.externalUrl];
    // Pauses become longer than the demotion.
    const times = { checkMs: 20, demoteMs: 20, api: 'v2' as const, proof: 'off' as const };
    populating = await startPopulating(server, 'doubts', urls, times, { pollIntervalMs: 300, ...SETTINGS });

    await populating.at(honest.top().hash);
    // The other node claims blocks above the stored head, so it is never seen to be on another branch.
    await honest.fork({ depth: 4, grow: 2 });
    await populating.at(honest.top().hash);
  });
});
