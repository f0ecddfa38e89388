import { MiddlewareError } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { STARTED } from './connection.js';
import type { Connection, Session } from './connection.js';
import { afterAttempt, HURRIED, isDue, isSilent, judge, USUAL, waitAfterTick } from './silence-waits.js';
import type { Doing, Pace, Wait } from './silence-waits.js';

/**
 * Finds connections on which the server went silent: their packets are dropped and not refused, as after a failover or by a firewall that
 * forgot them. Such a connection looks like one with a long statement. So the server is asked on a new connection what the session does,
 * and a statement that is being executed goes on, however long it takes.
 */
interface SilenceWatch {
  /** Whether nothing is known of a statement, of this connection or of any, though it has waited for some seconds. */
  isSilent(connection?: Connection): boolean;
  /** Closes all connections that wait for an answer, however long they have waited. */
  giveUp(why: string): void;
  /** The process ends: statements that still run may end, but silent ones have to be found sooner. */
  hurry(): void;
  close(): void;
}

interface SilenceOptions {
  /** All open connections. */
  connections: ReadonlySet<Connection>;
  /** Opens a connection that is not prepared. */
  open: () => Promise<Connection>;
  /** Called when a connection was found silent: others, on which nothing happens at the moment, may be silent too. */
  onSilent: (fault: MiddlewareError) => void;
  logger: Logger;
}

/**
 * Sessions with what they do. Several standbys may be behind an address, so one that does not have a session says nothing of it; there is
 * one primary. The wait event of type Client means that the session reads from its connection or writes to it.
 */
const ASK = `
  SELECT asked.pid, CASE
    WHEN a.pid IS NULL THEN CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'unknown' ELSE 'gone' END
    WHEN a.state IS NULL OR a.state = 'disabled' THEN 'unknown'
    WHEN a.state = 'active' AND a.wait_event_type IS DISTINCT FROM 'Client' THEN 'works'
    ELSE 'waits' END AS doing
  FROM unnest($1::int[], $2::text[]) AS asked (pid, started)
  LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = asked.pid
    AND (a.backend_start IS NULL OR ${STARTED} = asked.started)`;

/** Ends sessions that have lost their connection: the server may not notice that for hours, and they may hold locks. */
const TERMINATE = `
  SELECT pg_catalog.pg_terminate_backend(a.pid)
  FROM unnest($1::int[], $2::text[]) AS asked (pid, started)
  JOIN pg_catalog.pg_stat_activity a
    ON a.pid = asked.pid AND ${STARTED} = asked.started`;

/** Nothing answered in time. */
class Late extends Error {}

/** Opens a connection for some statements, all within the time limit. */
async function withProbe(
  open: () => Promise<Connection>,
  { askMs }: Pace,
  work: (probe: Connection) => Promise<void>,
): Promise<void> {
  const opening = open();
  let late: NodeJS.Timeout | undefined;
  const isLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Late()), askMs);
    late.unref();
  });
  try {
    await Promise.race([opening.then(work), isLate]);
  } finally {
    clearTimeout(late);
    opening.then((probe) => probe.end()).catch(() => undefined);
  }
}

export function watchSilence({ connections, open, onSilent, logger }: SilenceOptions): SilenceWatch {
  const waits = new Map<Connection, Wait>();
  /** Sessions of connections that were cut, which the server has to end. */
  const left = new Set<Session>();
  let pace = USUAL;
  let asking = false;
  let ticks = 0;
  let timer: NodeJS.Timeout;

  const isSilentNow = (connection: Connection): boolean => isSilent(waits.get(connection), pace);
  const isDueNow = (connection: Connection): boolean => isDue(waits.get(connection), pace);

  const cut = (connection: Connection, why: string): void => {
    const { session } = connection;
    waits.delete(connection);
    if (session !== undefined) left.add(session);
    logger.warn({ pid: session?.pid, why }, 'Closed a silent connection to the database');
    const fault = new MiddlewareError('database_silent', `database: a connection went silent: ${why}`);
    // Before the statement fails, because it may be repeated at once.
    onSilent(fault);
    connection.cut(fault);
  };

  const count = (connection: Connection): void => {
    // One that is not prepared yet has a time limit of its own.
    const counts = connection.session === undefined ? pace === HURRIED : connection.isWaiting;
    if (counts) waits.set(connection, waitAfterTick(waits.get(connection), connection.traffic));
    else waits.delete(connection);
  };

  /** What follows from an answer, or from its absence. */
  const apply = (connection: Connection, judgement: (wait: Wait) => string | undefined): void => {
    const wait = waits.get(connection);
    const why = wait && judgement(wait);
    if (why !== undefined) cut(connection, why);
  };

  async function ask(): Promise<void> {
    const asked = [...connections].filter(isDueNow).flatMap((connection) => {
      const { session, traffic } = connection;
      if (session !== undefined) return [{ connection, session, traffic }];
      cut(connection, 'it is not open yet, and the process ends');
      return [];
    });
    try {
      await withProbe(open, pace, async (probe) => {
        const sessions = asked.map(({ session }) => session);
        const doing = await whatTheyDo(probe, sessions);
        for (const { connection, session, traffic } of asked) {
          if (connection.traffic === traffic)
            apply(connection, (wait) => judge(wait, doing.get(session.pid) ?? 'unknown'));
        }
        if (left.size === 0) return;
        const ending = [...left];
        await probe.query(TERMINATE, columnsOf(ending));
        for (const session of ending) left.delete(session);
      });
    } catch (error) {
      for (const { connection } of asked)
        apply(connection, (wait) => afterAttempt(wait, !(error instanceof Late), pace));
    }
  }

  const tick = (): void => {
    timer = setTimeout(tick, pace.tickMs).unref();
    ticks++;
    for (const connection of waits.keys()) if (!connections.has(connection)) waits.delete(connection);
    for (const connection of connections) count(connection);
    const hasLeft = left.size > 0 && ticks % pace.silentTicks === 0;
    if (asking || !(hasLeft || [...connections].some(isDueNow))) return;
    asking = true;
    void ask().finally(() => (asking = false));
  };
  timer = setTimeout(tick, pace.tickMs).unref();

  return {
    isSilent: (connection) => (connection === undefined ? [...connections].some(isSilentNow) : isSilentNow(connection)),
    giveUp(why) {
      for (const connection of connections) if (connection.isWaiting) cut(connection, why);
    },
    hurry() {
      pace = HURRIED;
      // An attempt that has begun may take longer than the process has.
      asking = false;
      clearTimeout(timer);
      tick();
    },
    close: () => clearTimeout(timer),
  };
}

async function whatTheyDo(probe: Connection, sessions: readonly Session[]): Promise<Map<number, Doing>> {
  const { rows } = await probe.query<{ pid: number; doing: Doing }>(ASK, columnsOf(sessions));
  return new Map(rows.map(({ pid, doing }) => [pid, doing]));
}

const columnsOf = (sessions: readonly Session[]): [number[], string[]] => [
  sessions.map(({ pid }) => pid),
  sessions.map(({ started }) => started),
];
