import type { Middleware } from 'koa';
import { MiddlewareError } from '../observe/errors.js';
import type { Admission } from './admission.js';
import type { ApiDeps, BaseDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';
import { formatOf } from './export/format.js';
import { createGate } from './gate.js';

/** Exports under way at a time. */
const MAX_EXPORTS = 32;

/** Lets endpoints answer: reads the parameters, waits for admission, and chooses the form that the client accepts. */
export function createAnswer(deps: ApiDeps, admission: Admission): (endpoint: Endpoint) => Middleware {
  const exports = createGate({ most: MAX_EXPORTS, waiting: 0, waitMs: 0 });
  // Those are not admitted as a whole: what goes on to the node must not wait for the database.
  const forwarded = { ...deps, db: admission.light(deps.db) };
  const forTables = { ...deps, db: admission.heavy(deps.db) };

  return (endpoint) => async (ctx, next) => {
    const format = endpoint.tables ? formatOf(ctx) : null;
    const request = endpoint.open(ctx, deps.config.limitCap);
    const answered = await admission.admit(request.cost, ctx, async () => {
      if (format === null || request.tables === undefined)
        return request.handle(endpoint.forwarded === true ? forwarded : deps);
      // On a connection from before: a new one finds nobody who listens.
      if (deps.draining()) throw new MiddlewareError('unavailable', 'draining', 'The server ends');
      const send = await request.tables(forTables);
      const leave = await exports.enter();
      deps.streams.begin(ctx.res);
      ctx.res.once('close', leave);
      return send(format);
    });
    if (answered === false) await next();
  };
}

/** The same for the endpoints of a server that has no clients. */
export const answerBase =
  (deps: BaseDeps) =>
  (endpoint: Endpoint<BaseDeps>): Middleware =>
  async (ctx) => {
    await endpoint.open(ctx, deps.config.limitCap).handle(deps);
  };
