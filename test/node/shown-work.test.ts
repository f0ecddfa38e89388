import { expect } from 'chai';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import { targetOf } from '../../src/chain/work/target.js';
import { createNodePool } from '../../src/node/pool.js';
import { sealed } from '../support/cheap-chain.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { recordedKeyBlock } from '../support/recording.js';
import { silent } from './support.js';

/** A search in graphs this small takes much less than a millisecond. */
const EDGE_BITS = 11;
const WORK = { powEdgeBits: EDGE_BITS, powIntervalMs: 180_000 };
const EASIEST = 2n ** 24n;

/** A claimed head counts only with the work that is due: one cheap block must not make honest nodes `behind`. */
describe('a head that is far above the others', () => {
  const finder = createCycleFinder(EDGE_BITS);
  const servers: TestServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  const head = (height: number, hardness: bigint, ageMs: number): JsonObject =>
    sealed(
      {
        ...(parseExact(recordedKeyBlock(100)) as JsonObject),
        height,
        time: Date.now() - ageMs,
        target: targetOf(EASIEST * hardness),
      },
      finder,
    );

  /** A node whose head can be changed. */
  async function nodeWith(first: JsonObject): Promise<TestServer & { show(block: JsonObject): void }> {
    let block = first;
    const answers = (): Record<string, JsonObject> => ({
      status: {
        node_version: '7.2.0',
        network_id: 'ae_private',
        genesis_key_block_hash: 'kh_genesis',
        syncing: false,
        protocols: [],
        top_block_height: block['height']!,
        top_key_block_hash: block['hash']!,
      },
      [`key-blocks/height/${block['height'] as number}`]: block,
      'generations/current': { key_block: block, micro_blocks: [] },
    });
    const server = await startServer((request, response) => {
      const answer = answers()[request.url!.slice('/v3/'.length)];
      reply(response, answer ? 200 : 404, stringifyExact(answer ?? { reason: 'Block not found' }));
    });
    servers.push(server);
    return { ...server, show: (shown) => void (block = shown) };
  }

  /** States of an honest node whose head is trusted, and of one that shows a higher head. */
  async function statesWith(honest: JsonObject, other: JsonObject): Promise<string[]> {
    const [followed, higher] = [await nodeWith(honest), await nodeWith(honest)];
    const urls = [followed.url, higher.url];
    const limits = { timeoutMs: 1_000, concurrency: 2, checkMs: 60_000 };
    const pool = createNodePool({ urls, api: 'v3', logger: silent, work: WORK, ...limits });
    try {
      await pool.currentGeneration();
      pool.trust();
      higher.show(other);
      return (await pool.check()).map(({ state }) => state);
    } finally {
      pool.close();
    }
  }

  it('makes a node behind if it has the work of a target that can follow', async () => {
    expect(await statesWith(head(100, 8n, 0), head(1_000, 4n, 0))).to.deep.equal(['behind', 'ok']);
  });

  it('does not without the work that it claims', async () => {
    const without = { ...head(1_000, 8n, 0), nonce: 1 };
    expect(await statesWith(head(100, 8n, 0), without)).to.deep.equal(['ok', 'ok']);
  });

  it('does not with a target that is much easier', async () => {
    expect(await statesWith(head(100, 8n, 0), head(1_000, 1n, 0))).to.deep.equal(['ok', 'ok']);
  });

  it('does with a much easier target after enough time', async () => {
    expect(await statesWith(head(100, 8n, 3_700_000), head(1_000, 1n, 0))).to.deep.equal(['behind', 'ok']);
  });
});
