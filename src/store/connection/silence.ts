import { MiddlewareError } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { STARTED } from './connection.js';
import type { Connection, Session } from './connection.js';

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

interface Pace {
  tickMs: number;
  /** Ticks without a byte after which the server is asked about a connection. */
  silentTicks: number;
  /** Max time to open a connection and ask, ms. Less than a connection may take to open, which then fails like a refused one. */
  askMs: number;
  /** Attempts in a row to ask, without an answer in time, after which a connection counts as silent. */
  attempts: number;
  /** The same for attempts that are refused. */
  refusals: number;
}

/**
 * That new connections are impossible says little of an open one: the server may be full, its name not be found, or its Service have no
 * ready pod while it creates an index. So usually that ends no statement soon, and a refusal never does: the probes of the system end a
 * connection whose other side is gone.
 */
const USUAL: Pace = { tickMs: 1_000, silentTicks: 5, askMs: 4_000, attempts: 24, refusals: Infinity };
const HURRIED: Pace = { tickMs: 500, silentTicks: 2, askMs: 1_000, attempts: 1, refusals: 3 };
/** Answers in a row that a session waits for its client, while the client waits for the session. The first may be late. */
const IDLE_ANSWERS = 2;

const FRESH = { ticks: 0, idleAnswers: 0, askAt: 0, unanswered: 0, refused: 0 };

/** What is known of a connection that waits for an answer. */
interface Wait {
  traffic: number;
  /** Ticks since the last byte, or since the server said that the statement is being executed. */
  ticks: number;
  idleAnswers: number;
  /** The number of ticks with which it is asked about again. */
  askAt: number;
  /** Attempts to ask about it without an answer, since the last answer. */
  unanswered: number;
  refused: number;
}

/** What a session does. `unknown`: it is one of another user, so this one may not see it, or of another standby. */
type Doing = 'works' | 'waits' | 'gone' | 'unknown';

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

export function watchSilence({ connections, open, onSilent, logger }: SilenceOptions): SilenceWatch {
  const waits = new Map<Connection, Wait>();
  /** Sessions of connections that were cut, which the server has to end. */
  const left = new Set<Session>();
  let pace = USUAL;
  let asking = false;
  let ticks = 0;
  let timer: NodeJS.Timeout;

  const isSilent = (connection: Connection): boolean => (waits.get(connection)?.ticks ?? 0) >= pace.silentTicks;
  const silentOnes = (): Connection[] => [...connections].filter(isSilent);
  const isDue = (connection: Connection): boolean => {
    const wait = waits.get(connection);
    return wait !== undefined && wait.ticks >= Math.max(pace.silentTicks, wait.askAt);
  };

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
    const { traffic } = connection;
    const wait = waits.get(connection);
    if (counts && wait?.traffic === traffic) wait.ticks++;
    else if (counts) waits.set(connection, { traffic, ...FRESH });
    else waits.delete(connection);
  };

  const judge = (connection: Connection, doing: Doing): void => {
    const wait = waits.get(connection);
    if (wait === undefined) return;
    Object.assign(wait, { unanswered: 0, refused: 0 });
    if (doing === 'gone') cut(connection, 'its session has ended');
    else if (doing !== 'waits') Object.assign(wait, FRESH);
    else if (++wait.idleAnswers >= IDLE_ANSWERS) cut(connection, 'its session waits for the next statement');
  };

  async function ask(): Promise<void> {
    const asked = [...connections].filter(isDue).flatMap((connection) => {
      const { session, traffic } = connection;
      if (session !== undefined) return [{ connection, session, traffic }];
      cut(connection, 'it is not open yet, and the process ends');
      return [];
    });
    try {
      await withProbe(async (probe) => {
        const doing = await whatTheyDo(
          probe,
          asked.map(({ session }) => session),
        );
        for (const { connection, session, traffic } of asked) {
          if (connection.traffic === traffic) judge(connection, doing.get(session.pid) ?? 'unknown');
        }
        if (left.size === 0) return;
        const ending = [...left];
        await probe.query(TERMINATE, columnsOf(ending));
        for (const session of ending) left.delete(session);
      });
    } catch (error) {
      const isRefused = !(error instanceof Late);
      for (const { connection } of asked) {
        const wait = waits.get(connection);
        if (wait === undefined || !isSilent(connection)) continue;
        if (isRefused) wait.refused++;
        else wait.unanswered++;
        wait.askAt = wait.ticks + (isRefused ? pace.silentTicks : 0);
        if (wait.unanswered >= pace.attempts || wait.refused >= pace.refusals) {
          cut(connection, 'new connections get no answer either');
        }
      }
    }
  }

  /** Opens a connection for some statements, all within the time limit. */
  async function withProbe(work: (probe: Connection) => Promise<void>): Promise<void> {
    const opening = open();
    let late: NodeJS.Timeout | undefined;
    const isLate = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Late()), pace.askMs);
      late.unref();
    });
    try {
      await Promise.race([opening.then(work), isLate]);
    } finally {
      clearTimeout(late);
      opening.then((probe) => probe.end()).catch(() => undefined);
    }
  }

  const tick = (): void => {
    timer = setTimeout(tick, pace.tickMs).unref();
    ticks++;
    for (const connection of waits.keys()) if (!connections.has(connection)) waits.delete(connection);
    for (const connection of connections) count(connection);
    const hasLeft = left.size > 0 && ticks % pace.silentTicks === 0;
    if (asking || !(hasLeft || [...connections].some(isDue))) return;
    asking = true;
    void ask().finally(() => (asking = false));
  };
  timer = setTimeout(tick, pace.tickMs).unref();

  return {
    isSilent: (connection) => (connection === undefined ? silentOnes().length > 0 : isSilent(connection)),
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
