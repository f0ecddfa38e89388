import { otherColor, schemaOf } from '../readings/colors.js';
import { endOf } from '../readings/jobs.js';
import { isPaused } from '../resource.js';
import { FINAL_PHASES, waitingReload } from '../schema/reload-phases.js';
import type { ReloadStatus } from '../schema/status.js';
import type { EventDraft, KubeObject, Middleware, Plan, World } from '../types.js';
import { blueGreen } from './blue-green.js';
import { liveCopy } from './copy-plans.js';
import { heldReorgs } from './held-reorg.js';
import { inPlace } from './in-place.js';
import { RELOAD, isLaterAttempt } from './series.js';
import { surveySeries } from './survey.js';
import { servedBy, annotationsOf } from './live-service.js';
import type { Step } from './step.js';
import { ignoredAction, pastReloads, currentReload } from './current-reload.js';
import type { CurrentReload } from './current-reload.js';
import { verification } from './verification.js';
import { earliest, inSeconds } from '../times.js';

/** Decides which copies of the chain must exist, which one serves, and which Jobs run for reloads and comparisons. */
export function planCopies(world: World): Plan {
  const { resource } = world;
  const served = servedBy(world);
  const live = liveCopy(world, served);
  const { heldReorg, acceptedReorg, reorgHeld, ...accepting } = heldReorgs(world, live);
  const reorgs = { heldReorg, acceptedReorg, reorgHeld };
  const idle = { live: served.live, service: annotationsOf(served), copies: [live], jobs: [], events: [], ...reorgs };
  const { reload: last, reloads } = resource.status;
  const survey = world.question && !isPaused(resource) ? surveySeries(world, world.question) : undefined;
  const surveys = survey ? [survey.job] : [];
  // While the resource is paused, or it is not known which copy serves, nothing is decided.
  if (isPaused(resource) || world.question?.isOpen === true) {
    const { verification: lastVerification } = resource.status;
    return {
      ...idle,
      jobs: surveys,
      reload: last,
      reloads,
      verification: lastVerification,
      reloading: conditionOf(resource, last),
      requeueAfterMs: survey?.requeueAfterMs,
    };
  }
  const current = currentReload(resource, served.reload);
  const compared = verification(world, live, current === undefined);
  if (current === undefined) {
    const { jobs, events, requeueAfterMs, status } = compared;
    return {
      ...idle,
      jobs: [...surveys, ...jobs, ...accepting.jobs],
      events: [...events, ...accepting.events],
      requeueAfterMs: earliest(requeueAfterMs, accepting.requeueAfterMs),
      reload: last,
      reloads,
      verification: status,
      reloading: conditionOf(resource, last),
    };
  }
  const step = current.heights === 'all' ? blueGreen(world, current) : inPlace(world, current);
  const reload = statusOf(world, current, step);
  const ended = FINAL_PHASES.has(reload.phase);
  return {
    live: step.live,
    service: step.service ?? {},
    copies: step.copies,
    jobs: [...surveys, ...withEnded(world, current, step.jobs), ...compared.jobs, ...accepting.jobs],
    reload,
    reloads: pastReloads(resource, reload),
    verification: compared.status,
    ...reorgs,
    reloading: conditionOf(resource, reload, step.kept),
    kept: step.kept,
    events: [...reloadEvents(last, reload), ...compared.events, ...accepting.events],
    // Another reload may wait for the end of this one.
    requeueAfterMs: earliest(
      step.requeueAfterMs,
      compared.requeueAfterMs,
      accepting.requeueAfterMs,
      ended ? 50 : undefined,
    ),
  };
}

/** The Jobs, and all ended Jobs of the reload that no later attempt replaced: they stay until it ends, because they record what was done. */
function withEnded({ children }: World, { id }: CurrentReload, jobs: KubeObject[]): KubeObject[] {
  const names = new Set(jobs.map(({ metadata }) => metadata.name));
  const done = children
    .jobs()
    .filter((job) => job.metadata.labels?.[RELOAD] === id && endOf(job) !== undefined)
    .filter((job, _, all) => !all.some((other) => isLaterAttempt(other, job)));
  return [...jobs, ...done.filter(({ metadata }) => !names.has(metadata.name))];
}

function statusOf({ resource, now }: World, { id, heights, last }: CurrentReload, step: Step): ReloadStatus {
  const time = inSeconds(now);
  const isInPlace = heights !== 'all';
  const color = isInPlace || step.service?.[RELOAD] === id ? step.live : otherColor(step.live);
  const ended = FINAL_PHASES.has(step.phase);
  const reload: ReloadStatus = {
    ...last,
    id,
    heights,
    color,
    schema: schemaOf(resource, color),
    inPlace: isInPlace,
    startedAt: last?.startedAt ?? time,
    ...step.details,
    phase: step.phase,
    message: step.message,
    ...(ended && { finishedAt: last?.finishedAt ?? time }),
  };
  return Object.fromEntries(Object.entries(reload).filter(([, value]) => value !== undefined));
}

/** The condition Reloading. */
function conditionOf(resource: Middleware, reload: ReloadStatus | undefined, kept?: string): Plan['reloading'] {
  const { id, phase, message = '' } = reload ?? {};
  const ignored = ignoredAction(resource, reload);
  const waiting = waitingReload(resource, reload);
  const rest = [kept, waiting && `Reload ${waiting} starts when this one has ended`, ignored]
    .map((one) => (one ? `. ${one}` : ''))
    .join('');
  if (id === undefined || phase === undefined)
    return { status: 'False', reason: 'NoReload', message: `No reload was requested${rest}` };
  const isOver = FINAL_PHASES.has(phase) || phase === 'Retaining' || phase === 'Retiring';
  return { status: isOver ? 'False' : 'True', reason: phase, message: `Reload ${id}: ${message}${rest}` };
}

/** The Events of a reload: it began, another copy serves, and how it ended. */
function reloadEvents(before: ReloadStatus | undefined, after: ReloadStatus): EventDraft[] {
  const isSame = before?.id === after.id;
  if (isSame && before?.phase === after.phase) return [];
  const message = `Reload ${after.id}: ${after.message ?? ''}`;
  if (after.phase === 'Failing' || (after.phase === 'Failed' && before?.phase !== 'Failing'))
    return [{ type: 'Warning', reason: 'ReloadFailed', message }];
  if (after.phase === 'Retaining') return [{ type: 'Normal', reason: 'ReloadPromoted', message }];
  if (FINAL_PHASES.has(after.phase)) return [{ type: 'Normal', reason: `Reload${after.phase}`, message }];
  return isSame ? [] : [{ type: 'Normal', reason: 'ReloadStarted', message }];
}
