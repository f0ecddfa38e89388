import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { plainTransactions, rawRecord, textOf, topHeight } from '../support/slow-model.js';
import type { PlainChain } from '../support/slow-model.js';

/** The expected list of generations, newest first, made in the simplest way. */
function plainGenerations(chain: PlainChain, from: number, to: number): JsonObject[] {
  return chain.generations
    .filter(({ height }) => height >= from && height <= to)
    .map(({ keyBlock, microBlocks }) => {
      const block = parseExact(keyBlock) as JsonObject;
      return {
        key_block: {
          ...block,
          nonce: textOf(block['nonce'] ?? 0),
          pow: `[${((block['pow'] ?? [0]) as number[]).join(', ')}]`,
        },
        micro_blocks: microBlocks.map(({ hash, header: text }) => {
          const { height: _, ...members } = parseExact(text) as JsonObject;
          const transactions = plainTransactions(chain).filter(({ blockHash }) => blockHash === hash);
          return { micro_block: members, transactions: transactions.map(rawRecord) };
        }),
      };
    })
    .reverse();
}

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'a generated chain': () => generatedModel('generations'),
})) {
  describe(`generations with records of ${what}`, () => {
    let model: Modelled;
    before(async () => (model = await build()));
    after(() => model.close());

    it('are listed newest first, between two heights', async () => {
      const top = topHeight(model.chain);
      for (const [from, to] of [
        [0, top],
        [20, 60],
        [top, top + 50],
        [-10, 3],
        [5, 4],
        [top + 1, top + 2],
      ] as const) {
        const expected = plainGenerations(model.chain, from, to);
        const path = `/middleware/new/generations/${from}/${to}`;
        expect(await model.exact(path), path).to.deep.equal(expected);
        expect(await model.exact(`${path}?limit=3&page=2`)).to.deep.equal(expected.slice(3, 6));
      }
      expect((await model.api.get('/middleware/new/generations/a/2')).status).to.equal(400);
      expect(await model.exact(`/middleware/new/generations/0/99999999999999999999`)).to.have.length(top + 1);
    });
  });
}
