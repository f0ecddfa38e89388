import { otherColor, schemaOf } from '../readings/colors.js';
import { endOf } from '../readings/jobs.js';
import { FINAL_PHASES, waitingReload } from '../schema/reload-phases.js';
import type { MiddlewareStatus, PastReload, ReloadStatus } from '../schema/status.js';
import { earliest, inSeconds } from '../times.js';
import type { ConditionState, CopyPlan, EventDraft, Middleware, Served } from '../types.js';
import { ignoredAction, pastReloads } from '../world/current-reload.js';
import type { CurrentReload } from '../world/current-reload.js';
import { RELOAD, isLaterAttempt } from '../world/series.js';
import type { WantedJob } from '../world/series.js';
import type { World } from '../world/world.js';
import { blueGreen } from './blue-green.js';
import { copiesOf, liveCopy } from './copy-plans.js';
import { heldReorgs } from './held-reorg.js';
import type { HeldReorgs } from './held-reorg.js';
import { inPlace } from './in-place.js';
import type { State } from './state.js';
import { verification } from './verification.js';

/** Which copies must exist, which one serves, and which Jobs run, for example for a reload. */
export interface Plan {
  /** Which copy serves. The live Service records it, written together with its selector. */
  served: Served;
  /** A copy that is not in this list has no Deployments. */
  copies: CopyPlan[];
  /** Jobs that must exist, besides those of migrations. */
  jobs: WantedJob[];
  events: EventDraft[];
  /** Reconcile again after this time even if nothing happens, ms. */
  requeueAfterMs?: number | undefined;
  /** Whether a reorg is held back in the copy that serves. */
  reorgs: HeldReorgs;
  /** Fields of `status`; a field that is absent here is absent there. */
  reload?: ReloadStatus | undefined;
  reloads?: PastReload[] | undefined;
  verification?: MiddlewareStatus['verification'];
  /** Why a copy that does not serve was not dropped: it has more proven work than the one that serves. */
  kept?: string | undefined;
  /** The condition Reloading. */
  reloading: ConditionState;
}

/** The plan that changes nothing: the copy that serves goes on as it is. */
export function idlePlan(world: World): Plan {
  const { resource, served, question, paused } = world;
  const { reload, reloads, verification: compared } = resource.status;
  const survey = paused ? undefined : question?.survey;
  return {
    reorgs: heldReorgs(world),
    ...{ served, copies: [liveCopy(world, served)], reload, reloads, verification: compared },
    jobs: survey === undefined ? [] : [survey.job],
    events: [],
    reloading: conditionOf(resource, reload),
    requeueAfterMs: survey?.requeueAfterMs,
  };
}

/**
 * Decides which copies of the chain must exist, which one serves, and which Jobs run for reloads and comparisons. While the resource is
 * paused, or it is not known which copy serves, nothing is decided.
 */
export function planCopies(world: World, idle: Plan): Plan {
  const { question, paused, reload: current } = world;
  const { reorgs } = idle;
  if (paused || question?.isOpen === true) return idle;
  const compared = verification(world);
  const state = current && (current.heights === 'all' ? blueGreen(world, current) : inPlace(world, current));
  const reloading = current && state ? reloadOf(world, current, state) : undefined;
  return {
    ...idle,
    ...reloading,
    verification: compared.status,
    jobs: [...idle.jobs, ...(reloading?.jobs ?? []), ...compared.jobs, ...reorgs.jobs],
    events: [...(reloading?.events ?? []), ...compared.events, ...reorgs.events],
    requeueAfterMs: earliest(reloading?.requeueAfterMs, compared.requeueAfterMs, reorgs.requeueAfterMs),
  };
}

/** The part of the plan that a reload in this state decides. */
function reloadOf(world: World, current: CurrentReload, state: State) {
  const { resource } = world;
  const { served, kept, job, requeueAfterMs } = state;
  const reload = statusOf(world, current, state);
  return {
    served,
    copies: copiesOf(world, current, state),
    jobs: withEnded(world, current, job === undefined ? [] : [job]),
    reload,
    reloads: pastReloads(resource, reload),
    reloading: conditionOf(resource, reload, kept),
    kept,
    events: reloadEvents(resource.status.reload, reload),
    // Another reload may wait for the end of this one.
    requeueAfterMs: earliest(requeueAfterMs, FINAL_PHASES.has(reload.phase) ? 50 : undefined),
  };
}

/** The Jobs, and all ended Jobs of the reload that no later attempt replaced: they stay until it ends, because they record what was done. */
function withEnded({ children }: World, { id }: CurrentReload, jobs: WantedJob[]): WantedJob[] {
  const names = new Set(jobs.map(({ name }) => name));
  const done = children
    .jobs()
    .filter((job) => job.metadata.labels?.[RELOAD] === id && endOf(job) !== undefined)
    .filter((job, _, all) => !all.some((other) => isLaterAttempt(other, job)));
  return [...jobs, ...done.flatMap(({ metadata: { name } }) => (names.has(name) ? [] : [{ what: 'ended', name }]))];
}

function statusOf({ resource, now }: World, { id, heights, last }: CurrentReload, state: State): ReloadStatus {
  const { served, phase, message, details } = state;
  const time = inSeconds(now);
  const isInPlace = heights !== 'all';
  const color = isInPlace || served.reload === id ? served.live : otherColor(served.live);
  const ended = FINAL_PHASES.has(phase);
  const reload: ReloadStatus = {
    ...last,
    id,
    heights,
    color,
    schema: schemaOf(resource, color),
    inPlace: isInPlace,
    startedAt: last?.startedAt ?? time,
    ...details,
    phase,
    message,
    ...(ended && { finishedAt: last?.finishedAt ?? time }),
  };
  return Object.fromEntries(Object.entries(reload).filter(([, value]) => value !== undefined));
}

/** The condition Reloading. */
function conditionOf(resource: Middleware, reload: ReloadStatus | undefined, kept?: string): ConditionState {
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
