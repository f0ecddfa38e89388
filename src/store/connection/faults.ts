import pg from 'pg';
import { MiddlewareError } from '../../observe/errors.js';
import { isUntrusted } from '../../runtime/untrusted.js';
import type { ErrorCode } from '../../observe/errors.js';

/** Network errors of the connection itself, which carry no SQLSTATE. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);

/** Code of faults that another connection would not have. */
export const STALE = 'statement_stale' satisfies ErrorCode;

/** SQLSTATE classes and codes by what they mean to the caller; the longest prefix wins. */
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
  // What was prepared on this connection no longer holds: the schema has changed meanwhile, or a pooler swapped sessions.
  ['0A000', STALE],
  ['26000', STALE],
  ['42P05', STALE],
  ['28', 'database_refused'],
  ['3D', 'database_missing'],
  ['42501', 'missing_right'],
  ['23', 'conflict'],
];

/** Turns whatever the driver throws into a fault; the original stays the cause. Never decides by message text. */
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
  // A mistake of this program: trying again helps nobody, and the database is not to blame.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
    return new MiddlewareError('database_misused', error.message, { cause: error, details });
  }
  const problem = error instanceof Error ? error : new Error(String(error));
  if (isUntrusted(problem)) {
    return new MiddlewareError('database_untrusted', `database: ${problem.message}`, { cause: error, details });
  }
  const network = 'code' in problem && typeof problem.code === 'string' && NETWORK.has(problem.code);
  const reason = problem.message === '' && 'code' in problem ? String(problem.code) : problem.message;
  // Errors of a connection that died under a statement carry no code at all: treat them as the network's.
  return new MiddlewareError(network ? 'database_unreachable' : 'database_lost', `database: ${reason}`, {
    cause: error,
    details,
  });
}
