import { hashOf } from '../names.js';
import type { ConditionState, EventDraft } from '../types.js';
import type { MiddlewareStatus } from '../schema/status.js';
import { endMessage, seriesOf } from '../world/series.js';
import type { Series, WantedJob } from '../world/series.js';
import type { World } from '../world/world.js';
import { no, unknown, yes } from '../condition-state.js';
import { inSeconds } from '../times.js';

/** The held reorg of the copy that serves, for the status, and the Job that accepts it. */
export interface HeldReorgs {
  jobs: WantedJob[];
  events: EventDraft[];
  heldReorg?: MiddlewareStatus['heldReorg'];
  acceptedReorg?: MiddlewareStatus['acceptedReorg'];
  /** The condition ReorgHeld. */
  reorgHeld: ConditionState;
  requeueAfterMs?: number | undefined;
}

type Held = NonNullable<MiddlewareStatus['heldReorg']>;

const ACCEPT_ATTEMPTS = 8;

/**
 * The held reorg of the copy that serves, and the Job that accepts it if the resource does. The status records what was
 * accepted, so that the same text in the resource does not accept another reorg later.
 */
export function heldReorgs(world: World): HeldReorgs {
  const { resource, now, live, paused } = world;
  const { acceptReorg: wanted } = resource.spec;
  const { heldReorg: last, acceptedReorg } = resource.status;
  const done = acceptedReorg?.hash === wanted && acceptedReorg?.color === live.color ? acceptedReorg : undefined;
  const none = { jobs: [], events: [], acceptedReorg: done };
  const { health } = live;
  // A pod that is not ready may not have read the database.
  if (health?.loading === undefined) return { ...none, heldReorg: last, reorgHeld: notReported };

  const time = inSeconds(now);
  // Times have whole seconds. A reorg that begins in the second of an acceptance gets the next second, so that it is later.
  const begun = done === undefined ? now : Math.max(now, Date.parse(done.at) + 1_000);
  const held = health.heldReorg && { ...health.heldReorg, since: last?.since ?? inSeconds(begun) };
  const mayAccept = wanted !== undefined && done === undefined && !paused;
  // Only a reorg that the status has can be accepted: its begin distinguishes it from earlier ones.
  if (mayAccept && last !== undefined) {
    const accepting = acceptance(world, wanted, last);
    const { state, job } = accepting;
    if (state === 'succeeded') {
      const accepted = { hash: wanted, color: live.color, at: time };
      const message = `The branch of ${wanted} is accepted`;
      const events: EventDraft[] = [{ type: 'Normal', reason: 'ReorgAccepted', message }];
      const reorgHeld = held === undefined ? over(`; ${message}`) : yes('Accepted', `${sentence(held)}. ${message}`);
      return { jobs: [job], events, heldReorg: held, acceptedReorg: accepted, reorgHeld, requeueAfterMs: 50 };
    }
    // The result of the Job decides whether the branch was accepted, even if the populator has already applied it.
    if (held !== undefined || accepting.outcome.state === 'running') {
      const shown = held ?? last;
      return { ...none, jobs: [job], heldReorg: shown, ...reportOf(accepting, wanted, shown) };
    }
  }
  if (held === undefined) {
    const rest = wanted === undefined ? '' : `; spec.acceptReorg ${wanted} ${done ? 'was carried out' : 'is ignored'}`;
    return { ...none, heldReorg: undefined, reorgHeld: over(rest) };
  }
  return {
    ...none,
    heldReorg: held,
    reorgHeld: waiting(held, done),
    ...(mayAccept && { requeueAfterMs: 50 }),
  };
}

function acceptance(world: World, wanted: string, { since }: Held): Series {
  const { color, schema } = world.live;
  const key = ['accept', wanted, color, schema, since];
  return seriesOf(world, {
    what: 'accept',
    key,
    reload: `accept-${hashOf(key)}`,
    component: 'acceptance',
    color,
    schema,
    maxAttempts: ACCEPT_ATTEMPTS,
    // Retried also if the branch has no such key block: the populator may not have read it yet.
    next: () => ({ args: ['accept-reorg', wanted] }),
  });
}

function reportOf(
  { state, outcome, job, requeueAfterMs }: Series,
  wanted: string,
  held: Held,
): Pick<HeldReorgs, 'reorgHeld' | 'requeueAfterMs'> {
  const { name } = job;
  if (outcome.report.code === 'reorg_not_held') {
    const ignored = `spec.acceptReorg ${wanted} is ignored: the held branch has no such key block`;
    return { reorgHeld: yes('NotHeld', `${sentence(held)}. ${ignored}`), requeueAfterMs };
  }
  if (state === 'failed') {
    const failed = `Job ${name} could not accept the reorg: ${endMessage(outcome)}; remove spec.acceptReorg and set it again`;
    return { reorgHeld: yes('NotAccepted', `${sentence(held)}. ${failed}`) };
  }
  return { reorgHeld: yes('Accepting', `${sentence(held)}. Job ${name} accepts it`), requeueAfterMs };
}

function waiting(held: Held, done: HeldReorgs['acceptedReorg']): ConditionState {
  if (done !== undefined && Date.parse(done.at) >= Date.parse(held.since)) {
    return yes('Accepted', `${sentence(held)}. It is accepted; the populator applies it when it next reads the node`);
  }
  const before = done === undefined ? '' : `. spec.acceptReorg ${done.hash} was carried out before and is not repeated`;
  const todo = 'look for this key block on nodes you trust, then set spec.acceptReorg to it, or repair the node';
  return yes('Unconfirmed', `${sentence(held)}${before}: ${todo}`);
}

const sentence = ({ hash, height, depth, since }: Held): string =>
  `A reorg to ${hash} at height ${height}, which replaces ${depth} key blocks, has been held back since ${since}`;

const over = (rest: string): ConditionState => no('NoReorg', `No reorg is held back${rest}`);
const notReported = unknown('NotReported', 'No pod has reported whether a reorg is held back');
