import { ANNOTATION, populatorName, serverName } from '../names.js';
import { observeCopy } from '../copies.js';
import { otherColor, schemaOf } from '../readings/colors.js';
import { migrationFault } from '../migration-fault.js';
import type { CopyPlan, Served, World } from '../types.js';
import { POLL_MS, cleanUp, isBusy, merge } from './clean-up.js';
import { liveCopy, currentServers } from './copy-plans.js';
import { countHeights, parseHeights } from '../../config/heights.js';
import { differingText, dropSeries, hasLoaded, keptText, loadSeries, progressText, verifySeries } from './jobs.js';
import type { Target } from './jobs.js';
import { endMessage } from './series.js';
import { servedBy, annotationsOf } from './live-service.js';
import { lagText, rollBack, start, retain } from './serving.js';
import type { Step } from './step.js';
import type { CurrentReload } from './current-reload.js';

/** The next step of a blue/green reload: the whole chain is loaded into a second copy, which then serves. */
export function blueGreen(world: World, current: CurrentReload): Step {
  const served = servedBy(world);
  const { id } = current;
  if (served.rolledBack === id) return rollBack(world, current, served);
  if (served.reload === id) return retain(world, current, served);
  const { last, action, why } = current;
  if (last?.phase === 'Failing')
    return cleanUp(world, current, served, 'Failing', 'Failed', last.message ?? 'It failed');
  if (last?.phase === 'Aborting' || action === 'Abort') {
    const message =
      (last?.phase === 'Aborting' ? last.message : undefined) ?? (why ? `Aborted: ${why}` : 'Aborted on request');
    return cleanUp(world, current, served, 'Aborting', 'Aborted', message);
  }
  return load(world, current, served);
}

/** The next step before the new copy serves. It is derived from what exists, so an operator can continue what another began. */
function load(world: World, current: CurrentReload, served: Served): Step {
  const { resource, children } = world;
  const { reload: asked, populator } = resource.spec;
  const { name } = resource.metadata;
  const color = otherColor(served.live);
  const target: Target = { id: current.id, color, schema: schemaOf(resource, color) };
  const green: CopyPlan = { color, schema: target.schema, populates: false, servers: 0, reload: current.id };
  const live = liveCopy(world, served);
  const base = { live: served.live, service: annotationsOf(served), copies: [live], jobs: [], details: {} };
  const isOwn = (deployment: string): boolean =>
    children.deployment(deployment)?.metadata.annotations?.[ANNOTATION.reload] === current.id;
  const fail = (message: string, details: Step['details'] = {}): Step =>
    merge(cleanUp(world, current, served, 'Failing', 'Failed', message), details);

  if (!populator.enabled)
    return fail(
      `${world.resource.spec.hibernated ? 'spec.hibernated is true' : 'spec.populator.enabled is false'}: no populator would follow the chain in the new copy`,
    );
  const state = observeCopy(world, green);
  const follows = isOwn(populatorName(name, color));
  const serves = isOwn(serverName(name, color));

  if (!follows && !serves && state.migration.state === 'missing') {
    if (isBusy(world, color)) {
      return {
        ...base,
        phase: 'Preparing',
        message: `Waiting for pods of an earlier ${color} copy to end`,
        requeueAfterMs: POLL_MS,
      };
    }
    const drop = dropSeries(world, target);
    const kept = keptText(drop);
    if (drop.state === 'failed') return fail(`Schema ${target.schema} cannot be emptied: ${endMessage(drop.outcome)}`);
    if (drop.state !== 'succeeded') {
      const message = progressText(drop, `Emptying schema ${target.schema}`);
      return { ...base, phase: 'Preparing', message, jobs: [drop.job], kept, requeueAfterMs: drop.requeueAfterMs };
    }
  }
  if (!follows) {
    if (state.migration.state === 'failed') {
      const { reason, message, lasting } = migrationFault(state.migration.report, state.migration.exitCode);
      if (lasting) return fail(`Migration of schema ${target.schema}: ${reason}: ${message}`);
    }
    if (state.migration.state !== 'succeeded') {
      return {
        ...base,
        copies: [live, green],
        phase: 'Migrating',
        message: `The tables of schema ${target.schema} are being created`,
      };
    }
    const head = headOf(world, live);
    if (head === undefined) {
      const message = 'No pod of the copy that serves has reported the height of the chain yet';
      return { ...base, copies: [live, green], phase: 'Waiting', message };
    }
    // Loaded heights stay when the Job is killed, so the next Job continues from there.
    const series = loadSeries(world, target, resume(current, head), ({ heights }) =>
      resume(current, lastIn(heights) ?? head),
    );
    const loaded = loadedOf(current, series.heights, series.done);
    if (!hasLoaded(series)) {
      if (series.state === 'failed') return fail(`Loading failed: ${endMessage(series.outcome)}`, { loaded });
      const message = progressText(series, 'Loading the chain');
      const details = { loaded, total: (lastIn(series.heights) ?? head) + 1 };
      const { requeueAfterMs } = series;
      return { ...base, copies: [live, green], jobs: [series.job], phase: 'Loading', message, details, requeueAfterMs };
    }
  }

  const following: CopyPlan = { ...green, populates: true };
  const { health } = state;
  const details = { height: health?.height, lag: health?.lag };
  const isNear = health?.loading === false && health.lag !== undefined && health.lag <= asked.maxLag;
  if (!serves && asked.verify !== 'none') {
    const verified = verify(world, current, target, { near: isNear, height: health?.height });
    if (verified === undefined) {
      return {
        ...base,
        copies: [live, following],
        phase: 'CatchingUp',
        message: lagText(state, asked.maxLag),
        details,
      };
    }
    if ('failed' in verified) return fail(verified.failed, { ...details, ...verified.details });
    if (verified.state !== 'succeeded') {
      const counts = {
        ...details,
        verified: verified.done ?? 0,
        total: verified.total ?? countHeights(parseHeights(verified.heights ?? '0')),
      };
      const message = progressText(verified, 'Comparing the new copy with the chain and the copy that serves');
      const { requeueAfterMs, job } = verified;
      return {
        ...base,
        copies: [live, following],
        jobs: [job],
        phase: 'Verifying',
        message,
        details: counts,
        requeueAfterMs,
      };
    }
  } else if (!serves && !isNear) {
    return { ...base, copies: [live, following], phase: 'CatchingUp', message: lagText(state, asked.maxLag), details };
  }
  if (serves && health?.loading === true)
    return fail('The data of the new copy was removed while the copy waited to serve', details);
  return start(
    world,
    current,
    { ...base, details },
    { ...following, servers: currentServers(world, served.live) },
    state,
    isNear,
  );
}

/** The verification, running or ended; undefined while the copy is too far behind to begin it. */
function verify(
  world: World,
  current: CurrentReload,
  target: Target,
  { near, height }: { near: boolean; height: number | undefined },
) {
  const { resource, children } = world;
  const { verify: asked } = resource.spec.reload;
  const begun = children
    .jobs()
    .some(
      (job) =>
        isVerification(job.metadata.name, resource.metadata.name) &&
        job.metadata.labels?.[ANNOTATION.reload] === current.id,
    );
  if (!begun && (!near || height === undefined)) return undefined;
  const heights = asked === 'all' ? `0-${height ?? 0}` : asked;
  const series = verifySeries(world, target, heights, schemaOf(resource, otherColor(target.color)));
  if (series.state !== 'failed') return series;
  const { report } = series.outcome;
  if (report.code !== 'differs') return { failed: `The comparison did not finish: ${endMessage(series.outcome)}` };
  return {
    failed: `The new copy has wrong data: ${endMessage(series.outcome)}`,
    details: { differing: differingText(report) },
  };
}

const isVerification = (job: string, name: string): boolean => job.startsWith(`${name}-verify-`);

/** Height of the chain's head, as the copy that serves knows it. */
function headOf(world: World, live: CopyPlan): number | undefined {
  const { health } = observeCopy(world, live);
  const { status } = world.resource;
  return health?.nodeHeight ?? health?.height ?? status.nodeHeight ?? status.height;
}

/** Heights that are still to load. They begin one height below the last reported one, which may be incomplete. */
const resume = ({ last }: CurrentReload, head: number): string =>
  `${Math.min(Math.max((last?.loaded ?? 0) - 1, 0), head)}-${head}`;

const lastIn = (heights: string | undefined): number | undefined =>
  heights === undefined ? undefined : Number(heights.split(/[-,]/).at(-1));

/** Number of loaded heights, from 0 on. Loading heights again does not reduce it. */
const loadedOf = ({ last }: CurrentReload, heights: string | undefined, done: number | undefined): number =>
  Math.max(last?.loaded ?? 0, heights === undefined || done === undefined ? 0 : parseHeights(heights)[0]!.from + done);
