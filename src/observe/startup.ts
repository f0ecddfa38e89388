import type { ErrorCode } from './errors.js';

/** Why a process is not ready, for programs: a fault, or a state that passes. */
export type ReadinessCode = ErrorCode | 'starting' | 'loading' | 'lag_unknown' | 'behind';

/** Why a process has not begun its work. */
export interface Pending {
  /** For people; without secrets. */
  reason: string;
  /** `starting`, or the fault whose end is waited for. */
  code: ReadinessCode;
  /** As in the database, where the node is waited for. */
  node_state?: string;
}

/** How far a process is with its start: read by the readiness check, also before there is a database. */
export interface Startup {
  /** Undefined once the work has begun. */
  pending(): Pending | undefined;
  set(pending: Pending): void;
  begin(): void;
}

export const STARTING: Pending = { reason: 'the process is starting', code: 'starting' };

export function createStartup(): Startup {
  let pending: Pending | undefined = STARTING;
  return {
    pending: () => pending,
    set: (next) => (pending = next),
    begin: () => (pending = undefined),
  };
}
