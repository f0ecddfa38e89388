import { MiddlewareError } from '../../observe/errors.js';
import type { Database, Queryable, Statement } from '../connection/database.js';
import { createFloor } from './floor.js';
import type { Floor } from './floor.js';
import type { Replica } from './replica.js';

/** A replica answered a statement, or the primary did because the replica was too old (`behind`) or failed. */
type Outcome = 'answered' | 'behind' | 'failed';

/** Answers the statements of clients. */
export interface Reads extends Queryable {
  readonly primary: Queryable;
  /** Whether a replica may still have a head below this height, though the primary may be higher. */
  mayLack(height: number): boolean;
  /** Reports the number of the last commit; undefined if the populator is of a release without commit numbers. */
  committed(number: bigint | undefined): void;
  /** `callback` is called when the floor is raised: cached answers are of an older state. */
  onNewState(callback: () => void): void;
}

interface ReadsOptions {
  /** Must raise the floor, see `raising`. */
  primary: Queryable;
  floor: Floor;
  replicas: readonly Replica[];
  onRead: (replica: string, outcome: Outcome) => void;
}

/** The same database; its statements raise the floor. */
export const raising = (database: Database, floor: Floor): Database => ({
  ...database,
  async query<Row extends object>(statement: Statement) {
    const result = await database.query<Row>(statement);
    floor.seen(result.rows);
    return result;
  },
});

/**
 * Spreads statements with a commit number over the replicas in use. If an answer is older than the floor when it arrives, or if the replica
 * fails, the statement is sent to the primary.
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
        replica.stopUsing('behind');
        onRead(replica.name, 'behind');
      } catch (error) {
        if (!(error instanceof MiddlewareError)) throw error;
        // A statement that timed out would take as long on the primary, unless the replica lags: its replay may hold a lock meanwhile.
        if (error.code === 'statement_timeout' && replica.inUse()) throw error;
        replica.stopUsing(error.code);
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
    onNewState: (callback) => floor.onRaise(callback),
  };
}

/** The reads of a database without replicas: all statements go to it. */
export function readsOf(database: Database): Reads {
  const floor = createFloor();
  return spread({ primary: raising(database, floor), floor, replicas: [], onRead: () => undefined });
}
