import { observeCopy } from '../copies.js';
import { otherColor, schemaOf, wantedServers } from '../readings/colors.js';
import type { CopyState } from '../copies.js';
import { serverName } from '../names.js';
import { durationMs } from '../schema/parts.js';
import type { Color } from '../schema/status.js';
import type { CopyPlan, Served, World } from '../types.js';
import { cleanUp, merge } from './clean-up.js';
import { liveCopy, currentServers } from './copy-plans.js';
import { servedBy, annotationsOf } from './live-service.js';
import { progressText, recordSeries } from './jobs.js';
import type { Series } from './series.js';
import type { Step } from './step.js';
import type { CurrentReload } from './current-reload.js';
import { earliest, inSeconds } from '../times.js';

/** Time until all machines route to the new copy, ms. The old servers stay until then. */
const ROUTING_MS = 10_000;

/** Max time for which a switch waits for its record in the database, ms. */
const RECORD_MS = 15_000;

/** Starts servers. The copy serves when they are ready, its lag is small enough, and promotion is allowed. */
export function start(
  world: World,
  current: CurrentReload,
  base: Omit<Step, 'phase' | 'message'>,
  copy: CopyPlan,
  state: CopyState,
  isNear: boolean,
): Step {
  const { resource, now } = world;
  const { promotion, maxLag } = resource.spec.reload;
  const { servers, reading } = state;
  const copies = [...base.copies, copy];
  const wanted = wantedServers(resource, world.children.deployment(serverName(resource.metadata.name, base.live)));
  const isReady =
    servers.exists && servers.settled && reading >= Math.min(wanted, servers.wanted) && (wanted === 0 || reading > 0);
  if (!isReady)
    return {
      ...base,
      copies,
      phase: 'Starting',
      message: `${reading} of ${wanted} servers of the new copy are ready`,
    };
  if (!isNear) return { ...base, copies, phase: 'Starting', message: lagText(state, maxLag) };
  if (current.action === 'Rollback' || (promotion === 'Manual' && current.action !== 'Promote')) {
    const message =
      `The new copy is ready: to let it serve, set spec.reload.action to Promote and actionFor to ${current.id}; ` +
      'to drop it, set the action Abort';
    return { ...base, copies, phase: 'AwaitingPromotion', message };
  }
  const record = recordSeries(world, 'intended', { id: current.id, color: copy.color, schema: copy.schema });
  if (record.state !== 'succeeded') {
    const message = progressText(record, 'Recording in the database that the new copy is to serve');
    return { ...base, copies, jobs: [record.job], phase: 'Promoting', message, requeueAfterMs: record.requeueAfterMs };
  }
  const before = servedBy(world);
  const served: Served = { live: copy.color, reload: current.id, previous: before.reload, promotedAt: inSeconds(now) };
  return keepOldCopy(world, served, 'The new copy begins to serve');
}

/** The next step while the new copy serves. The old copy stays unchanged for the retention time. */
export function retain(world: World, current: CurrentReload, read: Served): Step {
  const { now } = world;
  // Somebody may have edited the annotation. A time that is written once ends the retention.
  const known = [read.promotedAt, current.last?.promotedAt].find((time) => !Number.isNaN(Date.parse(time ?? '')));
  const served: Served = { ...read, promotedAt: known ?? inSeconds(now) };
  const { until, promotedAt } = timesOf(world, served);
  const message = `The ${served.live} copy has served since ${promotedAt}`;
  const isOver = now >= Math.max(until, Date.parse(promotedAt) + ROUTING_MS);
  if (current.last?.phase === 'Retiring' || (isOver && current.action !== 'Rollback')) {
    return merge(cleanUp(world, current, served, 'Retiring', 'Complete', message), {
      promotedAt,
      retainUntil: inSeconds(until),
    });
  }
  if (current.action === 'Rollback') {
    const old = oldCopy(world, served);
    if (observeCopy(world, old).reading > 0) {
      const back: Served = {
        live: old.color,
        reload: served.previous,
        promotedAt: inSeconds(now),
        rolledBack: current.id,
      };
      // The record comes first: the new copy must not serve again if the resource is lost from now on.
      const record = switchedSeries(world, back.live, current.id);
      const rest = recordingMs(world, record);
      if (rest > 0) {
        const wait = keepOldCopy(world, served, `${message}; the rollback is being recorded in the database`);
        return { ...wait, jobs: [record.job], requeueAfterMs: earliest(wait.requeueAfterMs, rest) };
      }
      return rollBack(world, current, back);
    }
    return keepOldCopy(world, served, `${message}; the rollback waits until a server of the old copy is ready`);
  }
  const late = current.action === 'Abort' ? '. It is too late for Abort: Rollback lets the old copy serve again' : '';
  return keepOldCopy(world, served, `${message}; the old copy is kept until ${inSeconds(until)}${late}`);
}

/** Time for which the first attempt to record a switch is still waited for, ms; 0 or less if it is not. */
function recordingMs({ children, now }: World, { state, job, outcome, before }: Series): number {
  const created = children.job(job.metadata.name)?.metadata.creationTimestamp;
  if (state === 'succeeded' || outcome.state === 'failed' || before !== undefined || outcome.blocked !== undefined)
    return 0;
  return created === undefined ? RECORD_MS : Date.parse(created) + RECORD_MS - now;
}

/** The Job that records which copy serves since the Service was switched. */
const switchedSeries = (world: World, color: Color, id: string): Series =>
  recordSeries(world, 'switched', { id, color, schema: schemaOf(world.resource, color) });

function keepOldCopy(world: World, served: Served, message: string): Step {
  const { until, promotedAt } = timesOf(world, served);
  const record = switchedSeries(world, served.live, served.reload ?? '');
  const recording = recordingMs(world, record);
  return {
    live: served.live,
    service: annotationsOf(served),
    copies: [liveCopy(world, served), oldCopy(world, served)],
    jobs: [record.job],
    phase: recording > 0 ? 'Promoting' : 'Retaining',
    message: recording > 0 ? 'The new copy serves; that is being recorded in the database' : message,
    details: { promotedAt, retainUntil: inSeconds(until) },
    requeueAfterMs: earliest(
      Math.max(until, Date.parse(promotedAt) + ROUTING_MS) - world.now + 10,
      record.requeueAfterMs,
      recording > 0 ? recording : undefined,
    ),
  };
}

function timesOf(
  { resource, now }: World,
  { promotedAt = inSeconds(now) }: Served,
): { until: number; promotedAt: string } {
  return { promotedAt, until: Date.parse(promotedAt) + durationMs(resource.spec.reload.retain) };
}

/** The copy that served before the one that serves now. */
const oldCopy = (world: World, { live, previous }: Served): CopyPlan => ({
  color: otherColor(live),
  schema: schemaOf(world.resource, otherColor(live)),
  populates: true,
  servers: currentServers(world, otherColor(live)),
  reload: previous,
});

/** The next step of a rollback. The old copy serves again; the new one stays until all machines route to the old one. */
export function rollBack(world: World, current: CurrentReload, served: Served): Step {
  const message = 'The previous copy serves again';
  const rest = Date.parse(served.promotedAt ?? '') + ROUTING_MS - world.now;
  const record = switchedSeries(world, served.live, current.id);
  if (rest > 0) {
    const newCopy = oldCopy(world, { ...served, previous: current.id });
    const copies = [liveCopy(world, served), newCopy];
    return {
      live: served.live,
      service: annotationsOf(served),
      copies,
      jobs: [record.job],
      phase: 'RollingBack',
      message,
      requeueAfterMs: earliest(rest, record.requeueAfterMs),
    };
  }
  return cleanUp(world, current, served, 'RollingBack', 'RolledBack', message);
}

export function lagText({ health, populator }: CopyState, maxLag: number): string {
  if (health === undefined)
    return populator.exists
      ? 'The populator of the new copy is starting'
      : 'The populator of the new copy is being created';
  if (health.lag === undefined)
    return `The populator of the new copy reports: ${health.reason ?? health.nodeState ?? 'nothing about the node'}`;
  return `The new copy is ${health.lag} key blocks behind, ${maxLag} are allowed${health.loading === true ? '; it is still loading' : ''}`;
}
