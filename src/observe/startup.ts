import type { ErrorCode } from './errors.js';

/** Why a process is not ready: an error code, or a state that ends by itself. */
export type ReadinessCode = ErrorCode | 'starting' | 'loading' | 'lag_unknown' | 'behind';

/** Why a process has not begun its work. */
export interface Pending {
  /** Message without secrets. */
  reason: string;
  /** `starting`, or the code of the fault that must end first. */
  code: ReadinessCode;
  /** State of the node as stored in the database; set if the process waits for the node. */
  node_state?: string;
}

/** State of the start of a process, for the readiness check. It is available before the database is. */
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
