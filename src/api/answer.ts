import type { Layer } from './exchange.js';
import { MiddlewareError } from '../observe/errors.js';
import { mustReach, readMinHeight } from './min-height.js';
import type { Admission } from './middleware/admission.js';
import type { ApiDeps, BaseDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';
import { createFirstLoad } from './first-load.js';
import { formatOf } from './export/format.js';
import type { Queryable } from '../store/connection/database.js';
import { headAnswer } from '../store/queries/answer.js';
import { joining } from '../store/connection/joined.js';
import { createSemaphore } from '../runtime/semaphore.js';

/** Exports under way at a time. */
const MAX_EXPORTS = 32;

/** Lets endpoints answer: reads the parameters, waits for admission, and chooses the form that the client accepts. */
export function createAnswer(deps: ApiDeps, admission: Admission): (endpoint: Endpoint) => Layer {
  const exports = createSemaphore({ max: MAX_EXPORTS, waiting: 0, waitMs: 0 });
  // These requests are not admitted as a whole: what is forwarded to the node must not wait for the database.
  const through = (db: Queryable) => ({
    forwarded: { ...deps, db: joining(admission.light(db)) },
    light: { ...deps, db: joining(db) },
    heavy: { ...deps, db },
    tables: { ...deps, db: admission.heavy(db) },
  });
  const usual = through(deps.reads);
  const firstLoad = createFirstLoad();
  const primary = through(deps.reads.primary);

  return (endpoint) => async (ctx, next) => {
    const format = endpoint.tables ? formatOf(ctx) : null;
    const request = endpoint.open(ctx, deps.config.limitCap);
    const minHeight = endpoint.fixed === true ? undefined : readMinHeight(ctx);
    const { forwarded, light, heavy, tables } =
      minHeight !== undefined && deps.reads.mayLack(minHeight) ? primary : usual;
    const handle = async (): Promise<void | false> => {
      if (format === null || request.tables === undefined)
        return request.handle(endpoint.forwarded === true ? forwarded : request.cost === 'heavy' ? heavy : light);
      // Only a request on an old connection comes here: new connections are refused.
      if (deps.draining()) throw new MiddlewareError('draining', 'The server ends');
      if (minHeight !== undefined) mustReach(ctx, await headAnswer(tables.db));
      const send = await request.tables(tables);
      const leave = await exports.enter();
      deps.streams.begin(ctx.res);
      ctx.res.once('close', leave);
      return send(format);
    };
    // Exports name no head.
    const upTo = request.upTo ?? (format === null ? undefined : 0);
    // What reaches no higher than a head that was named before is stored: asking for it would cost as much as the answer.
    const inDoubt = upTo !== undefined && deps.reads.mayLack(upTo) ? upTo : undefined;
    const answered = await admission.admit(request.cost, ctx, () =>
      endpoint.fixed === true ? handle() : firstLoad.guard(ctx, light.db, inDoubt, handle),
    );
    if (answered === false) await next();
  };
}

/** The same for the endpoints of the metrics address. */
export const answerBase =
  (deps: BaseDeps) =>
  (endpoint: Endpoint<BaseDeps>): Layer =>
  async (ctx) => {
    await endpoint.open(ctx, deps.config.limitCap).handle(deps);
  };
