/**
 * Random alterations of the members of recorded blocks, in value, spelling, type, order and number. `ROUNDS` and `SEED` choose how many and
 * which: `make altered-members` makes 200,000.
 */
import { expect } from 'chai';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { readGeneration, readMicroBlock } from '../../src/chain/facts.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { proveKeyBlock, proveMicroBlock } from '../../src/chain/proof/block.js';
import { keyBlockWithout, microBlockWithout } from '../../src/chain/proof/extra.js';
import { alter, canonical } from '../support/altered.js';
import { choices } from '../support/histories.js';
import { RECORDINGS, recordedGenerations } from '../support/recording.js';

const ROUNDS = Number(process.env.ROUNDS ?? 6_000);
const SEED = Number(process.env.SEED ?? 35);

/** Everything that is proven of a block. */
interface Printed {
  header: JsonObject;
  transactions?: Json[];
}

const blocks: Printed[] = RECORDINGS.flatMap((of) => recordedGenerations(of)).flatMap(({ generation, microBlocks }) => [
  { header: (parseExact(generation) as { key_block: JsonObject }).key_block },
  ...microBlocks.map(({ header, transactions }) => ({
    header: parseExact(header) as JsonObject,
    transactions: (parseExact(transactions) as { transactions: Json[] }).transactions,
  })),
]);

/** What is stored of a block; undefined if it is refused. */
function accepted({ header, transactions }: Printed): Printed | undefined {
  try {
    if (transactions === undefined) {
      const { keyBlock } = readGeneration(stringifyExact({ key_block: header, micro_blocks: [] }));
      const { flaw, unproven, unknownVersion, extra } = proveKeyBlock(keyBlock, 'full');
      if (flaw !== undefined || unknownVersion !== undefined) return undefined;
      expect(unproven).to.deep.equal([]);
      return { header: parseExact(keyBlockWithout(keyBlock, extra ?? []).body) as JsonObject };
    }
    const block = readMicroBlock(stringifyExact(header), stringifyExact({ transactions }));
    const { flaw, unproven, unknownVersion, extra } = proveMicroBlock(block, 'full');
    if (flaw !== undefined || unknownVersion !== undefined) return undefined;
    expect(unproven).to.deep.equal([]);
    const stored = microBlockWithout(block, extra ?? []);
    return {
      header: parseExact(stored.body) as JsonObject,
      transactions: stored.transactions.map(({ body }) => parseExact(body)),
    };
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

describe('blocks whose members were altered at random', () => {
  it(`are refused, or nothing of the alteration is stored: ${ROUNDS} times`, function () {
    this.timeout(3_600_000);
    const random = choices(SEED);
    let accepts = 0;
    let altered = 0;
    while (altered < ROUNDS) {
      const block = blocks[random.int(0, blocks.length - 1)]!;
      const printed = structuredClone(block);
      for (let i = random.int(1, 2); i > 0; i--) alter(printed as unknown as JsonObject, random);
      const version = Number(block.header['version']);
      if (stringifyExact(printed) === stringifyExact(block)) continue;
      altered += 1;
      const result = accepted(printed);
      if (result === undefined) continue;
      accepts += 1;
      const [truth, stored] = [block, result] as unknown as [Json, Json];
      expect(stringifyExact(canonical(stored, truth, version)), stringifyExact(printed)).to.equal(
        stringifyExact(canonical(truth, stored, version)),
      );
    }
    // Members that the bytes do not contain are left out, so not all are refused.
    expect(accepts).to.be.within(1, ROUNDS / 2);
  });
});
