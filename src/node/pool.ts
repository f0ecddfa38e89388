import type { ProofLevel } from '../chain/proof/level.js';
import type { Logger } from '../observe/logger.js';
import { serviceAddress } from './address.js';
import { createNodeClient } from './client.js';
import type { ChainNode, NodeClient } from './client.js';
import { isNodeFault, mostSpecific, nodeFault, retryAfterMs } from './faults.js';
import type { NodeFault } from './faults.js';
import { TOLERATED_GENERATIONS, adopt, choose, judge, mismatch, unshownClaims } from './health.js';
import type { ExpectedChain, Finding, NodeState, Sighting } from './health.js';
import { provenNode } from './proven.js';
import type { NodeStatus } from './status.js';
import type { RequestOutcome } from './transport.js';

interface NodeReport {
  /** Without credentials. */
  url: string;
  state: NodeState;
  /** Whether reads go to this node. */
  followed: boolean;
  /** Of the newest key block; null if the node could not be asked. */
  height: number | null;
  latencyMs: number | null;
  /** Why the node is not used. */
  reason: string | null;
}

interface NodeObserver {
  request?(outcome: RequestOutcome, seconds: number): void;
  /** A node changed its state, or another one is followed. */
  change?(reports: NodeReport[]): void;
}

interface NodePoolOptions {
  /** In order of preference. */
  urls: readonly string[];
  api: 'auto' | 'v2' | 'v3';
  /** Authorities that their certificates must be signed by; the public ones if absent. */
  caFile?: string | undefined;
  /** Max silence of a node, milliseconds; a whole answer may take four times as long. */
  timeoutMs: number;
  /** Max requests at once to one node. */
  concurrency: number;
  logger: Logger;
  /** How much of what a node says of blocks must be proven; nothing if absent. */
  proof?: ProofLevel;
  /** For how long a node is not asked after a block that is not proven, milliseconds. */
  distrustMs?: number;
  /** Known of the wanted chain; what is missing is taken from the first healthy node. */
  expected?: ExpectedChain;
  observe?: NodeObserver;
  /** Ends everything under way, waits included. */
  signal?: AbortSignal;
  /** Milliseconds between health checks while in use. */
  checkMs?: number;
  /** How long a node is doubted the first time, milliseconds; it doubles each time, up to five times as long. */
  doubtMs?: number;
  /** Max `retry-after` of a lone node that is waited for before a read fails, milliseconds. */
  patienceMs?: number;
  /** Waits between attempts, milliseconds. */
  retries?: readonly number[];
  deadlineMs?: number;
  maxBytes?: number;
}

export interface NodePool extends ChainNode {
  /** Fixes the wanted chain, for example to that of the database; nodes of another one are no longer used. */
  expect(chain: ExpectedChain): void;
  /**
   * What a reader found out about the chain of the followed node: why it is not the chain to follow, or null when it is. A
   * node that is doubted is left for another one, and tried again after a while. `isHeld`: its branch would be followed if
   * somebody vouched for it. Returns whether another node is followed now.
   */
  doubt(reason: string | null, isHeld?: boolean): boolean;
  /**
   * Follows another node if it is on another branch than the stored one, whose key blocks `storedAt` gives up to `head`, or
   * stays ahead: to find out which of the two has more work, the branch must be read. A node that has come back to the stored
   * branch is no longer doubted. Looks no more often than the nodes are checked.
   */
  tryRival(head: number, storedAt: (height: number) => Promise<string | null>): Promise<void>;
  /** Whether any node is doubted that may be tried again: not one that cannot be used when its time is over. */
  hasDoubted(): boolean;
  /** Whether one of these showed a branch that is held back when it was asked last. */
  hasHeld(): boolean;
  /**
   * Hash of the last block at the followed node, which is not judged by the answer: undefined when it gives none, or asked to
   * be left alone.
   */
  headHash(): Promise<string | undefined>;
  /** Whether a node of the wanted chain other than the followed one has this key block. */
  confirms(height: number, hash: string): Promise<boolean>;
  report(): NodeReport[];
  /** Asks all nodes for their status now, but for those that asked to be left alone for a while. */
  check(): Promise<NodeReport[]>;
}

const CHECK_MS = 5000;
const DOUBT_MS = 60_000;
/** Times the first doubt. */
const MAX_DOUBT = 5;
/** Looks in a row, longer together than a key block takes, after which a head that is not stored is no matter of a moment. */
const STRAYED_LOOKS = 40;
/** Checks without a read in between after which the background checks pause. */
const IDLE_CHECKS = 12;
/** With other nodes to ask, a busy one is not waited for long. */
const PATIENCE_WITH_OTHERS_MS = 1000;

interface Doubt {
  reason: string;
  /** It showed a branch that is held back. */
  isHeld: boolean;
  /** How often since it was last found to be right. */
  times: number;
  /** `performance.now()` */
  until: number;
}

/**
 * Several nodes as one. One of them is followed: all reads go there until it fails, falls behind, is doubted or turns
 * out to be on another chain. If no node can be used, reads throw the fault that says most about the cause.
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
        ...(addresses.length > 1 && { patienceMs: PATIENCE_WITH_OTHERS_MS }),
        onRequest: (outcome, seconds) => observe?.request?.(outcome, seconds),
      }),
      options.proof ?? 'off',
      options.distrustMs,
    ),
  );

  const sightings: (Sighting | undefined)[] = clients.map(() => undefined);
  let expected: ExpectedChain = { ...options.expected };
  let states: readonly (NodeState | undefined)[] = clients.map(() => undefined);
  const shownHeights = clients.map(() => -1);
  /** Since the last good answer of each node. */
  const doubts: (Doubt | undefined)[] = clients.map(() => undefined);
  /** Looks in a row at which the head of each node was not stored. */
  const strayed = clients.map(() => 0);
  /** Until when each node asked to be left alone (`performance.now()`). */
  const quietUntil = clients.map(() => -Infinity);
  let followed: number | undefined;
  let checking: Promise<void> | undefined;
  let checkedAt = -Infinity;
  let usedAt = -Infinity;
  let rivalsAt = -Infinity;
  /** The node that is followed until it is known which branch has more work. */
  let tried: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const report = (): NodeReport[] =>
    addresses.map(({ url }, i) => {
      const seen = sightings[i];
      const status = seen && 'status' in seen ? seen : undefined;
      return {
        url,
        state: states[i] ?? 'unreachable',
        followed: i === followed,
        height: status?.status.headHeight ?? null,
        latencyMs: status?.latencyMs ?? null,
        reason: whyNot(i)?.message ?? (isDoubted(i) ? doubts[i]!.reason : null),
      };
    });

  function whyNot(i: number): NodeFault | undefined {
    const seen = sightings[i];
    if (!seen) return undefined;
    return 'fault' in seen ? seen.fault : wrongChain(seen.status, i);
  }

  function wrongChain(status: NodeStatus, i: number): NodeFault | undefined {
    const wrong = mismatch(status, expected);
    return wrong && nodeFault(wrong.code, `node ${addresses[i]!.url} ${wrong.message}`);
  }

  const isDoubted = (i: number): boolean => performance.now() < (doubts[i]?.until ?? -Infinity);

  const mayBeTried = (doubt: Doubt | undefined, i: number): boolean =>
    doubt !== undefined && (isDoubted(i) || whyNot(i) === undefined);

  const findings = (): Finding[] =>
    clients.map((_, i) => ({ shownHeight: shownHeights[i]!, doubted: isDoubted(i), tried: i === tried }));

  /** Draws the conclusions from what was seen, reports changes and returns the node to follow. */
  function conclude(passed: ReadonlySet<number> = new Set()): number | undefined {
    const before = states;
    const followedBefore = followed;
    expected = adopt(sightings, expected);
    const found = findings();
    const judged = judge(sightings, expected, found);
    states = judged;
    const at = choose(judged, followed, passed, found);
    followed = at ?? followed;
    if (followed !== tried) tried = undefined;
    judged.forEach((state, i) => {
      if (state === before[i]) return;
      const level = state === 'ok' || state === 'syncing' ? 'info' : 'warn';
      logger[level](
        { node: addresses[i]!.url, state, was: before[i], reason: whyNot(i)?.message ?? doubts[i]?.reason },
        'Node changed state',
      );
    });
    if (followed !== followedBefore) logger.info({ node: addresses[followed!]!.url }, 'Following node');
    if (followed !== followedBefore || judged.some((state, i) => state !== before[i])) observe?.change?.(report());
    return at;
  }

  async function see(client: NodeClient, i: number): Promise<void> {
    const startedAt = performance.now();
    if (quietUntil[i]! > startedAt) return;
    try {
      const status = await client.status({ retry: false });
      sightings[i] = { status, latencyMs: Math.round(performance.now() - startedAt) };
    } catch (error) {
      if (!isNodeFault(error)) throw error;
      if (error.code !== 'node_closed') sightings[i] = { fault: error };
      heed(i, error);
    }
  }

  /** A height that would make other nodes behind counts once its key block is there. */
  async function seeClaimed(i: number): Promise<void> {
    const seen = sightings[i];
    if (!seen || 'fault' in seen) return;
    const { headHeight, headHash } = seen.status;
    const block = await clients[i]!.keyBlock(headHeight).catch((error: unknown) => {
      if (isNodeFault(error)) return null;
      throw error;
    });
    if (block?.hash === headHash) shownHeights[i] = headHeight;
  }

  function heed(i: number, fault: NodeFault): void {
    quietUntil[i] = performance.now() + (retryAfterMs(fault) ?? 0);
  }

  /** Callers meanwhile share the check under way. A node that asked to be left alone is not asked. */
  function check(): Promise<void> {
    checking ??= Promise.all(clients.map(see))
      .then(() => Promise.all(unshownClaims(sightings, adopt(sightings, expected), findings()).map(seeClaimed)))
      .then(() => {
        checkedAt = performance.now();
        conclude();
      })
      .finally(() => (checking = undefined));
    return checking;
  }

  function checkInBackground(): void {
    if (performance.now() - usedAt > IDLE_CHECKS * checkMs) return;
    check().catch((error: unknown) => logger.error({ err: error }, 'Failed to check the nodes'));
  }

  async function ask<T>(question: (client: NodeClient, i: number) => Promise<T>): Promise<T> {
    if (closed) throw nodeFault('node_closed', 'the nodes are no longer in use');
    usedAt = performance.now();
    timer ??= setInterval(checkInBackground, checkMs).unref();
    if (usedAt - checkedAt > 3 * checkMs) await check();
    let at = conclude();
    if (at === undefined) {
      await check();
      at = conclude();
    }
    const passed = new Set<number>();
    const faults: NodeFault[] = [];
    while (at !== undefined) {
      try {
        return await question(clients[at]!, at);
      } catch (error) {
        if (!isNodeFault(error) || error.code === 'node_closed') throw error;
        faults.push(error);
        passed.add(at);
        // A busy node is in good health: it is left alone now, and can be followed again later.
        if (error.code !== 'node_busy') sightings[at] = { fault: error };
        heed(at, error);
        at = conclude(passed);
      }
    }
    throw mostSpecific(faults.length > 0 ? faults : clients.map((_, i) => whyNot(i)).filter((fault) => !!fault));
  }

  return {
    status: () =>
      ask(async (client, i) => {
        const startedAt = performance.now();
        const status = await client.status();
        const wrong = wrongChain(status, i);
        if (wrong) throw wrong;
        sightings[i] = { status, latencyMs: Math.round(performance.now() - startedAt) };
        return status;
      }),
    currentGeneration: () => ask((client) => client.currentGeneration()),
    generation: (height) => ask((client) => client.generation(height)),
    keyBlock: (height) => ask((client) => client.keyBlock(height)),
    microBlock: (hash) => ask((client) => client.microBlock(hash)),
    info: (hash) => ask((client) => client.info(hash)),
    contractCode: (contractId) => ask((client) => client.contractCode(contractId)),
    get: (path) => ask((client) => client.get(path)),
    expect(chain) {
      expected = { ...chain };
      if (checkedAt > -Infinity) conclude();
    },
    doubt(reason, isHeld = false) {
      tried = undefined;
      if (followed === undefined) return false;
      const doubted = followed;
      if (reason === null) {
        doubts[doubted] = undefined;
        return false;
      }
      const last = doubts[doubted];
      // It is still asked where there is no other.
      if (last !== undefined && isDoubted(doubted)) {
        last.isHeld = isHeld;
        return false;
      }
      const times = (last?.times ?? 0) + 1;
      const forMs = (options.doubtMs ?? DOUBT_MS) * Math.min(MAX_DOUBT, 2 ** (times - 1));
      doubts[doubted] = { reason, isHeld, times, until: performance.now() + forMs };
      conclude();
      return followed !== doubted;
    },
    async tryRival(head, storedAt) {
      if (clients.length === 1 || performance.now() - rivalsAt < checkMs) return;
      rivalsAt = performance.now();
      for (const [i, client] of clients.entries()) {
        const seen = sightings[i];
        if (i === followed || !seen || 'fault' in seen || wrongChain(seen.status, i)) continue;
        const { headHeight, headHash } = seen.status;
        const isStored = headHeight <= head && (await storedAt(headHeight)) === headHash;
        if (isStored) doubts[i] = undefined;
        strayed[i] = isStored ? 0 : strayed[i]! + 1;
        if (isStored || isDoubted(i) || states[i] === 'syncing') continue;
        // Above that honest nodes differ for a moment now and then.
        const height = Math.min(head, headHeight) - TOLERATED_GENERATIONS;
        const block = height < 0 ? null : await client.keyBlock(height).catch(() => null);
        const isDeep = block !== null && block.hash !== (await storedAt(height));
        if (!isDeep && strayed[i] < STRAYED_LOOKS) continue;
        logger.info({ node: addresses[i]!.url, height: headHeight }, 'Trying a node whose head is not stored');
        strayed[i] = 0;
        followed = tried = i;
        return;
      }
    },
    hasDoubted: () => doubts.some(mayBeTried),
    hasHeld: () => doubts.some((doubt, i) => mayBeTried(doubt, i) && doubt?.isHeld === true),
    async headHash() {
      const at = followed;
      if (closed || at === undefined || quietUntil[at]! > performance.now()) return undefined;
      try {
        return await clients[at]!.headHash();
      } catch (error) {
        if (!isNodeFault(error)) throw error;
        heed(at, error);
        return undefined;
      }
    },
    async confirms(height, hash) {
      const others = clients.filter((_, i) => {
        const seen = sightings[i];
        return i !== followed && seen !== undefined && 'status' in seen && !wrongChain(seen.status, i);
      });
      const blocks = await Promise.all(others.map((client) => client.keyBlock(height).catch(() => null)));
      return blocks.some((block) => block?.hash === hash);
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
