import { knownNetwork, recordedForks } from '../chain/networks.js';
import type { Fork, WorkSettings } from '../chain/networks.js';
import type { Config } from '../config.js';
import type { GenerationOutline } from '../node/client.js';
import { nodeFault } from '../node/faults.js';
import type { NodeFault } from '../node/faults.js';
import type { NodePool } from '../node/pool.js';
import { MiddlewareError, isFrom } from '../observe/errors.js';
import type { ErrorCode } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { backoffMs } from '../runtime/backoff.js';
import { readForks, readHead, readIdentity, storedKeyBlock, writeForks, writeIdentity } from '../store/chain-state.js';
import type { Identity, StoredHead } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { releaseReorg } from '../store/held-reorg.js';
import { POPULATORS_STAGE, unstage } from '../store/write/staged.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import type { GapFiller } from './gaps.js';
import { createGapFillTask } from './gap-fill-task.js';
import { createHeadPoll, waitOrAbort } from './head-poll.js';
import { isStoredElsewhere } from './heights.js';
import { createNodeStateReport } from './node-state-report.js';
import { rulesOf } from './rules.js';
import { syncOnce } from './sync.js';
import type { SyncResult, SyncState } from './sync.js';

/** If the node's head is at most this many heights ahead, it is followed while gaps are filled; otherwise gaps are filled first. */
const NEAR = 100;

/** Rounds in a row in which a node may contradict itself before it is demoted. */
const MAX_CONTRADICTIONS = 3;

/** Faults of blocks that no honest node shows. */
const BREACHES: readonly ErrorCode[] = ['node_no_work', 'node_breaks_rules', 'node_wrong_genesis'];

/** Requests for the followed node's head within one `POLL_INTERVAL_MS`, and the min time between two, ms. */
const HEAD_REQUESTS = 8;
const MIN_HEAD_REQUEST_MS = 50;

/** A pause is extended while the node reports the same head: up to this many times its length, and at most to this length in all, ms. */
const MAX_PAUSE_LENGTHS = 3;
const MAX_QUIET_MS = 3_000;

/** Max pause that a node may ask for with `retry-after`, ms. */
const MAX_RETRY_AFTER_MS = 30_000;

export interface FollowHooks {
  /** Called with the height of the node's head in each round. */
  onLook: (nodeHeight: number) => void;
  /** Called when a pause ended because the node's head changed. */
  onMoved: () => void;
  onRound: (state: SyncState, changed: boolean, hasGaps: boolean) => Promise<void>;
  /** Until the first load is over, the head is not polled during pauses. */
  isCaughtUp: () => boolean;
}

interface FollowOptions {
  database: Database;
  node: NodePool;
  config: Pick<Config, 'pollIntervalMs' | keyof WorkSettings>;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  filler: GapFiller;
  hooks: FollowHooks;
}

/**
 * Runs rounds until the signal aborts: each compares the copy with the node and stores what is missing. Waits while the node has a fault;
 * throws faults of the lease and the database.
 */
export async function follow(options: FollowOptions, loading: SyncContext): Promise<void> {
  const { database, node, logger, metrics, config, signal, filler, hooks } = options;
  const { pollIntervalMs } = config;
  /** Rounds in a row that failed. */
  let failures = 0;
  /** Height of the last commit of this process, or of the stored head in the last round. */
  let lastHead = -1;
  // The process before this one may have staged blocks and held a reorg.
  let mayBeStaged = true;
  let mayBeHeld = true;
  /** Whether the held reorg may be that of the blocks below a gap: then it stays held until the gap was looked at. */
  let mayBeHeldBelowGap = true;
  /** Undefined until it is read. */
  let identity: Identity | undefined;
  let context: SyncContext = {
    ...loading,
    onCommit: (...committed) => {
      // A node that makes progress is asked again soon, even if it often fails.
      failures = 0;
      lastHead = committed[1];
      loading.onCommit(...committed);
    },
  };
  const gaps = createGapFillTask({
    filler,
    logger,
    pauseMs: pollIntervalMs,
    onNodeFault: ({ code, message }) => void (BREACHES.includes(code) && node.demote(message)),
  });
  const nodeState = createNodeStateReport({ database, logger, metrics, mayHaveGaps: gaps.mayHaveGaps });
  /**
   * Whether the blocks below a gap are on the node's branch: if they are not, the result says why the node's branch does not replace them,
   * and is computed again in each round. `unknown` until a gap was looked at.
   */
  let belowGap: SyncResult | 'unknown' | 'joined' = 'unknown';
  const headPoll = createHeadPoll({ headHash: () => node.headHash(), signal });
  /** False after a pause in which the head moved, until a round stores something: the round found nothing new, so polling is useless. */
  let mayPoll = true;

  /** Returns whether the next round must begin: heights were stored, or the head has to wait for gaps. */
  async function fillGaps(nodeHeight: number): Promise<boolean> {
    if (!gaps.mayHaveGaps()) {
      belowGap = 'joined';
      return false;
    }
    const isLoading = nodeHeight - ((await readHead(database))?.height ?? -1) > NEAR;
    const wait = isLoading || typeof belowGap === 'object';
    // If filling fails, the former answer is outdated.
    if (wait) belowGap = 'unknown';
    const filled = await gaps.fill(context, wait);
    if (typeof filled === 'object') belowGap = filled;
    else if (filled || !gaps.mayHaveGaps()) belowGap = 'joined';
    if (filled === true) failures = 0;
    // The node's head may have moved meanwhile.
    return filled === true || (filled === false && isLoading && gaps.mayHaveGaps());
  }

  /** Brings the copy to the node's head; true if the next round must begin because a gap was filled. */
  async function syncHead(current: GenerationOutline): Promise<SyncResult | true> {
    try {
      return await syncOnce(context, current);
    } catch (error) {
      // An abandoned branch above a gap may hold transactions of the new blocks. Filling the gap removes that branch.
      if (!isStoredElsewhere(error)) throw error;
      gaps.checkAgain();
      const filled = await gaps.fill(context, true);
      if (filled === false) throw repeatsTransaction(error);
      return filled;
    }
  }

  /** Trusts or demotes the node, and removes staged blocks and the held reorg when they are not needed any more. */
  async function applyResult({ state, rejectReason, held }: SyncResult): Promise<void> {
    const isDecided = state === 'ok' || rejectReason !== undefined;
    if (rejectReason !== undefined) node.demote(rejectReason, held !== undefined);
    else if (state === 'ok') node.trust();
    // Staged blocks of a demoted node are kept until the node is tried again.
    if (mayBeStaged && state === 'ok' && !node.hasDemoted()) {
      mayBeStaged = false;
      await unstage(database, POPULATORS_STAGE);
    }
    // The node of a held reorg may have left for good, or its branch may be the stored one or have less work by now.
    const isGapDecided = belowGap !== 'unknown' || !mayBeHeldBelowGap;
    if (mayBeHeld && isDecided && isGapDecided && !node.hasHeldReorg()) {
      mayBeHeld = false;
      await releaseReorg(database);
      metrics.heldReorg.set(0);
    }
    mayBeStaged ||= state !== 'ok';
  }

  async function pause({ keyBlock, microHashes }: GenerationOutline, state: SyncState): Promise<void> {
    const storedAt = async (height: number) => (await storedKeyBlock(database, height))?.hash ?? null;
    await node.tryOtherBranch(keyBlock.height, storedAt);
    const isPolled = mayPoll && state === 'ok' && hooks.isCaughtUp();
    const ended = await headPoll.pause({
      ms: pollIntervalMs,
      maxMs: Math.max(pollIntervalMs, Math.min(pollIntervalMs * MAX_PAUSE_LENGTHS, MAX_QUIET_MS)),
      everyMs: Math.max(MIN_HEAD_REQUEST_MS, pollIntervalMs / HEAD_REQUESTS),
      knownHash: isPolled ? (microHashes.at(-1) ?? keyBlock.hash) : undefined,
      until: gaps.stepEnded(),
    });
    mayPoll = ended === 'quiet';
    if (ended === 'moved') hooks.onMoved();
  }

  async function round(): Promise<void> {
    if (identity === undefined) {
      identity = await checkChain(database, node);
      const isKnown = knownNetwork(identity.networkId) !== undefined;
      const forks = isKnown ? [] : await updateForks(context, node);
      const rules = rulesOf({ ...identity, forks }, config);
      const { network } = rules;
      context = { ...context, ...rules };
      if (network.work !== undefined && network.work.intervalMs === undefined)
        logger.warn(
          { network: network.id },
          'The targets of key blocks are not checked: set POW_INTERVAL_MS to the time between key blocks of this network',
        );
    }
    const current = await node.currentGeneration();
    const nodeHeight = current.keyBlock.height;
    hooks.onLook(nodeHeight);
    if (await fillGaps(nodeHeight)) return;
    // A single new block is stored first: the write of the height would delay it.
    if (nodeState.state() !== 'ok' || (nodeHeight > lastHead + 1 && nodeState.isHeightDue()))
      await nodeState.writeHeight(nodeHeight);
    const knownHead = lastHead;
    const synced = await syncHead(current);
    if (synced === true) return;
    const { headBefore, changed } = synced;
    const result = typeof belowGap === 'object' ? { ...belowGap, headBefore, changed } : synced;
    // Another process stored heights above the known head, and there may be gaps between them.
    const storedBefore = headBefore?.height ?? -1;
    if (storedBefore > knownHead) gaps.checkAgain();
    if (!changed) lastHead = storedBefore;
    if (result.held !== undefined) {
      mayBeHeld = true;
      mayBeHeldBelowGap = typeof belowGap === 'object';
      metrics.heldReorg.set(result.held.depth);
    }
    if (nodeState.state() !== result.state || changed)
      await nodeState.enter(result.state, nodeHeight, result.rejectReason);
    else if (nodeState.isHeightDue()) await nodeState.writeHeight(nodeHeight);
    await hooks.onRound(result.state, changed, gaps.mayHaveGaps());
    failures = 0;
    await applyResult(result);
    setLag(metrics, changed ? await readHead(database) : headBefore);
    if (changed) mayPoll = true;
    else await pause(current, result.state);
  }

  async function waitAfterFault(error: unknown): Promise<void> {
    const fault = asMiddlewareError(error);
    if (!isFrom('node', fault)) throw fault;
    if (fault.code === 'chain_moved') gaps.checkAgain();
    mayBeStaged = true;
    // A chain that moves while it is read contradicts itself once, a wrong node again and again.
    // Nodes whose blocks are not proven are excluded by the pool.
    const contradicts = fault.code === 'node_inconsistent' || fault.code === 'chain_moved';
    const isBreach = BREACHES.includes(fault.code);
    // A network without built-in rules may have a new fork.
    if (fault.code === 'node_breaks_rules') identity = undefined;
    const mustDemote = isBreach || (contradicts && failures >= MAX_CONTRADICTIONS);
    const followsOther = mustDemote && node.demote(fault.message);
    await nodeState.enter(fault.code, null, fault.message);
    setLag(metrics, await readHead(database));
    // The other node is asked at once: after a pause the demotion could be over.
    if (followsOther || fault.details['isMadeUp'] === true) return;
    const retryAfter = fault.details['retryAfterMs'];
    const growing = backoffMs(failures++, pollIntervalMs, MAX_PAUSE_MS);
    await waitOrAbort(typeof retryAfter === 'number' ? Math.min(retryAfter, MAX_RETRY_AFTER_MS) : growing, signal);
  }

  while (!signal.aborted) {
    try {
      await round();
    } catch (error) {
      if (signal.aborted) return;
      await waitAfterFault(error);
    }
  }
}

/** A chain has each transaction once. The copy has no gaps, so the node is at fault. */
function repeatsTransaction(error: unknown): NodeFault {
  const { cause } = error as { cause?: { detail?: string } };
  // Key (hash)=(th_…) already exists.
  const [hash] = /th_\w+/.exec(cause?.detail ?? '') ?? ['a transaction'];
  return nodeFault('node_breaks_rules', `its chain has ${hash} twice`, { cause: error });
}

/** A copy holds one chain: writes its identity before the first block. Throws `wrong_chain` if the stored genesis block is another one. */
async function checkChain(database: Database, node: NodePool): Promise<Identity> {
  const stored = await readIdentity(database);
  if (stored !== null) return stored;
  const status = await node.status();
  const identity = { networkId: status.networkId, genesisHash: status.genesisHash };
  const genesis = await storedKeyBlock(database, 0);
  if (genesis !== null && genesis.hash !== identity.genesisHash) {
    throw new MiddlewareError(
      'wrong_chain',
      `The database holds another chain (genesis ${genesis.hash}) than the node (${identity.genesisHash})`,
    );
  }
  await writeIdentity(database, identity);
  node.expect(identity);
  return identity;
}

/** The forks that nodes report now, recorded with the copy as far as they do not contradict what is stored. */
async function updateForks(
  { database, fence }: Pick<SyncContext, 'database' | 'fence'>,
  node: NodePool,
): Promise<readonly Fork[]> {
  const { forks: reported } = await node.status();
  const [recorded, head] = [await readForks(database), await readHead(database)];
  const forks = recordedForks(recorded, reported, head);
  if (JSON.stringify(forks) !== JSON.stringify(recorded))
    await database.transaction(async (tx) => {
      await fence(tx);
      await writeForks(tx, forks);
    });
  return forks;
}

function setLag(metrics: Metrics, head: StoredHead | null): void {
  if (head !== null) metrics.lagSeconds.set(head.age / 1000);
}
