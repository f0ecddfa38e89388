import { expect } from 'chai';
import type { ChainNode } from '../../src/node/client.js';
import { nodeAt } from '../support/copy.js';
import { part } from '../support/recorded-view.js';
import { recorded, recordedGenerations } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import type { ReplayAnswer } from '../support/replay-server.js';

const OF = 'realnode-tokens';
const ERROR: ReplayAnswer = { status: 500, body: '{"reason":"Internal server error"}' };
const TOP = 703;
/** Heights with several micro blocks, with none, and the head. */
const HEIGHTS = [11, 13, 152, 153, 179, 500, TOP];

/** Requests that fail, and whether their faults are answers of the node. */
const FAILING: Record<string, RegExp> = {
  'everything below one prefix': /^\/v3\/(?!status)/,
  'generations by height': /^\/v[23]\/generations\/height/,
  'the running generation': /^\/v[23]\/generations\/current/,
  'key blocks at a height': /^\/v[23]\/key-blocks\/height\/(11|153)$/,
  'the transactions of a micro block': /\/transactions$/,
  'all but single blocks': /^\/v[23]\/generations|\/transactions$/,
};

describe('a node that answers a part of the requests', () => {
  const wanted = recordedGenerations(OF);

  async function mustBeRead(node: ChainNode): Promise<void> {
    for (const height of HEIGHTS) {
      const { keyBlock, microBlocks } = wanted[height]!;
      const generation = await node.generation(height);
      expect(generation?.keyBlock.body).to.equal(keyBlock);
      expect(generation?.microHashes).to.deep.equal(microBlocks.map(({ hash }) => hash));
      expect((await node.keyBlock(height))?.body).to.equal(keyBlock);
      for (const { hash, header, transactions } of microBlocks) {
        const block = await node.microBlock(hash, generation!.keyBlock);
        expect(block?.body).to.equal(header);
        expect(`{"transactions":[${block!.transactions.map(({ body }) => body).join(',')}]}`).to.equal(transactions);
      }
    }
    expect((await node.currentGeneration()).keyBlock.height).to.equal(TOP);
    expect(await node.generation(TOP + 1)).to.equal(null);
    expect(await node.keyBlock(TOP + 1)).to.equal(null);
  }

  for (const [what, where] of Object.entries(FAILING)) {
    for (const [how, answer] of Object.entries({ 'an error': ERROR, 'a reset': 'reset' } as const)) {
      it(`is read whole by other paths: ${how} for ${what}`, async () => {
        const server = await replayServer(OF, (path, url) => (where.test(url) ? answer : part(path)));
        const node = nodeAt(server.url, { api: 'auto', retries: [] });
        await mustBeRead(node);
        expect(node.report()[0]).to.include({ state: 'ok' });
        node.close();
        await server.close();
      });
    }
  }

  it('is read with the micro blocks of its running generation', async () => {
    const top = 179;
    const { key_block: head, micro_blocks: hashes } = JSON.parse(wanted[top]!.generation) as {
      key_block: object;
      micro_blocks: string[];
    };
    const last = hashes.at(-1)!;
    const server = await replayServer(OF, (path) => {
      if (path.startsWith('/generations')) return ERROR;
      if (path === `/key-blocks/height/${top + 1}`) return { status: 404, body: '{"reason":"Block not found"}' };
      if (path !== '/headers/top' && path !== '/blocks/top') return part(path);
      const header = recorded(`/v2/micro-blocks/hash/${last}/header`, OF);
      return { status: 200, body: path === '/headers/top' ? header : `{"micro_block":${header}}` };
    });
    for (const api of ['v2', 'v3'] as const) {
      const node = nodeAt(server.url, { api, retries: [] });
      for (const generation of [await node.currentGeneration(), await node.generation(top)]) {
        expect(generation?.microHashes).to.deep.equal(hashes);
        expect(JSON.parse(generation!.keyBlock.body)).to.deep.equal(head);
      }
      node.close();
    }
    await server.close();
  });

  it('is given up at once when it is silent', async () => {
    const server = await replayServer(OF, (path) => (path.startsWith('/generations') ? 'silence' : undefined));
    const node = nodeAt(server.url, { api: 'v2', timeoutMs: 100, retries: [] });
    const fault = await node.generation(11).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(fault).to.include({ code: 'node_timeout' });
    expect(server.asked.filter((path) => path.startsWith('/generations'))).to.have.length(2);
    node.close();
    await server.close();
  });
});
