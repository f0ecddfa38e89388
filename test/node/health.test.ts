import { expect } from 'chai';
import { nodeFault } from '../../src/node/faults.js';
import { adopt, choose, judge, unshownClaims } from '../../src/node/health.js';
import type { ExpectedChain, Finding, NodeState, Sighting } from '../../src/node/health.js';

const at = (
  headHeight: number,
  status: { networkId?: string; genesisHash?: string; syncing?: boolean } = {},
): Sighting => ({
  latencyMs: 1,
  status: {
    nodeVersion: '7.2.2',
    networkId: 'ae_mainnet',
    genesisHash: 'kh_genesis',
    headHash: 'kh_top',
    syncing: false,
    protocols: [],
    headHeight,
    ...status,
  },
});
const down: Sighting = { fault: nodeFault('node_unreachable', 'refused') };
const mainnet = { networkId: 'ae_mainnet', genesisHash: 'kh_genesis' };
const nobody = new Set<number>();

/** Every node has shown what it claims, unless `changes` says otherwise. */
const findingsOf = (sightings: readonly (Sighting | undefined)[], changes: Record<number, Partial<Finding>> = {}) =>
  sightings.map((seen, i) => ({
    shownHeight: seen && 'status' in seen ? seen.status.headHeight : -1,
    doubted: false,
    tried: false,
    ...changes[i],
  }));
const judged = (
  sightings: readonly (Sighting | undefined)[],
  expected: ExpectedChain,
  changes: Record<number, Partial<Finding>> = {},
) => judge(sightings, expected, findingsOf(sightings, changes));
const chosen = (
  states: readonly NodeState[],
  followed: number | undefined,
  passed = nobody,
  changes: Record<number, Partial<Finding>> = {},
) =>
  choose(
    states,
    followed,
    passed,
    findingsOf(
      states.map(() => undefined),
      changes,
    ),
  );

describe('the health of several nodes', () => {
  it('reports nodes that are behind the best one of the same chain', () => {
    expect(judged([at(100), at(97), at(96), at(900, { networkId: 'ae_uat' })], mainnet)).to.deep.equal([
      'ok',
      'ok',
      'behind',
      'wrong_network',
    ]);
  });

  it('reports nodes of another chain, that are syncing, or out of reach', () => {
    expect(
      judged([at(9, { genesisHash: 'kh_other' }), at(9, { syncing: true }), down, undefined], mainnet),
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
    expect(chosen(['unreachable', 'ok', 'ok'], undefined)).to.equal(1);
    expect(chosen(['ok', 'ok', 'ok'], 1)).to.equal(1);
    expect(chosen(['ok', 'behind', 'ok'], 1)).to.equal(0);
    expect(chosen(['ok', 'ok', 'ok'], 1, new Set([1]))).to.equal(0);
  });

  it('follows a syncing node only for want of a better one', () => {
    expect(chosen(['syncing', 'ok'], undefined)).to.equal(1);
    expect(chosen(['syncing', 'unreachable'], undefined)).to.equal(0);
    expect(chosen(['behind', 'wrong_network', 'wrong_genesis', 'unreachable'], 0)).to.equal(undefined);
  });

  it('are not behind for a height that another node only claims', () => {
    const sightings = [at(100), at(5_000_000)];

    expect(judged(sightings, mainnet, { 1: { shownHeight: -1 } })).to.deep.equal(['ok', 'ok']);
    expect(judged(sightings, mainnet)).to.deep.equal(['behind', 'ok']);
    expect(unshownClaims(sightings, mainnet, findingsOf(sightings, { 1: { shownHeight: 100 } }))).to.deep.equal([1]);
    expect(unshownClaims(sightings, mainnet, findingsOf(sightings))).to.deep.equal([]);
  });

  it('has no need of headers while all claim about the same, or another chain does', () => {
    const sightings = [at(100), at(103), at(900, { networkId: 'ae_uat' }), down, undefined];
    const none = { shownHeight: -1 };

    expect(unshownClaims(sightings, mainnet, findingsOf(sightings, { 0: none, 1: none, 2: none }))).to.deep.equal([]);
  });

  it('leaves a doubted node, whose height then counts no more, and follows it for want of any other', () => {
    const doubted = { 1: { doubted: true } };

    expect(judged([at(100), at(120)], mainnet, doubted)).to.deep.equal(['ok', 'behind']);
    expect(chosen(['ok', 'behind'], 1, nobody, doubted)).to.equal(0);
    expect(chosen(['unreachable', 'behind'], 1, nobody, doubted)).to.equal(1);
    expect(chosen(['unreachable', 'behind'], 0, nobody, doubted)).to.equal(1);
    expect(chosen(['unreachable', 'behind'], 1, nobody)).to.equal(undefined);
  });

  it('does not take a node for behind that is tried', () => {
    expect(judged([at(80), at(120)], mainnet, { 0: { tried: true } })).to.deep.equal(['ok', 'ok']);
  });
});
