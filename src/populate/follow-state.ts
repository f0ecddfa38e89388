/**
 * What the populator remembers from one round to the next, and what follows from the result of a round or from a fault. Pure: nothing here asks the
 * node or the database.
 */
import { isFrom } from '../observe/errors.js';
import type { ErrorCode, MiddlewareError } from '../observe/errors.js';
import type { SyncResult } from './sync.js';

/** If the node's head is at most this many heights ahead, it is followed while gaps are filled; otherwise gaps are filled first. */
const NEAR = 100;

/** Rounds in a row in which a node may contradict itself before it is demoted. */
const MAX_CONTRADICTIONS = 3;

/** Faults of blocks that no honest node shows. */
const BREACHES: readonly ErrorCode[] = ['node_no_work', 'node_breaks_rules', 'node_wrong_genesis'];

/** Faults that a chain which moves while it is read causes once, and a wrong node again and again. */
const CONTRADICTIONS: readonly ErrorCode[] = ['node_inconsistent', 'chain_moved'];

/** Max pause that a node may ask for with `retry-after`, ms. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * The blocks below the lowest gap. `apart`: they are not on the node's branch, and `result` says why that does not replace them; it is computed
 * again in each round.
 */
type BelowGap = { at: 'unknown' } | { at: 'joined' } | { at: 'apart'; result: SyncResult };

interface FollowState {
  /** Rounds in a row that failed, since the last commit. */
  failures: number;
  /** Height of the last commit of this process, or of the stored head in the last round; -1 before either. */
  lastHead: number;
  belowGap: BelowGap;
  /** Whether blocks may be staged. The process before this one may have staged some. */
  mayBeStaged: boolean;
  /** Whether a reorg may be held. `below_gap`: it may be that of the blocks below a gap, which stays held until the gap was looked at. */
  held: 'none' | 'possible' | 'below_gap';
  /** False after a pause in which the head moved, until a round stores something: the round found nothing new, so polling is useless. */
  mayPoll: boolean;
}

/** A new process does not know what the one before it left. */
export const initialState: FollowState = {
  failures: 0,
  lastHead: -1,
  belowGap: { at: 'unknown' },
  mayBeStaged: true,
  held: 'below_gap',
  mayPoll: true,
};

/** What a step of the gaps showed: whether heights were stored, or why the node's other branch does not replace the stored one. */
type Filled = boolean | SyncResult;

export type FollowEvent =
  | { type: 'committed'; head: number }
  /** The step of the gaps that begins is awaited. If it fails, what is known of the blocks below is outdated. */
  | { type: 'gap_awaited' }
  | { type: 'gap_looked'; filled: Filled; mayHaveGaps: boolean }
  /** The round ended. `atHead`: what was found at the head alone. */
  | { type: 'ended'; result: SyncResult; atHead: SyncResult }
  /** The staged blocks, or the held reorg, were removed. */
  | { type: 'unstaged' }
  | { type: 'released' }
  | { type: 'paused'; moved: boolean }
  | { type: 'failed' }
  /** The pause after a fault begins. */
  | { type: 'waited' };

export function step(state: FollowState, event: FollowEvent): FollowState {
  switch (event.type) {
    case 'committed':
      // A node that makes progress is asked again soon, even if it often fails.
      return { ...state, failures: 0, lastHead: event.head };
    case 'gap_awaited':
      return { ...state, belowGap: { at: 'unknown' } };
    case 'gap_looked': {
      const { filled, mayHaveGaps } = event;
      if (typeof filled === 'object') {
        // Known from here on: the round may fail before it ends.
        const held = filled.held === undefined ? state.held : 'below_gap';
        return { ...state, belowGap: { at: 'apart', result: filled }, held, mayBeStaged: true };
      }
      const belowGap: BelowGap = filled || !mayHaveGaps ? { at: 'joined' } : state.belowGap;
      return { ...state, belowGap, failures: filled ? 0 : state.failures };
    }
    case 'ended': {
      const { result, atHead } = event;
      const { headBefore, changed } = atHead;
      return {
        ...state,
        failures: 0,
        lastHead: changed ? state.lastHead : (headBefore?.height ?? -1),
        // One reorg is held at a time: the last one.
        held: atHead.held === undefined ? state.held : 'possible',
        mayBeStaged: state.mayBeStaged || result.state !== 'ok' || atHead.state !== 'ok',
        mayPoll: state.mayPoll || changed,
      };
    }
    case 'unstaged':
      return { ...state, mayBeStaged: false };
    case 'released':
      return { ...state, held: 'none' };
    case 'paused':
      return { ...state, mayPoll: !event.moved };
    case 'failed':
      return { ...state, mayBeStaged: true };
    case 'waited':
      return { ...state, failures: state.failures + 1 };
  }
}

/**
 * How the gaps are looked at in this round, before the head: `background` continues a step beside it; `first` waits for a step and goes on with the next
 * round while there are gaps; `beside` waits, and the head follows.
 */
export function gapWork(
  state: FollowState,
  nodeHeight: number,
  storedHeight: number,
): 'background' | 'first' | 'beside' {
  if (nodeHeight - storedHeight > NEAR) return 'first';
  return state.belowGap.at === 'apart' ? 'beside' : 'background';
}

/** The result of a round: what was found below a gap decides, what was found at the head says what changed. */
export function roundResult({ belowGap }: FollowState, atHead: SyncResult): SyncResult {
  if (belowGap.at !== 'apart') return atHead;
  const { headBefore, changed } = atHead;
  return { ...belowGap.result, headBefore, changed };
}

/** Another process stored heights above the known head, and there may be gaps between them. */
export const isStoredByOther = ({ lastHead }: FollowState, { headBefore }: SyncResult): boolean =>
  (headBefore?.height ?? -1) > lastHead;

/** Staged blocks of a demoted node are kept until the node is tried again. */
export const mustUnstage = (state: FollowState, result: SyncResult, hasDemoted: boolean): boolean =>
  state.mayBeStaged && result.state === 'ok' && !hasDemoted;

/** The node of a held reorg may have left for good, or its branch may be the stored one or have less work by now. */
export function mustRelease({ held, belowGap }: FollowState, result: SyncResult, hasHeldReorg: boolean): boolean {
  const isDecided = result.state === 'ok' || result.rejectReason !== undefined;
  const isGapDecided = held !== 'below_gap' || belowGap.at !== 'unknown';
  return held !== 'none' && isDecided && isGapDecided && !hasHeldReorg;
}

export const isBreach = ({ code }: MiddlewareError): boolean => BREACHES.includes(code);

interface FaultDecision {
  /** The node is left for another one, if there is one. */
  demotes: boolean;
  /** Gaps are looked for again. */
  looksForGaps: boolean;
  /** The forks of the network are asked again: a network without built-in rules may have a new one. */
  forgetsRules: boolean;
  /** `growing`: as long as the failures in a row say. With a number: as long as the node asks for, ms. */
  pause: 'none' | 'growing' | number;
}

/** What a fault of the node means for the next round; undefined for faults of others, which end the loop. */
export function decideFault({ failures }: FollowState, fault: MiddlewareError): FaultDecision | undefined {
  if (!isFrom('node', fault)) return undefined;
  const { isMadeUp, retryAfterMs } = fault.details;
  return {
    // Nodes whose blocks are not proven are excluded by the pool.
    demotes: isBreach(fault) || (CONTRADICTIONS.includes(fault.code) && failures >= MAX_CONTRADICTIONS),
    looksForGaps: fault.code === 'chain_moved',
    forgetsRules: fault.code === 'node_breaks_rules',
    pause:
      isMadeUp === true
        ? 'none'
        : typeof retryAfterMs === 'number'
          ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)
          : 'growing',
  };
}
