import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { readHead, readIdentity } from '../../src/store/chain-state.js';
import { nodeAt } from '../support/copy.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { emptyCopy } from '../support/roles.js';
import { startRelay } from '../support/relay.js';

/** A node whose status names the right genesis block, and whose blocks are of a chain with another one. */
describe('another genesis block', () => {
  let server: TestDatabase;
  let honest: Devnode;
  let other: Devnode;
  let liar: TestServer;
  let clean: Record<string, string[]>;
  let populating: Populating | undefined;

  before(async () => {
    server = await testDatabase();
    honest = await generated({ seed: 'genesis' });
    other = await generated({ seed: 'another genesis', generations: 9 });
    const statusOf = async ({ externalUrl }: Devnode): Promise<Record<string, unknown>> =>
      (await (await fetch(`${externalUrl}/v3/status`)).json()) as Record<string, unknown>;
    const { genesis_key_block_hash: genesis } = await statusOf(honest);
    liar = await startServer(async (request, response) => {
      if (request.url!.endsWith('/status'))
        return reply(response, 200, JSON.stringify({ ...(await statusOf(other)), genesis_key_block_hash: genesis }));
      const answer = await fetch(other.externalUrl + request.url!);
      reply(response, answer.status, await answer.text());
    });
    clean = await cleanDump(server, 'clean', honest.externalUrl);
  });
  afterEach(async () => {
    await populating?.stop();
    populating = undefined;
  });
  after(async () => {
    await liar.close();
    await closeDevnodes();
    await server.drop();
  });

  const follow = async (schema: string, urls: string[], config = {}): Promise<Populating> =>
    (populating = await startPopulating(server, schema, urls, { checkMs: 100, demoteMs: 500 }, config));

  it('is not stored from a node that is alone, and the state says why', async () => {
    const running = await follow('alone', [liar.url]);
    await running.inState('node_wrong_genesis');
    expect(await readHead(running.database)).to.equal(null);
  });

  for (const [where, order] of [
    ['first', ['liar', 'honest']],
    ['second', ['honest', 'liar']],
    ['between two honest nodes', ['honest', 'liar', 'honest']],
  ] as const)
    it(`is not stored if the node that has it is ${where}`, async () => {
      const relay = await startRelay(honest.externalUrl);
      const honestUrls = [honest.externalUrl, relay.url];
      const urls = order.map((one) => (one === 'liar' ? liar.url : honestUrls.shift()!));
      try {
        const running = await follow(`beside_${where.slice(0, 6)}`, urls);
        await running.at(honest.top().hash);
        expect(await chainDump(running.database)).to.deep.equal(clean);
      } finally {
        await populating!.stop();
        populating = undefined;
        await relay.shut();
      }
    });

  it('is not loaded with -H', async () => {
    const database = await emptyCopy(server.url, 'by_hand');
    const node = nodeAt(liar.url);
    const { genesisHash } = await node.status();
    const network = { id: 'ae_private', forks: [] };
    const { failed } = await replaceHeights({ database, node, heights: [{ from: 0, to: 1 }], network, genesisHash });
    expect(failed.map(({ height, code }) => [height, code])).to.deep.equal([
      [0, 'node_wrong_genesis'],
      [1, 'node_wrong_genesis'],
    ]);
    expect(await readHead(database)).to.equal(null);
    node.close();
    await database.close();
  });

  it('does not become that of a copy: a recorded hash that was changed is reported and not mended', async () => {
    const running = await follow('changed', [honest.externalUrl], { verifyShare: 50 });
    await running.at(honest.top().hash);
    const { genesisHash } = (await readIdentity(running.database))!;
    await running.database.query({ name: '', text: `UPDATE chain SET genesis_hash = 'kh_changed'` });
    const line = await eventually(
      () => Promise.resolve(running.log.find(({ msg }) => /could not be mended/.test(String(msg)))),
      (one) => one !== undefined,
    );
    expect(JSON.stringify(line)).to.contain(genesisHash).and.to.contain('kh_changed');
    expect((await readIdentity(running.database))!.genesisHash).to.equal('kh_changed');
  });
});
