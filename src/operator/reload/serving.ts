import { observeCopy, otherColor, schemaOf, wantedServers } from '../observe/copies.js';
import type { CopyState } from '../observe/copies.js';
import { serverName } from '../names.js';
import { durationMs } from '../schema/parts.js';
import type { CopyPlan, World } from '../types.js';
import { cleanUp, merge } from './clean-up.js';
import { liveCopy, steady } from './copy-plans.js';
import { servedBy, written } from './served.js';
import type { Served } from './served.js';
import type { Step } from './step.js';
import type { Subject } from './subject.js';

/** Time until all machines route to the new copy; the old servers stay until then, ms. */
const LINGER_MS = 10_000;

const iso = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** Starts servers; the copy serves when they are ready, near enough to the head, and promotion is allowed. */
export function start(
  world: World,
  subject: Subject,
  base: Omit<Step, 'phase' | 'message'>,
  copy: CopyPlan,
  state: CopyState,
  isNear: boolean,
): Step {
  const { resource, now } = world;
  const { promotion, maxLag } = resource.spec.reload;
  const { servers } = state;
  const copies = [...base.copies, copy];
  const wanted = wantedServers(resource, world.children.deployment(serverName(resource.metadata.name, base.live)));
  const isReady =
    servers.exists &&
    servers.settled &&
    servers.ready >= Math.min(wanted, servers.wanted) &&
    (wanted === 0 || servers.ready > 0);
  if (!isReady)
    return {
      ...base,
      copies,
      phase: 'Starting',
      message: `${servers.ready} of ${wanted} servers of the new copy are ready`,
    };
  if (!isNear) return { ...base, copies, phase: 'Starting', message: lagText(state, maxLag) };
  if (subject.wish === 'Rollback' || (promotion === 'Manual' && subject.wish !== 'Promote')) {
    const message =
      `The new copy is ready: let it serve with spec.reload.action Promote with actionFor ${subject.id}, ` +
      'or drop it with Abort';
    return { ...base, copies, phase: 'AwaitingPromotion', message };
  }
  const before = servedBy(world);
  const served: Served = { live: copy.color, reload: subject.id, previous: before.reload, promotedAt: iso(now) };
  return keepOld(world, served, 'It begins to serve');
}

/** The new copy serves; the old one stays unchanged for the retention time. */
export function retain(world: World, subject: Subject, served: Served): Step {
  const { now } = world;
  const { until, promotedAt } = timesOf(world, served);
  const message = `The ${served.live} copy serves since ${promotedAt}`;
  const isOver = now >= Math.max(until, Date.parse(promotedAt) + LINGER_MS);
  if (subject.last?.phase === 'Retiring' || (isOver && subject.wish !== 'Rollback')) {
    return merge(cleanUp(world, subject, served, 'Retiring', 'Complete', message), {
      promotedAt,
      retainUntil: iso(until),
    });
  }
  if (subject.wish === 'Rollback') {
    const old = keptCopy(world, served);
    if (observeCopy(world, old).servers.ready > 0) {
      const back: Served = { live: old.color, reload: served.previous, promotedAt: iso(now), rolledBack: subject.id };
      return rollBack(world, subject, back);
    }
    return keepOld(world, served, `${message}, until a server of the old copy is ready to take its place`);
  }
  const late = subject.wish === 'Abort' ? '. Abort comes too late: Rollback lets the old copy serve again' : '';
  return keepOld(world, served, `${message}; the old copy is kept until ${iso(until)}${late}`);
}

function keepOld(world: World, served: Served, message: string): Step {
  const { until, promotedAt } = timesOf(world, served);
  return {
    live: served.live,
    service: written(served),
    copies: [liveCopy(world, served), keptCopy(world, served)],
    jobs: [],
    phase: 'Retaining',
    message,
    details: { promotedAt, retainUntil: iso(until) },
    againAfterMs: Math.max(until, Date.parse(promotedAt) + LINGER_MS) - world.now + 10,
  };
}

function timesOf({ resource, now }: World, { promotedAt = iso(now) }: Served): { until: number; promotedAt: string } {
  return { promotedAt, until: Date.parse(promotedAt) + durationMs(resource.spec.reload.retain) };
}

const keptCopy = (world: World, { live, previous }: Served): CopyPlan => ({
  color: otherColor(live),
  schema: schemaOf(world.resource, otherColor(live)),
  populates: true,
  servers: steady(world, otherColor(live)),
  reload: previous,
});

/** The old copy serves again; the new one stays until all machines route to the old one. */
export function rollBack(world: World, subject: Subject, served: Served): Step {
  const message = 'The copy from before serves again';
  const rest = Date.parse(served.promotedAt ?? '') + LINGER_MS - world.now;
  if (rest > 0) {
    const left = keptCopy(world, { ...served, previous: subject.id });
    const copies = [liveCopy(world, served), left];
    return {
      live: served.live,
      service: written(served),
      copies,
      jobs: [],
      phase: 'RollingBack',
      message,
      againAfterMs: rest,
    };
  }
  return cleanUp(world, subject, served, 'RollingBack', 'RolledBack', message);
}

export function lagText({ health, populator }: CopyState, maxLag: number): string {
  if (health === undefined)
    return populator.exists ? 'The populator of the new copy starts' : 'The populator of the new copy is made';
  if (health.lag === undefined)
    return `The populator of the new copy says: ${health.reason ?? health.nodeState ?? 'nothing of the node'}`;
  return `The new copy is ${health.lag} key blocks behind, ${maxLag} are allowed${health.loading === true ? '; it still loads' : ''}`;
}
