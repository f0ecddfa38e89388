import { MiddlewareError } from '../observe/errors.js';
import type { Queryable } from '../store/connection/database.js';
import type { Answer } from '../store/queries/answer.js';
import { firstLoadFacts } from '../store/queries/first-load.js';
import type { Exchange } from './exchange.js';
import { checkMinHeight } from './min-height.js';
import { notLoaded } from './reply.js';

/** During the first load, refuses requests for what may be missing only because it is not loaded yet. */
interface FirstLoad {
  /**
   * Runs `handle` and returns its result. `upTo` is the highest height that must be stored. Throws `not_loaded` if the node
   * has more than is stored and either `upTo` is above the head or `handle` found nothing.
   */
  guard<T>(ctx: Exchange, db: Queryable, upTo: number | undefined, handle: () => Promise<T>): Promise<T>;
}

type Head = Pick<Answer, 'head'>;

export function createFirstLoad(): FirstLoad {
  let isOver = false;

  /** The stored head while the first load is under way and the node may have more; otherwise undefined. */
  const readState = async (db: Queryable): Promise<Head | undefined> => {
    const { row, head } = await firstLoadFacts(db);
    isOver = row?.live === true;
    const isBehind = head === null || Number(row?.node_height ?? -1) > head.height;
    return isBehind && !isOver ? { head } : undefined;
  };

  return {
    async guard(ctx, db, upTo, handle) {
      if (isOver) return handle();
      const before = upTo === undefined ? undefined : await readState(db);
      if (before !== undefined && upTo! > (before.head?.height ?? -1)) {
        checkMinHeight(ctx, before);
        throw notLoaded(before);
      }
      try {
        return await handle();
      } catch (error) {
        if (!(error instanceof MiddlewareError) || error.code !== 'not_found') throw error;
        const now = await readState(db);
        if (now !== undefined) throw notLoaded(now);
        // The first load may have ended after `handle` read the database.
        return isOver ? handle() : Promise.reject(error);
      }
    },
  };
}
