import type { ReloadPhase, ReloadStatus } from '../schema/status.js';
import type { Plan } from '../types.js';

/** State of a reload, and what must exist for it to continue. */
export interface Step extends Pick<Plan, 'live' | 'copies' | 'jobs' | 'service' | 'requeueAfterMs'> {
  phase: ReloadPhase;
  /** What the reload waits for, or how it ended. */
  message: string;
  details?: Partial<ReloadStatus>;
  /** Why a copy that does not serve was not dropped: it has more proven work than the one that serves. */
  kept?: string | undefined;
}
