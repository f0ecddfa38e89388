import pg from 'pg';
import { MiddlewareError } from '../observe/errors.js';
import type { Fault } from '../observe/errors.js';

/** Network errors of the connection itself, which carry no SQLSTATE. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);

/** Code of faults that another connection would not have. */
export const STALE = 'statement_stale';

/** SQLSTATE classes and codes by what they mean to the caller; the longest prefix wins. */
const BY_SQLSTATE: readonly [prefix: string, fault: Fault, code: string][] = [
  ['08', 'unavailable', 'database_unreachable'],
  ['53', 'unavailable', 'database_overloaded'],
  ['57', 'unavailable', 'database_unavailable'],
  ['57014', 'unavailable', 'statement_timeout'],
  ['40', 'unavailable', 'serialization_failure'],
  ['55P03', 'unavailable', 'lock_timeout'],
  ['25', 'unavailable', 'connection_unusable'],
  ['25P03', 'unavailable', 'idle_in_transaction'],
  ['25006', 'unavailable', 'database_read_only'],
  ['55', 'unavailable', 'database_not_ready'],
  ['58', 'unavailable', 'database_system_error'],
  ['XX', 'unavailable', 'database_internal_error'],
  // What was prepared on this connection no longer holds: the schema has changed meanwhile, or a pooler swapped sessions.
  ['0A000', 'unavailable', STALE],
  ['26000', 'unavailable', STALE],
  ['42P05', 'unavailable', STALE],
  ['28', 'bad_request', 'database_refused'],
  ['3D', 'bad_request', 'database_missing'],
  ['42501', 'bad_request', 'missing_right'],
  ['23', 'conflict', 'conflict'],
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
    const [, fault, code] = known ?? ['', 'internal' as const, 'database_error'];
    return new MiddlewareError(fault, code, `database: ${error.message}`, {
      cause: error,
      details: { ...details, sqlstate: state, ...(error.constraint !== undefined && { constraint: error.constraint }) },
    });
  }
  // A mistake of this program: trying again helps nobody, and the database is not to blame.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
    return new MiddlewareError('internal', 'internal', error.message, { cause: error, details });
  }
  const problem = error instanceof Error ? error : new Error(String(error));
  const network = 'code' in problem && typeof problem.code === 'string' && NETWORK.has(problem.code);
  const reason = problem.message === '' && 'code' in problem ? String(problem.code) : problem.message;
  // Errors of a connection that died under a statement carry no code at all: treat them as the network's.
  return new MiddlewareError('unavailable', network ? 'database_unreachable' : 'database_lost', `database: ${reason}`, {
    cause: error,
    details,
  });
}
