import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { createSimulatedChain } from '../../devtools/devnode/chain.js';
import type { GenerateOptions } from '../../devtools/devnode/options.js';
import { createChainStore } from '../../devtools/devnode/store/chain-store.js';

interface Digest {
  /** Head of the initial chain, and after forks. */
  initial: string;
  forked: string;
  /** Hash of the results of all transactions, including those of abandoned blocks. */
  infos: string;
}

async function digest(options: GenerateOptions): Promise<Digest> {
  const store = createChainStore();
  const chain = await createSimulatedChain(store, options, 'ae_dev');
  const initial = store.id(store.head());
  for (const [depth, retainTxs] of [
    [2, 'some'],
    [5, 'none'],
    [9, 'all'],
    [3, 'some'],
  ] as const) {
    await chain.fork({ depth, grow: depth + 1, retainTxs });
    await chain.microFork({ drop: 1, keep: 'some', next: depth % 2 === 0 ? 'key-block' : 'micro-block' });
    await chain.grow(2);
  }
  const infos = createHash('sha256');
  for (let block = 0; block < store.blockCount(); block += 1) {
    for (const inclusion of store.inclusionsOf(block))
      infos.update(chain.info(store.inclusionText(inclusion).toString()) ?? '-');
  }
  const forked = store.id(store.head());
  store.close();
  return { initial, forked, infos: infos.digest('hex') };
}

/** Fixtures and bug reports identify chains by their seed, so a seed must always give the same chain. */
describe('chains of the same seed and steps', () => {
  for (const [title, options, expected] of [
    [
      'of few accounts',
      { seed: 'same', transactions: 5_000, accounts: 20 },
      {
        initial: 'mh_67Tmc1fCrV5Rjhm1Ly2TnPBEH6R7mcUGjdzq7H7GkugcjCR27',
        forked: 'mh_wbF1uY9EPoLUapVqByGoAkayLDD5epv2ijm619HtA2uaNUwLr',
        infos: '6808797e5e6cbc64231ce4e0261be3dd45cfb7b25902d8e921f4f664d4313a99',
      },
    ],
    [
      'of many accounts, with the newest protocol alone',
      {
        seed: 'again',
        generations: 60,
        txsPerGeneration: 100,
        protocols: [{ version: 6, effective_at_height: 0 }],
      },
      {
        initial: 'mh_27qtNVVzdmNrantY9yPtvSSJ4eMz2YFJF7JokU3XkJbbdUTYHQ',
        forked: 'mh_28ArMbLWvFxjjT18EcYxTUDMDXZa6HXfUHATFvefXqT2x6ncWB',
        infos: 'b044d0f91db81db8ba5e50c84361b41a00cc05e2bf6fb94c9d5c2e1f0ac4b4e5',
      },
    ],
  ] satisfies [string, GenerateOptions, Digest][]) {
    it(`are the same in every version of the program: ${title}`, async () => {
      expect(await digest(options)).to.deep.equal(expected);
    });
  }
});
