/**
 * What a pool knows of its nodes, and how each event changes that. Pure: times are milliseconds of one monotonic clock, given by the caller, and nodes
 * are named by their index in the order of preference.
 */
import type { KeyBlock } from '../chain/facts.js';
import { nodeFault, retryAfterMs } from './faults.js';
import type { NodeFault } from './faults.js';
import { adopt, choose, mismatch, statesOf } from './health.js';
import type { ExpectedChain, Finding, NodeState, Observation } from './health.js';
import type { NodeStatus } from './status.js';

/** Max length of a demotion, in multiples of the first one. */
const MAX_DEMOTION = 5;

interface Demotion {
  reason: string;
  /** The node's branch is a held reorg. */
  isHeld: boolean;
  /** Number of demotions since the node was last trusted. */
  times: number;
  until: number;
}

interface NodeRecord {
  /** Without credentials. */
  url: string;
  /** Last status, or why there is none; undefined before the first answer. */
  seen: Observation | undefined;
  state: NodeState | undefined;
  /** Last head that was shown to have the work that is demanded of it. */
  shown: { height: number; hash: string } | undefined;
  /** Last demotion since the node was trusted, also when its time is over. */
  demotion: Demotion | undefined;
  /** Looks in a row at which the head was not stored. */
  strayed: number;
  /** When the node may be asked again, by its `retry-after`. */
  notBefore: number;
}

export interface PoolState {
  nodes: readonly NodeRecord[];
  /** How long a node is demoted the first time, ms; it doubles each time, up to five times as long. */
  demoteMs: number;
  /** The chain to follow, as far as it is known. */
  expected: ExpectedChain;
  /** The node that gets the reads. */
  followed: number | undefined;
  /** The node that is followed to learn whether its branch has more work: then it is `followed`. */
  onTrial: number | undefined;
  /** The node whose head was read last: what is found about the chain that follows is about this node, also when another one is followed since. */
  reading: number | undefined;
  /** That head, and the head of the chain that was trusted last. */
  running: KeyBlock | undefined;
  trusted: KeyBlock | undefined;
}

export type PoolEvent =
  | { type: 'answered'; node: number; status: NodeStatus; latencyMs: number }
  /** The node did not answer, or with a fault. `keepsStatus`: it says nothing about the node but when it may be asked again. */
  | { type: 'failed'; node: number; fault: NodeFault; keepsStatus?: boolean }
  | { type: 'shown'; node: number; head: { height: number; hash: string } }
  /** The chain to follow is another one now, for example that of the database. */
  | { type: 'expected'; chain: ExpectedChain }
  /** The head of the node was read. */
  | { type: 'read'; node: number; head: KeyBlock }
  /** The chain that was read is the one to follow: the demotion of its node ends. */
  | { type: 'trusted' }
  /** The chain that was read is not the one to follow. */
  | { type: 'demoted'; reason: string; isHeld: boolean }
  /** Whether the head of the node is on the stored branch. A node whose head is stored is no longer demoted. */
  | { type: 'looked'; node: number; isStored: boolean }
  /** The node is followed to read its branch. */
  | { type: 'tried'; node: number };

export const initialState = (urls: readonly string[], expected: ExpectedChain, demoteMs: number): PoolState => ({
  nodes: urls.map((url) => ({
    url,
    seen: undefined,
    state: undefined,
    shown: undefined,
    demotion: undefined,
    strayed: 0,
    notBefore: -Infinity,
  })),
  demoteMs,
  expected,
  followed: undefined,
  onTrial: undefined,
  reading: undefined,
  running: undefined,
  trusted: undefined,
});

export function step(state: PoolState, event: PoolEvent, now: number): PoolState {
  switch (event.type) {
    case 'answered':
      return changed(state, event.node, { seen: { status: event.status, latencyMs: event.latencyMs } });
    case 'failed': {
      const { node, fault, keepsStatus = false } = event;
      const notBefore = now + (retryAfterMs(fault) ?? 0);
      return changed(state, node, { notBefore, ...(!keepsStatus && { seen: { fault } }) });
    }
    case 'shown':
      return changed(state, event.node, { shown: event.head });
    case 'expected':
      return { ...state, expected: event.chain };
    case 'read':
      return { ...state, reading: event.node, running: event.head };
    case 'trusted': {
      const next = { ...state, onTrial: undefined, trusted: state.running };
      const node = judgedNode(state);
      return node === undefined ? next : changed(next, node, { demotion: undefined });
    }
    case 'demoted':
      return demote({ ...state, onTrial: undefined }, event, now);
    case 'looked': {
      const { node, isStored } = event;
      const { strayed } = state.nodes[node]!;
      return changed(state, node, isStored ? { strayed: 0, demotion: undefined } : { strayed: strayed + 1 });
    }
    case 'tried':
      return { ...changed(state, event.node, { strayed: 0 }), followed: event.node, onTrial: event.node };
  }
}

/** The node to which a finding about the chain applies. */
export const judgedNode = ({ reading, followed }: PoolState): number | undefined => reading ?? followed;

function demote(state: PoolState, { reason, isHeld }: { reason: string; isHeld: boolean }, now: number): PoolState {
  const node = judgedNode(state);
  if (node === undefined) return state;
  const last = state.nodes[node]!.demotion;
  // A demoted node is followed while no other one can be used.
  if (last !== undefined && isDemoted(state, node, now)) return changed(state, node, { demotion: { ...last, isHeld } });
  const times = (last?.times ?? 0) + 1;
  const until = now + state.demoteMs * Math.min(MAX_DEMOTION, 2 ** (times - 1));
  return changed(state, node, { demotion: { reason, isHeld, times, until } });
}

function changed(state: PoolState, node: number, change: Partial<NodeRecord>): PoolState {
  return { ...state, nodes: state.nodes.map((one, i) => (i === node ? { ...one, ...change } : one)) };
}

/** Chooses the node to follow, which is not one of `excluded`. `at` is undefined if no node can be used; then the followed node stays the same. */
export function follow(
  before: PoolState,
  excluded: ReadonlySet<number>,
  now: number,
): { state: PoolState; at: number | undefined } {
  const observations = before.nodes.map(({ seen }) => seen);
  const expected = adopt(observations, before.expected);
  const findings = findingsOf(before, now);
  const states = statesOf(observations, expected, findings);
  const at = choose(states, before.followed, excluded, findings);
  const followed = at ?? before.followed;
  const onTrial = followed === before.onTrial ? before.onTrial : undefined;
  const nodes = before.nodes.map((one, i) => (one.state === states[i] ? one : { ...one, state: states[i] }));
  return { state: { ...before, nodes, expected, followed, onTrial }, at };
}

export const findingsOf = (state: PoolState, now: number): Finding[] =>
  state.nodes.map(({ shown }, i) => ({
    shownHeight: shown?.height ?? -1,
    demoted: isDemoted(state, i, now),
    onTrial: i === state.onTrial,
  }));

export const isDemoted = ({ nodes }: PoolState, node: number, now: number): boolean =>
  now < (nodes[node]!.demotion?.until ?? -Infinity);

/** Why a node cannot be used; undefined if it can, or has not answered yet. */
export function faultOf({ nodes, expected }: PoolState, node: number): NodeFault | undefined {
  const { seen, url } = nodes[node]!;
  if (seen === undefined) return undefined;
  return 'fault' in seen ? seen.fault : wrongChain(url, seen.status, expected);
}

export function wrongChain(url: string, status: NodeStatus, expected: ExpectedChain): NodeFault | undefined {
  const wrong = mismatch(status, expected);
  return wrong && nodeFault(wrong.code, `node ${url} ${wrong.message}`);
}

/** Status of a node that answers and is of the expected chain. */
export function statusOf(state: PoolState, node: number): NodeStatus | undefined {
  const { seen } = state.nodes[node]!;
  return seen && 'status' in seen && faultOf(state, node) === undefined ? seen.status : undefined;
}

/** Demotions of nodes that may be tried again; a node that cannot be used after its demotion does not count. */
export const demotionsOf = (state: PoolState, now: number): Pick<Demotion, 'isHeld'>[] =>
  state.nodes.flatMap(({ demotion }, i) =>
    demotion !== undefined && (isDemoted(state, i, now) || faultOf(state, i) === undefined) ? [demotion] : [],
  );

/** Nodes that are not the node `of`, one for each peer key, in their order. Empty if the key of the node is not known. */
export function othersOf(state: PoolState, of: number | undefined): number[] {
  const keys = peerKeys(state);
  const own = of === undefined ? undefined : keys[of];
  if (own === undefined) return [];
  return [...keys.keys()].filter((i) => keys[i] !== undefined && keys[i] !== own && keys.indexOf(keys[i]) === i);
}

/** Peer keys of the nodes of the expected chain; undefined for a node that has not answered with one. */
export const peerKeys = (state: PoolState): (string | undefined)[] =>
  state.nodes.map((_, i) => statusOf(state, i)?.peerKey);

export interface NodeReport {
  /** Without credentials. */
  url: string;
  state: NodeState;
  /** Whether reads go to this node. */
  followed: boolean;
  /** Height of the node's newest key block; null if there is no status of the node. */
  height: number | null;
  latencyMs: number | null;
  /** Why the node is not used. */
  reason: string | null;
}

export const reportOf = (state: PoolState, now: number): NodeReport[] =>
  state.nodes.map(({ url, seen, state: of = 'unreachable', demotion }, i) => {
    const answer = seen && 'status' in seen ? seen : undefined;
    return {
      url,
      state: of,
      followed: i === state.followed,
      height: answer?.status.headHeight ?? null,
      latencyMs: answer?.latencyMs ?? null,
      reason: faultOf(state, i)?.message ?? (isDemoted(state, i, now) ? demotion!.reason : null),
    };
  });
