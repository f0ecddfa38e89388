import { otherColor, schemaOf, wantedServers } from '../readings/colors.js';
import { serverName } from '../names.js';
import { durationMs } from '../schema/parts.js';
import type { Served } from '../types.js';
import { earliest, inSeconds } from '../times.js';
import type { CopyState } from '../world/copies.js';
import type { CurrentReload } from '../world/current-reload.js';
import type { Series } from '../world/series.js';
import { copyIn } from '../world/world.js';
import type { World } from '../world/world.js';
import { cleanUp } from './clean-up.js';
import { progressText, recordSeries } from './jobs.js';
import type { State, Verified } from './state.js';

/** Time until all machines route to the new copy, ms. The old servers stay until then. */
const ROUTING_MS = 10_000;

/** Max time for which a switch waits for its record in the database, ms. */
const RECORD_MS = 15_000;

/** Starts servers. The copy serves when they are ready, its lag is small enough, and promotion is allowed. */
export function start(world: World, current: CurrentReload, verified: Verified, details: State['details']): State {
  const { resource, served } = world;
  const { promotion, maxLag } = resource.spec.reload;
  const color = otherColor(served.live);
  const state = copyIn(world, color);
  const base = { other: 'servers', served, verified, details } as const;
  const wanted = wantedServers(resource, world.children.deployment(serverName(resource.metadata.name, served.live)));
  if (!areReady(state, wanted)) {
    const message = `${state.reading} of ${wanted} servers of the new copy are ready`;
    return { ...base, phase: 'Starting', message };
  }
  if (!isNear(world, state)) return { ...base, phase: 'Starting', message: lagText(state, maxLag) };
  if (current.action === 'Rollback' || (promotion === 'Manual' && current.action !== 'Promote')) {
    const message =
      `The new copy is ready: to let it serve, set spec.reload.action to Promote and actionFor to ${current.id}; ` +
      'to drop it, set the action Abort';
    return { ...base, phase: 'AwaitingPromotion', message };
  }
  const record = recordSeries(world, 'intended', { id: current.id, color, schema: schemaOf(resource, color) });
  if (record.state !== 'succeeded') {
    const message = progressText(record, 'Recording in the database that the new copy is to serve');
    return { ...base, phase: 'Promoting', message, job: record.job, requeueAfterMs: record.requeueAfterMs };
  }
  return keepOldCopy(world, promoted(world, current, verified), 'The new copy begins to serve');
}

function areReady({ servers, reading }: CopyState, wanted: number): boolean {
  return (
    servers.exists && servers.settled && reading >= Math.min(wanted, servers.wanted) && (wanted === 0 || reading > 0)
  );
}

/** The new copy serves from now on. Only a verified copy is promoted. */
const promoted = ({ served, now }: World, { id }: CurrentReload, _verified: Verified): Served => ({
  live: otherColor(served.live),
  reload: id,
  previous: served.reload,
  promotedAt: inSeconds(now),
});

/** The state while the new copy serves. The old copy stays unchanged for the retention time. */
export function retain(world: World, current: CurrentReload): State {
  const { now, served: read } = world;
  // Somebody may have edited the annotation. A time that is written once ends the retention.
  const known = [read.promotedAt, current.last?.promotedAt].find((time) => !Number.isNaN(Date.parse(time ?? '')));
  const served: Served = { ...read, promotedAt: known ?? inSeconds(now) };
  const { until, promotedAt } = timesOf(world, served);
  const message = `The ${served.live} copy has served since ${promotedAt}`;
  const isOver = now >= Math.max(until, Date.parse(promotedAt) + ROUTING_MS);
  if (current.last?.phase === 'Retiring' || (isOver && current.action !== 'Rollback')) {
    return cleanUp(world, current, served, 'Retiring', message, { promotedAt, retainUntil: inSeconds(until) });
  }
  if (current.action === 'Rollback') return rollBack(world, current, served, message);
  const late = current.action === 'Abort' ? '. It is too late for Abort: Rollback lets the old copy serve again' : '';
  return keepOldCopy(world, served, `${message}; the old copy is kept until ${inSeconds(until)}${late}`);
}

/** Lets the old copy serve again, as soon as one of its servers is ready and that is recorded. */
function rollBack(world: World, current: CurrentReload, served: Served, message: string): State {
  const live = otherColor(served.live);
  if (copyIn(world, live).reading === 0) {
    return keepOldCopy(world, served, `${message}; the rollback waits until a server of the old copy is ready`);
  }
  // The record comes first: the new copy must not serve again if the resource is lost from now on.
  const record = switchedSeries(world, { live, reload: current.id });
  const rest = recordingMs(world, record);
  if (rest > 0) {
    const wait = keepOldCopy(world, served, `${message}; the rollback is being recorded in the database`);
    return { ...wait, job: record.job, requeueAfterMs: earliest(wait.requeueAfterMs, rest) };
  }
  const back = { live, reload: served.previous, promotedAt: inSeconds(world.now), rolledBack: current.id };
  return afterRollback(world, current, back);
}

/** The old copy serves again. The new one stays until all machines route to the old one, and is then dropped. */
export function afterRollback(world: World, current: CurrentReload, served: Served): State {
  const message = 'The previous copy serves again';
  const rest = Date.parse(served.promotedAt ?? '') + ROUTING_MS - world.now;
  if (!(rest > 0)) return cleanUp(world, current, served, 'RollingBack', message);
  const { job, requeueAfterMs } = switchedSeries(world, { live: served.live, reload: current.id });
  return {
    ...{ other: 'kept', served, phase: 'RollingBack', message, job },
    requeueAfterMs: earliest(rest, requeueAfterMs),
  };
}

/** Time for which the first attempt to record a switch is still waited for, ms; 0 or less if it is not. */
function recordingMs({ children, now }: World, { state, job, outcome, before }: Series): number {
  const created = children.job(job.name)?.metadata.creationTimestamp;
  if (state === 'succeeded' || outcome.state === 'failed' || before !== undefined || outcome.blocked !== undefined)
    return 0;
  return created === undefined ? RECORD_MS : Date.parse(created) + RECORD_MS - now;
}

/** The Job that records which copy serves since the Service was switched. */
const switchedSeries = (world: World, { live, reload = '' }: Served): Series<'record'> =>
  recordSeries(world, 'switched', { id: reload, color: live, schema: schemaOf(world.resource, live) });

function keepOldCopy(world: World, served: Served, message: string): State & { other: 'kept' } {
  const { until, promotedAt } = timesOf(world, served);
  const { job, ...record } = switchedSeries(world, served);
  const recording = recordingMs(world, { job, ...record });
  return {
    ...{ other: 'kept', served, job },
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

/** Whether the copy is near enough to the head to be compared, and to serve. */
export const isNear = ({ resource }: World, { health }: CopyState): boolean =>
  health?.loading === false && health.lag !== undefined && health.lag <= resource.spec.reload.maxLag;

export function lagText({ health, populator }: CopyState, maxLag: number): string {
  if (health === undefined)
    return populator.exists
      ? 'The populator of the new copy is starting'
      : 'The populator of the new copy is being created';
  if (health.lag === undefined)
    return `The populator of the new copy reports: ${health.reason ?? health.nodeState ?? 'nothing about the node'}`;
  return `The new copy is ${health.lag} key blocks behind, ${maxLag} are allowed${health.loading === true ? '; it is still loading' : ''}`;
}
