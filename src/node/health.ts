import { nodeFault } from './faults.js';
import type { NodeFault } from './faults.js';
import type { NodeStatus } from './status.js';

export type NodeState = 'ok' | 'syncing' | 'behind' | 'unreachable' | 'wrong_network' | 'wrong_genesis';

/** The chain that is wanted, as far as it is known. */
export interface ExpectedChain {
  networkId?: string | undefined;
  genesisHash?: string | undefined;
}

/** Last status of a node, or why there is none. */
export type Sighting = { status: NodeStatus; latencyMs: number } | { fault: NodeFault };

/** What was found out about a node beyond what it says. */
export interface Finding {
  /** Highest height of which it has shown the key block; a height that is only claimed makes no other node behind. */
  shownHeight: number;
  /** Its chain turned out not to be the one to follow. */
  doubted: boolean;
  /** It is followed to find out which branch has more work, however low its own is. */
  tried: boolean;
}

/** Generations a node may lack and still be followed: blocks reach nodes at different times. */
export const TOLERATED_GENERATIONS = 3;

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

/** The state of each node, in list order, given what was last seen and found out about all of them. */
export function judge(
  sightings: readonly (Sighting | undefined)[],
  expected: ExpectedChain,
  findings: readonly Finding[],
): NodeState[] {
  const best = Math.max(
    ...claimedHeights(sightings, expected).map((height, i) =>
      findings[i]!.doubted ? -1 : Math.min(height, findings[i]!.shownHeight),
    ),
  );
  return sightings.map((seen, i): NodeState => {
    if (!seen || 'fault' in seen) return stateOfFault(seen?.fault);
    const wrong = mismatch(seen.status, expected);
    if (wrong) return stateOfFault(wrong);
    const { doubted, tried } = findings[i]!;
    if (doubted || (!tried && isFarBelow(seen.status.headHeight, best))) return 'behind';
    return seen.status.syncing ? 'syncing' : 'ok';
  });
}

/** Nodes, by index, that would make another one behind by a height of which they have not shown the key block yet. */
export function unshownClaims(
  sightings: readonly (Sighting | undefined)[],
  expected: ExpectedChain,
  findings: readonly Finding[],
): number[] {
  const heights = claimedHeights(sightings, expected);
  const lowest = Math.min(...heights.filter((height) => height >= 0));
  return [...heights.keys()].filter(
    (i) => isFarBelow(lowest, heights[i]!) && heights[i]! > findings[i]!.shownHeight && !findings[i]!.doubted,
  );
}

const isFarBelow = (height: number, best: number): boolean => height < best - TOLERATED_GENERATIONS;

/** By node; -1 for those that do not answer or are of another chain. */
const claimedHeights = (sightings: readonly (Sighting | undefined)[], expected: ExpectedChain): number[] =>
  sightings.map((seen) => (seen && 'status' in seen && !mismatch(seen.status, expected) ? seen.status.headHeight : -1));

function stateOfFault(fault: NodeFault | undefined): NodeState {
  if (fault?.code === 'node_wrong_network') return 'wrong_network';
  return fault?.code === 'node_wrong_genesis' ? 'wrong_genesis' : 'unreachable';
}

/**
 * The node to follow; undefined if no node can be followed. The present node stays while it can be followed, else it is the
 * first in list order: nodes that are not syncing before those that are, and doubted nodes (which are `behind` then) only
 * if there is no other. `passed` are not considered.
 */
export function choose(
  states: readonly NodeState[],
  followed: number | undefined,
  passed: ReadonlySet<number>,
  findings: readonly Finding[],
) {
  const usable = (i: number) => !passed.has(i) && (states[i] === 'ok' || states[i] === 'syncing');
  if (followed !== undefined && usable(followed)) return followed;
  const inOrder = states.map((_, i) => i).filter(usable);
  const best = inOrder.find((i) => states[i] === 'ok') ?? inOrder[0];
  if (best !== undefined) return best;
  const lastResort = (i: number) => !passed.has(i) && states[i] === 'behind' && findings[i]!.doubted;
  if (followed !== undefined && lastResort(followed)) return followed;
  return states.map((_, i) => i).find(lastResort);
}
