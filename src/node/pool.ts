import type { KeyBlock, MicroBlock } from '../chain/facts.js';
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
import type { ChainNode, NodeClient } from './client.js';
import { isNodeFault, mostSpecific, nodeFault, retryAfterMs } from './faults.js';
import type { NodeFault } from './faults.js';
import { TOLERATED_GENERATIONS, adopt, choose, mismatch, statesOf, unshownClaims } from './health.js';
import type { ExpectedChain, Finding, NodeState, Observation } from './health.js';
import { provenNode } from './proven.js';
import type { SigningOptions } from './signed.js';
import type { NodeStatus } from './status.js';
import type { RequestOutcome } from './transport.js';

interface NodeReport {
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

interface NodeObserver {
  request?(outcome: RequestOutcome, seconds: number): void;
  /** Called with the number of members of a block that were left out, because its bytes do not contain them. */
  extraMembers?(count: number): void;
  /** Called when a node changed its state, or another one is followed. */
  change?(reports: NodeReport[]): void;
}

interface NodePoolOptions {
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

/** An answer of a node, and the address of this node without credentials. */
interface FromNode<T> {
  answer: T;
  url: string;
}

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
   * One for each key, in the order of their addresses. Empty if the key of the node is not known.
   */
  others(url: string): OtherNode[];
  /** Peer keys of the nodes, in the order of their addresses; undefined for a node that has not answered with one. */
  peerKeys(): (string | undefined)[];
  /** Sets the chain to follow, for example that of the database; nodes of another chain are no longer used. */
  expect(chain: ExpectedChain): void;
  /** Call it when the chain of the followed node is the one to follow: ends its demotion. */
  trust(): void;
  /**
   * Call it when the chain of the followed node is not the one to follow. For a while the node is used only if no other one can be.
   * `isHeld`: its branch is a held reorg. Returns whether another node is followed now.
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
  /** Height of the followed node, which is asked now; undefined if it cannot be used. */
  followedHeight(): Promise<number | undefined>;
  report(): NodeReport[];
  /** Requests the status of all nodes now, except those whose `retry-after` has not passed. */
  check(): Promise<NodeReport[]>;
}

const CHECK_MS = 5000;
const DEMOTE_MS = 60_000;
/** Max length of a demotion, in multiples of the first one. */
const MAX_DEMOTION = 5;
/**
 * Looks in a row at which a node's head is not stored, before the node is tried. They take longer than a key block, so the difference is
 * not one of a moment.
 */
const STRAYED_LOOKS = 40;
/** Checks without a read in between after which the background checks pause. */
const IDLE_CHECKS = 12;
/** Max `retry-after` that a read waits for when other nodes can be asked. */
const PATIENCE_WITH_OTHERS_MS = 1000;

/** Max time that a read waits for an answer of a node that need not be used, ms: a node that does not answer must not delay the others. */
const MAX_WAIT_MS = 1000;

/** In the time in which this many key blocks are due, their targets cannot become more than four times as easy. */
const MAX_EASING = 4n;
const EASING_BLOCKS = 20;

/** Without settings the known networks have a proof of work. */
const NO_WORK_SETTINGS: WorkSettings = { powEdgeBits: undefined, powIntervalMs: undefined };

interface Demotion {
  reason: string;
  /** The node's branch is a held reorg. */
  isHeld: boolean;
  /** Number of demotions since the node was last trusted. */
  times: number;
  /** `performance.now()` */
  until: number;
}

/**
 * Uses several nodes as one. One node is followed: it gets all reads until it fails, falls behind, is demoted or turns out to be of
 * another chain. If no node can be used, reads throw the most specific fault.
 */
export function createNodePool(options: NodePoolOptions): NodePool {
  const { logger, observe } = options;
  const checkMs = options.checkMs ?? CHECK_MS;
  const addresses = options.urls.map(serviceAddress);
  if (addresses.length === 0) throw nodeFault('node_unreachable', 'no node is given');
  const clients = addresses.map((address) =>
    provenNode(
      createNodeClient({
        ...options,
        address,
        ...(addresses.length > 1 && { patienceMs: PATIENCE_WITH_OTHERS_MS, hasOthers: true }),
        onRequest: (outcome, seconds) => observe?.request?.(outcome, seconds),
      }),
      {
        proof: options.proof ?? 'off',
        acceptUnknownProtocol: options.acceptUnknownProtocol ?? false,
        distrustMs: options.distrustMs,
        onExtraMembers: (count) => observe?.extraMembers?.(count),
        networkId: () => expected.networkId,
        channelParties: options.channelParties ?? (() => Promise.resolve(undefined)),
      },
    ),
  );

  const observations: (Observation | undefined)[] = clients.map(() => undefined);
  let expected: ExpectedChain = { ...options.expected };
  let states: readonly (NodeState | undefined)[] = clients.map(() => undefined);
  /** Last head of each node that was shown to have the work that is demanded of it. */
  const shown: ({ height: number; hash: string } | undefined)[] = clients.map(() => undefined);
  /** Last demotion of each node since it was trusted, also when its time is over. */
  const demotions: (Demotion | undefined)[] = clients.map(() => undefined);
  /** Looks in a row at which the head of each node was not stored. */
  const strayed = clients.map(() => 0);
  /** When each node may be asked again, by its `retry-after` (`performance.now()`). */
  const notBefore = clients.map(() => -Infinity);
  let followed: number | undefined;
  /** When the last check ended, or a read stopped waiting for it. */
  let checkedAt = -Infinity;
  let usedAt = -Infinity;
  let lookedForBranchesAt = -Infinity;
  /** The node that is followed to learn whether its branch has more work. */
  let onTrial: number | undefined;
  /** Head of the followed node, and that of the chain that was trusted last. */
  let running: KeyBlock | undefined;
  let trusted: KeyBlock | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const report = (): NodeReport[] =>
    addresses.map(({ url }, i) => {
      const seen = observations[i];
      const status = seen && 'status' in seen ? seen : undefined;
      return {
        url,
        state: states[i] ?? 'unreachable',
        followed: i === followed,
        height: status?.status.headHeight ?? null,
        latencyMs: status?.latencyMs ?? null,
        reason: faultOf(i)?.message ?? (isDemoted(i) ? demotions[i]!.reason : null),
      };
    });

  /** Why the node cannot be used. */
  function faultOf(i: number): NodeFault | undefined {
    const seen = observations[i];
    if (!seen) return undefined;
    return 'fault' in seen ? seen.fault : wrongChain(seen.status, i);
  }

  function wrongChain(status: NodeStatus, i: number): NodeFault | undefined {
    const wrong = mismatch(status, expected);
    return wrong && nodeFault(wrong.code, `node ${addresses[i]!.url} ${wrong.message}`);
  }

  const isDemoted = (i: number): boolean => performance.now() < (demotions[i]?.until ?? -Infinity);

  const mayBeTried = (demotion: Demotion | undefined, i: number): boolean =>
    demotion !== undefined && (isDemoted(i) || faultOf(i) === undefined);

  const findings = (): Finding[] =>
    clients.map((_, i) => ({ shownHeight: shown[i]?.height ?? -1, demoted: isDemoted(i), onTrial: i === onTrial }));

  /** Updates the states of the nodes, reports changes and returns the node to follow, which is not one of `excluded`. */
  function chooseNode(excluded: ReadonlySet<number> = new Set()): number | undefined {
    const before = states;
    const followedBefore = followed;
    expected = adopt(observations, expected);
    const found = findings();
    const now = statesOf(observations, expected, found);
    states = now;
    const at = choose(now, followed, excluded, found);
    followed = at ?? followed;
    if (followed !== onTrial) onTrial = undefined;
    now.forEach((state, i) => {
      if (state === before[i]) return;
      const level = state === 'ok' || state === 'syncing' ? 'info' : 'warn';
      logger[level](
        { node: addresses[i]!.url, state, was: before[i], reason: faultOf(i)?.message ?? demotions[i]?.reason },
        'Node changed state',
      );
    });
    if (followed !== followedBefore) logger.info({ node: addresses[followed!]!.url }, 'Following node');
    if (followed !== followedBefore || now.some((state, i) => state !== before[i])) observe?.change?.(report());
    return at;
  }

  async function observeStatus(i: number, settings?: Parameters<NodeClient['status']>[0]): Promise<NodeStatus> {
    const startedAt = performance.now();
    const status = await clients[i]!.status(settings);
    observations[i] = { status, latencyMs: Math.round(performance.now() - startedAt) };
    return status;
  }

  // A check does not wait for the end of an earlier one, which may wait for another node.
  const readStatus = sharedByKey(async (i: number) => {
    if (notBefore[i]! > performance.now()) return;
    try {
      await observeStatus(i, { retry: false });
    } catch (error) {
      if (!isNodeFault(error)) throw error;
      if (error.code !== 'node_closed') observations[i] = { fault: error };
      noteRetryAfter(i, error);
    }
  });

  const workOf = (networkId: string): Network['work'] => networkOf(networkId, options.work ?? NO_WORK_SETTINGS).work;

  function showsWork(block: KeyBlock, networkId: string): boolean {
    const work = workOf(networkId);
    return work === undefined || (!isTooEasy(block, work.intervalMs) && hasWork(block, work.edgeBits));
  }

  /** Whether the target is far easier than it can have become since the head of the trusted chain was made. */
  function isTooEasy({ target }: KeyBlock, intervalMs = 0): boolean {
    if (trusted === undefined || Date.now() - trusted.time > intervalMs * EASING_BLOCKS) return false;
    return difficulty(Number(target)) * MAX_EASING < difficulty(Number(trusted.target));
  }

  /** A claimed height counts, and makes other nodes `behind`, once the node has returned its key block, with its proof of work. */
  const readClaimedBlock = sharedByKey(async (i: number) => {
    const seen = observations[i];
    if (!seen || 'fault' in seen) return;
    const { headHeight, headHash } = seen.status;
    const block = await clients[i]!.keyBlock(headHeight).catch((error: unknown) => {
      if (isNodeFault(error)) return null;
      throw error;
    });
    if (block?.hash === headHash && showsWork(block, seen.status.networkId))
      shown[i] = { height: headHeight, hash: headHash };
  });

  /** Whether the node has shown this head, if heads must have work. Reads it for at most `MAX_WAIT_MS`; a slower answer counts the next time. */
  async function hasShown(i: number, { networkId, headHash }: NodeStatus): Promise<boolean> {
    if (workOf(networkId) === undefined) return true;
    if (shown[i]?.hash !== headHash) await withTimeout(MAX_WAIT_MS, readClaimedBlock(i));
    return shown[i]?.hash === headHash;
  }

  function noteRetryAfter(i: number, fault: NodeFault): void {
    notBefore[i] = performance.now() + (retryAfterMs(fault) ?? 0);
  }

  /** The fault of one node as that of all: its `retry-after` becomes the time until the first node may be asked again. */
  function untilAnyMayBeAsked(fault: NodeFault): NodeFault {
    const ms = Math.min(...notBefore) - performance.now();
    const details = { ...fault.details, retryAfterMs: ms > 0 ? ms : undefined };
    return nodeFault(fault.code, fault.message, { cause: fault.cause, details });
  }

  async function check(): Promise<void> {
    await Promise.all(clients.map((_, i) => readStatus(i)));
    await Promise.all(unshownClaims(observations, adopt(observations, expected), findings()).map(readClaimedBlock));
    checkedAt = performance.now();
    chooseNode();
  }

  /** Waits for a check until a node can be used. While the chain to follow is not known, all nodes must be asked: the first one decides. */
  async function checkUntilUsable(): Promise<number | undefined> {
    const checked = check().then(() => true);
    const isKnown = expected.networkId !== undefined && expected.genesisHash !== undefined;
    for (;;) {
      const isOver = isKnown ? await withTimeout(MAX_WAIT_MS, checked) : await checked;
      checkedAt = performance.now();
      const at = chooseNode();
      if (at !== undefined || isOver === true) return at;
    }
  }

  function checkInBackground(): void {
    if (performance.now() - usedAt > IDLE_CHECKS * checkMs) return;
    check().catch((error: unknown) => logger.error({ err: error }, 'Failed to check the nodes'));
  }

  async function firstToAsk(): Promise<number | undefined> {
    if (closed) throw nodeFault('node_closed', 'the nodes are no longer in use');
    usedAt = performance.now();
    timer ??= setInterval(checkInBackground, checkMs).unref();
    const isRecent = usedAt - checkedAt <= 3 * checkMs;
    return (isRecent ? chooseNode() : undefined) ?? (await checkUntilUsable());
  }

  async function ask<T>(request: (client: NodeClient, i: number) => Promise<T>): Promise<T> {
    let at = await firstToAsk();
    const excluded = new Set<number>();
    const faults: NodeFault[] = [];
    while (at !== undefined) {
      try {
        return await request(clients[at]!, at);
      } catch (error) {
        if (!isNodeFault(error) || error.code === 'node_closed') throw error;
        faults.push(error);
        excluded.add(at);
        // A busy node is healthy: this request goes to another node, later ones may use it again.
        if (error.code !== 'node_busy') observations[at] = { fault: error };
        noteRetryAfter(at, error);
        at = chooseNode(excluded);
      }
    }
    throw untilAnyMayBeAsked(mostSpecific(faults.length > 0 ? faults : faultsOfAll()));
  }

  /** A block that one node returns without a signature, and that the others do not have, was made up: the chain of another node must be read. */
  async function microBlock(...of: Parameters<NodeClient['microBlock']>): Promise<MicroBlock | null> {
    let unsigned: NodeFault | undefined;
    const block = await ask(async (client) => {
      try {
        return await client.microBlock(...of);
      } catch (error) {
        if (isNodeFault(error) && error.code === 'node_unsigned') unsigned = error;
        throw error;
      }
    });
    if (block !== null || unsigned === undefined) return block;
    const details = { ...unsigned.details, retryAfterMs: undefined, isMadeUp: true };
    throw nodeFault('node_unsigned', unsigned.message, { details });
  }

  const faultsOfAll = (): NodeFault[] => clients.map((_, i) => faultOf(i)).filter((fault) => fault !== undefined);

  /**
   * Asks for something that a node adds to the facts of the chain: the followed node, then the others, until one has it. A fault does not
   * change the state of a node, because it says nothing about the blocks that the node has.
   */
  async function askForAddition<T>(request: (client: NodeClient) => Promise<T | null>): Promise<FromNode<T> | null> {
    const first = await firstToAsk();
    const isUsable = (i: number): boolean => states[i] === 'ok' || states[i] === 'syncing';
    const others = first === undefined ? [] : [...clients.keys()].filter((i) => i !== first && isUsable(i));
    const faults: NodeFault[] = [];
    let isMissing = false;
    for (const at of first === undefined ? [] : [first, ...others]) {
      try {
        const answer = await request(clients[at]!);
        if (answer !== null) return { answer, url: addresses[at]!.url };
        isMissing = true;
      } catch (error) {
        if (!isNodeFault(error) || error.code === 'node_closed') throw error;
        faults.push(error);
      }
    }
    if (isMissing) return null;
    throw mostSpecific(faults.length > 0 ? faults : faultsOfAll());
  }

  const infoWithNode: NodePool['infoWithNode'] = (hash, signal) =>
    askForAddition((client) => client.info(hash, signal));

  /** Peer key of a node of the expected chain. */
  function peerKey(i: number): string | undefined {
    const seen = observations[i];
    return seen && 'status' in seen && !wrongChain(seen.status, i) ? seen.status.peerKey : undefined;
  }

  /** Indexes of the nodes that are not the node `i`, one for each peer key. */
  function othersOf(i: number | undefined): number[] {
    const own = i === undefined ? undefined : peerKey(i);
    if (own === undefined) return [];
    const keys = clients.map((_, at) => peerKey(at));
    return [...clients.keys()].filter(
      (at) => keys[at] !== undefined && keys[at] !== own && keys.indexOf(keys[at]) === at,
    );
  }

  return {
    status: () =>
      ask(async (_, i) => {
        const status = await observeStatus(i);
        const wrong = wrongChain(status, i);
        if (wrong) throw wrong;
        return status;
      }),
    currentGeneration: () =>
      ask(async (client) => {
        const current = await client.currentGeneration();
        running = current.keyBlock;
        return current;
      }),
    generation: (height) => ask((client) => client.generation(height)),
    keyBlock: (height) => ask((client) => client.keyBlock(height)),
    microBlock,
    infoWithNode,
    others: (url) =>
      othersOf(addresses.findIndex((address) => address.url === url)).map((i) => ({
        url: addresses[i]!.url,
        node: clients[i]!,
      })),
    peerKeys: () => clients.map((_, i) => peerKey(i)),
    info: async (hash, signal) => (await infoWithNode(hash, signal))?.answer ?? null,
    contractCode: async (contractId) =>
      (await askForAddition((client) => client.contractCode(contractId)))?.answer ?? null,
    get: (path) => ask((client) => client.get(path)),
    expect(chain) {
      expected = { ...chain };
      if (checkedAt > -Infinity) chooseNode();
    },
    trust() {
      onTrial = undefined;
      trusted = running;
      if (followed !== undefined) demotions[followed] = undefined;
    },
    demote(reason, isHeld = false) {
      onTrial = undefined;
      if (followed === undefined) return false;
      const demoted = followed;
      const last = demotions[demoted];
      // A demoted node is followed while no other one can be used.
      if (last !== undefined && isDemoted(demoted)) {
        last.isHeld = isHeld;
        return false;
      }
      const times = (last?.times ?? 0) + 1;
      const forMs = (options.demoteMs ?? DEMOTE_MS) * Math.min(MAX_DEMOTION, 2 ** (times - 1));
      demotions[demoted] = { reason, isHeld, times, until: performance.now() + forMs };
      chooseNode();
      return followed !== demoted;
    },
    async tryOtherBranch(head, storedAt) {
      if (clients.length === 1 || performance.now() - lookedForBranchesAt < checkMs) return;
      lookedForBranchesAt = performance.now();
      for (const [i, client] of clients.entries()) {
        const seen = observations[i];
        if (i === followed || !seen || 'fault' in seen || wrongChain(seen.status, i)) continue;
        const { headHeight, headHash } = seen.status;
        const isStored = headHeight <= head && (await storedAt(headHeight)) === headHash;
        if (isStored) demotions[i] = undefined;
        strayed[i] = isStored ? 0 : strayed[i]! + 1;
        if (isStored || isDemoted(i) || states[i] === 'syncing') continue;
        // Above this height honest nodes differ for short times.
        const height = Math.min(head, headHeight) - TOLERATED_GENERATIONS;
        const read = height < 0 ? undefined : client.keyBlock(height).catch(() => null);
        const block = read && (await withTimeout(MAX_WAIT_MS, read));
        const isDeep = block != null && block.hash !== (await storedAt(height));
        if (!isDeep && strayed[i] < STRAYED_LOOKS) continue;
        if (!(await hasShown(i, seen.status))) continue;
        logger.info({ node: addresses[i]!.url, height: headHeight }, 'Trying a node whose head is not stored');
        strayed[i] = 0;
        followed = onTrial = i;
        return;
      }
    },
    hasDemoted: () => demotions.some(mayBeTried),
    hasHeldReorg: () => demotions.some((demotion, i) => mayBeTried(demotion, i) && demotion?.isHeld === true),
    async headHash() {
      const at = followed;
      if (closed || at === undefined || notBefore[at]! > performance.now()) return undefined;
      try {
        return await clients[at]!.headHash();
      } catch (error) {
        if (!isNodeFault(error)) throw error;
        noteRetryAfter(at, error);
        return undefined;
      }
    },
    async object(path, interpret) {
      const at = followed;
      if (closed || at === undefined || notBefore[at]! > performance.now()) return undefined;
      const waiting = new AbortController();
      try {
        return await withTimeout(MAX_WAIT_MS, clients[at]!.object(path, interpret, waiting.signal));
      } catch (error) {
        if (!isNodeFault(error)) throw error;
        return undefined;
      } finally {
        waiting.abort();
      }
    },
    async confirms(height, hash) {
      // The first node that has it decides: another one may not answer.
      const confirmed = othersOf(followed).map(async (i) => {
        if ((await clients[i]!.keyBlock(height))?.hash !== hash) throw new Error('another block, or none');
      });
      return Promise.any(confirmed).then(
        () => true,
        () => false,
      );
    },
    async keyBlocksAt(height) {
      const read = othersOf(followed).map(async (rank) => {
        const block = await withTimeout(MAX_WAIT_MS, clients[rank]!.keyBlock(height)).catch(() => undefined);
        return block == null ? [] : [{ rank, hash: block.hash }];
      });
      const key = followed === undefined ? undefined : peerKey(followed);
      const first = clients.findIndex((_, i) => key !== undefined && peerKey(i) === key);
      return { followed: first < 0 ? (followed ?? 0) : first, others: (await Promise.all(read)).flat() };
    },
    async followedHeight() {
      const at = followed ?? 0;
      await readStatus(at);
      chooseNode();
      const { state, height } = report()[at]!;
      return state === 'ok' || state === 'syncing' ? (height ?? undefined) : undefined;
    },
    report,
    async check() {
      await check();
      return report();
    },
    close() {
      closed = true;
      clearInterval(timer);
      for (const client of clients) client.close();
    },
  };
}
