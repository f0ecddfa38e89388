import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { TestApi } from '../support/api.js';
import { expectAsRecorded, servedRecording } from '../support/as-recorded.js';
import { recordedGenerations, recording } from '../support/recording.js';

/** Paths of the port that is not served. */
const INTERNAL = /\/(debug|network)\b/;

interface Item {
  hash: string;
  block_hash: string;
  block_height: number;
}

/** Recorded requests of the served port, and those of them that are answered from the copy. */
for (const [of, ...counts] of [
  ['realnode-hyperchain', 696, 359],
  ['realnode-hyperchain-holes', 457, 204],
] as const) {
  describe(`the chain of ${of}`, () => {
    let served: Awaited<ReturnType<typeof servedRecording>>;
    let api: TestApi;

    before(async () => {
      served = await servedRecording(of);
      ({ api } = served);
    });
    after(() => served.close());

    it('is served as the node answered, byte for byte, every recorded request', async () => {
      const answers = [...recording(of)].filter(([request]) => request.startsWith('GET ') && !INTERNAL.test(request));
      const cached = await expectAsRecorded(api, served.node, answers);
      expect([answers.length, cached]).to.deep.equal(counts);
    });

    it('says that no table has the rewards, instead of numbers', async () => {
      for (const height of [0, 1, 30]) {
        const { status, body } = await api.get(`/middleware/reward/height/${height}`);
        expect(status).to.equal(404);
        expect(body).to.contain('the contracts of a hyperchain pay its leaders');
      }
      const { body } = await api.get('/middleware/figures/20200101/20301231?by=month');
      const steps = parseExact(body) as unknown as { coinbase: null; key_blocks: number; total: { coinbase: null } }[];
      expect(steps.map(({ coinbase, total }) => [coinbase, total.coinbase])).to.deep.equal(
        steps.map(() => [null, null]),
      );
      expect(steps.reduce((sum, { key_blocks }) => sum + key_blocks, 0)).to.equal(recordedGenerations(of).length);
    });

    it('lists transactions with the height that the node says, by the generation of their key block', async () => {
      for (const { height, microBlocks } of recordedGenerations(of)) {
        const expected = microBlocks.flatMap(
          ({ transactions }) => (parseExact(transactions) as unknown as { transactions: Item[] }).transactions,
        );
        const { body } = await api.get(`/middleware/transactions/interval/${height}/${height}`);
        const { transactions } = parseExact(body) as unknown as { transactions: Item[] };
        const facts = ({ hash, block_hash, block_height }: Item): unknown[] => [hash, block_hash, block_height];
        expect(transactions.map(facts).reverse()).to.deep.equal(expected.map(facts));
        for (const { block_height } of transactions) expect(block_height).to.equal(height + 1);
      }
    });
  });
}
