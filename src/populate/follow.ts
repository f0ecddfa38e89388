import { edgeBitsOf } from '../chain/work/cuckoo.js';
import type { Config } from '../config.js';
import type { NodePool } from '../node/pool.js';
import { MiddlewareError, isFrom } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { backoffMs } from '../runtime/backoff.js';
import { readHead, readIdentity, storedKeyBlock, writeIdentity, writeNodeSeen } from '../store/chain-state.js';
import type { Identity, StoredHead } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { releaseReorg } from '../store/held-reorg.js';
import { POPULATORS_STAGE, unstage } from '../store/write/staged.js';
import type { SyncContext } from './context.js';
import { MAX_PAUSE_MS, asMiddlewareError } from './faults.js';
import type { GapFiller } from './gaps.js';
import { createGapsBeside } from './gaps-beside.js';
import { isStoredElsewhere } from './heights.js';
import { createNews, waitOrAbort } from './news.js';
import { syncOnce } from './sync.js';
import type { SyncResult, SyncState } from './sync.js';

/** Heights that a node may be ahead for its head to be followed while gaps are filled; else what is missing is loaded from below. */
const NEAR = 100;

/** Rounds in a row that a node may contradict itself before it is doubted. */
const CONTRADICTIONS = 3;

/** Questions for the head alone, of the followed node, in `POLL_INTERVAL_MS` of a pause; and the min pause between two, ms. */
const QUESTIONS = 8;
const MIN_QUESTION_MS = 50;

/** Pauses that one may last in which the node answers that its head is the same, and how long together, ms. */
const QUIET_PAUSES = 3;
const MAX_QUIET_MS = 3_000;

/** Between notes of the node's height where nothing else is written, ms. */
const NOTE_MS = 2_000;

export interface FollowHooks {
  onLook: (nodeHeight: number) => void;
  /** The node's head is another one than in the last round. */
  onMoved: () => void;
  onRound: (state: SyncState, changed: boolean, hasGaps: boolean) => Promise<void>;
  /** Until then nobody waits for the head. */
  isCaughtUp: () => boolean;
}

interface FollowOptions {
  database: Database;
  node: NodePool;
  config: Pick<Config, 'pollIntervalMs' | 'powEdgeBits'>;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  filler: GapFiller;
  hooks: FollowHooks;
}

/** Rounds until the signal. A fault of the node is waited out; one of the lease or the database ends the loop. */
export async function follow(options: FollowOptions, loading: SyncContext): Promise<void> {
  const { database, node, logger, metrics, config, signal, filler, hooks } = options;
  const states = new Set<string>();
  let state = '';
  let failures = 0;
  let lastHead = -1;
  // A process before this one may have held back a reorg.
  let mayBeStaged = true;
  let mayBeHeld = true;
  /** Once it is noted it does not change. */
  let identity: Identity | undefined;
  let context: SyncContext = {
    ...loading,
    onCommit: (...committed) => {
      // However often it fails: a node that brings the load on is asked again soon.
      failures = 0;
      lastHead = committed[1];
      loading.onCommit(...committed);
    },
  };
  const gaps = createGapsBeside({
    filler,
    logger,
    pauseMs: config.pollIntervalMs,
    onNodeFault: ({ code, message }) => void (code === 'node_no_work' && node.doubt(message)),
  });
  /** Why the node's branch does not replace the stored one below a gap, asked again in each round; `unknown` until a gap was looked at. */
  let below: SyncResult | 'unknown' | 'joined' = 'unknown';
  const news = createNews({ headHash: () => node.headHash(), signal });
  /** Whether the node's head is asked for in the next pause: not after it moved and the round found nothing. */
  let mayAsk = true;
  /** For those who serve the copy: it is loading as long as heights may be missing. */
  const seen = (height: number | null, state: string, reason?: string): Promise<void> =>
    writeNodeSeen(database, { height, state: state === 'ok' && gaps.mayExist() ? 'loading' : state, reason });
  const enter = async (next: string, nodeHeight: number | null, reason?: string): Promise<void> => {
    states.add(next);
    for (const known of states) metrics.nodeState.set({ state: known }, known === next ? 1 : 0);
    if (next !== state) {
      if (next === 'ok') {
        if (state !== '') logger.info('The node is well again');
      } else logger.warn({ state: next, reason }, 'Waiting for the node; nothing is deleted meanwhile');
      state = next;
    }
    await seen(nodeHeight, next, reason);
  };
  let notedAt = -Infinity;
  const isNoteDue = (): boolean => performance.now() - notedAt > NOTE_MS;
  const note = async (nodeHeight: number): Promise<void> => {
    notedAt = performance.now();
    await seen(nodeHeight, state === '' ? 'loading' : state);
  };
  while (!signal.aborted) {
    try {
      if (identity === undefined) {
        identity = await checkChain(database, node);
        context = { ...context, edgeBits: edgeBitsOf(identity.networkId, config.powEdgeBits) };
      }
      const current = await node.currentGeneration();
      const nodeHeight = current.keyBlock.height;
      hooks.onLook(nodeHeight);
      if (gaps.mayExist()) {
        const isLoading = nodeHeight - ((await readHead(database))?.height ?? -1) > NEAR;
        const wait = isLoading || typeof below === 'object';
        // After a fault it is not known any more.
        if (wait) below = 'unknown';
        const filled = await gaps.fill(context, wait);
        if (typeof filled === 'object') below = filled;
        else if (filled || !gaps.mayExist()) below = 'joined';
        if (filled === true) failures = 0;
        // Meanwhile the node may have gone on.
        if (filled === true || (filled === false && isLoading && gaps.mayExist())) continue;
      } else below = 'joined';
      // A single block does not wait for a note.
      if (state !== 'ok' || (nodeHeight > lastHead + 1 && isNoteDue())) await note(nodeHeight);
      const known = lastHead;
      const synced = await syncOnce(context, current).catch(async (error: unknown) => {
        // Below a gap an abandoned branch may be stored, which holds transactions of the new blocks: it goes when the gap is filled.
        if (!isStoredElsewhere(error)) throw error;
        gaps.suspect();
        const filled = await gaps.fill(context, true);
        if (filled === false) throw error;
        return filled;
      });
      if (synced === true) continue;
      const result =
        typeof below === 'object' ? { ...below, headBefore: synced.headBefore, changed: synced.changed } : synced;
      // Somebody else stored heights above the head, and maybe not all of those between.
      const before = result.headBefore?.height ?? -1;
      if (before > known) gaps.suspect();
      if (!result.changed) lastHead = before;
      if (result.held !== undefined) {
        mayBeHeld = true;
        metrics.heldReorg.set(result.held.depth);
      }
      if (state !== result.state || result.changed) await enter(result.state, nodeHeight, result.doubt);
      else if (isNoteDue()) await note(nodeHeight);
      await hooks.onRound(result.state, result.changed, gaps.mayExist());
      failures = 0;
      const isJudged = result.state === 'ok' || result.doubt !== undefined;
      if (isJudged) node.doubt(result.doubt ?? null, result.held !== undefined);
      // The branch of a node that is tried again later is kept until then.
      if (mayBeStaged && result.state === 'ok' && !node.hasDoubted()) {
        mayBeStaged = false;
        await unstage(database, POPULATORS_STAGE);
      }
      // Its node may be away for good, back on the stored branch, or on one that has less work by now.
      if (mayBeHeld && isJudged && below !== 'unknown' && !node.hasHeld()) {
        mayBeHeld = false;
        await releaseReorg(database);
        metrics.heldReorg.set(0);
      }
      mayBeStaged ||= result.state !== 'ok';
      setLag(metrics, result.changed ? await readHead(database) : result.headBefore);
      if (result.changed) {
        mayAsk = true;
        continue;
      }
      const storedAt = async (height: number) => (await storedKeyBlock(database, height))?.hash ?? null;
      await node.tryRival(nodeHeight, storedAt);
      const ended = await news.wait({
        ms: config.pollIntervalMs,
        maxMs: Math.max(config.pollIntervalMs, Math.min(config.pollIntervalMs * QUIET_PAUSES, MAX_QUIET_MS)),
        everyMs: Math.max(MIN_QUESTION_MS, config.pollIntervalMs / QUESTIONS),
        known:
          mayAsk && result.state === 'ok' && hooks.isCaughtUp()
            ? (current.microHashes.at(-1) ?? current.keyBlock.hash)
            : undefined,
        over: gaps.over(),
      });
      mayAsk = ended === 'quiet';
      if (ended === 'moved') hooks.onMoved();
    } catch (error) {
      if (signal.aborted) return;
      const fault = asMiddlewareError(error);
      if (!isFrom('node', fault)) throw fault;
      if (fault.code === 'chain_moved') gaps.suspect();
      mayBeStaged = true;
      // A chain that moves while it is read contradicts itself once, not again and again.
      // The pool itself passes over a node whose blocks are not proven.
      const contradicts = fault.code === 'node_inconsistent' || fault.code === 'chain_moved';
      const isDoubtful = fault.code === 'node_no_work' || (contradicts && failures >= CONTRADICTIONS);
      const isLeft = isDoubtful && node.doubt(fault.message);
      await enter(fault.code, null, fault.message);
      setLag(metrics, await readHead(database));
      const asked = fault.details['retryAfterMs'];
      // Another node is asked at once: after a pause the doubt could be over.
      if (isLeft) continue;
      const growing = backoffMs(failures++, config.pollIntervalMs, MAX_PAUSE_MS);
      await waitOrAbort(typeof asked === 'number' ? Math.min(asked, 30_000) : growing, signal);
    }
  }
}

/** The database holds one chain: its identity is written before the first block, and compared with what is stored. */
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

function setLag(metrics: Metrics, head: StoredHead | null): void {
  if (head !== null) metrics.lagSeconds.set(head.age / 1000);
}
