import { graphKeys, meetsTarget, miningHash } from '../../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../../src/chain/work/cycles.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';

/** Returns a function that adds a proof of work to a key block. It tries nonces from `first` on, so the result is the same for the same block. */
export function createProver(edgeBits: number): (block: JsonObject, first: bigint) => JsonObject {
  const cycles = createCycleFinder(edgeBits);
  return (block, first) => {
    const header = miningHash(block);
    for (let nonce = first; ; nonce = BigInt.asUintN(64, nonce + 1n)) {
      const pow = cycles.find(graphKeys(header, nonce)).find((cycle) => meetsTarget(cycle, block['target'] as number));
      if (pow !== undefined) return { ...block, nonce, pow };
    }
  };
}
