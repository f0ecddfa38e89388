import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { MiddlewareError } from '../../observe/errors.js';
import { STARTED } from './connection.js';
import type { Session } from './connection.js';

/** Max time to get and prepare a session, ms: a pooler without a free session lets clients wait. */
const TIMEOUT_MS = 5_000;

/**
 * Settings of a role or database that would change what SQL or its results mean, or end sessions at rest. Those that only change plans, and
 * `default_transaction_read_only`, with which providers protect a full disk, are left to the administrator.
 */
const FIXED = {
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  quote_all_identifiers: 'off',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  TimeZone: 'UTC',
  // With a policy that hides rows from this role, a statement fails instead of answering without them.
  row_security: 'off',
  gin_fuzzy_search_limit: '0',
  exit_on_error: 'off',
  // Under a stricter one, the statements at the end of a commit would not see what another process has committed meanwhile.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
};
/** Only a superuser may set it, but it can be set for the role: then the triggers of a copy do not run. */
const CHECKED = { session_replication_role: 'origin' };

/**
 * Older servers do not have these limits. A commit that is lost when the server crashes, after its events were sent, would give their numbers
 * to other events; the other values of `synchronous_commit` choose between standbys.
 */
const CONDITIONAL = `
  SELECT
    CASE WHEN current_setting('idle_session_timeout', true) <> '0' THEN set_config('idle_session_timeout', '0', false) END,
    CASE WHEN current_setting('transaction_timeout', true) <> '0' THEN set_config('transaction_timeout', '0', false) END,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

/**
 * A statement is planned once for a connection, not for each set of values: planning a page takes longer than reading it. All statements are
 * written for that, and their plans are tested so (decision 62). PostgreSQL 11 does not have this setting.
 */
const KEPT_PLANS = `
    CASE current_setting('plan_cache_mode', true) WHEN 'auto' THEN set_config('plan_cache_mode', 'force_generic_plan', false) END`;

/**
 * Probes of the server to a connection without traffic: it notices within half a minute that this machine is gone, which may have left a
 * COPY that holds the lease. They have no effect on sockets of the same machine, so they are not read back.
 */
const PROBES = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' };

/**
 * Sets the settings that every statement needs, and reads them back: a pooler ignores unknown parts of the start-up packet, and may give
 * out a session that another client changed. Costs one message for each connection. Throws `session_not_set` if a setting differs.
 * @returns the session, and whether the client is connected to the server itself, without a pooler
 */
export async function prepareSession(
  client: pg.ClientBase,
  options: { schema: string; statementTimeoutMs: number; idleInTransactionMs: number; keepsPlans: boolean },
): Promise<{ session: Session; isDirect: boolean }> {
  const wanted: Record<string, string> = {
    ...FIXED,
    search_path: options.schema,
    statement_timeout: String(options.statementTimeoutMs),
    idle_in_transaction_session_timeout: String(options.idleInTransactionMs),
  };
  const texts = Object.entries({ ...wanted, ...PROBES }).map((pair) =>
    pair.map((text) => pg.escapeLiteral(text)).join(', '),
  );
  const needed = { ...wanted, ...CHECKED };
  const names = Object.keys(needed).map((name) => pg.escapeLiteral(name));
  const answers = (await client.query(
    bounded(`
      SELECT ${texts.map((text) => `pg_catalog.set_config(${text}, false)`).join(', ')};
      ${CONDITIONAL}${options.keepsPlans ? `, ${KEPT_PLANS}` : ''};
      SELECT s.name, s.setting, a.pid, ${STARTED} AS started
      FROM pg_catalog.pg_settings s, pg_catalog.pg_stat_activity a
      WHERE s.name IN (${names.join(', ')}) AND a.pid = pg_catalog.pg_backend_pid()`),
  )) as unknown as pg.QueryResult<Session & { name: string; setting: string }>[];
  const rows = answers.at(-1)?.rows ?? [];
  const had = new Map(rows.map(({ name, setting }) => [name, setting]));
  for (const [name, value] of Object.entries(needed)) {
    if (had.get(name) === value) continue;
    const message = `database: a connection has ${name}=${had.get(name)} instead of ${value}, so it is not used`;
    throw new MiddlewareError('session_not_set', message);
  }
  const { pid, started } = rows[0]!;
  // The server reports its process id when a connection begins; a pooler reports a made-up one.
  return { session: { pid, started }, isDirect: (client as unknown as { processID: number | null }).processID === pid };
}

/** First half of the key of the advisory lock that identifies a session: "mdw". The second half is the process id of the server. */
const KEY = 0x6d6477;

/** Whether session `$1` holds that lock; if `$2` is false, only if this statement runs in that session. */
const HELD = `
  SELECT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${KEY} AND objid = $1 AND objsubid = 2 AND pid = $1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AND ($2 OR pg_backend_pid() = $1) AS held`;

/**
 * Throws `pooled_by_transaction` unless a connection has the same session of the server from its begin to its end. The program needs
 * that: the schema is set for the session, statements are prepared in it, and it holds locks and listens. A pooler of transactions takes
 * the session back after each statement. Often the next statement gets the same session again, so comparing sessions is not enough.
 * Therefore this takes a lock that belongs to the session:
 *
 * - While the connection is open, its next statement must run in the session that holds the lock. It does not if the pooler gave it
 *   another session, or if the first one was reset or closed.
 * - After the connection has ended, the lock must be released, as seen from any session: the session ends with the connection or is
 *   reset for the next one. A pooler of transactions took the session back earlier, so the lock stays. It also stays if the pooler is
 *   configured not to reset sessions, which is refused as well.
 *
 * A process that checks at the same time uses the same key on the same session; its lock is released too. After a refusal one lock
 * remains for each session of the pooler; nothing else uses these locks.
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
  const until = performance.now() + TIMEOUT_MS;
  while (await isHeld(observer, pid, true)) {
    if (performance.now() > until) throw refused();
    await pause(20);
  }
}

async function isHeld(client: pg.ClientBase, pid: number, byAnybody: boolean): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>({ ...bounded(HELD), values: [pid, byAnybody] });
  return rows[0]!.held;
}

/** A statement without a name, because prepared statements belong to a session. */
const bounded = (text: string): { text: string; query_timeout: number } => ({ text, query_timeout: TIMEOUT_MS });

const refused = (): MiddlewareError =>
  new MiddlewareError(
    'pooled_by_transaction',
    'The pooler in front of the database does not keep one session for a connection: set its pool_mode to session, or give the address of PostgreSQL itself',
  );
