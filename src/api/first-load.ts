import { MiddlewareError } from '../observe/errors.js';
import type { Queryable } from '../store/connection/database.js';
import type { Answer } from '../store/queries/answer.js';
import { firstLoadFacts } from '../store/queries/first-load.js';
import type { Exchange } from './exchange.js';
import { mustReach } from './min-height.js';
import { notLoaded } from './reply.js';

/** Keeps from answering that there is nothing where the first load has only not got there yet. */
interface FirstLoad {
  /**
   * Runs `handle`. Throws if it asks for heights above the head, or finds nothing, while the node has more than is stored;
   * `upTo` is the highest height that must be stored.
   */
  guard<T>(ctx: Exchange, db: Queryable, upTo: number | undefined, handle: () => Promise<T>): Promise<T>;
}

type Head = Pick<Answer, 'head'>;

export function createFirstLoad(): FirstLoad {
  let isOver = false;

  /** The head, if the node has more, as far as is known. */
  const shortHead = async (db: Queryable): Promise<Head | undefined> => {
    const { row, head } = await firstLoadFacts(db);
    isOver = row?.live === true;
    const isShort = head === null || Number(row?.node_height ?? -1) > head.height;
    return isShort && !isOver ? { head } : undefined;
  };

  return {
    async guard(ctx, db, upTo, handle) {
      if (isOver) return handle();
      const answered = upTo === undefined ? undefined : await shortHead(db);
      if (answered !== undefined && upTo! > (answered.head?.height ?? -1)) {
        mustReach(ctx, answered);
        throw notLoaded(answered);
      }
      try {
        return await handle();
      } catch (error) {
        if (!(error instanceof MiddlewareError) || error.code !== 'not_found') throw error;
        const now = await shortHead(db);
        if (now !== undefined) throw notLoaded(now);
        // It may have ended since the database was asked.
        return isOver ? handle() : Promise.reject(error);
      }
    },
  };
}
