import { otherColor, schemaOf } from '../readings/colors.js';
import { rollout } from '../readings/rollout.js';
import { LABEL, populatorName, serverName } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Served, World } from '../types.js';
import { liveCopy } from './copy-plans.js';
import { dropSeries, keptText } from './jobs.js';
import { endMessage } from './series.js';
import { annotationsOf } from './live-service.js';
import type { Step } from './step.js';
import type { CurrentReload } from './current-reload.js';

/** Pause between two checks whether pods have ended, which no event reports, ms. */
export const POLL_MS = 1_000;

/** Deletes the copy that does not serve: first its Deployments, then, when its pods have ended, its data. */
export function cleanUp(
  world: World,
  current: CurrentReload,
  served: Served,
  phase: 'Retiring' | 'Aborting' | 'RollingBack' | 'Failing',
  end: 'Complete' | 'Aborted' | 'RolledBack' | 'Failed',
  message: string,
): Step {
  const color = otherColor(served.live);
  const schema = schemaOf(world.resource, color);
  const base = { live: served.live, service: annotationsOf(served), copies: [liveCopy(world, served)], jobs: [] };
  if (current.last === undefined && phase === 'Aborting') return { ...base, phase: end, message };
  if (isBusy(world, color)) return { ...base, phase, message, requeueAfterMs: POLL_MS };
  const target = { id: current.id, color, schema };
  // A person who rolls back or aborts a reload names its copy. What was in the schema before the reload is not named.
  const isAborted = phase === 'Aborting' && current.action === 'Abort' && current.why === undefined;
  const isAsked = (phase === 'RollingBack' || isAborted) && dropSeries(world, target).state === 'succeeded';
  const drop = dropSeries(world, target, { result: end, isAsked });
  const jobs = [drop.job];
  const kept = keptText(drop);
  if (drop.state === 'succeeded') return { ...base, phase: end, message };
  if (kept !== undefined) return { ...base, jobs, phase, message, kept, requeueAfterMs: drop.requeueAfterMs };
  if (drop.state !== 'failed') return { ...base, jobs, phase, message, requeueAfterMs: drop.requeueAfterMs };
  // Remaining data does no harm: the next reload empties the schema before it begins.
  return {
    ...base,
    phase: end,
    message: `${message}; schema ${schema} could not be dropped: ${endMessage(drop.outcome)}`,
  };
}

/** Whether a pod of the copy may still write to its schema. */
export function isBusy({ resource, children }: World, color: Color): boolean {
  const { name } = resource.metadata;
  const deployments = [populatorName(name, color), serverName(name, color)].map((one) => children.deployment(one));
  return (
    deployments.some((one) => rollout(one).exists) ||
    children
      .pods({ [LABEL.color]: color })
      .some(
        ({ metadata, status }) =>
          status?.phase !== 'Succeeded' &&
          status?.phase !== 'Failed' &&
          metadata.labels?.['batch.kubernetes.io/job-name']?.startsWith(`${name}-drop-`) !== true,
      )
  );
}

export const merge = (step: Step, details: Step['details']): Step => ({
  ...step,
  details: { ...step.details, ...details },
});
