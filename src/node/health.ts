import { knownNetwork } from '../chain/networks.js';
import { nodeFault } from './faults.js';
import type { NodeFault } from './faults.js';
import type { NodeStatus } from './status.js';

export type NodeState = 'ok' | 'syncing' | 'behind' | 'unreachable' | 'wrong_network' | 'wrong_genesis';

/** The chain to follow, as far as it is known. */
export interface ExpectedChain {
  networkId?: string | undefined;
  genesisHash?: string | undefined;
}

/** Last status of a node, or why there is none. */
export type Observation = { status: NodeStatus; latencyMs: number } | { fault: NodeFault };

/** What is known of a node besides its status. */
export interface Finding {
  /** Max height of which the node has returned the key block. A height that it only claims does not make other nodes `behind`. */
  shownHeight: number;
  /** The node is avoided for a while, because its branch is not the one to follow. */
  demoted: boolean;
  /** The node is followed to learn whether its branch has more work, even if its head is low. */
  onTrial: boolean;
}

/** Generations that a node may lack and still be followed: blocks reach nodes at different times. */
export const TOLERATED_GENERATIONS = 3;

/** The chain of a network that is not built in may begin again under the same id, as those of developers do. */
export const BEGAN_ANEW = 'if the chain began anew, drop this copy (mdw drop): the next start loads the new chain';

/** Why a node is of another chain; undefined if it is of the expected one. */
export function mismatch(status: NodeStatus, expected: ExpectedChain): NodeFault | undefined {
  if (expected.networkId !== undefined && status.networkId !== expected.networkId) {
    return nodeFault('node_wrong_network', `is on network ${status.networkId}, not ${expected.networkId}`);
  }
  const known = knownNetwork(status.networkId)?.genesisHash;
  const genesisHash = known ?? expected.genesisHash;
  if (genesisHash !== undefined && status.genesisHash !== genesisHash) {
    const message = `has genesis ${status.genesisHash}, not ${genesisHash}`;
    return nodeFault('node_wrong_genesis', known === undefined ? `${message}; ${BEGAN_ANEW}` : message);
  }
  return undefined;
}

/** Completes the expected chain from the first node, in list order, that does not contradict what is known of it. */
export function adopt(observations: readonly (Observation | undefined)[], expected: ExpectedChain): ExpectedChain {
  if (expected.networkId !== undefined && expected.genesisHash !== undefined) return expected;
  const first = observations.find((seen) => seen && 'status' in seen && !mismatch(seen.status, expected));
  if (!first || !('status' in first)) return expected;
  return { networkId: first.status.networkId, genesisHash: first.status.genesisHash };
}

/** The state of each node, in list order. A node is `behind` compared to the highest head that any node has shown. */
export function statesOf(
  observations: readonly (Observation | undefined)[],
  expected: ExpectedChain,
  findings: readonly Finding[],
): NodeState[] {
  const best = Math.max(
    ...claimedHeights(observations, expected).map((height, i) =>
      findings[i]!.demoted ? -1 : Math.min(height, findings[i]!.shownHeight),
    ),
  );
  return observations.map((seen, i): NodeState => {
    if (!seen || 'fault' in seen) return stateOfFault(seen?.fault);
    const wrong = mismatch(seen.status, expected);
    if (wrong) return stateOfFault(wrong);
    const { demoted, onTrial } = findings[i]!;
    if (demoted || (!onTrial && isFarBelow(seen.status.headHeight, best))) return 'behind';
    return seen.status.syncing ? 'syncing' : 'ok';
  });
}

/** Indexes of nodes that claim a height at which another node would be `behind`, but have not shown the key block of that height yet. */
export function unshownClaims(
  observations: readonly (Observation | undefined)[],
  expected: ExpectedChain,
  findings: readonly Finding[],
): number[] {
  const heights = claimedHeights(observations, expected);
  const lowest = Math.min(...heights.filter((height) => height >= 0));
  return [...heights.keys()].filter(
    (i) => isFarBelow(lowest, heights[i]!) && heights[i]! > findings[i]!.shownHeight && !findings[i]!.demoted,
  );
}

const isFarBelow = (height: number, best: number): boolean => height < best - TOLERATED_GENERATIONS;

/** By node; -1 for those that do not answer or are of another chain. */
const claimedHeights = (observations: readonly (Observation | undefined)[], expected: ExpectedChain): number[] =>
  observations.map((seen) =>
    seen && 'status' in seen && !mismatch(seen.status, expected) ? seen.status.headHeight : -1,
  );

function stateOfFault(fault: NodeFault | undefined): NodeState {
  if (fault?.code === 'node_wrong_network') return 'wrong_network';
  return fault?.code === 'node_wrong_genesis' ? 'wrong_genesis' : 'unreachable';
}

/**
 * Index of the node to follow; undefined if no node can be followed. The node that is followed now is preferred as long as it is usable.
 * Otherwise it is the first in list order: first nodes in the state `ok`, then those that are syncing, then demoted ones (which are
 * `behind`). Nodes in `excluded` are not considered.
 */
export function choose(
  states: readonly NodeState[],
  followed: number | undefined,
  excluded: ReadonlySet<number>,
  findings: readonly Finding[],
) {
  const usable = (i: number) => !excluded.has(i) && (states[i] === 'ok' || states[i] === 'syncing');
  if (followed !== undefined && usable(followed)) return followed;
  const inOrder = states.map((_, i) => i).filter(usable);
  const best = inOrder.find((i) => states[i] === 'ok') ?? inOrder[0];
  if (best !== undefined) return best;
  const lastResort = (i: number) => !excluded.has(i) && states[i] === 'behind' && findings[i]!.demoted;
  if (followed !== undefined && lastResort(followed)) return followed;
  return states.map((_, i) => i).find(lastResort);
}
