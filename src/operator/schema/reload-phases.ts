import type { MiddlewareStatus, ReloadPhase, ReloadStatus } from './status.js';

/** Final phases of a reload. */
export const FINAL_PHASES = new Set<ReloadPhase | undefined>(['Complete', 'Aborted', 'RolledBack', 'Failed']);

interface Asked {
  spec: { reload: { id?: string | undefined } };
  status: Pick<MiddlewareStatus, 'reloads'>;
}

/** The reload that waits: the resource names it while another one is in progress. Undefined if there is none. */
export function waitingReload({ spec, status }: Asked, current: ReloadStatus | undefined): string | undefined {
  const { id } = spec.reload;
  if (id === undefined || current?.id === undefined || current.id === id || FINAL_PHASES.has(current.phase))
    return undefined;
  return status.reloads?.some((past) => past.id === id) === true ? undefined : id;
}
