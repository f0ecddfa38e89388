import type { Middleware } from 'koa';
import { MiddlewareError } from '../observe/errors.js';
import type { Fault } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import { refuse } from './reply.js';

const STATUS: Record<Fault, number> = {
  bad_request: 400,
  not_found: 404,
  conflict: 409,
  unavailable: 503,
  internal: 500,
};

/** What is wrong inside is for the log, not for clients. */
const HIDDEN: Partial<Record<Fault, string>> = {
  unavailable: 'Temporarily unavailable',
  internal: 'Internal server error',
};

const RETRY_AFTER_SECONDS = 2;

/** The one place where errors become answers. */
export function errorExit(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.res.destroyed) {
        logger.debug({ err: error, path: ctx.path }, 'The client left');
        return;
      }
      const told = error instanceof MiddlewareError && isClients(error) ? error : undefined;
      const fault = error instanceof MiddlewareError ? (told?.fault ?? hiddenFault(error)) : 'internal';
      // Those are meant to be many, and to cost little.
      const turnedAway = error instanceof MiddlewareError && error.code === 'overloaded';
      if ((fault === 'internal' || fault === 'unavailable') && !turnedAway) {
        const request = { id: ctx.state.requestId as unknown, method: ctx.method, path: ctx.path };
        const passing = error instanceof MiddlewareError && error.fault === 'unavailable';
        logger[passing ? 'warn' : 'error']({ err: error, request }, 'Request failed');
      }
      if (ctx.headerSent || !ctx.writable) {
        ctx.res.destroy();
        return;
      }
      if (fault === 'unavailable') ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      refuse(ctx, STATUS[fault], told?.message ?? HIDDEN[fault] ?? 'Internal server error');
    }
  };
}

/** A refused login or a missing right is told by the database: not the client's doing. */
const isClients = ({ fault, details }: MiddlewareError): boolean =>
  (fault === 'bad_request' || fault === 'not_found') && !('sqlstate' in details);

/** Whatever the database or its driver failed with, a client may only try again: it cannot have caused it. */
const hiddenFault = ({ fault, details }: MiddlewareError): Fault =>
  fault === 'unavailable' || 'sqlstate' in details || 'statement' in details ? 'unavailable' : 'internal';
