import { setTimeout as pause } from 'node:timers/promises';
import { MalformedError } from '../chain/malformed.js';
import type { NodePool } from '../node/pool.js';
import { backoffMs } from '../observe/backoff.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import {
  goLive,
  readIdentity,
  readTip,
  storedKeyBlock,
  topAge,
  writeIdentity,
  writeNodeSeen,
} from '../store/chain-state.js';
import type { Database } from '../store/database.js';
import { acquireLease } from '../store/lease.js';
import type { Lease } from '../store/lease.js';
import type { CallDecoder } from './decode.js';
import { decodeCalls } from './decode.js';
import { fillGaps } from './gaps.js';
import { syncOnce } from './sync.js';
import type { SyncContext } from './sync.js';

export interface PopulateOptions {
  database: Database;
  node: NodePool;
  decoder: CallDecoder;
  config: { pollIntervalMs: number; leaseSeconds: number };
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  /** How far the load has got; told after each commit and each look at the node. */
  onProgress?: (state: { done: number; total: number; height: number; transactions: number }) => void;
}

/** Fetched ahead and joined to one commit: what keeps both the node and the database busy within some 50 MiB. */
const WINDOW = { generations: 128, transactions: 6_000 };
const BATCH = { blocks: 1_000, transactions: 3_000 };

/** Longest pause between attempts while something is wrong, ms. */
const LONGEST_PAUSE_MS = 5_000;

/** Populates until aborted: waits for the lease, loads what is missing, follows the top. Never gives up, never deletes in doubt. */
export async function populate(options: PopulateOptions): Promise<void> {
  const { database, logger, metrics, signal } = options;
  let failures = 0;
  await refuseOtherChain(options);
  while (!signal.aborted) {
    let lease: Lease | undefined;
    try {
      metrics.writerRole.set({ role: 'waiting' }, 1);
      metrics.writerRole.set({ role: 'writer' }, 0);
      lease = await acquireLease({ database, seconds: options.config.leaseSeconds, logger, signal });
      metrics.writerEpoch.set(Number(lease.epoch));
      metrics.writerRole.set({ role: 'waiting' }, 0);
      metrics.writerRole.set({ role: 'writer' }, 1);
      logger.info({ epoch: String(lease.epoch) }, 'Took the lease to populate');
      failures = 0;
      await populateUnder(lease, options);
    } catch (error) {
      if (signal.aborted) break;
      const fault = asMiddlewareError(error);
      if (fault.fault === 'bad_request' || fault.fault === 'internal') throw fault;
      logger.warn({ code: fault.code, reason: fault.message }, 'Stopped populating, will try again');
      await waitOrAbort(backoffMs(failures++, 100, LONGEST_PAUSE_MS), signal);
    } finally {
      forget(metrics);
      await lease?.release();
    }
  }
}

/** Of the chain and the node only the process that writes knows; what it knew is no longer so when another one does. */
function forget(metrics: Metrics): void {
  const { nodeHeight, databaseHeight, lagBlocks, lagSeconds, queueHeights, loadRate, decodeBacklog } = metrics;
  const known = [nodeHeight, databaseHeight, lagBlocks, lagSeconds, queueHeights, loadRate, decodeBacklog];
  for (const gauge of [...known, metrics.writerEpoch]) gauge.remove();
  metrics.nodeState.reset();
}

async function populateUnder(lease: Lease, options: PopulateOptions): Promise<void> {
  const { database, node, logger, metrics } = options;
  const signal = AbortSignal.any([options.signal, lease.lost]);
  const identity = await readIdentity(database);
  if (identity !== null) node.expect(identity);
  const start = await readTip(database);
  const counts = { transactions: 0, height: start?.height ?? -1, nodeHeight: 0 };
  metrics.loadRate.set(0);
  const context: SyncContext = {
    database,
    node,
    fence: (tx) => lease.fence(tx),
    window: WINDOW,
    batch: BATCH,
    signal,
    onCommit({ heights, transactions, invalid, wrongHashes }, height) {
      counts.transactions += transactions;
      metrics.heightsLoaded.inc(heights);
      metrics.transactionsLoaded.inc(transactions);
      metrics.undecodableTransactions.inc(invalid);
      metrics.wrongHashes.inc(wrongHashes.length);
      if (wrongHashes.length > 0) logger.error({ blocks: wrongHashes }, 'Contents of blocks do not give their hashes');
      rate.add(transactions);
      counts.height = height;
      told();
    },
    onFork(depth) {
      metrics.forks.inc({ kind: depth === 0 ? 'micro' : 'key' });
      metrics.forkDepth.observe(depth);
      logger.info({ depth }, depth === 0 ? 'Replaced micro blocks of a fork' : 'Replaced generations of a fork');
    },
  };
  const rate = createRate((perSecond) => metrics.loadRate.set(perSecond));
  const compare = (): void => {
    const { height, nodeHeight } = counts;
    if (height >= 0) metrics.databaseHeight.set(height);
    metrics.queueHeights.set(Math.max(0, nodeHeight - height));
    metrics.lagBlocks.set(Math.max(0, nodeHeight - height));
  };
  const told = (): void => {
    const { height } = counts;
    const first = start === null ? 0 : start.height + 1;
    compare();
    options.onProgress?.({
      done: Math.max(0, height - first + 1),
      total: Math.max(0, counts.nodeHeight - first + 1),
      height,
      transactions: counts.transactions,
    });
  };
  let caughtUp = false;
  const following = new AbortController();
  const decoding = decodeCalls({
    ...options,
    signal: AbortSignal.any([signal, following.signal]),
    fence: context.fence,
    mayWork: () => caughtUp,
  });
  try {
    await follow(context, options, signal, {
      onLook(nodeHeight) {
        counts.nodeHeight = nodeHeight;
        metrics.nodeHeight.set(nodeHeight);
        compare();
      },
      async onRound(state, changed) {
        if (state === 'ok' && !changed && !caughtUp) {
          caughtUp = true;
          await goLive(database);
          logger.info('Caught up with the node');
        }
      },
    });
  } finally {
    // Also after a fault: otherwise the decoding would go on under a lease that nobody else could take.
    following.abort();
    await decoding;
  }
}

interface FollowHooks {
  onLook: (nodeHeight: number) => void;
  onRound: (state: 'ok' | 'behind', changed: boolean) => Promise<void>;
}

/** Rounds until the signal. A fault of the node is waited out; one of the lease or the database ends the loop. */
async function follow(
  loading: SyncContext,
  options: PopulateOptions,
  signal: AbortSignal,
  hooks: FollowHooks,
): Promise<void> {
  const { database, node, logger, metrics, config } = options;
  const states = new Set<string>();
  let state = '';
  let failures = 0;
  let mayHaveGaps = true;
  const context: SyncContext = {
    ...loading,
    onCommit: (...committed) => {
      // However often it fails: a node that brings the load on is asked again soon.
      failures = 0;
      loading.onCommit(...committed);
    },
  };
  const enter = async (next: string, nodeHeight: number | null, reason?: string): Promise<void> => {
    states.add(next);
    for (const known of states) metrics.nodeState.set({ state: known }, known === next ? 1 : 0);
    if (next !== state) {
      if (next === 'ok') {
        if (state !== '') logger.info('The node is well again');
      } else logger.warn({ state: next, reason }, 'Waiting for the node; nothing is deleted meanwhile');
      state = next;
    }
    await writeNodeSeen(database, { height: nodeHeight, state: next });
  };
  let seenAt = -Infinity;
  while (!signal.aborted) {
    try {
      await checkChain(database, node);
      const seen = (await node.currentGeneration()).keyBlock.height;
      hooks.onLook(seen);
      if (mayHaveGaps) {
        mayHaveGaps = false;
        await fillGaps(context);
      }
      if (performance.now() - seenAt > 2_000 || state !== 'ok') {
        seenAt = performance.now();
        await writeNodeSeen(database, { height: seen, state: state === '' ? 'loading' : state });
      }
      const result = await syncOnce(context);
      hooks.onLook(result.nodeHeight);
      if (state !== result.state || result.changed) await enter(result.state, result.nodeHeight);
      await hooks.onRound(result.state, result.changed);
      failures = 0;
      await lagSeconds(database, metrics);
      if (!result.changed) await waitOrAbort(config.pollIntervalMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      const fault = asMiddlewareError(error);
      if (!isOfNode(fault)) throw fault;
      mayHaveGaps ||= fault.code === 'chain_moved';
      await enter(fault.code, null, fault.message);
      await lagSeconds(database, metrics);
      const asked = fault.details['retryAfterMs'];
      const growing = backoffMs(failures++, config.pollIntervalMs, LONGEST_PAUSE_MS);
      await waitOrAbort(typeof asked === 'number' ? Math.min(asked, 30_000) : growing, signal);
    }
  }
}

/** A database of another network is a mistake of the one who starts: said at once. Later on, such a node is waited out. */
async function refuseOtherChain({ database, node }: PopulateOptions): Promise<void> {
  const identity = await readIdentity(database);
  if (identity === null) return;
  node.expect(identity);
  const reports = await node.check();
  if (!reports.every(({ state }) => state === 'wrong_network' || state === 'wrong_genesis')) return;
  throw new MiddlewareError(
    'bad_request',
    'wrong_chain',
    `The database holds network ${identity.networkId} (genesis ${identity.genesisHash}): ${reports[0]?.reason ?? 'the node is of another'}`,
  );
}

/** The database holds one chain: its identity is written before the first block, and compared with what is stored. */
async function checkChain(database: Database, node: NodePool): Promise<void> {
  const stored = await readIdentity(database);
  if (stored !== null) return;
  const status = await node.status();
  const identity = { networkId: status.networkId, genesisHash: status.genesisHash };
  const genesis = await storedKeyBlock(database, 0);
  if (genesis !== null && genesis.hash !== identity.genesisHash) {
    throw new MiddlewareError(
      'bad_request',
      'wrong_chain',
      `The database holds another chain (genesis ${genesis.hash}) than the node (${identity.genesisHash})`,
    );
  }
  await writeIdentity(database, identity);
  node.expect(identity);
}

async function lagSeconds(database: Database, metrics: Metrics): Promise<void> {
  const age = await topAge(database);
  if (age !== null) metrics.lagSeconds.set(age / 1000);
}

const isOfNode = (fault: MiddlewareError): boolean => fault.code.startsWith('node_') || fault.code === 'chain_moved';

function asMiddlewareError(error: unknown): MiddlewareError {
  if (error instanceof MiddlewareError) return error;
  if (error instanceof MalformedError)
    return new MiddlewareError('unavailable', 'node_malformed', error.message, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new MiddlewareError('internal', 'internal', message, { cause: error });
}

const waitOrAbort = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** Transactions per second over the last ten seconds. */
function createRate(set: (perSecond: number) => void): { add: (count: number) => void } {
  const written: { at: number; count: number }[] = [];
  return {
    add(count) {
      const now = performance.now();
      written.push({ at: now, count });
      while (written[0] !== undefined && now - written[0].at > 10_000) written.shift();
      const seconds = Math.max(1, (now - written[0]!.at) / 1000);
      set(written.reduce((sum, { count: each }) => sum + each, 0) / seconds);
    },
  };
}
