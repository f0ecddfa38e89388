import { expect } from 'chai';
import { nodeFault } from '../../src/node/faults.js';
import { adopt, choose, judge } from '../../src/node/health.js';
import type { Sighting } from '../../src/node/health.js';

const at = (
  topHeight: number,
  status: { networkId?: string; genesisHash?: string; syncing?: boolean } = {},
): Sighting => ({
  latencyMs: 1,
  status: {
    nodeVersion: '7.2.2',
    networkId: 'ae_mainnet',
    genesisHash: 'kh_genesis',
    topHash: 'kh_top',
    syncing: false,
    protocols: [],
    topHeight,
    ...status,
  },
});
const down: Sighting = { fault: nodeFault('node_unreachable', 'refused') };
const mainnet = { networkId: 'ae_mainnet', genesisHash: 'kh_genesis' };
const nobody = new Set<number>();

describe('the health of several nodes', () => {
  it('tells nodes that are behind the best one of the same chain', () => {
    expect(judge([at(100), at(97), at(96), at(900, { networkId: 'ae_uat' })], mainnet)).to.deep.equal([
      'ok',
      'ok',
      'behind',
      'wrong_network',
    ]);
  });

  it('tells nodes of another chain, that are syncing, or out of reach', () => {
    expect(
      judge([at(9, { genesisHash: 'kh_other' }), at(9, { syncing: true }), down, undefined], mainnet),
    ).to.deep.equal(['wrong_genesis', 'syncing', 'unreachable', 'unreachable']);
  });

  it('wants the chain of the first node that answers, unless it is known', () => {
    const uat = at(5, { networkId: 'ae_uat', genesisHash: 'kh_uat' });

    expect(adopt([down, uat, at(9)], {})).to.deep.equal({ networkId: 'ae_uat', genesisHash: 'kh_uat' });
    expect(adopt([uat, at(9)], { networkId: 'ae_mainnet' })).to.deep.equal(mainnet);
    expect(adopt([uat], mainnet)).to.equal(mainnet);
    expect(adopt([down], {})).to.deep.equal({});
  });

  it('follows the first node that can be, and stays with it', () => {
    expect(choose(['unreachable', 'ok', 'ok'], undefined, nobody)).to.equal(1);
    expect(choose(['ok', 'ok', 'ok'], 1, nobody)).to.equal(1);
    expect(choose(['ok', 'behind', 'ok'], 1, nobody)).to.equal(0);
    expect(choose(['ok', 'ok', 'ok'], 1, new Set([1]))).to.equal(0);
  });

  it('follows a syncing node only for want of a better one', () => {
    expect(choose(['syncing', 'ok'], undefined, nobody)).to.equal(1);
    expect(choose(['syncing', 'unreachable'], undefined, nobody)).to.equal(0);
    expect(choose(['behind', 'wrong_network', 'wrong_genesis', 'unreachable'], 0, nobody)).to.equal(undefined);
  });
});
