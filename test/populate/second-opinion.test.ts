import { expect } from 'chai';
import { differingMember } from '../../src/populate/differing-member.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask, testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { rejection } from '../support/http-server.js';
import { startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recorded } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import type { ReplayAnswer } from '../support/replay-server.js';
import { tamper } from '../support/roles.js';

const HEAD = (JSON.parse(recorded('/v2/key-blocks/current', 'realnode-tokens')) as { hash: string }).hash;
const STATUS = JSON.parse(recorded('/v2/status', 'realnode-tokens')) as Record<string, unknown>;

const NOT_FOUND: ReplayAnswer = { status: 404, body: '{"reason":"Transaction not found"}' };

type Instead = (path: string) => ReplayAnswer | undefined;

describe('a second opinion', () => {
  let server: TestDatabase;
  let populating: Populating | undefined;
  let api: TestApi | undefined;
  let count = 0;
  const nodes: { close(): Promise<void> }[] = [];

  before(async () => (server = await testDatabase()));
  afterEach(async () => {
    await api?.close();
    api = undefined;
    await populating?.stop().catch(() => undefined);
    populating = undefined;
    for (const node of nodes.splice(0)) await node.close();
  });
  after(() => server.drop());

  /** Replays a chain with contract calls, as the node with this peer key. */
  const replay = async (peerKey: string, instead: Instead = () => undefined) => {
    const status: ReplayAnswer = { status: 200, body: JSON.stringify({ ...STATUS, peer_pubkey: peerKey }) };
    const node = await replayServer(
      'realnode-tokens',
      (path) => instead(path) ?? (path === '/status' ? status : undefined),
    );
    nodes.push(node);
    return node;
  };

  const follow = (...urls: string[]): Promise<Populating> => followFor(300, urls);
  /** Waits so long for each answer, ms. */
  const followFor = async (timeoutMs: number, urls: string[]): Promise<Populating> => {
    const config = { secondOpinionShare: 1 };
    populating = await startPopulating(server, `opinion_${++count}`, urls, { timeoutMs }, config);
    api = await testApi(populating.database, {}, { metrics: populating.metrics });
    return populating;
  };

  const opinion = async (): Promise<{ differences: number; reason: string } | undefined> => {
    const body = JSON.parse((await api!.get('/middleware/status')).body) as Record<string, unknown>;
    return body['second_opinion'] as { differences: number; reason: string } | undefined;
  };
  const metric = async (name: string): Promise<number> => {
    const { body } = await ask(api!.metricsPort, '/metrics');
    const line = body.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const outcomes = (outcome: string): Promise<number> => metric(`mdw_second_opinions_total{outcome="${outcome}"}`);
  /** The nodes are asked again at once. */
  const askAgain = (): Promise<unknown> => tamper(populating!.database, 'UPDATE differing_opinions SET due_at = now()');

  const stored = async (): Promise<Record<string, string>> => {
    const { rows } = await populating!.database.query<{ hash: string; body: string }>({
      name: 'test.infos',
      text: 'SELECT hash, i.body FROM infos AS i JOIN transactions AS t ON t.position = i.position',
    });
    return Object.fromEntries(rows.map(({ hash, body }) => [hash, body]));
  };

  /** Tells another amount of gas for this call than was used. */
  const moreGas = (hash: string): Instead => {
    const path = `/transactions/${hash}/info`;
    return (asked) =>
      asked === path
        ? { status: 200, body: recorded(`/v2${path}`, 'realnode-tokens').replace(/"gas_used": ?/, '"gas_used":1') }
        : undefined;
  };

  it('finds no difference between honest nodes', async () => {
    const [one, other] = [await replay('pp_one'), await replay('pp_other')];
    await follow(one.url, other.url);
    await populating!.at(HEAD);
    await eventually(
      () => outcomes('same'),
      (same) => same > 20,
    );
    expect(await outcomes('different')).to.equal(0);
    expect(await opinion()).to.equal(undefined);
    expect(await metric('mdw_differing_opinions')).to.equal(0);
  });

  it('is reported if it differs, with height, transaction, member and both nodes, and changes nothing that is stored', async () => {
    const probe = await replay('pp_probe');
    await follow(probe.url, (await replay('pp_other')).url);
    await populating!.at(HEAD);
    const infos = await eventually(stored, (all) => Object.values(all).some((body) => /^\{"call_info"/.test(body)));
    const hash = Object.keys(infos).find((one) => /^\{"call_info"/.test(infos[one]!))!;
    await api!.close();
    await populating!.stop();

    let lie = moreGas(hash);
    // The liar is asked first, however busy the machine is.
    let hasLied = false;
    const first: Instead = (path) => {
      const answer = lie(path);
      hasLied ||= answer !== undefined;
      return answer;
    };
    const second: Instead = (path) => (hasLied || moreGas(hash)(path) === undefined ? undefined : NOT_FOUND);
    const [liar, honest] = [await replay('pp_liar', first), await replay('pp_honest', second)];
    await follow(liar.url, honest.url);
    await populating!.at(HEAD);
    const { differences, reason } = (await eventually(opinion, (found) => found !== undefined))!;
    expect(differences).to.equal(1);
    const used = /"gas_used":(\d+)/.exec(infos[hash]!)![1]!;
    expect(reason).to.match(/^height \d+: /);
    expect(reason.replace(/^height \d+: /, '')).to.equal(
      `call information of ${hash}: call_info.gas_used: 1${used} and ${used} (${liar.url} and ${honest.url})`,
    );
    await eventually(
      () => metric('mdw_differing_opinions'),
      (value) => value === 1,
    );
    const line = populating!.log.find(({ msg }) => msg.startsWith('Two nodes contradict each other'));
    expect(line?.['reason']).to.equal(reason);
    expect((await stored())[hash]).to.contain(`"gas_used":1${used}`);

    // Neither of them may be trusted: that the liar tells the truth now does not change what is stored.
    lie = () => undefined;
    await askAgain();
    await eventually(
      async () =>
        (
          await populating!.database.query<{ attempts: number }>({
            name: 'test.attempts',
            text: 'SELECT attempts FROM differing_opinions',
          })
        ).rows[0]?.attempts,
      (attempts) => attempts === 1,
    );
    expect((await opinion())?.reason).to.equal(reason);
    await tamper(
      populating!.database,
      `UPDATE infos SET body = replace(body, '"gas_used":1${used}', '"gas_used":${used}')`,
    );
    await askAgain();
    await eventually(opinion, (found) => found === undefined);
    await eventually(
      () => metric('mdw_differing_opinions'),
      (value) => value === 0,
    );
  });

  it('is not waited for: neither the head nor the calls', async () => {
    const silent: Instead = (path) => (path.endsWith('/info') ? 'silence' : undefined);
    const [one, other] = [await replay('pp_one'), await replay('pp_other', silent)];
    // Longer than the test: whoever waits for an answer never gets one.
    await followFor(3_600_000, [one.url, other.url]);
    await populating!.at(HEAD);
    await eventually(stored, (infos) => Object.keys(infos).length > 20);
    await eventually(
      () => metric('mdw_decode_backlog_calls'),
      (backlog) => backlog === 0,
    );
    await eventually(
      () => Promise.resolve(other.asked),
      (asked) => asked.some((path) => path.endsWith('/info')),
    );
    expect(await opinion()).to.equal(undefined);
  });

  describe('about the head', () => {
    const start = async (): Promise<Devnode> => {
      const node = await startDevnode({
        external: '127.0.0.1:0',
        source: { generate: { seed: 'opinion', generations: 6, txsPerGeneration: 2 } },
      });
      nodes.push(node);
      return node;
    };

    it('is reported while another node has another key block there, and over when the block is gone', async () => {
      const [one, other] = [await start(), await start()];
      await follow(one.externalUrl, other.externalUrl);
      await populating!.at(one.top().hash);
      await populating!.node.check();
      await eventually(
        () => Promise.resolve(populating!.log),
        (log) => log.some(({ msg }) => msg === 'Caught up with the node'),
      );
      await one.mineKeyBlock();
      await other.addMicroBlock();
      await other.mineKeyBlock();
      await populating!.at(one.top().hash);

      const found = await eventually(opinion, (told) => told !== undefined);
      expect(found).to.deep.equal({
        differences: 1,
        reason: `height 7: ${one.externalUrl} has ${one.top().hash}, and ${other.externalUrl} has ${other.top().hash}`,
      });

      await one.fork({ depth: 1, grow: 3 });
      await populating!.at(one.top().hash);
      await askAgain();
      await eventually(
        async () => (await opinion())?.reason,
        (reason) => reason !== found!.reason,
      );
    });

    it('is no other one if the node has not got the block yet', async () => {
      const [one, other] = [await start(), await start()];
      await follow(one.externalUrl, other.externalUrl);
      await populating!.at(one.top().hash);
      await eventually(
        () => Promise.resolve(populating!.log),
        (log) => log.some(({ msg }) => msg === 'Caught up with the node'),
      );
      await one.addMicroBlock();
      await populating!.at(one.top().hash);
      await eventually(
        () => outcomes('unanswered'),
        (unanswered) => unanswered > 0,
      );
      expect(await opinion()).to.equal(undefined);
      await other.addMicroBlock();
      await one.mineKeyBlock();
      await other.mineKeyBlock();
      await populating!.at(one.top().hash);
      await eventually(
        () => outcomes('same'),
        (same) => same > 0,
      );
      expect(await outcomes('different')).to.equal(0);
    });

    it('is refused if all addresses are those of one node', async () => {
      const node = await start();
      const alias = node.externalUrl.replace('127.0.0.1', 'localhost');
      await follow(node.externalUrl, alias);
      const error = await rejection(populating!.ended);
      expect(error.code).to.equal('invalid_config');
      expect(error.message).to.match(
        /^SECOND_OPINION_SHARE=1 needs a second node, and the addresses of NODE_URL have one peer key, pp_\w+: add the address of another node, or set it to 0$/,
      );
    });
  });

  it('compares members whatever their order, with exact integers', () => {
    const one = parseExact('{"a":{"b":[1,{"c":123456789012345678901234567890}],"d":null}}');
    expect(differingMember(one, parseExact('{"a":{"d":null,"b":[1,{"c":123456789012345678901234567890}]}}'))).to.equal(
      undefined,
    );
    expect(differingMember(one, parseExact('{"a":{"d":null,"b":[1,{"c":123456789012345678901234567891}]}}'))).to.equal(
      'a.b[1].c: 123456789012345678901234567890 and 123456789012345678901234567891',
    );
    expect(differingMember(one, parseExact('{"a":{"b":[1],"d":null}}'))).to.equal('a.b: a list of 2 and a list of 1');
    expect(differingMember(one, parseExact('{"a":{"b":[1,{"c":123456789012345678901234567890}]}}'))).to.equal(
      'a.d: null and nothing',
    );
  });
});
