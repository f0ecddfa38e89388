/** Why a process has not begun its work. */
export interface Pending {
  /** For people; without secrets. */
  reason: string;
  /** Of the fault that is waited out, as in `MiddlewareError`. */
  code?: string;
  /** As in the database, where the node is waited for. */
  node_state?: string;
}

/** How far a process is with its start: readiness asks here, also before there is a database. */
export interface Startup {
  /** Undefined once the work has begun. */
  pending(): Pending | undefined;
  set(pending: Pending): void;
  begin(): void;
}

export const STARTING: Pending = { reason: 'the process is starting' };

export function createStartup(): Startup {
  let pending: Pending | undefined = STARTING;
  return {
    pending: () => pending,
    set: (next) => (pending = next),
    begin: () => (pending = undefined),
  };
}
