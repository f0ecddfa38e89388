import { expect } from 'chai';
import { endpoint, graphKeys, hasProofOfWork, isCycle, meetsTarget, miningHash } from '../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { createEndpoints } from '../../src/chain/work/siphash.js';
import { HIGHEST_TARGET, integerToTarget, nextTarget, targetToInteger } from '../../src/chain/work/target.js';
import { recordedGenerations } from '../support/recording.js';

const RECORDED_BITS = 15;
const RECORDED_INTERVAL_MS = 3000;

/** The example key block in the specification of the node. Graphs of the main network have 2^29 edges. */
const MAINNET = parseExact(`{
  "beneficiary": "ak_542o93BKHiANzqNaFj6UurrJuDuxU61zCGr9LJCwtTUg34kWt", "height": 41838,
  "miner": "ak_2Y4ekjiUYS1J3XWLXGB2MuvpDC2zjB4i4JUpqCuuC9nWNNKnra", "nonce": 55578800732524,
  "pow": [42398937, 44145582, 60062313, 67268690, 70386727, 73311191, 73976863, 80847263, 85649902, 91860174, 95381587,
    117552688, 120127730, 120694109, 124732915, 130547602, 141123393, 153513758, 153717723, 160456351, 179135883,
    189963798, 193935143, 213809942, 228813186, 229068838, 253097583, 253348228, 293469539, 294519175, 353462944,
    361343692, 368029449, 370749140, 377762628, 408045994, 418987121, 423343344, 445325212, 469339659, 475159633,
    484059531],
  "prev_hash": "mh_2DwJimao7YZ4YBuBPfpjW1BfkNjb9SR14ALS7cmgEvnNzHh1op",
  "prev_key_hash": "kh_6Vfde6858MgjmD9cjkXy3HUd5XKUZMD1ZQFjqAc5KmaE6GwhE",
  "state_hash": "bs_21sEUyDWVYJwigfNrE39HracXEW37Yz8oTAXyYh7qCBSnnUNXz", "target": 503757256, "time": 1550888063558, "version": 1
}`) as JsonObject;

describe('Cuckoo Cycle', () => {
  let blocks: JsonObject[];
  before(() => {
    blocks = recordedGenerations()
      .slice(1)
      .map(({ keyBlock }) => parseExact(keyBlock) as JsonObject);
  });

  it('accepts the proof of work of every recorded key block above the genesis block', () => {
    expect(blocks.length).to.equal(214);
    const wrong = blocks.filter((block) => !hasProofOfWork(block, RECORDED_BITS));
    expect(wrong.map(({ height }) => height)).to.deep.equal([]);
  });

  it('accepts the proof of a key block of the main network', () => {
    expect(hasProofOfWork(MAINNET, 29)).to.be.true;
    expect(hasProofOfWork(MAINNET, RECORDED_BITS)).to.be.false;
  });

  it('refuses a proof for another nonce, header or target', () => {
    const block = blocks[20]!;
    expect(hasProofOfWork({ ...block, nonce: Number(block['nonce']) + 1 }, RECORDED_BITS)).to.be.false;
    expect(hasProofOfWork({ ...block, time: Number(block['time']) + 1 }, RECORDED_BITS)).to.be.false;
    expect(hasProofOfWork({ ...block, target: 0x10000001 }, RECORDED_BITS)).to.be.false;
    expect(meetsTarget(block['pow'] as number[], block['target'] as number)).to.be.true;
  });

  it('refuses edges that are too few, too large, out of order, doubled, or not of the cycle', () => {
    const block = blocks[0]!;
    const keys = graphKeys(miningHash(block), BigInt(block['nonce'] as number));
    const proof = block['pow'] as number[];
    expect(isCycle(keys, proof, RECORDED_BITS)).to.be.true;
    const spoiled = [
      proof.slice(1),
      [...proof.slice(0, -1), 2 ** RECORDED_BITS],
      [...proof].reverse(),
      [proof[0]!, ...proof.slice(0, -1)],
      [...proof.slice(0, -1), proof.at(-1)! + 1],
    ];
    for (const wrong of spoiled) expect(isCycle(keys, wrong, RECORDED_BITS), String(wrong)).to.be.false;
    for (const pow of [null, [], proof.map(String), proof.map((edge) => edge + 0.5), Array<number>(42).fill(0)])
      expect(hasProofOfWork({ ...block, pow }, RECORDED_BITS), JSON.stringify(pow)).to.be.false;
    expect(hasProofOfWork({ ...block, nonce: -1 }, RECORDED_BITS)).to.be.false;
    expect(hasProofOfWork({ ...block, nonce: 2n ** 64n }, RECORDED_BITS)).to.be.false;
  });

  it('refuses two short cycles that together have 42 edges', () => {
    // Found by trying nonces: cycles of 20 and of 22 edges without a common graph node.
    const edges = [
      84, 104, 186, 219, 240, 248, 252, 269, 296, 350, 393, 396, 398, 412, 418, 439, 502, 538, 553, 584, 603, 604, 636,
      641, 654, 748, 756, 770, 782, 783, 838, 839, 843, 852, 879, 901, 933, 951, 984, 1008, 1015, 1022,
    ];
    const keys = graphKeys(new Uint8Array(32), 459n);
    for (const side of [0, 1] as const) {
      const ends = edges.map((edge) => endpoint(keys, edge, side, 10));
      expect(new Set(ends).size).to.equal(21);
    }
    expect(isCycle(keys, edges, 10)).to.be.false;
  });

  it('computes the same endpoints for a whole graph as one by one, and finds only cycles', () => {
    const keys = graphKeys(new Uint8Array(32).fill(3), 2n ** 64n - 1n);
    const { sides, fill } = createEndpoints(64);
    fill(keys);
    for (const side of [0, 1] as const)
      sides[side].forEach((value, edge) => expect(value & 1023).to.equal(endpoint(keys, edge, side, 10)));
    const finder = createCycleFinder(10);
    let found = 0;
    for (let nonce = 0n; found < 2; nonce += 1n) {
      const graph = graphKeys(new Uint8Array(32), nonce);
      for (const cycle of finder.find(graph)) {
        expect(isCycle(graph, cycle, 10)).to.be.true;
        found += 1;
      }
    }
  });

  it('computes the target of every recorded key block from the previous ones', () => {
    const headers = blocks.map(({ target, time }) => ({ target: target as number, time: time as number }));
    headers.forEach(({ target }, i) =>
      expect(nextTarget(headers.slice(0, i), RECORDED_INTERVAL_MS), `height ${i + 1}`).to.equal(target),
    );
  });

  it('makes the target harder when blocks come too fast, easier when too slow, never easier than the highest', () => {
    const chain = (step: number, target: number): { target: number; time: number }[] =>
      Array.from({ length: 18 }, (_, i) => ({ target, time: i * step }));
    const middle = 0x2000ffff;
    const fast = targetToInteger(nextTarget(chain(100, middle), 3000));
    const slow = targetToInteger(nextTarget(chain(9000, middle), 3000));
    expect(fast < targetToInteger(middle)).to.be.true;
    expect(slow > targetToInteger(middle)).to.be.true;
    expect(nextTarget(chain(9000, HIGHEST_TARGET), 3000)).to.equal(HIGHEST_TARGET);
    expect(nextTarget(chain(100, middle).slice(1), 3000)).to.equal(HIGHEST_TARGET);
  });

  it('reads and writes compact targets', () => {
    for (const compact of [0x2100ffff, 0x20306f69, 503757256, 0x01010000, 0x03123456])
      expect(integerToTarget(targetToInteger(compact)), compact.toString(16)).to.equal(compact);
    expect(integerToTarget(0x800000n)).to.equal(0x04008000);
  });
});
