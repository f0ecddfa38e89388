/** What the populator remembers between rounds, after random rounds and faults in random orders. ORDERS=100000 for the full count. */
import { expect } from 'chai';
import { nodeFault } from '../../src/node/faults.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import {
  decideFault,
  gapWork,
  initialState,
  isStoredByOther,
  mustRelease,
  mustUnstage,
  roundResult,
  step,
} from '../../src/populate/follow-state.js';
import type { FollowEvent } from '../../src/populate/follow-state.js';
import type { SyncResult } from '../../src/populate/sync.js';
import type { StoredHead } from '../../src/store/chain-state.js';
import { choices } from '../support/histories.js';
import type { Choices } from '../support/histories.js';

const { SEED = '37', ORDERS = '300' } = process.env;
const ROUNDS = 30;
/** Failed rounds in a row after which a node that contradicts itself is left. */
const MAX_CONTRADICTIONS = 3;

type FollowState = ReturnType<typeof step>;
type Filled = Extract<FollowEvent, { type: 'gap_looked' }>['filled'];

const headAt = (height: number): StoredHead | null =>
  height < 0 ? null : ({ height, hash: `kh_${height}` } as StoredHead);

const CODES = [
  'node_unreachable',
  'node_inconsistent',
  'chain_moved',
  'node_no_work',
  'node_breaks_rules',
  'node_wrong_genesis',
  'node_malformed',
] as const;
const BREACHES: readonly string[] = ['node_no_work', 'node_breaks_rules', 'node_wrong_genesis'];
const CONTRADICTIONS: readonly string[] = ['node_inconsistent', 'chain_moved'];

/** What is true outside of the loop, and what the populator cannot see of it. */
interface World {
  stored: number;
  gaps: boolean;
  /** A reorg is stored as held, and whether it is that of the blocks below a gap. */
  held: 'none' | 'head' | 'below_gap';
  staged: boolean;
}

/** One populator in its world, with a record of what it did. */
class Run {
  state: FollowState = initialState;
  /** Whether the blocks below a gap were looked at, since a look at them failed or began. */
  hasLooked = false;
  /** This populator has held the reorg itself, at the head: it knows that it is not that of the blocks below a gap. */
  hasHeldAtHead = false;
  /** Rounds that failed one after the other. */
  inRow = 0;

  constructor(
    readonly random: Choices,
    readonly world: World,
  ) {}

  apply(event: FollowEvent): void {
    this.state = step(this.state, event);
  }

  result(isBelowGap: boolean): SyncResult {
    const { random, world } = this;
    const headBefore = headAt(world.stored);
    if (random.chance(0.15)) {
      const held = { hash: 'kh_other', height: world.stored + 2, depth: 40 };
      world.held = isBelowGap ? 'below_gap' : 'head';
      this.hasHeldAtHead = !isBelowGap;
      world.staged = true;
      return { state: 'reorg_held', held, rejectReason: 'waits', headBefore, changed: false };
    }
    if (random.chance(0.2)) {
      world.staged ||= random.chance(0.5);
      return { state: 'behind', rejectReason: 'less work', headBefore, changed: false };
    }
    // A branch below a gap that replaces the stored one has changed something.
    if (random.chance(0.1) || isBelowGap) return { state: 'behind', headBefore, changed: false };
    const changed = random.chance(0.5);
    if (changed) {
      world.stored++;
      this.commit();
    }
    return { state: 'ok', headBefore, changed };
  }

  commit(): void {
    this.apply({ type: 'committed', head: this.world.stored });
    this.inRow = 0;
    expect(this.state.failures, 'failures after a commit').to.equal(0);
    expect(this.state.lastHead, 'the last commit').to.equal(this.world.stored);
  }

  /** False if the round is over. */
  fillGaps(nodeHeight: number): boolean {
    const { random, world } = this;
    if (!world.gaps) {
      this.apply({ type: 'gap_looked', filled: false, mayHaveGaps: false });
      this.hasLooked = true;
      return true;
    }
    const work = gapWork(this.state, nodeHeight, world.stored);
    expect(work === 'first', 'gaps are filled before a head that is far away').to.equal(
      nodeHeight - world.stored > 100,
    );
    if (this.state.belowGap.at === 'apart')
      expect(work, 'another branch is looked at in each round').to.not.equal('background');
    if (work !== 'background') {
      this.apply({ type: 'gap_awaited' });
      this.hasLooked = false;
      if (random.chance(0.2)) throw this.fault();
    }
    let filled: Filled = random.chance(0.4);
    if (filled) {
      this.inRow = 0;
      world.gaps = random.chance(0.5);
    } else if (work !== 'background' && random.chance(0.6)) filled = this.result(true);
    this.apply({ type: 'gap_looked', filled, mayHaveGaps: world.gaps });
    if (filled !== false) this.hasLooked = true;
    if (typeof filled === 'object') expect(this.state.belowGap).to.deep.equal({ at: 'apart', result: filled });
    return !(filled === true || (filled === false && work === 'first'));
  }

  fault(): MiddlewareError {
    const code = CODES[this.random.int(0, CODES.length - 1)]!;
    const details = this.random.chance(0.2)
      ? { retryAfterMs: this.random.int(1, 100_000) }
      : this.random.chance(0.1)
        ? { isMadeUp: true }
        : {};
    return nodeFault(code, 'said so', { details });
  }

  round(): void {
    const { random, world } = this;
    world.gaps ||= random.chance(0.05);
    if (random.chance(0.1)) world.stored += random.int(1, 3);
    const nodeHeight = world.stored + (random.chance(0.2) ? 500 : random.int(-1, 3));
    if (!this.fillGaps(nodeHeight)) return;
    if (random.chance(0.25)) throw this.fault();
    const before = this.state;
    const knownHead = world.stored;
    const synced = this.result(false);
    expect(isStoredByOther(before, synced), 'heights that another process stored').to.equal(
      knownHead > before.lastHead,
    );
    const result = roundResult(this.state, synced);
    expect(result.headBefore, 'what the round found stored').to.equal(synced.headBefore);
    expect(result.changed, 'whether the head changed').to.equal(synced.changed);
    if (this.state.belowGap.at === 'apart') {
      expect(result.state, 'what is below a gap decides').to.equal(this.state.belowGap.result.state);
    }
    this.apply({ type: 'ended', result, atHead: synced });
    this.inRow = 0;
    expect(this.state.failures, 'failures after a round').to.equal(0);
    expect(this.state.lastHead, 'the stored head after a round').to.equal(world.stored);
    if (result.changed) expect(this.state.mayPoll, 'polling after something was stored').to.equal(true);
    this.cleanUp(result);
    if (!result.changed) {
      const moved = random.chance(0.5);
      this.apply({ type: 'paused', moved });
      expect(this.state.mayPoll, 'polling after a pause').to.equal(!moved);
    }
  }

  /** Removes what is left over, as the loop does. */
  cleanUp(result: SyncResult): void {
    const { random, world } = this;
    const [hasDemoted, hasHeldReorg] = [random.chance(0.4), random.chance(0.3)];
    if (mustUnstage(this.state, result, hasDemoted)) {
      expect(result.state, 'blocks stay staged until the copy has the head').to.equal('ok');
      expect(hasDemoted, 'blocks of a demoted node stay staged').to.equal(false);
      world.staged = false;
      this.apply({ type: 'unstaged' });
    } else if (result.state === 'ok' && !hasDemoted)
      expect(world.staged, 'staged blocks that nobody removes').to.equal(false);
    const isDecided = result.state === 'ok' || result.rejectReason !== undefined;
    if (mustRelease(this.state, result, hasHeldReorg)) {
      expect(isDecided, 'a reorg stays held until something was decided').to.equal(true);
      expect(hasHeldReorg, 'the reorg of a demoted node stays held').to.equal(false);
      if (world.held === 'below_gap')
        expect(this.hasLooked, 'a reorg below a gap stays held until the gap was looked at').to.equal(true);
      world.held = 'none';
      this.hasHeldAtHead = false;
      this.apply({ type: 'released' });
    } else if (isDecided && !hasHeldReorg && (this.hasLooked || this.hasHeldAtHead))
      expect(world.held, 'a held reorg that nobody releases').to.equal('none');
  }

  waitAfter(fault: MiddlewareError): void {
    const decision = decideFault(this.state, fault)!;
    const contradicts = CONTRADICTIONS.includes(fault.code);
    expect(decision.demotes, `whether ${fault.code} demotes after ${this.inRow} failures`).to.equal(
      BREACHES.includes(fault.code) || (contradicts && this.inRow >= MAX_CONTRADICTIONS),
    );
    expect(decision.looksForGaps).to.equal(fault.code === 'chain_moved');
    expect(decision.forgetsRules).to.equal(fault.code === 'node_breaks_rules');
    if (typeof decision.pause === 'number')
      expect(decision.pause, 'the pause that a node asks for').to.be.at.most(30_000);
    this.apply({ type: 'failed' });
    this.world.staged ||= this.random.chance(0.3);
    if ((decision.demotes && this.random.chance(0.5)) || decision.pause === 'none') return;
    this.apply({ type: 'waited' });
    this.inRow++;
    expect(this.state.failures, 'failures in a row').to.equal(this.inRow);
  }
}

describe('what the populator remembers between rounds', () => {
  it(`holds what it promises in ${ORDERS} random orders of rounds and faults`, () => {
    for (let order = 0; order < Number(ORDERS); order++) {
      const random = choices(Number(SEED) * 1_000_003 + order);
      const run = new Run(random, {
        stored: random.int(-1, 50),
        gaps: random.chance(0.5),
        held: random.chance(0.3) ? 'below_gap' : random.chance(0.3) ? 'head' : 'none',
        staged: random.chance(0.5),
      });
      const states: string[] = [];
      try {
        for (let i = 0; i < ROUNDS; i++) {
          states.push(JSON.stringify(run.state));
          try {
            run.round();
          } catch (error) {
            if (!(error instanceof MiddlewareError)) throw error;
            run.waitAfter(error);
          }
        }
      } catch (cause) {
        throw new Error(`order ${order} of SEED=${SEED}: ${(cause as Error).message}\n${states.join('\n')}`, { cause });
      }
    }
  });

  it('leaves faults of the database to others', () => {
    expect(decideFault(initialState, new MiddlewareError('lease_lost', 'taken'))).to.equal(undefined);
  });
});
