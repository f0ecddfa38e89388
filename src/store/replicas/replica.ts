import type pg from 'pg';
import { MiddlewareError } from '../../observe/errors.js';
import type { ErrorCode } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { backoffMs } from '../../runtime/backoff.js';
import { createWakeablePause } from '../../runtime/wakeable-pause.js';
import { COMMIT_NUMBER } from '../connection/commit-number.js';
import { queryable } from '../connection/database.js';
import type { Database, Queryable, Rows, Statement } from '../connection/database.js';
import { asFault } from '../connection/faults.js';
import { schemaState } from '../schema/migrate.js';
import type { Floor } from './floor.js';

/** Why a replica is not in use: it is older than the floor, is not a standby, has another copy, or had a fault. */
export type UnusedReason = 'behind' | 'not_standby' | 'other_copy' | ErrorCode;

/** A standby that answers statements while its state is not older than the floor. */
export interface Replica {
  /** Host and port. */
  readonly name: string;
  inUse(): boolean;
  /** Number of running statements. */
  busy(): number;
  /** Fails at once when a check finds that the replica is lost or hangs. */
  query<Row extends object>(statement: Statement): Promise<Rows<Row>>;
  /** The replica is not used until the next check succeeds. */
  stopUsing(reason: UnusedReason): void;
  close(): Promise<void>;
}

interface ReplicaOptions {
  name: string;
  database: Database;
  /** Must raise the floor, see `raising`. */
  primary: Queryable;
  floor: Floor;
  logger: Logger;
  onChange: (inUse: boolean, reason?: UnusedReason) => void;
}

/** Pause between two checks of a replica that is in use, ms. */
const CHECK_MS = 500;
/** First pause after it is no longer in use, ms: most replicas are behind for some milliseconds after each commit. */
const FIRST_CHECK_MS = 10;
/** Pauses between attempts to connect, ms. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/** Max time of one check, ms: a replica that takes longer hangs, and its running statements fail. */
const CHECK_TIMEOUT_MS = 1_000;

/** Checks the replica on a connection of its own until it is closed. */
export function createReplica({ name, database, primary, floor, logger, onChange }: ReplicaOptions): Replica {
  const running = new Set<(fault: unknown) => void>();
  let reason: UnusedReason | 'starting' | undefined = 'starting';
  /** Id of the primary's copy. It does not change while the process runs. */
  let copy: string | undefined;
  let failures = 0;
  const end = new AbortController();
  const { wake, pause } = createWakeablePause(end.signal);

  const setReason = (to: UnusedReason | undefined): void => {
    if (reason === to) return;
    reason = to;
    failures = 0;
    onChange(to === undefined, to);
    // Being behind for a moment after each commit is normal.
    logger[to === undefined || to === 'behind' ? 'debug' : 'warn'](
      { replica: name, reason: to },
      to === undefined ? 'Replica is in use' : 'Replica is not in use',
    );
    // A fault that the check does not have, such as that no more connections are accepted, would return at once.
    if (to === 'behind') wake();
  };

  const giveUp = (): void => {
    database.cut();
    for (const reject of running) reject(new MiddlewareError('database_lost', `replica ${name}: no answer`));
    running.clear();
  };

  async function withTimeout<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(giveUp, CHECK_TIMEOUT_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Checks repeatedly until a check fails. */
  async function checkRepeatedly(client: pg.Client): Promise<never> {
    const db = queryable(client);
    let fits = false;
    for (;;) {
      // Once, because the primary may be lost later; not within the time limit, because it may be slow while no replica is in use.
      copy ??= await copyOf(primary);
      const found = await withTimeout(async () => {
        const misfit = fits ? undefined : await misfitOf(db, copy);
        fits = misfit === undefined;
        return misfit ?? (await lagOf(db, floor));
      });
      setReason(found);
      await pause(found === undefined ? CHECK_MS : backoffMs(failures++, FIRST_CHECK_MS, CHECK_MS));
      if (end.signal.aborted) throw new MiddlewareError('database_lost', 'closed');
    }
  }

  async function watch(): Promise<void> {
    while (!end.signal.aborted) {
      let client: pg.Client | undefined;
      try {
        client = await withTimeout(() => database.connect());
        await checkRepeatedly(client);
      } catch (error) {
        const fault = asFault(error);
        if (end.signal.aborted) return;
        giveUp();
        setReason(fault.code);
        logger.debug({ replica: name, err: fault }, 'Cannot check a replica');
      } finally {
        client?.end().catch(() => undefined);
      }
      await pause(backoffMs(failures++, FIRST_RETRY_MS, MAX_RETRY_MS));
    }
  }

  onChange(false);
  const watching = watch();
  return {
    name,
    inUse: () => reason === undefined,
    busy: () => running.size,
    query<Row extends object>(statement: Statement) {
      return new Promise<Rows<Row>>((resolve, reject) => {
        running.add(reject);
        void database
          .query<Row>(statement)
          .then(resolve, reject)
          .finally(() => running.delete(reject));
      });
    },
    stopUsing: setReason,
    async close() {
      end.abort();
      giveUp();
      await watching;
      await database.close();
    },
  };
}

/** Why a server cannot be a replica of a copy; checked once for each connection. It must cause no errors in the log of that server. */
async function misfitOf(replica: Queryable, copy: string | undefined): Promise<UnusedReason | undefined> {
  if ((await schemaState(replica)).pending.length > 0) return 'schema_older';
  return (await copyOf(replica)) === copy ? undefined : 'other_copy';
}

/** Id of the copy. Asked of the primary it also raises the floor: a process that has just begun has no other one, and would use any replica. */
async function copyOf(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'replica.copy',
    text: `SELECT id, ${COMMIT_NUMBER} FROM marker`,
  });
  return rows[0]?.id;
}

async function lagOf(replica: Queryable, floor: Floor): Promise<UnusedReason | undefined> {
  const { rows } = await replica.query<{ standby: boolean }>({
    name: 'replica.check',
    text: `SELECT pg_is_in_recovery() AS standby, ${COMMIT_NUMBER}`,
  });
  if (rows[0]?.standby !== true) return 'not_standby';
  return floor.admits(rows) ? undefined : 'behind';
}
