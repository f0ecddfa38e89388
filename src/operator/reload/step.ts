import type { ReloadPhase, ReloadStatus } from '../schema/status.js';
import type { Plan } from '../types.js';

/** Where a reload is, and what there must be for it to go on. */
export interface Step extends Pick<Plan, 'live' | 'copies' | 'jobs' | 'service' | 'againAfterMs'> {
  phase: ReloadPhase;
  /** What it waits for, or how it ended. */
  message: string;
  details?: Partial<ReloadStatus>;
}
