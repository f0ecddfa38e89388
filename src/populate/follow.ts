import { knownNetwork, recordedForks } from '../chain/networks.js';
import type { Fork, WorkSettings } from '../chain/networks.js';
import type { Config } from '../config.js';
import type { GenerationOutline } from '../node/client.js';
import { readCurrency as currencyIn } from '../node/currency.js';
import { nodeFault } from '../node/faults.js';
import type { NodeFault } from '../node/faults.js';
import type { NodePool } from '../node/pool.js';
import { MiddlewareError } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { backoffMs } from '../runtime/backoff.js';
import { repeat } from '../runtime/repeat.js';
import { readForks, readHead, readIdentity, storedKeyBlock, writeForks, writeIdentity } from '../store/chain-state.js';
import type { Identity, StoredHead } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { readCurrency, writeCurrency } from '../store/currency.js';
import { releaseReorg } from '../store/held-reorg.js';
import { POPULATORS_STAGE, unstage } from '../store/write/staged.js';
import { BeganAnew, haveAllBegunAnew, isBranchAnew } from './began-anew.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import {
  decideFault,
  gapWork,
  initialState,
  isBreach,
  isStoredByOther,
  mustRelease,
  mustUnstage,
  roundResult,
  step,
} from './follow-state.js';
import type { FollowEvent } from './follow-state.js';
import type { GapFiller } from './gaps.js';
import { createGapFillTask } from './gap-fill-task.js';
import { createHeadPoll } from './head-poll.js';
import { isStoredElsewhere } from './heights.js';
import { createNodeStateReport } from './node-state-report.js';
import { rulesOf } from './rules.js';
import { syncOnce } from './sync.js';
import type { SyncResult, SyncState } from './sync.js';

/** Requests for the followed node's head within one `POLL_INTERVAL_MS`, and the min time between two, ms. */
const HEAD_REQUESTS = 8;
const MIN_HEAD_REQUEST_MS = 50;

/** A pause is extended while the node reports the same head: up to this many times its length, and at most to this length in all, ms. */
const MAX_PAUSE_LENGTHS = 3;
const MAX_QUIET_MS = 3_000;

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
  config: Pick<Config, 'pollIntervalMs' | 'newGenesis' | keyof WorkSettings>;
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
  let state = initialState;
  const apply = (event: FollowEvent): void => void (state = step(state, event));
  /** Undefined until it is read. */
  let identity: Identity | undefined;
  let context: SyncContext = {
    ...loading,
    onCommit: (...committed) => {
      apply({ type: 'committed', head: committed[1] });
      loading.onCommit(...committed);
    },
  };
  const gaps = createGapFillTask({
    filler,
    logger,
    pauseMs: pollIntervalMs,
    onNodeFault: (fault) => void (isBreach(fault) && node.demote(fault.message)),
  });
  const nodeState = createNodeStateReport({ database, logger, metrics, mayHaveGaps: gaps.mayHaveGaps });
  const headPoll = createHeadPoll({ headHash: () => node.headHash(), signal });

  /** Returns whether the next round must begin: heights were stored, or the head has to wait for gaps. */
  async function fillGaps(nodeHeight: number): Promise<boolean> {
    if (!gaps.mayHaveGaps()) {
      apply({ type: 'gap_looked', filled: false, mayHaveGaps: false });
      return false;
    }
    const work = gapWork(state, nodeHeight, (await readHead(database))?.height ?? -1);
    if (work !== 'background') apply({ type: 'gap_awaited' });
    const filled = await gaps.fill(context, work !== 'background');
    apply({ type: 'gap_looked', filled, mayHaveGaps: gaps.mayHaveGaps() });
    // The node's head may have moved meanwhile.
    return filled === true || (filled === false && work === 'first' && gaps.mayHaveGaps());
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
  async function applyResult(result: SyncResult): Promise<void> {
    const { rejectReason, held } = result;
    if (rejectReason !== undefined) node.demote(rejectReason, held !== undefined);
    else if (result.state === 'ok') node.trust();
    if (mustUnstage(state, result, node.hasDemoted())) {
      await unstage(database, POPULATORS_STAGE);
      apply({ type: 'unstaged' });
    }
    if (mustRelease(state, result, node.hasHeldReorg())) {
      await releaseReorg(database);
      apply({ type: 'released' });
      metrics.heldReorg.set(0);
    }
  }

  async function pause({ keyBlock, microHashes }: GenerationOutline, isOk: boolean): Promise<void> {
    const storedAt = async (height: number) => (await storedKeyBlock(database, height))?.hash ?? null;
    await node.tryOtherBranch(keyBlock.height, storedAt);
    const isPolled = state.mayPoll && isOk && hooks.isCaughtUp();
    const ended = await headPoll.pause({
      ms: pollIntervalMs,
      maxMs: Math.max(pollIntervalMs, Math.min(pollIntervalMs * MAX_PAUSE_LENGTHS, MAX_QUIET_MS)),
      everyMs: Math.max(MIN_HEAD_REQUEST_MS, pollIntervalMs / HEAD_REQUESTS),
      knownHash: isPolled ? (microHashes.at(-1) ?? keyBlock.hash) : undefined,
      until: gaps.stepEnded(),
    });
    apply({ type: 'paused', moved: ended === 'moved' });
    if (ended === 'moved') hooks.onMoved();
  }

  async function readRules(): Promise<Identity> {
    const found = await checkChain(database, node);
    const isKnown = knownNetwork(found.networkId) !== undefined;
    const forks = isKnown ? [] : await updateForks(context, node);
    const rules = rulesOf({ ...found, forks }, config);
    const { network } = rules;
    context = { ...context, ...rules };
    if (!isKnown) await recordCurrency(context, node);
    if (network.work !== undefined && network.work.intervalMs === undefined)
      logger.warn(
        { network: network.id },
        'The targets of key blocks are not checked: set POW_INTERVAL_MS to the time between key blocks of this network',
      );
    return found;
  }

  /** Reports the state of the node that the result shows; writes its height where that is due. */
  async function report(result: SyncResult, nodeHeight: number): Promise<void> {
    if (nodeState.state() !== result.state || result.changed)
      await nodeState.enter(result.state, nodeHeight, result.rejectReason);
    else if (nodeState.isHeightDue()) await nodeState.writeHeight(nodeHeight);
    await hooks.onRound(result.state, result.changed, gaps.mayHaveGaps());
  }

  async function round(): Promise<void> {
    identity ??= await readRules();
    const current = await node.currentGeneration();
    const nodeHeight = current.keyBlock.height;
    hooks.onLook(nodeHeight);
    if (await fillGaps(nodeHeight)) return;
    // A single new block is stored first: the write of the height would delay it.
    if (nodeState.state() !== 'ok' || (nodeHeight > state.lastHead + 1 && nodeState.isHeightDue()))
      await nodeState.writeHeight(nodeHeight);
    const before = state;
    const synced = await syncHead(current);
    if (synced === true) return;
    if (isStoredByOther(before, synced)) gaps.checkAgain();
    const result = roundResult(state, synced);
    const stored = synced.isAnew === true ? (await storedKeyBlock(database, 1))?.hash : undefined;
    if (await isBranchAnew(config, identity.networkId, node, stored)) throw new BeganAnew();
    if (result.held !== undefined) metrics.heldReorg.set(result.held.depth);
    await report(result, nodeHeight);
    apply({ type: 'ended', result, atHead: synced });
    await applyResult(result);
    setLag(metrics, result.changed ? await readHead(database) : result.headBefore);
    if (!result.changed) await pause(current, result.state === 'ok');
  }

  /** Returns the pause before the next round, ms. */
  async function pauseAfterFault(error: unknown): Promise<number> {
    if (error instanceof BeganAnew) throw error;
    const fault = asMiddlewareError(error);
    const stored = fault.code === 'node_wrong_genesis' ? await readIdentity(database) : null;
    if (stored !== null && (await haveAllBegunAnew(config, stored.networkId, node))) throw new BeganAnew();
    const decision = decideFault(state, fault);
    if (decision === undefined) throw fault;
    apply({ type: 'failed' });
    if (decision.looksForGaps) gaps.checkAgain();
    if (decision.forgetsRules) identity = undefined;
    const followsOther = decision.demotes && node.demote(fault.message);
    await nodeState.enter(fault.code, null, fault.message);
    setLag(metrics, await readHead(database));
    // The other node is asked at once: after a pause the demotion could be over.
    if (followsOther || decision.pause === 'none') return 0;
    const growing = backoffMs(state.failures, pollIntervalMs, MAX_PAUSE_MS);
    apply({ type: 'waited' });
    return decision.pause === 'growing' ? growing : decision.pause;
  }

  await repeat({ signal, runOnce: () => round().then(() => 0), onFault: pauseAfterFault });
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

/** Records the coin that the followed node tells. A node that does not tell one, or tells rubbish, changes nothing. */
async function recordCurrency(
  { database, fence }: Pick<SyncContext, 'database' | 'fence'>,
  node: NodePool,
): Promise<void> {
  const coin = await node.object('/currency', currencyIn);
  if (coin == null || JSON.stringify(coin) === JSON.stringify(await readCurrency(database))) return;
  await database.transaction(async (tx) => {
    await fence(tx);
    await writeCurrency(tx, coin);
  });
}

function setLag(metrics: Metrics, head: StoredHead | null): void {
  if (head !== null) metrics.lagSeconds.set(head.age / 1000);
}
