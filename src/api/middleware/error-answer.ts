import type { Layer } from '../exchange.js';
import { ERRORS, FAULTS, MiddlewareError, httpStatusOf, isShownToClients } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { refuse } from '../reply.js';

const RETRY_AFTER_SECONDS = 2;

/** Answers with the error that an inner layer throws. No other code turns errors into answers. */
export function errorExit(logger: Logger): Layer {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.res.destroyed) {
        logger.debug({ err: error, path: ctx.path }, 'Client disconnected');
        return;
      }
      const known = error instanceof MiddlewareError ? error : undefined;
      const row = known?.row ?? ERRORS.internal;
      const status = httpStatusOf(row);
      // An overloaded server refuses many requests: a log line for each would cost too much.
      if (status >= 500 && row.isExpected !== true && known?.code !== 'overloaded') {
        const request = { id: ctx.state.requestId, method: ctx.method, path: ctx.path };
        logger[FAULTS[row.fault].retry ? 'warn' : 'error']({ err: error, request }, 'Request failed');
      }
      if (ctx.headerSent || !ctx.writable) {
        ctx.res.destroy();
        return;
      }
      if (status === 503) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      const hidden = status === 503 ? 'Temporarily unavailable' : 'Internal server error';
      refuse(ctx, status, known !== undefined && isShownToClients(row) ? known.message : hidden);
    }
  };
}
