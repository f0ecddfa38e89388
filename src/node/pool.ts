import type { Logger } from '../observe/logger.js';
import { serviceAddress } from './address.js';
import { createNodeClient } from './client.js';
import type { ChainNode, NodeClient } from './client.js';
import { isNodeFault, mostTelling, nodeFault, retryAfterMs } from './faults.js';
import type { NodeFault } from './faults.js';
import { adopt, choose, judge, mismatch } from './health.js';
import type { ExpectedChain, NodeState, Sighting } from './health.js';
import type { NodeStatus } from './status.js';
import type { RequestOutcome } from './transport.js';

export interface NodeReport {
  /** Without credentials. */
  url: string;
  state: NodeState;
  /** Whether reads go to this node. */
  followed: boolean;
  /** Of the top key block; null if the node could not be asked. */
  height: number | null;
  latencyMs: number | null;
  /** Why the node is not used. */
  reason: string | null;
}

export interface NodeObserver {
  request?(outcome: RequestOutcome, seconds: number): void;
  /** A node changed its state, or another one is followed. */
  change?(reports: NodeReport[]): void;
}

export interface NodePoolOptions {
  /** In order of preference. */
  urls: readonly string[];
  api: 'auto' | 'v2' | 'v3';
  /** Longest silence of a node, milliseconds; a whole answer may take four times as long. */
  timeoutMs: number;
  /** Most requests at once to one node. */
  concurrency: number;
  logger: Logger;
  /** Known of the wanted chain; what is missing is taken from the first healthy node. */
  expected?: ExpectedChain;
  observe?: NodeObserver;
  /** Ends everything under way, waits included. */
  signal?: AbortSignal;
  /** Milliseconds between health checks while in use. */
  checkMs?: number;
  /** Longest `retry-after` of a lone node that is waited for before a read fails, milliseconds. */
  patienceMs?: number;
  /** Waits between attempts, milliseconds. */
  retries?: readonly number[];
  deadlineMs?: number;
  maxBytes?: number;
}

export interface NodePool extends ChainNode {
  /** Fixes the wanted chain, for example to that of the database; nodes of another one are no longer used. */
  expect(chain: ExpectedChain): void;
  report(): NodeReport[];
  /** Asks all nodes for their status now, but for those that asked to be left alone for a while. */
  check(): Promise<NodeReport[]>;
}

const CHECK_MS = 5000;
/** Checks without a read in between after which the background checks pause. */
const IDLE_CHECKS = 12;
/** With another node at hand nobody waits long for a busy one. */
const PATIENCE_WITH_OTHERS_MS = 1000;

/**
 * Several nodes as one. One of them is followed: all reads go there until it fails, falls behind or turns out to be on
 * another chain. If no node can be used, reads throw the fault that tells most.
 */
export function createNodePool(options: NodePoolOptions): NodePool {
  const { logger, observe } = options;
  const checkMs = options.checkMs ?? CHECK_MS;
  const addresses = options.urls.map(serviceAddress);
  if (addresses.length === 0) throw nodeFault('node_unreachable', 'no node is given');
  const clients = addresses.map((address) =>
    createNodeClient({
      ...options,
      address,
      ...(addresses.length > 1 && { patienceMs: PATIENCE_WITH_OTHERS_MS }),
      onRequest: (outcome, seconds) => observe?.request?.(outcome, seconds),
    }),
  );

  const sightings: (Sighting | undefined)[] = clients.map(() => undefined);
  let expected: ExpectedChain = { ...options.expected };
  let states: readonly (NodeState | undefined)[] = clients.map(() => undefined);
  /** Until when each node asked to be left alone (`performance.now()`). */
  const quietUntil = clients.map(() => -Infinity);
  let followed: number | undefined;
  let checking: Promise<void> | undefined;
  let checkedAt = -Infinity;
  let usedAt = -Infinity;
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
        height: status?.status.topHeight ?? null,
        latencyMs: status?.latencyMs ?? null,
        reason: whyNot(i)?.message ?? null,
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

  /** Draws the conclusions from what was seen, tells of changes and gives the node to follow. */
  function conclude(passed: ReadonlySet<number> = new Set()): number | undefined {
    const before = states;
    const followedBefore = followed;
    expected = adopt(sightings, expected);
    const judged = judge(sightings, expected);
    states = judged;
    const at = choose(judged, followed, passed);
    followed = at ?? followed;
    judged.forEach((state, i) => {
      if (state === before[i]) return;
      const level = state === 'ok' || state === 'syncing' ? 'info' : 'warn';
      logger[level](
        { node: addresses[i]!.url, state, was: before[i], reason: whyNot(i)?.message },
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

  function heed(i: number, fault: NodeFault): void {
    quietUntil[i] = performance.now() + (retryAfterMs(fault) ?? 0);
  }

  /** Callers meanwhile share the check under way. A node that asked to be left alone is not asked. */
  function check(): Promise<void> {
    checking ??= Promise.all(clients.map(see))
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
    throw mostTelling(faults.length > 0 ? faults : clients.map((_, i) => whyNot(i)).filter((fault) => !!fault));
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
    get: (path) => ask((client) => client.get(path)),
    expect(chain) {
      expected = { ...chain };
      if (checkedAt > -Infinity) conclude();
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
