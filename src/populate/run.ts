import type { Config } from '../config.js';
import type { NodePool } from '../node/pool.js';
import { backoffMs } from '../runtime/backoff.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { isLive } from '../store/announced.js';
import { goLive, readHead, readIdentity } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { acquireLease } from '../store/lease.js';
import type { Lease } from '../store/lease.js';
import { POPULATORS_STAGE, discardLeftovers, unstage } from '../store/write/staged.js';
import { createBell } from './bell.js';
import type { CallDecoder } from './decode.js';
import { verifyInBackground } from './background.js';
import { decodeCalls } from './decode.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import { follow } from './follow.js';
import type { FollowHooks } from './follow.js';
import { createGapFiller } from './gaps.js';
import { waitOrAbort } from './news.js';

interface PopulateOptions {
  database: Database;
  node: NodePool;
  /** The same nodes, whose blocks are proven in full. */
  prover: NodePool;
  decoder: CallDecoder;
  config: Pick<Config, 'pollIntervalMs' | 'leaseSeconds' | 'powEdgeBits' | 'maxUnprovenReorg' | 'verifyShare'>;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  /** Progress of the load, reported after each commit and each look at the node. */
  onProgress?: (state: { done: number; total: number; height: number; transactions: number }) => void;
}

/**
 * Fetched ahead and joined to one commit. Each commit has some 25 statements whatever it holds, so larger ones cost less a
 * transaction; the bounds keep the process below 300 MiB.
 */
const WINDOW = { generations: 256, transactions: 9_000, characters: 16_000_000 };
const BATCH = { blocks: 2_000, transactions: 6_000, characters: 8_000_000 };

/**
 * Populates until aborted: waits for the lease, loads what is missing, follows the head. What may pass by itself, such as
 * a node or a database that is away, is tried again for ever; wrong settings, a foreign chain and faults of the program
 * are thrown. Deletes nothing in doubt.
 */
export async function populate(options: PopulateOptions): Promise<void> {
  const { database, logger, metrics, signal } = options;
  let failures = 0;
  let isCompared = false;
  while (!signal.aborted) {
    let lease: Lease | undefined;
    try {
      metrics.writerRole.set({ role: 'waiting' }, 1);
      metrics.writerRole.set({ role: 'writer' }, 0);
      if (!isCompared) await refuseOtherChain(options);
      isCompared = true;
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
      await waitOrAbort(backoffMs(failures++, 100, MAX_PAUSE_MS), signal);
    } finally {
      forget(metrics);
      await lease?.release();
    }
  }
}

/** Of the chain and the node only the process that writes knows; what it knew is no longer so when another one does. */
function forget(metrics: Metrics): void {
  const { nodeHeight, databaseHeight, lagBlocks, lagSeconds, queueHeights, loadRate, decodeBacklog, heldReorg } =
    metrics;
  const known = [nodeHeight, databaseHeight, lagBlocks, lagSeconds, queueHeights, loadRate, decodeBacklog, heldReorg];
  for (const gauge of [...known, metrics.provenHeight, metrics.writerEpoch]) gauge.remove();
  metrics.nodeState.reset();
}

async function populateUnder(lease: Lease, options: PopulateOptions): Promise<void> {
  const { database, node, logger, metrics } = options;
  const signal = AbortSignal.any([options.signal, lease.lost]);
  const identity = await readIdentity(database);
  if (identity !== null) for (const pool of [node, options.prover]) pool.expect(identity);
  await discardLeftovers(database);
  // Another process may have wanted less of it than this one does.
  await unstage(database, POPULATORS_STAGE);
  const start = await readHead(database);
  const counts = { transactions: 0, height: start?.height ?? -1, nodeHeight: 0 };
  metrics.loadRate.set(0);
  const following = new AbortController();
  const ended = AbortSignal.any([signal, following.signal]);
  const stored = createBell(ended);
  const context: SyncContext = {
    database,
    node,
    fence: (tx) => lease.fence(tx),
    window: WINDOW,
    batch: BATCH,
    // Known with the network.
    edgeBits: undefined,
    maxUnprovenReorg: options.config.maxUnprovenReorg,
    confirms: (height, hash) => node.confirms(height, hash),
    signal,
    onCommit({ heights, transactions, invalid, unproven }, height) {
      counts.transactions += transactions;
      metrics.heightsLoaded.inc(heights);
      metrics.transactionsLoaded.inc(transactions);
      metrics.undecodableTransactions.inc(invalid);
      for (const { type } of unproven) metrics.unproven.inc({ type });
      if (unproven.length > 0) logger.warn({ unproven: unproven.slice(0, 10) }, 'Stored what could not be proven');
      rate.add(transactions);
      stored.ring();
      counts.height = height;
      reportProgress();
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
  const reportProgress = (): void => {
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
  /** The node had nothing new in the last round, nor since. */
  let isQuiet = false;
  const filler = createGapFiller({
    ...context,
    // The head may be far above.
    onCommit: (committed, height) => context.onCommit(committed, Math.max(height, counts.height)),
    signal: ended,
  });
  const decoding = decodeCalls({
    ...options,
    signal: ended,
    fence: context.fence,
    mayWork: () => caughtUp,
    rest: stored.rest,
  });
  const verifying = verifyInBackground({
    ...options,
    node: options.prover,
    signal: ended,
    fence: context.fence,
    share: options.config.verifyShare,
    powEdgeBits: options.config.powEdgeBits,
    mayWork: () => caughtUp && isQuiet,
  });
  try {
    const hooks: FollowHooks = {
      isCaughtUp: () => caughtUp,
      onLook(nodeHeight) {
        counts.nodeHeight = nodeHeight;
        metrics.nodeHeight.set(nodeHeight);
        compare();
      },
      onMoved() {
        isQuiet = false;
      },
      async onRound(state, changed, hasGaps) {
        isQuiet = state === 'ok' && !changed;
        // A copy whose first load misses heights is still loading, and says so. One that is live may wait for them for long.
        if (state === 'ok' && !changed && !caughtUp && (!hasGaps || (await isLive(database)))) {
          caughtUp = true;
          stored.ring();
          await goLive(database);
          logger.info('Caught up with the node');
        }
      },
    };
    await follow({ ...options, signal, filler, hooks }, context);
  } finally {
    // Also after a fault: otherwise they would go on under a lease that nobody else could take.
    following.abort();
    await filler.idle();
    await decoding;
    await verifying;
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
    'wrong_chain',
    `The database holds network ${identity.networkId} (genesis ${identity.genesisHash}): ${reports[0]?.reason ?? 'the node is of another'}`,
  );
}

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
