import { expect } from 'chai';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { reply, startServer } from '../support/http-server.js';
import type { Answerer, TestServer } from '../support/http-server.js';
import { isLedgerBehind } from '../../src/store/projections/ledger-extend.js';
import { eventually } from '../support/populator.js';
import { populateInto, startPopulating } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordingDatabase } from '../support/recording-database.js';
import { emptyCopy } from '../support/roles.js';

/** Requests for the head alone, and for the running generation. */
const HEAD = 'GET /v3/headers/top';
const GENERATION = 'GET /v3/generations/current';

/** Long beside an eighth of it, after which a pause polls the head. */
const LIES_POLL_MS = 3_000;

describe('following the head', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let front: TestServer;
  let head: Answerer | undefined;
  /** When each round asked for the running generation, ms. */
  const rounds: number[] = [];
  before(async () => {
    server = await testDatabase();
    devnode = await startDevnode({ external: '127.0.0.1:0', source: { generate: { seed: 'head', generations: 3 } } });
    front = await startServer(async (request, response) => {
      if (request.url === '/v3/generations/current') rounds.push(performance.now());
      if (head !== undefined && request.url === '/v3/headers/top') return head(request, response);
      const answer = await fetch(devnode.externalUrl + request.url);
      reply(response, answer.status, await answer.text());
    });
  });
  afterEach(() => {
    head = undefined;
    front.requests.length = 0;
  });
  after(async () => {
    await front.close();
    await devnode.close();
    await server.drop();
  });

  /** A long time limit, so that an answer that is late on a busy machine is no fault of the node. */
  const PATIENT = { timeoutMs: 60_000 };
  const follow = (schema: string, pollIntervalMs: number) =>
    startPopulating(server, schema, [front.url], PATIENT, { pollIntervalMs });
  const count = (asked: string): number => front.requests.filter((request) => request === asked).length;
  const counted = (asked: string, times: number): Promise<unknown> =>
    eventually(
      () => Promise.resolve(count(asked)),
      (n) => n >= times,
    );

  it('requests only the head while nothing changes, and the running generation once per round', async () => {
    const populating = await follow('quiet', 600);
    await populating.at(devnode.top().hash);
    await counted(HEAD, 5);
    front.requests.length = 0;

    await counted(HEAD, 24);

    const generations = count(GENERATION);
    await populating.stop();
    expect(generations).to.be.within(1, 4);
  });

  it('reads nothing but the stored head in a round that finds nothing', async () => {
    const ran: { name: string; rows: number }[] = [];
    const copy = recordingDatabase(await emptyCopy(server.url, 'rest'), ran);
    const populating = populateInto(copy, [front.url], {}, { pollIntervalMs: 100 });
    await populating.at(devnode.top().hash);
    await counted(HEAD, 1);
    await eventually(
      () => isLedgerBehind(copy),
      (isBehind) => !isBehind,
    );
    const known = ran.length;
    front.requests.length = 0;

    await counted(GENERATION, 5);

    const names = ran.slice(known).map(({ name }) => name);
    await populating.stop();
    // Except for the node's state, which is written now and then, and what is done beside the rounds: calls to be decoded, unknown call
    // information, tokens, movements, and records of the node, for which the head is read up to twice.
    const others = names.filter(
      (name) =>
        name !== 'chain.node-seen' &&
        !/^(contract|unknown_infos|due_infos|backfills|node_records|ledger\.is-behind|tokens\.due|writer\.|lease|commit)/.test(
          name,
        ),
    );
    expect(new Set(others)).to.deep.equal(new Set(['chain.head']));
    expect(others).to.have.length.within(4, 8);
  });

  it('stores a new block when the head has moved, before the next round is due', async () => {
    // Longer than the test waits.
    const populating = await follow('moved', 25_000);
    await populating.at(devnode.top().hash);
    await counted(HEAD, 1);

    await devnode.addMicroBlock();
    await populating.at(devnode.top().hash);

    await populating.stop();
  });

  it('requests nothing for a new key block beyond the running generation', async () => {
    const populating = await follow('key_block', 300);
    await populating.at(devnode.top().hash);
    await counted(HEAD, 1);
    front.requests.length = 0;

    await devnode.mineKeyBlock();
    await populating.at(devnode.top().hash);

    // Beside the rounds, records are compared with those of the node.
    const asked = front.requests.filter((request) => !/\/status$|\/(names|auctions|oracles)\//.test(request));
    expect([...new Set(asked)]).to.have.members([HEAD, GENERATION]);
    await populating.stop();
  });

  it('ignores a polled head that the next round does not find', async () => {
    head = (_, response) => reply(response, 200, '{"hash":"kh_other"}');
    const populating = await follow('lies', LIES_POLL_MS);
    await populating.at(devnode.top().hash);
    await counted(HEAD, 1);
    rounds.length = 0;
    await eventually(
      () => Promise.resolve(rounds.length),
      (n) => n > 4,
    );
    await populating.stop();

    // After the round that the head caused comes a full pause, which a busy machine makes longer only. If each head caused a round, all would be short.
    const pauses = rounds.slice(1).map((at, i) => at - rounds[i]!);
    expect(Math.max(...pauses)).to.be.above(LIES_POLL_MS * 0.9);
    expect(populating.log.filter(({ msg }) => msg.startsWith('Waiting for the node'))).to.be.empty;
  });

  for (const [what, answer] of [
    ['does not answer', () => undefined],
    ['refuses', (_, response) => reply(response, 500, '')],
    ['answers rubbish', (_, response) => reply(response, 200, '{}')],
  ] as const satisfies [string, Answerer][]) {
    it(`continues with rounds if a node ${what} when it is polled for its head`, async () => {
      head = answer;
      const populating = await follow(what.replaceAll(' ', '_'), 300);
      await populating.at(devnode.top().hash);
      await counted(HEAD, 1);

      await devnode.addMicroBlock();
      await populating.at(devnode.top().hash);

      await populating.stop();
      expect(populating.log.filter(({ msg }) => msg.startsWith('Waiting for the node'))).to.be.empty;
    });
  }
});
