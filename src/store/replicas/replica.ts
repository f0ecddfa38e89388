import type pg from 'pg';
import { MiddlewareError } from '../../observe/errors.js';
import type { ErrorCode } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { backoffMs } from '../../runtime/backoff.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import { queryable } from '../connection/database.js';
import type { Database, Queryable, Rows, Statement } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { schemaState } from '../schema/migrate.js';
import type { Floor } from './floor.js';

/** Why a replica is not read: it is older than what was answered, is no standby, holds another copy, or had a fault. */
export type LeftOut = 'behind' | 'not_standby' | 'other_copy' | ErrorCode;

/** A standby that is read while it can answer from a state that is new enough. */
export interface Replica {
  /** Host and port. */
  readonly name: string;
  inUse(): boolean;
  /** Statements under way. */
  busy(): number;
  /** Fails at once when the replica is found to be gone or to hang. */
  query<Row extends object>(statement: Statement): Promise<Rows<Row>>;
  /** It is not read until the next look finds that it can be. */
  leaveOut(reason: LeftOut): void;
  close(): Promise<void>;
}

interface ReplicaOptions {
  name: string;
  database: Database;
  primary: Queryable;
  floor: Floor;
  logger: Logger;
  onChange: (inUse: boolean, reason?: LeftOut) => void;
}

/** Pause between two looks at a replica that is in use, ms. */
const LOOK_MS = 500;
/** The first pause after it was left out, ms: most are behind for some milliseconds after each commit. */
const FIRST_LOOK_MS = 10;
/** Pauses between attempts to reach it, ms. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/** Time for one look, ms: a replica that takes longer hangs, and the statements under way there are given up. */
const PATIENCE_MS = 1_000;

/** Looks at the replica on a connection of its own, for as long as it is not closed. */
export function createReplica({ name, database, primary, floor, logger, onChange }: ReplicaOptions): Replica {
  const underWay = new Set<(fault: unknown) => void>();
  let reason: LeftOut | 'starting' | undefined = 'starting';
  let failures = 0;
  let ended = false;
  let wake: () => void = () => undefined;

  const setReason = (to: LeftOut | undefined): void => {
    if (reason === to) return;
    reason = to;
    failures = 0;
    onChange(to === undefined, to);
    // What happens after each commit is no news.
    logger[to === undefined || to === 'behind' ? 'debug' : 'warn'](
      { replica: name, reason: to },
      to === undefined ? 'A replica is read' : 'A replica is not read',
    );
    if (to !== undefined) wake();
  };

  const giveUp = (): void => {
    database.cut();
    for (const reject of underWay) reject(new MiddlewareError('database_lost', `replica ${name}: no answer`));
    underWay.clear();
  };

  const nap = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(giveUp, PATIENCE_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Looks again and again until a look fails. */
  async function lookOn(client: pg.Client): Promise<never> {
    const db = queryable(client);
    let fits = false;
    for (;;) {
      const found = await patiently(async () => {
        const misfit = fits ? undefined : await misfitOf(db, primary);
        fits = misfit === undefined;
        return misfit ?? (await lagOf(db, floor));
      });
      setReason(found);
      await nap(found === undefined ? LOOK_MS : backoffMs(failures++, FIRST_LOOK_MS, LOOK_MS));
      if (ended) throw new MiddlewareError('database_lost', 'closed');
    }
  }

  async function watch(): Promise<void> {
    while (!ended) {
      let client: pg.Client | undefined;
      try {
        client = await patiently(() => database.connect());
        await lookOn(client);
      } catch (error) {
        const fault = asFault(error);
        if (ended) return;
        giveUp();
        setReason(fault.code);
        logger.debug({ replica: name, err: fault }, 'Cannot look at a replica');
      } finally {
        client?.end().catch(() => undefined);
      }
      await nap(backoffMs(failures++, FIRST_RETRY_MS, MAX_RETRY_MS));
    }
  }

  onChange(false);
  const watching = watch();
  return {
    name,
    inUse: () => reason === undefined,
    busy: () => underWay.size,
    query<Row extends object>(statement: Statement) {
      return new Promise<Rows<Row>>((resolve, reject) => {
        underWay.add(reject);
        void database
          .query<Row>(statement)
          .then(resolve, reject)
          .finally(() => underWay.delete(reject));
      });
    },
    leaveOut: setReason,
    async close() {
      ended = true;
      giveUp();
      wake();
      await watching;
      await database.close();
    },
  };
}

/** Why a server can never answer as the primary does; looked at once for each connection. It must cause no error there. */
async function misfitOf(replica: Queryable, primary: Queryable): Promise<LeftOut | undefined> {
  if ((await schemaState(replica)).pending.length > 0) return 'schema_older';
  const marks = await Promise.all([markOf(replica), markOf(primary)]);
  return marks[0] === marks[1] ? undefined : 'other_copy';
}

async function markOf(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({ name: 'replica.copy', text: 'SELECT id FROM marker' });
  return rows[0]?.id;
}

async function lagOf(replica: Queryable, floor: Floor): Promise<LeftOut | undefined> {
  const { rows } = await replica.query<{ standby: boolean }>({
    name: 'replica.look',
    text: `SELECT pg_is_in_recovery() AS standby, ${COMMIT_NUMBER}`,
  });
  if (rows[0]?.standby !== true) return 'not_standby';
  return floor.admits(rows) ? undefined : 'behind';
}
