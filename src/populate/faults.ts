import { MalformedError } from '../chain/malformed.js';
import { MiddlewareError, reasonOf } from '../observe/errors.js';

/** Max pause between attempts after faults, ms. */
export const MAX_PAUSE_MS = 5_000;

/** The error itself, or wrapped as `node_malformed` or `internal`. */
export function asMiddlewareError(error: unknown): MiddlewareError {
  if (error instanceof MiddlewareError) return error;
  if (error instanceof MalformedError) return new MiddlewareError('node_malformed', error.message, { cause: error });
  return new MiddlewareError('internal', reasonOf(error), { cause: error });
}
