import type { ReloadPhase, ReloadStatus } from '../schema/status.js';
import type { Plan } from '../types.js';

/** The state of a reload, and what must exist for it to continue. */
export interface Step extends Pick<Plan, 'live' | 'copies' | 'jobs' | 'service' | 'requeueAfterMs'> {
  phase: ReloadPhase;
  /** What it waits for, or how it ended. */
  message: string;
  details?: Partial<ReloadStatus>;
}
