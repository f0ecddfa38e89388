import { MiddlewareError } from '../../observe/errors.js';
import type { Database, Queryable, Statement } from '../connection/database.js';
import { createFloor } from './floor.js';
import type { Floor } from './floor.js';
import type { Replica } from './replica.js';

/** Where a statement was answered: by a replica, or by the primary since the replica was too old or failed. */
type Outcome = 'answered' | 'behind' | 'failed';

/** Where the statements of clients are answered. */
export interface Reads extends Queryable {
  readonly primary: Queryable;
  /** Whether an answer may come from a head below this height, though the primary has one. */
  mayLack(height: number): boolean;
  /** The last commit, as the populator numbered it; undefined if it is of a release that does not number them. */
  committed(number: bigint | undefined): void;
  /** Calls back when a later state of the copy was answered from or announced: what is cached is of an older one. */
  onNews(callback: () => void): void;
}

interface ReadsOptions {
  /** Raises the floor itself. */
  primary: Queryable;
  floor: Floor;
  replicas: readonly Replica[];
  onRead: (replica: string, outcome: Outcome) => void;
}

/** The same database; what is read there raises the floor. */
export const raising = (database: Database, floor: Floor): Database => ({
  ...database,
  async query<Row extends object>(statement: Statement) {
    const result = await database.query<Row>(statement);
    floor.seen(result.rows);
    return result;
  },
});

/**
 * Statements that name their commit number are spread over the replicas in use. An answer that is older than the floor by the
 * time it arrives is thrown away and asked for on the primary, as is one that fails.
 */
export function spread({ primary, floor, replicas, onRead }: ReadsOptions): Reads {
  let next = 0;
  let numbered = true;

  const pick = (): Replica | undefined => {
    let picked: Replica | undefined;
    next++;
    for (let i = 0; i < replicas.length; i++) {
      const one = replicas[(next + i) % replicas.length]!;
      if (one.inUse() && (picked === undefined || one.busy() < picked.busy())) picked = one;
    }
    return picked;
  };

  return {
    async query<Row extends object>(statement: Statement) {
      const replica = numbered && statement.numbered === true ? pick() : undefined;
      if (replica === undefined) return primary.query<Row>(statement);
      try {
        const result = await replica.query<Row>(statement);
        if (floor.admits(result.rows)) {
          floor.seen(result.rows);
          onRead(replica.name, 'answered');
          return result;
        }
        replica.leaveOut('behind');
        onRead(replica.name, 'behind');
      } catch (error) {
        // It would take as long on the primary.
        if (!(error instanceof MiddlewareError) || error.code === 'statement_timeout') throw error;
        replica.leaveOut(error.code);
        onRead(replica.name, 'failed');
      }
      return primary.query<Row>(statement);
    },
    primary,
    mayLack: (height) => height > floor.height(),
    committed(number) {
      numbered = number !== undefined;
      if (number !== undefined) floor.raise(number);
    },
    onNews: (callback) => floor.onRaise(callback),
  };
}

/** All statements on a database that has no replicas. */
export function readsOf(database: Database): Reads {
  const floor = createFloor();
  return spread({ primary: raising(database, floor), floor, replicas: [], onRead: () => undefined });
}
