import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { MiddlewareError, reasonOf } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Connection } from './connection/connection.js';
import type { Database, Queryable, DbTransaction } from './connection/database.js';
import { queryable } from './connection/database.js';

/** The right to populate. `fence` in every commit makes it safe; the signal only stops useless work early. */
export interface Lease {
  readonly epoch: bigint;
  /** Aborts when another process took over, and when the connection that holds the lease is lost or the lease could not be renewed in time. */
  readonly lost: AbortSignal;
  /** First and last step of each database transaction of the writer. Throws `lease_lost` if another process has the lease. */
  fence(tx: DbTransaction): Promise<void>;
  release(): Promise<void>;
}

interface LeaseOptions {
  database: Database;
  seconds: number;
  logger: Logger;
  signal: AbortSignal;
  /** Called once when another process holds the lease. */
  onWait?: (holder: string) => void;
}

/** Time between two checks of whether the lease was renewed in time, ms. */
const CHECK_MS = 250;

const lostLease = (): MiddlewareError =>
  new MiddlewareError('lease_lost', 'Another process populates this database now');

/**
 * Waits until this process may populate.
 *
 * The holder has an advisory lock, which ends with its connection, so a killed populator is replaced at once. It also has a lease, which
 * it renews by the clock of the database, so a frozen populator is replaced when the lease ends. Another process takes over when one of
 * the two has ended. It raises the epoch, so that the commits of the former holder are refused.
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
  const { database, seconds, logger, signal } = options;
  const client = await database.connect();
  const holder = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  let logged = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const taken = await take(client, holder, seconds);
      if ('epoch' in taken) return hold(client, holder, taken, options);
      if (!logged) {
        logged = true;
        options.onWait?.(taken.holder);
        logger.info({ holder: taken.holder }, 'Waiting: another process populates this database');
      }
      await pause(Math.min(500, seconds * 250), undefined, { signal });
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const LOCK_KEY = `hashtextextended('mdw writer ' || current_schema(), 0)`;

async function take(
  client: Connection,
  holder: string,
  seconds: number,
): Promise<{ epoch: bigint; locked: boolean } | { holder: string }> {
  const db = queryable(client);
  const locked = await lock(db);
  const { rows: taken } = await db.query<{ epoch: string }>({
    name: 'lease.take',
    text: `
      UPDATE writer
      SET holder = $1, epoch = epoch + 1, ends_at = clock_timestamp() + make_interval(secs => $2), locked = $3
      WHERE ($3 AND locked) OR ends_at < clock_timestamp()
      RETURNING epoch`,
    values: [holder, seconds, locked],
  });
  if (taken[0] !== undefined) return { epoch: BigInt(taken[0].epoch), locked };
  // The holder took over from a frozen process that had the lock. It must be able to take the lock now.
  if (locked) await db.query({ name: 'lease.unlock', text: `SELECT pg_advisory_unlock(${LOCK_KEY})` });
  const { rows: held } = await db.query<{ holder: string | null }>({
    name: 'lease.holder',
    text: 'SELECT holder FROM writer',
  });
  return { holder: held[0]?.holder ?? 'unknown' };
}

async function lock(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>({
    name: 'lease.lock',
    text: `SELECT pg_try_advisory_lock(${LOCK_KEY}) AS locked`,
  });
  return rows[0]?.locked === true;
}

function hold(
  client: Connection,
  holder: string,
  taken: { epoch: bigint; locked: boolean },
  options: LeaseOptions,
): Lease {
  const { database, seconds, logger } = options;
  const { epoch } = taken;
  let { locked } = taken;
  const lost = new AbortController();
  const lose = (why: string): void => {
    if (lost.signal.aborted) return;
    clearInterval(timer);
    clearInterval(guard);
    logger.warn({ epoch: String(epoch), why }, 'Lost the lease to populate');
    lost.abort(lostLease());
  };
  const db = queryable(client);
  let renewing = false;
  /** When the last successful renewal was sent. */
  let renewedAt = performance.now();
  const renewBy = async (by: Queryable): Promise<boolean> => {
    const sentAt = performance.now();
    if ((await renewed(by, holder, epoch, seconds)) === 0) return false;
    renewedAt = Math.max(renewedAt, sentAt);
    return true;
  };
  const renew = async (): Promise<void> => {
    if (renewing) return;
    renewing = true;
    try {
      // After a takeover from a frozen holder the lock may be missing. It is free once the former holder has ended.
      if (!locked && (locked = await lock(db))) {
        await db.query({
          name: 'lease.locked',
          text: 'UPDATE writer SET locked = true WHERE epoch = $1',
          values: [epoch],
        });
      }
      if (!(await renewBy(db))) lose('taken over');
    } catch (error) {
      lose(reasonOf(error));
    } finally {
      renewing = false;
    }
  };
  const timer = setInterval(() => void renew(), (seconds * 1000) / 3);
  // The renewal may also wait for a long commit of this process, which holds the row. Then the server says that it is being executed.
  const guard = setInterval(() => {
    const isLate = performance.now() - renewedAt > seconds * 1000;
    if (!isLate || !database.isSilent(client)) return;
    lose('not renewed in time');
    // What still waits for an answer would hold up the next attempt.
    database.giveUp('the lease was not renewed in time');
  }, CHECK_MS);
  client.on('end', () => lose('connection closed'));
  return {
    epoch,
    lost: lost.signal,
    async fence(tx) {
      if (!(await renewBy(tx))) {
        lose('taken over');
        throw lostLease();
      }
    },
    async release() {
      clearInterval(timer);
      clearInterval(guard);
      if (!lost.signal.aborted) {
        lost.abort(lostLease());
        await db
          .query({
            name: 'lease.release',
            text: `UPDATE writer SET ends_at = '-infinity' WHERE holder = $1 AND epoch = $2`,
            values: [holder, epoch],
          })
          .catch(() => undefined);
      }
      await client.end().catch(() => undefined);
    },
  };
}

async function renewed(db: Queryable, holder: string, epoch: bigint, seconds: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'lease.renew',
    text: `
      UPDATE writer SET ends_at = clock_timestamp() + make_interval(secs => $3)
      WHERE holder = $1 AND epoch = $2`,
    values: [holder, epoch, seconds],
  });
  return rowCount;
}

/** The fence of a process other than the populator that writes (`-H`): it waits for a commit of the populator, and lets its next one wait. */
export async function fenceBesideWriter(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'lease.fence-beside-writer', text: 'SELECT epoch FROM writer FOR UPDATE' });
}

/** The same fence for a process that adds to lists: it also makes the populator's cache of list ends invalid. */
export async function fenceBesideWriterOfLists(tx: DbTransaction): Promise<void> {
  await tx.query({ name: 'lease.fence-beside-writer-of-lists', text: 'UPDATE writer SET revision = revision + 1' });
}
