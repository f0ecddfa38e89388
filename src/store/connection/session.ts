import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { MiddlewareError } from '../../observe/errors.js';

/** Time a session has to be given to us and set, ms; a pooler lets clients wait when it has none left. */
const PATIENCE_MS = 5_000;

/**
 * Sets what every statement relies on, and reads it back: a pooler drops what it does not know of the start-up packet, and
 * may hand on a session that another client has changed. One message, once for each connection. Throws when it does not hold.
 * @returns whether the server itself answers, with nobody in between who hands out its sessions
 */
export async function prepareSession(
  client: pg.ClientBase,
  options: { schema: string; statementTimeoutMs: number; idleInTransactionMs: number },
): Promise<boolean> {
  const wanted: Record<string, string> = {
    search_path: options.schema,
    TimeZone: 'UTC',
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: String(options.idleInTransactionMs),
  };
  const texts = Object.entries(wanted).map((pair) => pair.map((text) => pg.escapeLiteral(text)).join(', '));
  const names = Object.keys(wanted).map((name) => pg.escapeLiteral(name));
  const answers = (await client.query(
    bounded(`
      SELECT ${texts.map((text) => `pg_catalog.set_config(${text}, false)`).join(', ')};
      SELECT name, setting, pg_backend_pid() AS pid FROM pg_catalog.pg_settings WHERE name IN (${names.join(', ')})`),
  )) as unknown as pg.QueryResult<{ name: string; setting: string; pid: number }>[];
  const rows = answers.at(-1)?.rows ?? [];
  const had = new Map(rows.map(({ name, setting }) => [name, setting]));
  for (const [name, value] of Object.entries(wanted)) {
    if (had.get(name) === value) continue;
    const message = `database: a connection has ${name}=${had.get(name)} where ${value} was set: it is not used`;
    throw new MiddlewareError('session_not_set', message);
  }
  // The server reports its own number when a connection begins; a pooler that hands out sessions makes one up.
  return (client as unknown as { processID: number | null }).processID === rows[0]?.pid;
}

/** First half of the key of the advisory lock by which sessions are distinguished: "mdw". The second is the server's process. */
const KEY = 0x6d6477;

/** Whether that lock is held in a session. */
const HELD = `
  SELECT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${KEY} AND objid = $1 AND objsubid = 2 AND pid = $1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AND ($2 OR pg_backend_pid() = $1) AS held`;

/**
 * Throws unless a connection keeps one session of the server from its begin to its end, which everything here needs: the
 * schema is set for the session, statements are prepared in it, it holds locks and listens. A pooler of transactions takes
 * the session back after each statement, and which one is given next depends on who else is busy: mostly it is the same.
 * So it is not asked whether it changes but what becomes of a lock that belongs to a session:
 *
 * - While the connection is open, its next statement must find the lock held by the very session that runs the statement. It
 *   does not where another session was given, nor where the first one was reset or closed meanwhile.
 * - Once the connection has ended the lock must go, whoever looks from wherever: the session ends with the connection or is
 *   reset for the next one. A session that was taken back before stays as it is, lock and all, for nobody's connection
 *   has ended on it. The same shows a pooler that is set up not to reset sessions, which is no better.
 *
 * A process that looks at the same time uses the same key on the same session; its lock goes, too. What is left behind by a
 * refusal is one lock for each session of the pooler, which nobody else asks for.
 */
export async function refusePooledTransactions(open: () => Promise<pg.Client>, observer: pg.ClientBase): Promise<void> {
  const probe = await open();
  let pid: number;
  try {
    const { rows: taken } = await probe.query<{ pid: number }>(
      bounded(`SELECT pid FROM (SELECT pg_backend_pid() AS pid) AS own, pg_advisory_lock(${KEY}, pid)`),
    );
    pid = taken[0]!.pid;
    if (!(await isHeld(probe, pid, false))) throw refused();
  } finally {
    await probe.end();
  }
  const until = performance.now() + PATIENCE_MS;
  while (await isHeld(observer, pid, true)) {
    if (performance.now() > until) throw refused();
    await pause(20);
  }
}

async function isHeld(client: pg.ClientBase, pid: number, byAnybody: boolean): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>({ ...bounded(HELD), values: [pid, byAnybody] });
  return rows[0]!.held;
}

/** Not a named statement: those belong to a session. */
const bounded = (text: string): { text: string; query_timeout: number } => ({ text, query_timeout: PATIENCE_MS });

const refused = (): MiddlewareError =>
  new MiddlewareError(
    'pooled_by_transaction',
    'The pooler in front of the database does not keep one session for a connection: set its pool_mode to session, or give the address of PostgreSQL itself',
  );
