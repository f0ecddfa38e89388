import { expect } from 'chai';
import { nodeFault } from '../../src/node/faults.js';
import { adopt, choose, statesOf, unshownClaims } from '../../src/node/health.js';
import type { ExpectedChain, Finding, NodeState, Observation } from '../../src/node/health.js';

const at = (
  headHeight: number,
  status: { networkId?: string; genesisHash?: string; syncing?: boolean } = {},
): Observation => ({
  latencyMs: 1,
  status: {
    nodeVersion: '7.2.2',
    networkId: 'ae_first',
    genesisHash: 'kh_genesis',
    headHash: 'kh_head',
    syncing: false,
    peerKey: undefined,
    forks: [],
    headHeight,
    ...status,
  },
});
const down: Observation = { fault: nodeFault('node_unreachable', 'refused') };
const mainnet = { networkId: 'ae_first', genesisHash: 'kh_genesis' };
const none = new Set<number>();

/** Every node has shown the key block of the height that it claims, unless `changes` says otherwise. */
const findingsOf = (
  observations: readonly (Observation | undefined)[],
  changes: Record<number, Partial<Finding>> = {},
) =>
  observations.map((seen, i) => ({
    shownHeight: seen && 'status' in seen ? seen.status.headHeight : -1,
    demoted: false,
    onTrial: false,
    ...changes[i],
  }));
const statesWith = (
  observations: readonly (Observation | undefined)[],
  expected: ExpectedChain,
  changes: Record<number, Partial<Finding>> = {},
) => statesOf(observations, expected, findingsOf(observations, changes));
const chosen = (
  states: readonly NodeState[],
  followed: number | undefined,
  excluded = none,
  changes: Record<number, Partial<Finding>> = {},
) =>
  choose(
    states,
    followed,
    excluded,
    findingsOf(
      states.map(() => undefined),
      changes,
    ),
  );

describe('the state of several nodes', () => {
  it('is behind for nodes far below the highest head of the same chain', () => {
    expect(statesWith([at(100), at(97), at(96), at(900, { networkId: 'ae_second' })], mainnet)).to.deep.equal([
      'ok',
      'ok',
      'behind',
      'wrong_network',
    ]);
  });

  it('tells apart nodes of another chain, syncing nodes and unreachable nodes', () => {
    expect(
      statesWith([at(9, { genesisHash: 'kh_other' }), at(9, { syncing: true }), down, undefined], mainnet),
    ).to.deep.equal(['wrong_genesis', 'syncing', 'unreachable', 'unreachable']);
  });

  it('expects the chain of the first node that answers, unless the chain is known', () => {
    const uat = at(5, { networkId: 'ae_second', genesisHash: 'kh_uat' });

    expect(adopt([down, uat, at(9)], {})).to.deep.equal({ networkId: 'ae_second', genesisHash: 'kh_uat' });
    expect(adopt([uat, at(9)], { networkId: 'ae_first' })).to.deep.equal(mainnet);
    expect(adopt([uat], mainnet)).to.equal(mainnet);
    expect(adopt([down], {})).to.deep.equal({});
  });

  it('follows the first usable node, and continues with it', () => {
    expect(chosen(['unreachable', 'ok', 'ok'], undefined)).to.equal(1);
    expect(chosen(['ok', 'ok', 'ok'], 1)).to.equal(1);
    expect(chosen(['ok', 'behind', 'ok'], 1)).to.equal(0);
    expect(chosen(['ok', 'ok', 'ok'], 1, new Set([1]))).to.equal(0);
  });

  it('follows a syncing node only if there is no better one', () => {
    expect(chosen(['syncing', 'ok'], undefined)).to.equal(1);
    expect(chosen(['syncing', 'unreachable'], undefined)).to.equal(0);
    expect(chosen(['behind', 'wrong_network', 'wrong_genesis', 'unreachable'], 0)).to.equal(undefined);
  });

  it('is not behind because of a height that another node only claims', () => {
    const observations = [at(100), at(5_000_000)];

    expect(statesWith(observations, mainnet, { 1: { shownHeight: -1 } })).to.deep.equal(['ok', 'ok']);
    expect(statesWith(observations, mainnet)).to.deep.equal(['behind', 'ok']);
    expect(unshownClaims(observations, mainnet, findingsOf(observations, { 1: { shownHeight: 100 } }))).to.deep.equal([
      1,
    ]);
    expect(unshownClaims(observations, mainnet, findingsOf(observations))).to.deep.equal([]);
  });

  it('needs no key block while all nodes claim about the same height, or the higher one is of another chain', () => {
    const observations = [at(100), at(103), at(900, { networkId: 'ae_second' }), down, undefined];
    const unshown = { shownHeight: -1 };

    expect(
      unshownClaims(observations, mainnet, findingsOf(observations, { 0: unshown, 1: unshown, 2: unshown })),
    ).to.deep.equal([]);
  });

  it('ignores the height of a demoted node, and follows it only if no other one is usable', () => {
    const demoted = { 1: { demoted: true } };

    expect(statesWith([at(100), at(120)], mainnet, demoted)).to.deep.equal(['ok', 'behind']);
    expect(chosen(['ok', 'behind'], 1, none, demoted)).to.equal(0);
    expect(chosen(['unreachable', 'behind'], 1, none, demoted)).to.equal(1);
    expect(chosen(['unreachable', 'behind'], 0, none, demoted)).to.equal(1);
    expect(chosen(['unreachable', 'behind'], 1, none)).to.equal(undefined);
  });

  it('does not take a node for behind on trial', () => {
    expect(statesWith([at(80), at(120)], mainnet, { 0: { onTrial: true } })).to.deep.equal(['ok', 'ok']);
  });
});
