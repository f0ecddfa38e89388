import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import { readGeneration } from '../../src/chain/facts.js';
import type { ChainNode } from '../../src/node/client.js';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { expectAsRecorded } from '../support/as-recorded.js';
import { syncContext, syncFully } from '../support/copy.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { ABANDONED } from '../support/recorded-view.js';
import { recorded, recording } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import { emptyCopy } from '../support/roles.js';

const OF = 'realnode-tokens';

/** The recorded node before its micro reorg. */
function beforeReorg(): ChainNode {
  const generation = readGeneration(recorded(`/v2/generations/height/${ABANDONED.height}`, OF));
  const microHashes = [...generation.microHashes, ABANDONED.hash];
  return {
    ...recordedNode(ABANDONED.height, OF),
    currentGeneration: () => Promise.resolve({ ...generation, microHashes }),
    generation: (height) =>
      height === ABANDONED.height
        ? Promise.resolve({ ...generation, microHashes })
        : recordedNode(ABANDONED.height, OF).generation(height),
  };
}

describe('the recorded chain with all types of transactions, after a micro reorg', () => {
  let server: TestDatabase;
  let database: Database;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let api: TestApi;
  const reorgs: number[] = [];

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    const onReorg = (depth: number): void => void reorgs.push(depth);
    await syncFully(syncContext(database, beforeReorg(), { onReorg }));
    await syncFully(syncContext(database, recordedNode(undefined, OF), { onReorg }));
    node = await replayServer(OF);
    api = await testApi(database, { nodeUrls: [node.url] });
  });
  after(async () => {
    await api.close();
    await node.close();
    await database.close();
    await server.drop();
  });

  it('has replaced the abandoned micro block', async () => {
    expect(reorgs).to.deep.equal([0]);
    const { rows } = await database.query({
      name: 'test.abandoned',
      text: 'SELECT FROM micro_blocks WHERE hash = $1',
      values: [ABANDONED.hash],
    });
    expect(rows).to.deep.equal([]);
  });

  it('is served as the node answered, byte for byte, every recorded request', async () => {
    const answers = [...recording(OF)].filter(([request]) => !request.includes('/debug/'));
    // The copy does not have the abandoned block, but the node does.
    const cached = await expectAsRecorded(api, node, answers, (path) => (path.includes(ABANDONED.hash) ? 1 : 0));
    // All recorded requests of the served port, and those of them that are answered from the copy.
    expect([answers.length, cached]).to.deep.equal([3_882, 2_567]);
  });

  it('has issued the coinbase of all key blocks, whatever the delay of their payment', async () => {
    const supply = (height: number): bigint =>
      (parseExact(recorded(`/v3/debug/token-supply/height/${height}`, OF)) as { total: bigint }).total;
    let issued = 0n;
    for (let height = 1; height <= 100; height++) {
      const { body } = await api.get(`/middleware/reward/height/${height}`);
      issued += BigInt((parseExact(body) as { coinbase: number | bigint }).coinbase);
      if (height % 25 === 0) expect(supply(height) - supply(0), `at ${height}`).to.equal(issued);
    }
  });
});
