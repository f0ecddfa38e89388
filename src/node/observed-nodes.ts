/** The nodes of a pool, what is known of them, and the requests that learn it. Which node gets a read is decided in `pool-state.ts`. */
import type { KeyBlock } from '../chain/facts.js';
import { networkOf } from '../chain/networks.js';
import type { Network, WorkSettings } from '../chain/networks.js';
import type { ProofSetting } from '../chain/proof/level.js';
import { hasWork } from '../chain/work/key-block-work.js';
import { difficulty } from '../chain/work/target.js';
import type { Logger } from '../observe/logger.js';
import { sharedByKey } from '../runtime/shared-by-key.js';
import { withTimeout } from '../runtime/with-timeout.js';
import { serviceAddress } from './address.js';
import { createNodeClient } from './client.js';
import type { NodeClient } from './client.js';
import { isNodeFault, nodeFault } from './faults.js';
import { adopt, unshownClaims } from './health.js';
import type { ExpectedChain } from './health.js';
import { faultOf, findingsOf, follow, initialState, reportOf, step } from './pool-state.js';
import type { NodeReport, PoolEvent, PoolState } from './pool-state.js';
import { provenNode } from './proven.js';
import type { SigningOptions } from './signed.js';
import type { NodeStatus } from './status.js';
import type { RequestOutcome } from './transport.js';

interface NodeObserver {
  request?(outcome: RequestOutcome, seconds: number): void;
  /** Called with the number of members of a block that were left out, because its bytes do not contain them. */
  extraMembers?(count: number): void;
  /** Called when a node changed its state, or another one is followed. */
  change?(reports: NodeReport[]): void;
}

export interface NodePoolOptions {
  /** In order of preference. */
  urls: readonly string[];
  api: 'auto' | 'v2' | 'v3';
  /** PEM file with the authorities that sign the nodes' certificates; the public ones if absent. */
  caFile?: string | undefined;
  /** Max time without data from a node, milliseconds; a whole answer may take four times as long. */
  timeoutMs: number;
  /** Max concurrent requests to one node. */
  concurrency: number;
  logger: Logger;
  /** How much of a block must be proven; nothing if absent. */
  proof?: ProofSetting;
  /** Both parties of a channel whose creation is stored; no channel is known if absent. */
  channelParties?: SigningOptions['channelParties'];
  /** Whether blocks whose protocol version is not known are stored without a proof; false if absent. */
  acceptUnknownProtocol?: boolean;
  /** Settings of the proof of work: key blocks without it do not make other nodes `behind`. */
  work?: WorkSettings;
  /** How long a node gets no requests after it returned a block that is not proven, milliseconds. */
  distrustMs?: number;
  /** The chain to follow; missing fields are taken from the first healthy node. */
  expected?: ExpectedChain;
  observe?: NodeObserver;
  /** Aborts all requests and waits. */
  signal?: AbortSignal;
  /** Milliseconds between health checks while in use. */
  checkMs?: number;
  /** How long a node is demoted the first time, milliseconds; it doubles each time, up to five times as long. */
  demoteMs?: number;
  /** Max `retry-after` that a read waits for when there is only one node, milliseconds. */
  patienceMs?: number;
  /** Pauses between attempts, milliseconds. */
  retries?: readonly number[];
  deadlineMs?: number;
  maxBytes?: number;
}

const DEMOTE_MS = 60_000;
/** Max `retry-after` that a read waits for when other nodes can be asked. */
const PATIENCE_WITH_OTHERS_MS = 1000;

/** Max time that a read waits for an answer of a node that need not be used, ms: a node that does not answer must not delay the others. */
export const MAX_WAIT_MS = 1000;

/** In the time in which this many key blocks are due, their targets cannot become more than four times as easy. */
const MAX_EASING = 4n;
const EASING_BLOCKS = 20;

/** Without settings the known networks have a proof of work. */
const NO_WORK_SETTINGS: WorkSettings = { powEdgeBits: undefined, powIntervalMs: undefined };

export interface ObservedNodes {
  clients: readonly NodeClient[];
  readonly state: PoolState;
  apply(event: PoolEvent): void;
  /** Updates the states of the nodes, reports changes, and returns the node to follow, which is not one of `excluded`. */
  choose(excluded?: ReadonlySet<number>): number | undefined;
  /** Asks the node for its status now. Throws its fault. */
  observe(node: number, settings?: Parameters<NodeClient['status']>[0]): Promise<NodeStatus>;
  /** The same, and a fault becomes what is known of the node. Does nothing while the node must not be asked. */
  check(node: number): Promise<void>;
  /** The same for all nodes, and for the blocks of heights at which other nodes would be behind. */
  checkAll(): Promise<void>;
  /** Whether the node has shown this head, if heads must have work. Reads it for at most `MAX_WAIT_MS`; a slower answer counts the next time. */
  hasShown(node: number, status: NodeStatus): Promise<boolean>;
  report(): NodeReport[];
}

export function observeNodes(options: NodePoolOptions): ObservedNodes {
  const addresses = options.urls.map(serviceAddress);
  if (addresses.length === 0) throw nodeFault('node_unreachable', 'no node is given');
  const urls = addresses.map(({ url }) => url);
  let state = initialState(urls, { ...options.expected }, options.demoteMs ?? DEMOTE_MS);
  const clients = createClients(options, addresses, () => state.expected.networkId);
  const report = (): NodeReport[] => reportOf(state, performance.now());
  const apply = (event: PoolEvent): void => {
    state = step(state, event, performance.now());
  };

  function choose(excluded: ReadonlySet<number> = new Set()): number | undefined {
    const before = state;
    const chosen = follow(before, excluded, performance.now());
    state = chosen.state;
    if (logChanges(options.logger, before, state)) options.observe?.change?.(report());
    return chosen.at;
  }

  async function observe(node: number, settings?: Parameters<NodeClient['status']>[0]): Promise<NodeStatus> {
    const startedAt = performance.now();
    const status = await clients[node]!.status(settings);
    apply({ type: 'answered', node, status, latencyMs: Math.round(performance.now() - startedAt) });
    return status;
  }

  // A check does not wait for the end of an earlier one, which may wait for another node.
  const check = sharedByKey(async (node: number) => {
    if (state.nodes[node]!.notBefore > performance.now()) return;
    try {
      await observe(node, { retry: false });
    } catch (error) {
      if (!isNodeFault(error)) throw error;
      apply({ type: 'failed', node, fault: error, keepsStatus: error.code === 'node_closed' });
    }
  });

  const workOf = (networkId: string): Network['work'] => networkOf(networkId, options.work ?? NO_WORK_SETTINGS).work;

  function showsWork(block: KeyBlock, networkId: string): boolean {
    const work = workOf(networkId);
    return work === undefined || (!isTooEasy(block, state.trusted, work.intervalMs) && hasWork(block, work.edgeBits));
  }

  /** A claimed height counts, and makes other nodes `behind`, once the node has returned its key block, with its proof of work. */
  const readClaimedBlock = sharedByKey(async (node: number) => {
    const { seen } = state.nodes[node]!;
    if (!seen || 'fault' in seen) return;
    const { headHeight: height, headHash: hash, networkId } = seen.status;
    const block = await clients[node]!.keyBlock(height).catch((error: unknown) => {
      if (isNodeFault(error)) return null;
      throw error;
    });
    if (block?.hash === hash && showsWork(block, networkId)) apply({ type: 'shown', node, head: { height, hash } });
  });

  return {
    clients,
    get state() {
      return state;
    },
    apply,
    choose,
    observe,
    check,
    async checkAll() {
      await Promise.all(clients.map((_, node) => check(node)));
      const observations = state.nodes.map(({ seen }) => seen);
      const findings = findingsOf(state, performance.now());
      await Promise.all(
        unshownClaims(observations, adopt(observations, state.expected), findings).map(readClaimedBlock),
      );
    },
    async hasShown(node, { networkId, headHash }) {
      if (workOf(networkId) === undefined) return true;
      const hasIt = (): boolean => state.nodes[node]!.shown?.hash === headHash;
      if (!hasIt()) await withTimeout(MAX_WAIT_MS, readClaimedBlock(node));
      return hasIt();
    },
    report,
  };
}

const createClients = (
  options: NodePoolOptions,
  addresses: readonly ReturnType<typeof serviceAddress>[],
  networkId: () => string | undefined,
): NodeClient[] =>
  addresses.map((address) =>
    provenNode(
      createNodeClient({
        ...options,
        address,
        ...(addresses.length > 1 && { patienceMs: PATIENCE_WITH_OTHERS_MS, hasOthers: true }),
        onRequest: (outcome, seconds) => options.observe?.request?.(outcome, seconds),
      }),
      {
        proof: options.proof ?? 'off',
        acceptUnknownProtocol: options.acceptUnknownProtocol ?? false,
        distrustMs: options.distrustMs,
        onExtraMembers: (count) => options.observe?.extraMembers?.(count),
        networkId,
        channelParties: options.channelParties ?? (() => Promise.resolve(undefined)),
      },
    ),
  );

/** Logs which nodes changed their state, and which node is followed. Returns whether there was a change. */
function logChanges(logger: Logger, before: PoolState, now: PoolState): boolean {
  const moved = [...now.nodes.keys()].filter((i) => now.nodes[i]!.state !== before.nodes[i]!.state);
  for (const i of moved) {
    const { url: node, state, demotion } = now.nodes[i]!;
    const level = state === 'ok' || state === 'syncing' ? 'info' : 'warn';
    const reason = faultOf(now, i)?.message ?? demotion?.reason;
    logger[level]({ node, state, was: before.nodes[i]!.state, reason }, 'Node changed state');
  }
  const isNew = now.followed !== before.followed;
  if (isNew) logger.info({ node: now.nodes[now.followed!]!.url }, 'Following node');
  return isNew || moved.length > 0;
}

/** Whether the target is far easier than it can have become since the head of the trusted chain was made. */
function isTooEasy({ target }: KeyBlock, trusted: KeyBlock | undefined, intervalMs = 0): boolean {
  if (trusted === undefined || Date.now() - trusted.time > intervalMs * EASING_BLOCKS) return false;
  return difficulty(Number(target)) * MAX_EASING < difficulty(Number(trusted.target));
}
