import { setMaxListeners } from 'node:events';
import type { Config } from '../config.js';
import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import type { WorkSettings } from '../chain/networks.js';
import type { NodePool } from '../node/pool.js';
import type { RosettaNode } from '../node/rosetta.js';
import { backoffMs } from '../runtime/backoff.js';
import { waitOrAbort } from '../runtime/repeat.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { isLive } from '../store/announced.js';
import { goLive, readHead, readIdentity } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { acquireLease } from '../store/lease.js';
import type { Lease } from '../store/lease.js';
import { POPULATORS_STAGE, discardLeftovers, unstage } from '../store/write/staged.js';
import { createDecoderCache } from '../compiler/decoder-cache.js';
import type { CallDecoder } from '../compiler/decoder.js';
import { countActiveAccounts } from './active-accounts.js';
import { fillNewTables } from './backfill.js';
import { BeganAnew, beginNewCopy, haveAllBegunAnew } from './began-anew.js';
import { verifyInBackground } from './background.js';
import { enrich } from './enrichments/groups.js';
import { checkBalances } from './check-balances.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import { follow } from './follow.js';
import type { FollowHooks } from './follow.js';
import { createGapFiller } from './gaps.js';
import { createLoadRate } from './load-rate.js';
import { keepLedger } from './ledger.js';
import { compareNodeRecords } from './node-records.js';
import { createSecondOpinion, mustHaveSecondNode } from './second-opinion.js';
import { createWakeablePause } from '../runtime/wakeable-pause.js';

interface PopulateOptions {
  database: Database;
  node: NodePool;
  /** The same nodes, with blocks proven in full. */
  prover: NodePool;
  decoder: CallDecoder;
  /** The interface that tells what changed balances; absent if none is set. */
  rosetta?: RosettaNode | undefined;
  /** The coins of the genesis block, if they are set. */
  genesisAccounts?: GenesisAccounts | undefined;
  config: Pick<
    Config,
    | 'pollIntervalMs'
    | 'leaseSeconds'
    | keyof WorkSettings
    | 'acceptUnknownProtocol'
    | 'maxUnprovenReorg'
    | 'newGenesis'
    | 'tokenDryRuns'
    | 'internalCalls'
    | 'verifyShare'
    | 'secondOpinionShare'
  >;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  /** Pause between two looks for what another node is asked about, ms. */
  opinionPauseMs?: number;
  /** Called with the progress of the load after each commit and in each round. */
  onProgress?: (state: { done: number; total: number; height: number; transactions: number }) => void;
}

/**
 * Limits of what is fetched ahead (`WINDOW`) and of one commit (`BATCH`). A commit has some 25 statements, whatever its size, so a large one
 * costs less per transaction. The limits keep the process below 300 MiB.
 */
const WINDOW = { generations: 256, transactions: 9_000, characters: 16_000_000 };
const BATCH = { blocks: 2_000, transactions: 6_000, characters: 8_000_000 };

/**
 * Populates until the signal aborts: waits for the lease, loads what is missing, follows the head. Faults that can end by themselves, such as
 * a node or a database that is away, are retried forever; so are rights that are withdrawn meanwhile. Throws for wrong settings, a node of another
 * chain and faults of the program.
 */
export async function populate(options: PopulateOptions): Promise<void> {
  const { database, logger, metrics, signal } = options;
  let failures = 0;
  let isCompared = false;
  let hasWorked = false;
  /** The copy is of a chain that began anew. */
  let isAnew = false;
  while (!signal.aborted) {
    let lease: Lease | undefined;
    try {
      metrics.writerRole.set({ role: 'waiting' }, 1);
      metrics.writerRole.set({ role: 'writer' }, 0);
      if (!isCompared) {
        isAnew = await isOtherChain(options);
        if (!isAnew) await mustHaveSecondNode(options.node, options.config.secondOpinionShare);
      }
      isCompared = !isAnew;
      lease = await acquireLease({ database, seconds: options.config.leaseSeconds, logger, signal });
      metrics.writerEpoch.set(Number(lease.epoch));
      metrics.writerRole.set({ role: 'waiting' }, 0);
      metrics.writerRole.set({ role: 'writer' }, 1);
      logger.info({ epoch: String(lease.epoch) }, 'Took the lease to populate');
      failures = 0;
      if (isAnew) await beginNewCopy(options, lease);
      else await populateUnder(lease, options, () => (hasWorked = true));
      isAnew = false;
    } catch (error) {
      if (signal.aborted) break;
      isAnew = error instanceof BeganAnew;
      if (isAnew) continue;
      const fault = asMiddlewareError(error);
      // What worked before, as a right that was withdrawn, an administrator may give back at any time.
      const isWithdrawn = hasWorked && fault.row.origin === 'database' && fault.row.lasting === true;
      if (!isWithdrawn && (fault.fault === 'bad_request' || fault.fault === 'internal')) throw fault;
      logger.warn({ code: fault.code, reason: fault.message }, 'Stopped populating, will try again');
      await waitOrAbort(backoffMs(failures++, 100, MAX_PAUSE_MS), signal);
    } finally {
      removeGauges(metrics);
      await lease?.release();
    }
  }
}

/** Removes the gauges about chain and node: only the process that has the lease knows their values. */
function removeGauges(metrics: Metrics): void {
  const { nodeHeight, databaseHeight, lagBlocks, lagSeconds, loadRate, decodeBacklog, heldReorg } = metrics;
  const gauges = [nodeHeight, databaseHeight, lagBlocks, lagSeconds, loadRate, decodeBacklog, heldReorg];
  for (const gauge of [
    ...gauges,
    metrics.provenHeight,
    metrics.writerEpoch,
    metrics.unknownInfos,
    metrics.differingOpinions,
    metrics.tokenMetadataWaiting,
    metrics.tokenAllowancesWaiting,
  ])
    gauge.remove();
  metrics.backfillHeight.reset();
  metrics.nodeState.reset();
  metrics.rosettaWaiting.reset();
  metrics.tokens.reset();
  metrics.differingRecords.reset();
}

/** `onWork`: called after each commit and each round without a fault. */
async function populateUnder(lease: Lease, options: PopulateOptions, onWork: () => void): Promise<void> {
  const { database, logger, metrics } = options;
  const signal = AbortSignal.any([options.signal, lease.lost]);
  const identity = await readIdentity(database);
  if (identity !== null) for (const pool of [options.node, options.prover]) pool.expect(identity);
  await discardLeftovers(database);
  // The blocks may be staged by a process that proved less of them than this one does.
  await unstage(database, POPULATORS_STAGE);
  const start = await readHead(database);
  const counts = { transactions: 0, height: start?.height ?? -1, nodeHeight: 0 };
  metrics.loadRate.set(0);
  const following = new AbortController();
  const ended = AbortSignal.any([signal, following.signal]);
  // Each loop below adds a listener: there are more than the default limit, which would log a warning.
  setMaxListeners(0, ended);
  const enrichPause = createWakeablePause(ended);
  const opinion = createSecondOpinion({
    ...options,
    signal: ended,
    fence: (tx) => lease.fence(tx),
    share: options.config.secondOpinionShare,
    pauseMs: options.opinionPauseMs,
  });
  const { node } = opinion;
  const context: SyncContext = {
    database,
    node,
    fence: (tx) => lease.fence(tx),
    window: WINDOW,
    batch: BATCH,
    // `follow` sets it when the network is known.
    network: undefined,
    maxUnprovenReorg: options.config.maxUnprovenReorg,
    confirms: (height, hash) => options.node.confirms(height, hash),
    keyBlocksAt: (height) => options.node.keyBlocksAt(height),
    signal,
    onCommit({ heights, transactions, invalid, unproven }, height) {
      onWork();
      counts.transactions += transactions;
      metrics.heightsLoaded.inc(heights);
      metrics.transactionsLoaded.inc(transactions);
      metrics.undecodableTransactions.inc(invalid);
      for (const { type } of unproven) metrics.unproven.inc({ type });
      if (unproven.length > 0) logger.warn({ unproven: unproven.slice(0, 10) }, 'Stored what could not be proven');
      rate.add(transactions);
      enrichPause.wake();
      counts.height = height;
      reportProgress();
    },
    onReorg(depth) {
      metrics.forks.inc({ kind: depth === 0 ? 'micro' : 'key' });
      metrics.forkDepth.observe(depth);
      logger.info({ depth }, depth === 0 ? 'Replaced micro blocks in a reorg' : 'Replaced generations in a reorg');
    },
  };
  const rate = createLoadRate({ set: (perSecond) => metrics.loadRate.set(perSecond), signal: ended });
  const setHeightGauges = (): void => {
    const { height, nodeHeight } = counts;
    if (height >= 0) metrics.databaseHeight.set(height);
    metrics.lagBlocks.set(Math.max(0, nodeHeight - height));
  };
  const reportProgress = (): void => {
    const { height } = counts;
    const first = start === null ? 0 : start.height + 1;
    setHeightGauges();
    options.onProgress?.({
      done: Math.max(0, height - first + 1),
      total: Math.max(0, counts.nodeHeight - first + 1),
      height,
      transactions: counts.transactions,
    });
  };
  let caughtUp = false;
  /** True from a round without new blocks until the node's head changes. */
  let isQuiet = false;
  const filler = createGapFiller({
    ...context,
    // The height of a gap must not lower the height of the head.
    onCommit: (committed, height) => context.onCommit(committed, Math.max(height, counts.height)),
    signal: ended,
  });
  const enriching = enrich(
    {
      ...options,
      node,
      signal: ended,
      fence: context.fence,
      work: options.config,
      decoders: createDecoderCache(options.decoder),
      dryRuns: options.config.tokenDryRuns === 'on',
      internalCalls: options.config.internalCalls === 'on',
      mayWork: () => caughtUp,
    },
    enrichPause.pause,
  );
  const opining = opinion.run();
  const filling = fillNewTables({ ...options, signal: ended, fence: context.fence, mayWork: () => caughtUp });
  const counting = countActiveAccounts({ ...options, signal: ended, fence: context.fence, mayWork: () => caughtUp });
  const bookkeeping = keepLedger({
    ...options,
    signal: ended,
    fence: context.fence,
    genesis: options.genesisAccounts && { accounts: options.genesisAccounts, node: options.node },
    mayWork: () => caughtUp,
  });
  const checking = checkBalances({
    ...options,
    signal: ended,
    fence: context.fence,
    work: options.config,
    hasRosetta: options.rosetta !== undefined,
    share: options.config.verifyShare,
    secondShare: options.config.secondOpinionShare,
    mayWork: () => caughtUp,
  });
  const comparing = compareNodeRecords({
    ...options,
    signal: ended,
    fence: context.fence,
    work: options.config,
    mayWork: () => caughtUp,
  });
  const verifying = verifyInBackground({
    ...options,
    node: options.prover,
    signal: ended,
    fence: context.fence,
    share: options.config.verifyShare,
    work: options.config,
    acceptUnknownProtocol: options.config.acceptUnknownProtocol === 'on',
    mayWork: () => caughtUp && isQuiet,
  });
  try {
    const hooks: FollowHooks = {
      isCaughtUp: () => caughtUp,
      onLook(nodeHeight) {
        counts.nodeHeight = nodeHeight;
        metrics.nodeHeight.set(nodeHeight);
        setHeightGauges();
      },
      onMoved() {
        isQuiet = false;
      },
      async onRound(state, changed, hasGaps) {
        onWork();
        isQuiet = state === 'ok' && !changed;
        if (changed && caughtUp) opinion.onHead();
        // A first load with gaps is not over. A live copy is caught up even with gaps, because filling them can take long.
        if (state === 'ok' && !changed && !caughtUp && (!hasGaps || (await isLive(database)))) {
          caughtUp = true;
          enrichPause.wake();
          await goLive(database);
          logger.info('Caught up with the node');
        }
      },
    };
    await follow({ ...options, signal, filler, hooks }, context);
  } finally {
    // Also after a fault: otherwise they would continue under a lease that no other process could take.
    following.abort();
    await filler.idle();
    await enriching;
    await filling;
    await counting;
    await bookkeeping;
    await checking;
    await comparing;
    await opining;
    await verifying;
  }
}

/**
 * Throws if at the start all nodes are of another chain: that is a mistake in the settings. Later, such a node is waited for like one that is away.
 * Returns whether the chain began anew, and the copy has to be set aside.
 */
async function isOtherChain({ database, node, config }: PopulateOptions): Promise<boolean> {
  const identity = await readIdentity(database);
  if (identity === null) return false;
  node.expect(identity);
  const reports = await node.check();
  if (!reports.every(({ state }) => state === 'wrong_network' || state === 'wrong_genesis')) return false;
  if (await haveAllBegunAnew(config, identity.networkId, node)) return true;
  throw new MiddlewareError(
    'wrong_chain',
    `The database holds network ${identity.networkId} (genesis ${identity.genesisHash}): ${reports[0]?.reason ?? 'the node is of another'}`,
  );
}
