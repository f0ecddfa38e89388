import type pg from 'pg';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { MiddlewareError } from '../../observe/errors.js';
import type { Connection } from './connection.js';
import { asFault, STALE } from './faults.js';
import { createConnections } from './pool.js';
import type { DatabaseOptions } from './pool.js';
import { watchSilence } from './silence.js';

export interface Statement {
  /** Name of the prepared statement; also its label in logs. */
  name: string;
  text: string;
  values?: readonly unknown[];
  /**
   * The same statement for many sets of values: each parameter is an array with the values of all sets, and `asked` in a row is the
   * index of its set. Absent where each set needs a statement of its own.
   */
  joined?: string;
  /**
   * Its row is long. Joined sets are then divided into several statements, so that the server sends the answers of one while the
   * database works on another.
   */
  page?: boolean;
  /** Returns at least one row, and each has the commit number. So a standby may answer it, see `store/replicas`. */
  numbered?: true;
}

export interface Rows<Row> {
  rows: Row[];
  rowCount: number;
}

/** Runs statements: the pool, or one database transaction, which the caller owns. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Rows<Row>>;
}

export interface DbTransaction extends Queryable {
  /** Streams rows in the text format of COPY (chunks of whole or partial lines) into a table. */
  copy(target: string, chunks: Iterable<string>): Promise<void>;
  /** Runs several statements without parameters, in one message. */
  run(text: string): Promise<void>;
}

export interface Database extends Queryable {
  readonly schema: string;
  /** Runs `work` in a database transaction. It is rolled back if the connection is lost, a statement is rejected or `work` throws. */
  transaction<T>(work: (tx: DbTransaction) => Promise<T>): Promise<T>;
  /** A connection outside the pool, for locks and LISTEN. */
  connect(): Promise<Connection>;
  /** Whether a statement has waited for some seconds without a sign that it is being executed, of one connection or of any. */
  isSilent(connection?: Connection): boolean;
  /** Closes the connections that wait for an answer, as silent ones are closed. Their statements fail. */
  giveUp(why: string): void;
  /** Destroys all sockets at once, without waiting for the server, which may hang. Statements that are running fail. */
  cut(): void;
  /** Connections of the pool that are in use and idle, and requests that wait for one. */
  pool(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** The database of one copy. */
export function createDatabase(options: DatabaseOptions): Database {
  const connections = createConnections(options);
  const { pool } = connections;
  const watch = options.isBalanced
    ? undefined
    : watchSilence({
        connections: connections.all,
        open: connections.openRaw,
        onSilent(fault) {
          for (const connection of connections.all) if (connections.isIdle(connection)) connection.cut(fault);
        },
        logger: options.logger,
      });
  options.ending?.addEventListener('abort', () => watch?.hurry(), { once: true });

  return {
    schema: options.schema,
    async query<Row extends object>(statement: Statement) {
      // All connections of the pool may be stale; each stale one is replaced.
      for (let left = options.poolSize; ; left--) {
        const client = await connections.checkOut();
        const outcome = await queryOn(client)
          .query<Row>(statement)
          .catch((error: unknown) => asFault(error));
        if (!(outcome instanceof MiddlewareError)) {
          client.release();
          return outcome;
        }
        client.release(isBroken(outcome));
        if (outcome.code !== STALE || left === 0) throw outcome;
      }
    },
    async transaction(work) {
      const client = await connections.checkOut();
      try {
        await client.query('BEGIN');
        const result = await work(transactionOn(client));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        const rolledBack = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        );
        client.release(!rolledBack);
        throw asFault(error);
      }
    },
    connect: connections.open,
    isSilent: (connection) => watch?.isSilent(connection) === true,
    giveUp: (why) => watch?.giveUp(why),
    cut: () => connections.all.forEach((connection) => connection.cut()),
    pool: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end().finally(() => watch?.close()),
  };
}

/** SQLSTATEs after which the session has ended, or later statements on it would fail. */
const BROKEN = /^(08|25|57P|58|XX)/;

/** Whether the connection must not be used again. After an error without SQLSTATE its state is unknown. */
function isBroken(fault: MiddlewareError): boolean {
  const { sqlstate } = fault.details;
  return typeof sqlstate !== 'string' || BROKEN.test(sqlstate) || fault.code === STALE;
}

function queryOn(client: pg.ClientBase): Queryable {
  return {
    async query<Row extends object>(statement: Statement) {
      try {
        const { name, text, values } = statement;
        const result = await client.query<Row>({ name, text, values: values === undefined ? [] : [...values] });
        return { rows: result.rows, rowCount: result.rowCount ?? 0 };
      } catch (error) {
        throw asFault(error, statement.name);
      }
    },
  };
}

function transactionOn(client: PoolClient): DbTransaction {
  return {
    ...queryOn(client),
    async copy(target, chunks) {
      const stream = client.query(copyFrom(`COPY ${target} FROM STDIN`));
      const done = finished(stream);
      done.catch(() => undefined);
      try {
        for (const chunk of chunks) {
          if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
        }
        stream.end();
        await done;
      } catch (error) {
        stream.destroy();
        throw asFault(error, `copy ${target}`);
      }
    },
    async run(text) {
      await client.query(text).catch((error: unknown) => Promise.reject(asFault(error)));
    },
  };
}

/** Runs statements on a single connection. */
export const queryable = (client: pg.ClientBase): Queryable => queryOn(client);
