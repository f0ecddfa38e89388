import type { MiddlewareStatus } from '../schema/status.js';
import { durationMs } from '../schema/parts.js';
import { inSeconds } from '../times.js';
import type { EventDraft } from '../types.js';
import { endMessage } from '../world/series.js';
import type { Series, WantedJob } from '../world/series.js';
import type { World } from '../world/world.js';
import { differingOf, differingText, hasLoaded, loadSeries, verifySeries } from './jobs.js';
import type { Target } from './jobs.js';

interface Verification {
  jobs: WantedJob[];
  status: MiddlewareStatus['verification'];
  events: EventDraft[];
  requeueAfterMs?: number | undefined;
}

type Result = NonNullable<NonNullable<MiddlewareStatus['verification']>['result']>;

type Running = NonNullable<MiddlewareStatus['verification']> & { startedAt: string };

/** Pause before the pass after a change of the status alone, ms. */
const SOON_MS = 50;

/**
 * Compares the copy that serves with the chain at intervals, and reloads heights that differ if the resource allows it. The
 * status records that a comparison began before its first Job is made. This time identifies its Jobs, so the result of a Job
 * of another comparison is never reported. A result has the time at which its Job ended.
 */
export function verification(world: World): Verification {
  const { resource } = world;
  const { interval } = resource.spec.verification;
  const last = resource.status.verification;
  if (interval === undefined) return { jobs: [], status: last, events: [] };
  return last?.startedAt !== undefined && last.finishedAt === undefined
    ? compared(world, { ...last, startedAt: last.startedAt })
    : begun(world, durationMs(interval));
}

/** The begin of a comparison, if it is due and no reload is under way. */
function begun(world: World, intervalMs: number): Verification {
  const { resource, now, reload, live } = world;
  const last = resource.status.verification;
  const none = { jobs: [], status: last, events: [] };
  const due = Date.parse(last?.finishedAt ?? resource.metadata.creationTimestamp ?? '') + intervalMs;
  if (Number.isNaN(due)) return none;
  if (now < due) return { ...none, requeueAfterMs: due - now };
  const { health } = live;
  // A change of the health causes a pass, and so does the end of a reload.
  if (reload !== undefined || health?.loading !== false || health.height === undefined) return none;
  // Times have whole seconds: two comparisons never begin in the same one.
  const startedAt = inSeconds(Math.max(now, Date.parse(last?.startedAt ?? '1970-01-01') + 1_000));
  const { heights: asked } = resource.spec.verification;
  const heights = asked === 'all' ? `0-${health.height}` : asked;
  return { ...none, status: { startedAt, heights, message: 'The comparison begins' }, requeueAfterMs: SOON_MS };
}

/** The next step of a comparison that has begun: compare, load again what differs, compare that again. */
function compared(world: World, running: Running): Verification {
  const { startedAt, heights } = running;
  // A version that did not record the heights began it.
  if (heights === undefined) return { jobs: [], status: undefined, events: [], requeueAfterMs: SOON_MS };
  const { color, schema } = world.live;
  const id = `verification-${startedAt.replace(/\D/g, '')}`;
  const target: Target = { id, color, schema, component: 'verification' };
  const round: Round = { world, target, startedAt, heights };

  const first = verifySeries(world, target, heights, undefined);
  if (isUnderWay(first)) return wait(round, first, 'Comparing the database with the chain');
  if (first.state === 'succeeded')
    return end(round, first, 'Matches', first.outcome.report.message ?? 'All heights match the chain');
  const result = endMessage(first.outcome);
  const { report } = first.outcome;
  if (report.code !== 'differs') return end(round, first, 'Unfinished', `The comparison did not finish: ${result}`);
  const differing = differingOf(report);
  if (!world.resource.spec.reload.repair || differing === undefined)
    return end(round, first, 'Differs', result, differingText(report));
  return mended(round, result, differing);
}

/** Loads the heights that differ again, and compares them once more. */
function mended(round: Round, result: string, differing: string): Verification {
  const { world, target } = round;
  const load = loadSeries(world, target, differing);
  if (load.state === 'failed') {
    const message = `${result}; the reload failed: ${endMessage(load.outcome)}`;
    return end(round, load, 'Differs', message, differing);
  }
  if (!hasLoaded(load)) return wait(round, load, `Heights ${differing} differ from the chain and are being reloaded`);
  const again = verifySeries(world, target, differing, undefined, 1);
  if (isUnderWay(again)) return wait(round, again, `Heights ${differing} were reloaded and are being compared again`);
  if (again.state === 'failed') {
    const message = `${result}; they still differ after they were reloaded: ${endMessage(again.outcome)}`;
    return end(round, again, 'Differs', message, differing);
  }
  const message = `Heights ${differing} differed from the chain and were reloaded`;
  return {
    ...end(round, again, 'Mended', `${result}; heights ${differing} were reloaded and now match the chain`, differing),
    events: [{ type: 'Normal', reason: 'DataRepaired', message }],
  };
}

/** A comparison that has begun. */
interface Round {
  world: World;
  target: Target;
  startedAt: string;
  heights: string;
}

const isUnderWay = ({ state }: Series): boolean => state === 'running' || state === 'waiting';

/** The part of the status that names the comparison and its Job. */
function reportOf({ world, startedAt, heights }: Round, { job: { name } }: Series) {
  const jobUid = world.children.job(name)?.metadata.uid;
  return { startedAt, heights, job: name, ...(jobUid !== undefined && { jobUid }) };
}

const wait = (round: Round, series: Series, message: string): Verification => ({
  jobs: [series.job],
  status: { ...reportOf(round, series), message },
  events: [],
  requeueAfterMs: series.requeueAfterMs,
});

function end(round: Round, series: Series, result: Result, message: string, differing?: string): Verification {
  const finishedAt = inSeconds(series.endedAt ?? round.world.now);
  const report = { ...reportOf(round, series), finishedAt, result, message };
  const isGood = result === 'Matches';
  const text = `Job ${series.job.name}: ${message}`;
  return {
    jobs: [],
    status: { ...report, ...(differing !== undefined && { differing }) },
    events: [{ type: isGood ? 'Normal' : 'Warning', reason: isGood ? 'DataVerified' : 'DataDiffers', message: text }],
    // Perhaps no object changes any more. The next pass knows when the next comparison is due.
    requeueAfterMs: SOON_MS,
  };
}
