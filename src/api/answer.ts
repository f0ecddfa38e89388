import type { Exchange, Layer } from './exchange.js';
import { MiddlewareError } from '../observe/errors.js';
import { checkMinHeight, readMinHeight } from './min-height.js';
import type { Admission } from './middleware/admission.js';
import type { ApiDeps, BaseDeps } from './deps.js';
import type { Route } from './endpoint.js';
import { createFirstLoad } from './first-load.js';
import { formatOf } from './export/format.js';
import type { Queryable } from '../store/connection/database.js';
import { headAnswer } from '../store/queries/answer.js';
import { readJsonBody } from './json-body.js';
import { joining } from '../store/connection/joined.js';
import { createSemaphore } from '../runtime/semaphore.js';
import { whenClosed } from '../runtime/when-closed.js';

/** Max exports at a time. */
const MAX_EXPORTS = 32;

/**
 * Makes the layer that runs an endpoint: it reads the parameters, waits for admission, and answers in the format that the
 * client accepts.
 */
export function createAnswer(deps: ApiDeps, admission: Admission): (endpoint: Route) => Layer {
  const exports = createSemaphore({ max: MAX_EXPORTS, waiting: 0, waitMs: 0 });
  const depsFor = (db: Queryable) => ({
    // Each statement is admitted, not the request: one that goes to the node or the compiler must not hold the database meanwhile.
    byStatement: { ...deps, db: joining(admission.light(db)) },
    light: { ...deps, db: joining(db) },
    heavy: { ...deps, db },
    tables: (left: AbortSignal) => ({ ...deps, db: admission.ofExport(db, left) }),
  });
  const usual = depsFor(deps.reads);
  const firstLoad = createFirstLoad();
  const primary = depsFor(deps.reads.primary);

  /**
   * Takes a place among the exports until the answer ends; the signal aborts then. An export has no other place while it waits for one:
   * only its statements are admitted.
   */
  const beginExport = async (ctx: Exchange): Promise<AbortSignal> => {
    // The request came on a connection that was open before: new connections are refused.
    if (deps.draining()) throw new MiddlewareError('draining', 'The server is draining');
    const release = await exports.enter();
    const left = new AbortController();
    whenClosed(ctx.res, () => {
      release();
      left.abort();
    });
    deps.streams.add(ctx.res);
    return left.signal;
  };

  return (endpoint) => async (ctx, next) => {
    const format = endpoint.tables ? formatOf(ctx) : null;
    const request = endpoint.open(ctx, deps.config.limitCap);
    const minHeight = endpoint.fixed === true ? undefined : readMinHeight(ctx);
    // An export has no headers that name the head, so the first load is checked before it.
    const upTo = request.upTo ?? (format === null ? undefined : 0);
    // A height at or below a head that was already sent to a client is stored. This saves a query as expensive as the answer.
    const unconfirmed = upTo !== undefined && deps.reads.mayLack(upTo) ? upTo : undefined;
    const exported = format === null ? undefined : { format, left: await beginExport(ctx) };
    if (endpoint.body !== undefined && !(await readJsonBody(ctx, deps.bodies))) return;
    const { cost } = request;
    const answerFrom = ({ byStatement, light, heavy, tables }: typeof usual): Promise<void | false> => {
      const handle = async (): Promise<void | false> => {
        if (exported === undefined || request.tables === undefined)
          return request.handle(
            endpoint.forwarded === true || cost === 'compile' ? byStatement : cost === 'heavy' ? heavy : light,
          );
        const ofExport = tables(exported.left);
        if (minHeight !== undefined) checkMinHeight(ctx, await headAnswer(ofExport.db));
        const send = await request.tables(ofExport);
        return send(exported.format);
      };
      return endpoint.fixed === true ? handle() : firstLoad.guard(ctx, light.db, unconfirmed, handle);
    };
    const answered = await admission.admit(exported === undefined ? cost : 'none', ctx, async () => {
      if (minHeight === undefined) return answerFrom(usual);
      if (deps.reads.mayLack(minHeight)) return answerFrom(primary);
      try {
        return await answerFrom(usual);
      } catch (error) {
        // A later state of another branch may have a lower head, in a replica for longer than in the primary.
        if (!(error instanceof MiddlewareError) || error.code !== 'head_too_low') throw error;
        return answerFrom(primary);
      }
    });
    if (answered === false) await next();
  };
}

/** The same for the endpoints of the metrics address. */
export const answerBase =
  (deps: BaseDeps) =>
  (endpoint: Route<BaseDeps>): Layer =>
  async (ctx) => {
    await endpoint.open(ctx, deps.config.limitCap).handle(deps);
  };
