import type { MiddlewareStatus } from '../schema/status.js';
import { durationMs } from '../schema/parts.js';
import { observeCopy } from '../observe/copies.js';
import type { CopyPlan, EventDraft, KubeObject, World } from '../types.js';
import { differingOf, differingText, hasLoaded, loadSeries, verifySeries } from './jobs.js';
import { endMessage } from './series.js';
import { hashOf } from '../names.js';

interface Verification {
  jobs: KubeObject[];
  status: MiddlewareStatus['verification'];
  events: EventDraft[];
  requeueAfterMs?: number | undefined;
}

const iso = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/**
 * Compares the copy that serves with the chain at intervals, and reloads heights that differ if the resource allows it. The
 * time at which the last comparison ended identifies the Jobs of the next one, so no further state is stored.
 */
export function verification(world: World, live: CopyPlan, mayBegin: boolean): Verification {
  const { resource, now } = world;
  const { interval, heights } = resource.spec.verification;
  const last = resource.status.verification;
  const none = { jobs: [], status: last, events: [] };
  if (interval === undefined) return none;
  const since = last?.finishedAt ?? resource.metadata.creationTimestamp;
  const due = Date.parse(since ?? '') + durationMs(interval);
  if (Number.isNaN(due)) return none;
  if (now < due) return { ...none, requeueAfterMs: due - now };
  const hasBegun = last?.startedAt !== undefined && last.finishedAt === undefined;
  if (!hasBegun && !mayBegin) return none;

  const { health } = observeCopy(world, live);
  if (!hasBegun && (health?.loading !== false || health.height === undefined)) return none;
  const target = {
    id: `verification-${hashOf([since, live.color])}`,
    color: live.color,
    schema: live.schema,
    component: 'verification' as const,
  };
  const running = { startedAt: hasBegun ? last.startedAt : iso(now) };
  const end = (message: string, differing?: string, bad = differing !== undefined): Verification => ({
    jobs: [],
    status: { ...running, finishedAt: iso(now), message, ...(differing !== undefined && { differing }) },
    events: [{ type: bad ? 'Warning' : 'Normal', reason: bad ? 'DataDiffers' : 'DataVerified', message }],
  });
  const wait = (series: { job: KubeObject; requeueAfterMs?: number | undefined }, message: string): Verification => ({
    jobs: [series.job],
    status: { ...running, message },
    events: [],
    requeueAfterMs: series.requeueAfterMs,
  });

  const first = verifySeries(world, target, heights === 'all' ? `0-${health?.height ?? 0}` : heights, undefined);
  if (first.state === 'running' || first.state === 'waiting')
    return wait(first, 'Comparing the database with the chain');
  if (first.state === 'succeeded') return end(first.outcome.report.message ?? 'All heights match the chain');
  const result = endMessage(first.outcome);
  if (first.outcome.report.code !== 'differs') return end(`The comparison did not finish: ${result}`, undefined, true);
  const differing = differingOf(first.outcome.report);
  if (!resource.spec.reload.repair || differing === undefined) {
    return end(result, differingText(first.outcome.report), true);
  }

  const repair = loadSeries(world, target, differing);
  if (repair.state === 'failed') return end(`${result}; the reload failed: ${endMessage(repair.outcome)}`, differing);
  if (!hasLoaded(repair)) return wait(repair, `Heights ${differing} differ from the chain and are being reloaded`);
  const again = verifySeries(world, target, differing, undefined, 1);
  if (again.state === 'running' || again.state === 'waiting')
    return wait(again, `Heights ${differing} were reloaded and are being compared again`);
  if (again.state === 'failed')
    return end(`${result}; they still differ after they were reloaded: ${endMessage(again.outcome)}`, differing);
  return {
    ...end(`${result}; heights ${differing} were reloaded and now match the chain`, differing),
    events: [
      {
        type: 'Normal',
        reason: 'DataRepaired',
        message: `Heights ${differing} differed from the chain and were reloaded`,
      },
    ],
  };
}
