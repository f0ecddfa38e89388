import { withTimeout } from '../runtime/with-timeout.js';
import type { ChainNode } from './client.js';
import type { Replay } from '../chain/replays.js';
import type { DryCall, ReplayRefusal } from './dry-run.js';
import { isNodeFault } from './faults.js';
import { TOLERATED_GENERATIONS } from './health.js';
import type { ExpectedChain } from './health.js';
import { MAX_WAIT_MS, observeNodes } from './observed-nodes.js';
import type { NodePoolOptions, ObservedNodes } from './observed-nodes.js';
import { checkIntervalMs, createReads } from './pool-reads.js';
import type { FromNode, PoolReads } from './pool-reads.js';
import { demotionsOf, isDemoted, judgedNode, othersOf, peerKeys, statusOf, wrongChain } from './pool-state.js';
import type { NodeReport } from './pool-state.js';

/** A node that can be asked. */
interface OtherNode {
  /** Without credentials. */
  url: string;
  node: ChainNode;
}

export interface NodePool extends ChainNode {
  /** The same as `info`, with the node that answered. */
  infoWithNode(hash: string, signal?: AbortSignal): Promise<FromNode<string> | null>;
  /**
   * Nodes of the expected chain that are not the node at this address, by their peer keys: an address more of the same node is no other node.
   * One for each key, in the order of their addresses. Empty if the key of the node is not known. Without an address, those that are not the followed node.
   */
  others(url?: string): OtherNode[];
  /** Peer keys of the nodes, in the order of their addresses; undefined for a node that has not answered with one. */
  peerKeys(): (string | undefined)[];
  /** Sets the chain to follow, for example that of the database; nodes of another chain are no longer used. */
  expect(chain: ExpectedChain): void;
  /** Call it when the chain whose head was read last is the one to follow: ends the demotion of the node that it is from. */
  trust(): void;
  /**
   * Call it when the chain whose head was read last is not the one to follow. For a while the node that it is from is used only if no other one
   * can be. `isHeld`: its branch is a held reorg. Returns whether another node is followed now.
   */
  demote(reason: string, isHeld?: boolean): boolean;
  /**
   * Follows another node if its head is not on the stored branch, or is ahead of it for long: only reading its branch shows which one
   * has more work. `storedAt` returns the stored key blocks' hashes up to the height `head`. A node whose head is stored is no longer
   * demoted. Does nothing if called again within the interval of the health checks.
   */
  tryOtherBranch(head: number, storedAt: (height: number) => Promise<string | null>): Promise<void>;
  /** Whether a node is demoted that may be tried again; a node that cannot be used after its demotion does not count. */
  hasDemoted(): boolean;
  /** Whether the branch of one of these nodes was a held reorg when it was read last. */
  hasHeldReorg(): boolean;
  /**
   * Hash of the last block of the followed node; undefined if the node does not answer, or must not be asked because of its
   * `retry-after`. A failed request does not change the state of the node.
   */
  headHash(): Promise<string | undefined>;
  /**
   * An object in the state of the followed node's head, read by `interpret`; null if that node does not have it, undefined if it does not answer
   * or answers something else. No other node is asked, and the state of the node does not change: the object says nothing about its blocks.
   */
  object<T>(path: string, interpret: (text: string) => T): Promise<T | null | undefined>;
  /** Whether a node of the expected chain, other than the followed one by its peer key, has this key block. */
  confirms(height: number, hash: string): Promise<boolean>;
  /**
   * Key blocks of the other nodes at a height, without those that do not have or answer it within a second. The rank of a node is the index of its
   * first address.
   */
  keyBlocksAt(height: number): Promise<{ followed: number; others: { rank: number; hash: string }[] }>;
  /** Hashes of the key blocks of all addresses at a height; null for one that has none there. Throws if one of them does not answer. */
  everyKeyBlockAt(height: number): Promise<(string | null)[]>;
  /** Height of the followed node, which is asked now; undefined if it cannot be used. */
  followedHeight(): Promise<number | undefined>;
  report(): NodeReport[];
  /** Requests the status of all nodes now, except those whose `retry-after` has not passed. */
  check(): Promise<NodeReport[]>;
}

/**
 * Looks in a row at which a node's head is not stored, before the node is tried. They take longer than a key block, so the difference is
 * not one of a moment.
 */
const STRAYED_LOOKS = 40;

/**
 * Uses several nodes as one. One node is followed: it gets all reads until it fails, falls behind, is demoted or turns out to be of
 * another chain. If no node can be used, reads throw the most specific fault.
 */
export function createNodePool(options: NodePoolOptions): NodePool {
  const nodes = observeNodes(options);
  const reads = createReads(nodes, options);
  const infoWithNode: NodePool['infoWithNode'] = (hash, signal) =>
    reads.askForAddition((client) => client.info(hash, signal));
  return {
    ...chainReads(nodes, reads),
    infoWithNode,
    info: async (hash, signal) => (await infoWithNode(hash, signal))?.answer ?? null,
    ...branchChoice(nodes, reads, options),
    ...otherNodes(nodes),
    ...followedNode(nodes, reads),
    report: nodes.report,
    async check() {
      await reads.check();
      return nodes.report();
    },
    close: reads.close,
  };
}

const chainReads = (nodes: ObservedNodes, { ask, askForAddition, microBlock }: PoolReads) => ({
  status: () =>
    ask(async (_, i) => {
      const status = await nodes.observe(i);
      const wrong = wrongChain(nodes.state.nodes[i]!.url, status, nodes.state.expected);
      if (wrong) throw wrong;
      return status;
    }),
  currentGeneration: () =>
    ask(async (client, node) => {
      const current = await client.currentGeneration();
      nodes.apply({ type: 'read', node, head: current.keyBlock });
      return current;
    }),
  generation: (height: number) => ask((client) => client.generation(height)),
  keyBlock: (height: number) => ask((client) => client.keyBlock(height)),
  microBlock,
  contractCode: async (contractId: string) =>
    (await askForAddition((client) => client.contractCode(contractId)))?.answer ?? null,
  dryRun: async (block: string, calls: readonly DryCall[]) =>
    (await askForAddition((client) => client.dryRun(block, calls)))?.answer ?? null,
  async replay(block: string, replay: Replay) {
    // Another node may have the state that one of them lacks.
    let refusal: ReplayRefusal | null = null;
    const found = await askForAddition(async (client) => {
      const answer = await client.replay(block, replay);
      if (typeof answer !== 'string') return answer;
      refusal = answer;
      return null;
    });
    return found?.answer ?? refusal;
  },
  get: (path: string) => ask((client) => client.get(path)),
});

type BranchChoice = Pick<NodePool, 'expect' | 'trust' | 'demote' | 'tryOtherBranch' | 'hasDemoted' | 'hasHeldReorg'>;

function branchChoice(nodes: ObservedNodes, reads: PoolReads, options: NodePoolOptions): BranchChoice {
  let lookedAt = -Infinity;
  return {
    expect(chain) {
      nodes.apply({ type: 'expected', chain: { ...chain } });
      reads.chooseAgain();
    },
    trust: () => nodes.apply({ type: 'trusted' }),
    demote(reason, isHeld = false) {
      const node = judgedNode(nodes.state);
      const was = node !== undefined && isDemoted(nodes.state, node, performance.now());
      nodes.apply({ type: 'demoted', reason, isHeld });
      if (node === undefined || was) return false;
      nodes.choose();
      return nodes.state.followed !== node;
    },
    async tryOtherBranch(head, storedAt) {
      if (nodes.clients.length === 1 || performance.now() - lookedAt < checkIntervalMs(options)) return;
      lookedAt = performance.now();
      for (const node of nodes.clients.keys()) {
        if (!(await isOnOtherBranch(nodes, node, head, storedAt))) continue;
        const height = statusOf(nodes.state, node)?.headHeight;
        options.logger.info({ node: nodes.state.nodes[node]!.url, height }, 'Trying a node whose head is not stored');
        nodes.apply({ type: 'tried', node });
        return;
      }
    },
    hasDemoted: () => demotionsOf(nodes.state, performance.now()).length > 0,
    hasHeldReorg: () => demotionsOf(nodes.state, performance.now()).some(({ isHeld }) => isHeld),
  };
}

/** Whether the node should be tried: its branch differs from the stored one for more than a moment, and its head has the work that it must have. */
async function isOnOtherBranch(
  nodes: ObservedNodes,
  node: number,
  head: number,
  storedAt: (height: number) => Promise<string | null>,
): Promise<boolean> {
  const status = statusOf(nodes.state, node);
  if (node === nodes.state.followed || status === undefined) return false;
  const { headHeight, headHash } = status;
  const isStored = headHeight <= head && (await storedAt(headHeight)) === headHash;
  nodes.apply({ type: 'looked', node, isStored });
  const { strayed, state } = nodes.state.nodes[node]!;
  if (isStored || isDemoted(nodes.state, node, performance.now()) || state === 'syncing') return false;
  // Above this height honest nodes differ for short times.
  const height = Math.min(head, headHeight) - TOLERATED_GENERATIONS;
  const read = height < 0 ? undefined : nodes.clients[node]!.keyBlock(height).catch(() => null);
  const block = read && (await withTimeout(MAX_WAIT_MS, read));
  const isDeep = block != null && block.hash !== (await storedAt(height));
  return (isDeep || strayed >= STRAYED_LOOKS) && (await nodes.hasShown(node, status));
}

type OtherNodes = Pick<NodePool, 'others' | 'peerKeys' | 'confirms' | 'keyBlocksAt' | 'everyKeyBlockAt'>;

const otherNodes = (nodes: ObservedNodes): OtherNodes => ({
  others: (url) =>
    othersOf(
      nodes.state,
      url === undefined ? nodes.state.followed : nodes.state.nodes.findIndex((one) => one.url === url),
    ).map((i) => ({ url: nodes.state.nodes[i]!.url, node: nodes.clients[i]! })),
  peerKeys: () => peerKeys(nodes.state),
  async confirms(height, hash) {
    // The first node that has it decides: another one may not answer.
    const confirmed = othersOf(nodes.state, nodes.state.followed).map(async (i) => {
      if ((await nodes.clients[i]!.keyBlock(height))?.hash !== hash) throw new Error('another block, or none');
    });
    return Promise.any(confirmed).then(
      () => true,
      () => false,
    );
  },
  async keyBlocksAt(height) {
    const { state } = nodes;
    const read = othersOf(state, state.followed).map(async (rank) => {
      const block = await withTimeout(MAX_WAIT_MS, nodes.clients[rank]!.keyBlock(height)).catch(() => undefined);
      return block == null ? [] : [{ rank, hash: block.hash }];
    });
    const keys = peerKeys(state);
    const key = state.followed === undefined ? undefined : keys[state.followed];
    const followed = key === undefined ? (state.followed ?? 0) : keys.indexOf(key);
    return { followed, others: (await Promise.all(read)).flat() };
  },
  everyKeyBlockAt: (height) =>
    Promise.all(nodes.clients.map(async (client) => (await client.keyBlock(height))?.hash ?? null)),
});

type FollowedNode = Pick<NodePool, 'headHash' | 'object' | 'followedHeight'>;

function followedNode(nodes: ObservedNodes, reads: PoolReads): FollowedNode {
  /** The followed node; undefined if it must not be asked now. */
  function mayAsk(): number | undefined {
    const { followed, nodes: all } = nodes.state;
    const mayNot = reads.isClosed || followed === undefined || all[followed]!.notBefore > performance.now();
    return mayNot ? undefined : followed;
  }
  return {
    async headHash() {
      const node = mayAsk();
      if (node === undefined) return undefined;
      try {
        return await nodes.clients[node]!.headHash();
      } catch (error) {
        if (!isNodeFault(error)) throw error;
        nodes.apply({ type: 'failed', node, fault: error, keepsStatus: true });
        return undefined;
      }
    },
    async object(path, interpret) {
      const node = mayAsk();
      if (node === undefined) return undefined;
      const waiting = new AbortController();
      try {
        return await withTimeout(MAX_WAIT_MS, nodes.clients[node]!.object(path, interpret, waiting.signal));
      } catch (error) {
        if (!isNodeFault(error)) throw error;
        return undefined;
      } finally {
        waiting.abort();
      }
    },
    async followedHeight() {
      const at = nodes.state.followed ?? 0;
      await nodes.check(at);
      nodes.choose();
      const { state, height } = nodes.report()[at]!;
      return state === 'ok' || state === 'syncing' ? (height ?? undefined) : undefined;
    },
  };
}
