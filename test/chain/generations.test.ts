import { expect } from 'chai';
import { readKeyBlock } from '../../src/chain/facts.js';
import { consensusOf, isMicroHeight, isOfGeneration, signerOf } from '../../src/chain/protocol/generations.js';
import { recordedGenerations } from '../support/recording.js';

describe('a generation', () => {
  it('is of the consensus that made its key block, which the genesis block does not tell', () => {
    const consensus = (of: Parameters<typeof recordedGenerations>[0]) =>
      recordedGenerations(of).map(({ keyBlock }) => readKeyBlock(keyBlock).consensus);
    for (const [of, expected] of [
      ['realnode', 'pow'],
      ['realnode-tokens', 'on_demand'],
      ['realnode-hyperchain', 'hyperchain'],
      ['realnode-hyperchain-holes', 'hyperchain'],
    ] as const) {
      const [genesis, ...rest] = consensus(of);
      expect(genesis).to.equal(undefined);
      expect(new Set(rest)).to.deep.equal(new Set([expected]));
    }
    expect(consensusOf({ height: 1, pow: [1, 0] })).to.equal('pow');
  });

  it('has micro blocks of the height of its key block, in a hyperchain of the next one', () => {
    const heights = (height: number, consensus: ReturnType<typeof consensusOf>): number[] =>
      [height - 1, height, height + 1, height + 2].filter((micro) => isMicroHeight({ height, consensus }, micro));
    expect(heights(7, 'pow')).to.deep.equal([7]);
    expect(heights(7, 'on_demand')).to.deep.equal([7]);
    expect(heights(7, 'hyperchain')).to.deep.equal([8]);
    expect(heights(0, undefined)).to.deep.equal([0, 1]);
  });

  it('has only micro blocks that name its key block, whatever their height', () => {
    const keyBlock = { height: 7, hash: 'kh_a', miner: 'ak_a', consensus: 'pow' } as const;
    expect(isOfGeneration({ height: 7, prevKeyHash: 'kh_a' }, keyBlock)).to.equal(true);
    expect(isOfGeneration({ height: 7, prevKeyHash: 'kh_b' }, keyBlock)).to.equal(false);
    expect(isOfGeneration({ height: 8, prevKeyHash: 'kh_a' }, keyBlock)).to.equal(false);
  });

  it('has micro blocks that the miner of its key block signs, in a hyperchain that of the next one', () => {
    const of = (consensus: ReturnType<typeof consensusOf>, micro: number) =>
      signerOf({ height: 7, hash: 'kh_a', miner: 'ak_a', consensus }, micro);
    expect([of('pow', 7), of('on_demand', 7), of('hyperchain', 8)]).to.deep.equal(['ak_a', 'ak_a', undefined]);
    expect([of(undefined, 7), of(undefined, 8)]).to.deep.equal(['ak_a', undefined]);
  });
});
