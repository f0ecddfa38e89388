import pg from 'pg';
import { MiddlewareError } from '../../observe/errors.js';
import { isUntrusted } from '../../runtime/untrusted.js';
import type { ErrorCode } from '../../observe/errors.js';

/** Network errors of the connection itself, which carry no SQLSTATE. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);

/** Code of faults of one connection: the statement may succeed on another one. */
export const STALE = 'statement_stale' satisfies ErrorCode;

/** Error codes of SQLSTATE classes and codes; the longest prefix wins. */
const BY_SQLSTATE: readonly (readonly [prefix: string, code: ErrorCode])[] = [
  ['08', 'database_unreachable'],
  ['53', 'database_overloaded'],
  ['57', 'database_unavailable'],
  ['57014', 'statement_timeout'],
  ['40', 'serialization_failure'],
  ['55P03', 'lock_timeout'],
  ['25', 'connection_unusable'],
  ['25P03', 'idle_in_transaction'],
  ['25006', 'database_read_only'],
  ['55', 'database_not_ready'],
  ['58', 'database_system_error'],
  ['XX', 'database_internal_error'],
  // The statement that was prepared on this connection is not valid any more: the schema changed, or a pooler changed the session.
  ['0A000', STALE],
  ['26000', STALE],
  ['42P05', STALE],
  ['28', 'database_refused'],
  ['3D', 'database_missing'],
  ['42501', 'missing_right'],
  ['23', 'conflict'],
];

/** Converts an error of the driver; the original is the `cause`. It never decides by the text of a message. */
export function asFault(error: unknown, statement?: string): MiddlewareError {
  if (error instanceof MiddlewareError) return error;
  const details = statement === undefined ? {} : { statement };
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? '';
    const known = BY_SQLSTATE.filter(([prefix]) => state.startsWith(prefix)).sort(
      (a, b) => b[0].length - a[0].length,
    )[0];
    const code = known?.[1] ?? 'database_error';
    return new MiddlewareError(code, `database: ${error.message}`, {
      cause: error,
      details: { ...details, sqlstate: state, ...(error.constraint !== undefined && { constraint: error.constraint }) },
    });
  }
  // A fault of this program, not of the database: a retry would fail again.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
    return new MiddlewareError('database_misused', error.message, { cause: error, details });
  }
  const problem = error instanceof Error ? error : new Error(String(error));
  if (isUntrusted(problem)) {
    return new MiddlewareError('database_untrusted', `database: ${problem.message}`, { cause: error, details });
  }
  const network = 'code' in problem && typeof problem.code === 'string' && NETWORK.has(problem.code);
  const reason = problem.message === '' && 'code' in problem ? String(problem.code) : problem.message;
  // The error of a connection that is lost during a statement has no code.
  return new MiddlewareError(network ? 'database_unreachable' : 'database_lost', `database: ${reason}`, {
    cause: error,
    details,
  });
}
