import { nodeFault } from './faults.js';
import type { NodeFault } from './faults.js';
import type { NodeStatus } from './status.js';

export type NodeState = 'ok' | 'syncing' | 'behind' | 'unreachable' | 'wrong_network' | 'wrong_genesis';

/** The chain that is wanted, as far as it is known. */
export interface ExpectedChain {
  networkId?: string | undefined;
  genesisHash?: string | undefined;
}

/** Last word of a node, or why there is none. */
export type Sighting = { status: NodeStatus; latencyMs: number } | { fault: NodeFault };

/** Generations a node may lack and still be followed: blocks reach nodes at different times. */
const TOLERATED_GENERATIONS = 3;

/** Why a node is of another chain; undefined if it is of the wanted one. */
export function mismatch(status: NodeStatus, expected: ExpectedChain): NodeFault | undefined {
  if (expected.networkId !== undefined && status.networkId !== expected.networkId) {
    return nodeFault('node_wrong_network', `is on network ${status.networkId}, not ${expected.networkId}`);
  }
  if (expected.genesisHash !== undefined && status.genesisHash !== expected.genesisHash) {
    return nodeFault('node_wrong_genesis', `has genesis ${status.genesisHash}, not ${expected.genesisHash}`);
  }
  return undefined;
}

/** Fills in what is not yet known of the wanted chain from the first node, in list order, that does not contradict it. */
export function adopt(sightings: readonly (Sighting | undefined)[], expected: ExpectedChain): ExpectedChain {
  if (expected.networkId !== undefined && expected.genesisHash !== undefined) return expected;
  const first = sightings.find((seen) => seen && 'status' in seen && !mismatch(seen.status, expected));
  if (!first || !('status' in first)) return expected;
  return { networkId: first.status.networkId, genesisHash: first.status.genesisHash };
}

/** The state of each node, in list order, given what was last seen of all of them. */
export function judge(sightings: readonly (Sighting | undefined)[], expected: ExpectedChain): NodeState[] {
  const heights = sightings.map((seen) =>
    seen && 'status' in seen && !mismatch(seen.status, expected) ? seen.status.topHeight : -1,
  );
  const best = Math.max(...heights);
  return sightings.map((seen, i): NodeState => {
    if (!seen || 'fault' in seen) return stateOfFault(seen?.fault);
    const wrong = mismatch(seen.status, expected);
    if (wrong) return stateOfFault(wrong);
    if (heights[i]! < best - TOLERATED_GENERATIONS) return 'behind';
    return seen.status.syncing ? 'syncing' : 'ok';
  });
}

function stateOfFault(fault: NodeFault | undefined): NodeState {
  if (fault?.code === 'node_wrong_network') return 'wrong_network';
  return fault?.code === 'node_wrong_genesis' ? 'wrong_genesis' : 'unreachable';
}

/**
 * The node to follow: the present one while it can be, else the first in list order, those that are not syncing before
 * those that are; undefined if none can be. `passed` are not considered.
 */
export function choose(states: readonly NodeState[], followed: number | undefined, passed: ReadonlySet<number>) {
  const usable = (i: number) => !passed.has(i) && (states[i] === 'ok' || states[i] === 'syncing');
  if (followed !== undefined && usable(followed)) return followed;
  const inOrder = states.map((_, i) => i).filter(usable);
  return inOrder.find((i) => states[i] === 'ok') ?? inOrder[0];
}
