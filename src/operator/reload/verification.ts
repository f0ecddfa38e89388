import type { MiddlewareStatus } from '../schema/status.js';
import { durationMs } from '../schema/parts.js';
import { observeCopy } from '../copies.js';
import type { CopyPlan, EventDraft, KubeObject, World } from '../types.js';
import { differingOf, differingText, hasLoaded, loadSeries, verifySeries } from './jobs.js';
import { endOf } from '../readings/jobs.js';
import { endMessage } from './series.js';
import type { Series } from './series.js';
import { inSeconds } from '../times.js';

interface Verification {
  jobs: KubeObject[];
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
export function verification(world: World, live: CopyPlan, mayBegin: boolean): Verification {
  const { resource } = world;
  const { interval } = resource.spec.verification;
  const last = resource.status.verification;
  if (interval === undefined) return { jobs: [], status: last, events: [] };
  return last?.startedAt !== undefined && last.finishedAt === undefined
    ? compared(world, live, { ...last, startedAt: last.startedAt })
    : begun(world, live, mayBegin, durationMs(interval));
}

/** The begin of a comparison, if it is due. */
function begun(world: World, live: CopyPlan, mayBegin: boolean, intervalMs: number): Verification {
  const { resource, now } = world;
  const last = resource.status.verification;
  const none = { jobs: [], status: last, events: [] };
  const due = Date.parse(last?.finishedAt ?? resource.metadata.creationTimestamp ?? '') + intervalMs;
  if (Number.isNaN(due)) return none;
  if (now < due) return { ...none, requeueAfterMs: due - now };
  const { health } = observeCopy(world, live);
  if (!mayBegin || health?.loading !== false || health.height === undefined) return none;
  // Times have whole seconds: two comparisons never begin in the same one.
  const startedAt = inSeconds(Math.max(now, Date.parse(last?.startedAt ?? '1970-01-01') + 1_000));
  const { heights: asked } = resource.spec.verification;
  const heights = asked === 'all' ? `0-${health.height}` : asked;
  return { ...none, status: { startedAt, heights, message: 'The comparison begins' }, requeueAfterMs: SOON_MS };
}

/** The next step of a comparison that has begun. */
function compared(world: World, live: CopyPlan, running: Running): Verification {
  const { startedAt, heights } = running;
  // A version that did not record the heights began it.
  if (heights === undefined) return { jobs: [], status: undefined, events: [], requeueAfterMs: SOON_MS };
  const target = {
    id: `verification-${startedAt.replace(/\D/g, '')}`,
    color: live.color,
    schema: live.schema,
    component: 'verification' as const,
  };
  const of = ({ job: { metadata } }: Series) => {
    const jobUid = world.children.job(metadata.name)?.metadata.uid;
    return { startedAt, heights, job: metadata.name, ...(jobUid !== undefined && { jobUid }) };
  };
  const end = (series: Series, result: Result, message: string, differing?: string): Verification => ({
    jobs: [],
    status: {
      ...of(series),
      finishedAt: inSeconds(endOf(series.job) ?? world.now),
      result,
      message,
      ...(differing !== undefined && { differing }),
    },
    events: [
      {
        type: result === 'Matches' ? 'Normal' : 'Warning',
        reason: result === 'Matches' ? 'DataVerified' : 'DataDiffers',
        message: `Job ${series.job.metadata.name}: ${message}`,
      },
    ],
    // Perhaps no object changes any more. The next pass knows when the next comparison is due.
    requeueAfterMs: SOON_MS,
  });
  const wait = (series: Series, message: string): Verification => ({
    jobs: [series.job],
    status: { ...of(series), message },
    events: [],
    requeueAfterMs: series.requeueAfterMs,
  });

  const first = verifySeries(world, target, heights, undefined);
  if (first.state === 'running' || first.state === 'waiting')
    return wait(first, 'Comparing the database with the chain');
  if (first.state === 'succeeded')
    return end(first, 'Matches', first.outcome.report.message ?? 'All heights match the chain');
  const result = endMessage(first.outcome);
  if (first.outcome.report.code !== 'differs')
    return end(first, 'Unfinished', `The comparison did not finish: ${result}`);
  const differing = differingOf(first.outcome.report);
  if (!world.resource.spec.reload.repair || differing === undefined) {
    return end(first, 'Differs', result, differingText(first.outcome.report));
  }

  const repair = loadSeries(world, target, differing);
  if (repair.state === 'failed') {
    return end(repair, 'Differs', `${result}; the reload failed: ${endMessage(repair.outcome)}`, differing);
  }
  if (!hasLoaded(repair)) return wait(repair, `Heights ${differing} differ from the chain and are being reloaded`);
  const again = verifySeries(world, target, differing, undefined, 1);
  if (again.state === 'running' || again.state === 'waiting')
    return wait(again, `Heights ${differing} were reloaded and are being compared again`);
  if (again.state === 'failed')
    return end(
      again,
      'Differs',
      `${result}; they still differ after they were reloaded: ${endMessage(again.outcome)}`,
      differing,
    );
  return {
    ...end(again, 'Mended', `${result}; heights ${differing} were reloaded and now match the chain`, differing),
    events: [
      {
        type: 'Normal',
        reason: 'DataRepaired',
        message: `Heights ${differing} differed from the chain and were reloaded`,
      },
    ],
  };
}
