import { FINAL_PHASES } from '../schema/reload-phases.js';
import type { Middleware } from '../types.js';
import type { PastReload, ReloadStatus } from '../schema/status.js';

type ReloadAction = 'Promote' | 'Abort' | 'Rollback' | undefined;

/** The reload to work on. */
export interface CurrentReload {
  id: string;
  /** The heights that the resource had when the reload began. */
  heights: string;
  action: ReloadAction;
  /** Why it is aborted, if not by an action. */
  why?: string;
  /** Its last status; undefined before it has begun. */
  last: ReloadStatus | undefined;
}

/**
 * The reload to work on. A reload that has begun must end before the next one begins. If the resource no longer names it, it
 * is completed if its copy serves, else aborted.
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

/** The action for a reload. An action for an earlier reload that is still in the resource is not applied. */
const requestedAction = (id: string, { action, actionFor }: Middleware['spec']['reload']): ReloadAction =>
  actionFor === id ? action : undefined;

/** Why the action in the resource is ignored: it names no reload, or one that is neither running nor requested. */
export function ignoredAction({ spec }: Middleware, reload: ReloadStatus | undefined): string | undefined {
  const { id, action, actionFor } = spec.reload;
  if (action === undefined) return undefined;
  const ignored = `spec.reload.action ${action} is ignored`;
  if (actionFor === undefined) return `${ignored}: spec.reload.actionFor names no reload`;
  return actionFor === id || actionFor === reload?.id ? undefined : `${ignored}: it is for reload ${actionFor}`;
}

/** Past reloads, newest first; includes the last reload if another one replaces it in the status. */
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
