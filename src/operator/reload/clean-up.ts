import { otherColor, schemaOf } from '../readings/colors.js';
import { rollout } from '../readings/pods.js';
import { LABEL, populatorName, serverName } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Served } from '../types.js';
import type { CurrentReload } from '../world/current-reload.js';
import { endMessage } from '../world/series.js';
import type { World } from '../world/world.js';
import { dropSeries, keptText } from './jobs.js';
import type { State } from './state.js';

/** Pause between two checks whether pods have ended, which no event reports, ms. */
export const POLL_MS = 1_000;

/** How a reload ends, for each phase in which it is cleaned up. */
const ENDS = { Retiring: 'Complete', Aborting: 'Aborted', RollingBack: 'RolledBack', Failing: 'Failed' } as const;

/** Deletes the copy that does not serve: first its Deployments, then, when its pods have ended, its data. */
export function cleanUp(
  world: World,
  current: CurrentReload,
  served: Served,
  phase: keyof typeof ENDS,
  message: string,
  details: State['details'] = {},
): State {
  const end = ENDS[phase];
  const color = otherColor(served.live);
  const schema = schemaOf(world.resource, color);
  const base = { other: 'none', served, message, details } as const;
  if (current.last === undefined && phase === 'Aborting') return { ...base, phase: end };
  if (isBusy(world, color)) return { ...base, phase, requeueAfterMs: POLL_MS };
  const target = { id: current.id, color, schema };
  // A person who rolls back or aborts a reload names its copy. What was in the schema before the reload is not named.
  const isAborted = phase === 'Aborting' && current.action === 'Abort' && current.why === undefined;
  const isAsked = (phase === 'RollingBack' || isAborted) && dropSeries(world, target).state === 'succeeded';
  const drop = dropSeries(world, target, { result: end, isAsked });
  const { state, job, requeueAfterMs } = drop;
  if (state === 'succeeded') return { ...base, phase: end };
  const kept = keptText(drop);
  if (kept !== undefined || state !== 'failed') return { ...base, phase, job, kept, requeueAfterMs };
  // Remaining data does no harm: the next reload empties the schema before it begins.
  const rest = `schema ${schema} could not be dropped: ${endMessage(drop.outcome)}`;
  return { ...base, phase: end, message: `${message}; ${rest}` };
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
