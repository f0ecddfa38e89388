import { FINAL_PHASES } from '../schema/reload-phases.js';
import type { Middleware } from '../types.js';
import type { PastReload, ReloadStatus } from '../schema/status.js';

type ReloadAction = 'Promote' | 'Abort' | 'Rollback' | undefined;

/** The current reload. */
export interface CurrentReload {
  id: string;
  /** As they were when it began. */
  heights: string;
  action: ReloadAction;
  /** Why it is aborted, if not by its own action. */
  why?: string;
  /** What its status recorded. */
  last: ReloadStatus | undefined;
}

/**
 * Which reload to work on. One that has begun is ended first: it is completed if its copy serves, else it is aborted as
 * soon as the resource names another, or none.
 */
export function currentReload(
  { spec: { reload }, status }: Middleware,
  served: string | undefined,
): CurrentReload | undefined {
  const last = status.reload;
  const { id, heights } = reload;
  if (last?.id !== undefined && !FINAL_PHASES.has(last.phase)) {
    const begun = { id: last.id, heights: last.heights ?? heights, last };
    if (last.id === id || last.id === served) return { ...begun, action: requestedAction(last.id, reload) };
    const why = id === undefined ? 'spec.reload.id was removed' : `spec.reload.id names ${id} now`;
    return { ...begun, action: 'Abort', why };
  }
  const known = id === undefined || id === last?.id || status.reloads?.some((past) => past.id === id) === true;
  return known ? undefined : { id, heights, action: requestedAction(id, reload), last: undefined };
}

/** An action is for one reload: an old one that is still in the resource does not apply to the next. */
const requestedAction = (id: string, { action, actionFor }: Middleware['spec']['reload']): ReloadAction =>
  actionFor === id ? action : undefined;

/** Why the action in the resource is ignored: its reload neither exists nor is asked for. */
export function ignoredAction({ spec }: Middleware, reload: ReloadStatus | undefined): string | undefined {
  const { id, action, actionFor } = spec.reload;
  if (action === undefined) return undefined;
  const ignored = `spec.reload.action ${action} is ignored`;
  if (actionFor === undefined) return `${ignored}: spec.reload.actionFor names no reload`;
  return actionFor === id || actionFor === reload?.id ? undefined : `${ignored}: it is for reload ${actionFor}`;
}

/** Past reloads, newest first, with the newest one that gives its place to another. */
export function pastReloads({ spec, status }: Middleware, next: ReloadStatus | undefined): PastReload[] | undefined {
  const { reload: last, reloads = [] } = status;
  const isReplaced =
    last?.id !== undefined && next?.id !== undefined && last.id !== next.id && FINAL_PHASES.has(last.phase);
  const added = isReplaced
    ? [{ id: last.id!, result: last.phase as PastReload['result'], finishedAt: last.finishedAt, message: last.message }]
    : [];
  const all = [...added, ...reloads].slice(0, spec.retention.reloads);
  return all.length === 0 ? undefined : all.map((past) => JSON.parse(JSON.stringify(past)) as PastReload);
}
