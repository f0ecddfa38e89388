import pg from 'pg';
import type { Logger } from '../../observe/logger.js';
import { Connection } from './connection.js';
import { createLogin } from './login.js';
import { prepareSession, refusePooledTransactions } from './session.js';

export interface DatabaseOptions {
  url: string;
  /** Reads the present URL; called when the server refuses the password. */
  currentUrl?: (() => string) | undefined;
  schema: string;
  poolSize: number;
  /** Max time of one statement, ms; 0 for no limit. */
  statementTimeoutMs: number;
  /** Max time until the whole answer to a statement has arrived, ms; its connection is closed then. A machine that is gone sends none. */
  answerTimeoutMs?: number;
  /** Max time that a database transaction may be idle, ms: a frozen process must not keep its locks. */
  idleInTransactionMs?: number;
  /** Its statements are planned once for each connection, also where PostgreSQL would plan them for each set of values. */
  keepsPlans?: true;
  /** Several servers are behind the address. A new connection tells nothing about an older one, so only `answerTimeoutMs` limits it. */
  isBalanced?: boolean;
  /** Aborts when the process ends: silent connections are closed sooner then. */
  ending?: AbortSignal | undefined;
  logger: Logger;
}

/** Time without traffic after which the system asks the other side for a sign of life, ms; the connection ends ten seconds later. */
const KEEP_ALIVE_MS = 5_000;

/** The connections of a process to one copy, and a pool of them: `search_path` is the schema of the copy, so statements do not name the schema. */
interface Connections {
  /** All that are open. */
  all: ReadonlySet<Connection>;
  pool: pg.Pool;
  checkOut(): Promise<pg.PoolClient>;
  /** Opens a connection that is not prepared. */
  openRaw(): Promise<Connection>;
  /** Opens a connection outside the pool, without a limit of its statements' time. */
  open(): Promise<Connection>;
  /** Whether it is in the pool, and nobody uses it. */
  isIdle(connection: Connection): boolean;
}

export function createConnections(options: DatabaseOptions): Connections {
  const { schema, statementTimeoutMs, answerTimeoutMs, idleInTransactionMs = 5_000 } = options;
  const login = createLogin(options.url, options.currentUrl);
  const all = new Set<Connection>();
  const settings = {
    application_name: `mdw ${schema}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(answerTimeoutMs !== undefined && { query_timeout: answerTimeoutMs }),
  };
  class Client extends Connection {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: login.url() });
      all.add(this);
      this.once('end', () => all.delete(this));
    }
  }
  const openRaw = async (): Promise<Connection> => {
    const client = new Client(settings);
    await client.connect();
    return client;
  };
  let poolerCheck: Promise<void> | undefined;
  /** Prepares a new connection, or throws. A pooler in front of the server is checked once. */
  const prepare = async (client: Connection, limitMs: number): Promise<void> => {
    const { session, isDirect } = await prepareSession(client, {
      schema,
      statementTimeoutMs: limitMs,
      idleInTransactionMs,
      keepsPlans: options.keepsPlans === true,
    });
    client.session = session;
    if (isDirect) return;
    poolerCheck ??= refusePooledTransactions(openRaw, client).catch((error: unknown) => {
      poolerCheck = undefined;
      throw error;
    });
    await poolerCheck;
  };
  // The pool awaits the promise, though its types do not say so.
  const onConnect: (client: pg.ClientBase) => unknown = (client) => prepare(client as Connection, statementTimeoutMs);
  const pool = new pg.Pool({
    ...settings,
    Client,
    max: options.poolSize,
    idleTimeoutMillis: 30_000,
    onConnect,
  });
  pool.on('error', (error) => options.logger.warn({ reason: error.message }, 'Lost an idle database connection'));
  /** Connections of the pool that nobody uses. */
  const idle = new WeakSet<object>();
  pool.on('release', (_, client) => idle.add(client));
  pool.on('acquire', (client) => idle.delete(client));

  return {
    all,
    pool,
    checkOut: () => login.open(() => pool.connect()),
    openRaw: () => login.open(openRaw),
    open: () =>
      login.open(async () => {
        const client = await openRaw();
        try {
          await prepare(client, 0);
          return client;
        } catch (error) {
          await client.end();
          throw error;
        }
      }),
    isIdle: (connection) => idle.has(connection),
  };
}
