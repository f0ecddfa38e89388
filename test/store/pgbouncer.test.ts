import { expect } from 'chai';
import pg from 'pg';
import { MiddlewareError } from '../../src/observe/errors.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { listen } from '../../src/store/connection/listen.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { describeWith } from '../support/kube-tools.js';
import { mdw } from '../support/mdw.js';
import { missingPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import type { PgBouncer } from '../support/pgbouncer.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { replayServer } from '../support/replay-server.js';

const open = (url: string, schema: string, statementTimeoutMs = 0): Database =>
  createDatabase({ url, schema, poolSize: 3, statementTimeoutMs, logger: silent });
const ask = (database: Database): Promise<unknown> => database.query({ name: 'test.one', text: 'SELECT 1 AS one' });

describeWith(missingPgBouncer, 'a database behind PgBouncer', () => {
  let server: TestDatabase;
  let client: pg.Client;
  let node: Awaited<ReturnType<typeof replayServer>>;
  const LOCAL = { METRICS_ADDRESS: '127.0.0.1:0', HTTP_ADDRESS: '127.0.0.1:0', WEBSOCKET_ADDRESS: '127.0.0.1:0' };

  before(async () => {
    [server, node] = await Promise.all([testDatabase(), replayServer()]);
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await node.close();
    await server.drop();
  });

  describe('that pools sessions', () => {
    let pooler: PgBouncer;
    before(async () => {
      // Few sessions, so that clients get those that others have used.
      pooler = await startPgBouncer(server.url, 'session', { default_pool_size: '8' });
    });
    after(() => pooler.stop());

    it('keeps two copies apart, each in its schema', async () => {
      const env = { NODE_URL: node.url, DATABASE_URL: pooler.url, LOG_LEVEL: 'silent', ...LOCAL };
      const first = await mdw(['-H', '0-10'], { ...env, DATABASE_SCHEMA: 'blue' });
      const second = await mdw(['migrate'], { ...env, DATABASE_SCHEMA: 'green' });
      const third = await mdw(['-H', '0-5'], { ...env, DATABASE_SCHEMA: 'green' });
      const examined = await mdw(['doctor'], { ...env, DATABASE_SCHEMA: 'green' });

      expect([first, second, third, examined].map(({ status }) => status)).to.deep.equal([0, 0, 0, 0]);
      expect(second.stdout).to.match(/^Applied 0001_chain$/m);
      const { rows } = await client.query(`
        SELECT (SELECT count(*)::int FROM blue.key_blocks) AS blue, (SELECT count(*)::int FROM green.key_blocks) AS green,
          (SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS public,
          (SELECT count(DISTINCT id)::int FROM (SELECT id FROM blue.marker UNION ALL SELECT id FROM green.marker) AS m) AS marks`);
      expect(rows).to.deep.equal([{ blue: 11, green: 6, public: 0, marks: 2 }]);
    });

    it('gives each connection its schema, time zone and limits, whatever other clients set before', async () => {
      await client.query(`
        CREATE SCHEMA IF NOT EXISTS own;
        CREATE TABLE own.writer AS SELECT 0::bigint AS epoch, 0::bigint AS commits;
        ALTER DATABASE ${client.database} SET timezone TO 'Asia/Tokyo';
        ALTER DATABASE ${client.database} SET statement_timeout TO '1h'`);
      const database = open(pooler.url, 'own', 2_500);
      const own = await database.connect();
      const seen = {
        text: `SELECT current_schema() AS schema, current_setting('TimeZone') AS zone,
          current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`,
      };
      const pooled = await database.query({ name: 'test.settings', ...seen });
      const { rows } = await own.query(seen);
      await own.end();
      await database.close();
      await client.query(`ALTER DATABASE ${client.database} RESET ALL`);

      const all = { schema: 'own', zone: 'UTC', idle: '5s' };
      expect(pooled.rows).to.deep.equal([{ ...all, statement: '2500ms' }]);
      expect(rows).to.deep.equal([{ ...all, statement: '0' }]);
    });

    it('supports prepared statements, locks and LISTEN on sessions of earlier clients', async () => {
      for (let round = 0; round < 3; round++) {
        const database = open(pooler.url, 'own');
        await Promise.all(Array.from({ length: 6 }, () => ask(database)));
        const woken = new Promise<void>((resolve, reject) => {
          let wakes = 0;
          const listener = listen({
            database,
            logger: silent,
            // The first one is that of the connection itself.
            onWake: () => {
              if (++wakes === 1) void client.query('NOTIFY mdw_own').catch(reject);
              else void listener.close().then(resolve, reject);
            },
          });
        });
        await woken;
        const own = await database.connect();
        const { rows } = await own.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(7, 7) AS locked');
        expect(rows).to.deep.equal([{ locked: true }]);
        await own.end();
        await database.close();
      }
    });

    it('is not mistaken for a pooler of transactions while many processes start at once', async () => {
      const databases = Array.from({ length: 6 }, () => open(pooler.url, 'own'));
      await Promise.all(databases.map(ask));
      await Promise.all(databases.map((database) => database.close()));
    });
  });

  describe('that pools transactions or statements', () => {
    const refusal = async (url: string): Promise<unknown> => {
      const database = open(url, 'blue');
      const error = await rejection(ask(database));
      await database.close();
      return error instanceof MiddlewareError && error.code;
    };
    const POOLS: [what: string, mode: 'transaction' | 'statement', settings: Record<string, string>][] = [
      ['transactions', 'transaction', {}],
      ['statements', 'statement', {}],
      ['transactions, and takes the session that waited longest', 'transaction', { server_round_robin: '1' }],
      [
        'transactions, and resets each session',
        'transaction',
        { server_reset_query: 'DISCARD ALL', server_reset_query_always: '1' },
      ],
      ['transactions, and uses each session once', 'transaction', { server_lifetime: '0' }],
      ['transactions on one session', 'transaction', { default_pool_size: '1' }],
    ];
    const poolers: PgBouncer[] = [];
    before(async () => {
      for (const [, mode, settings] of POOLS) poolers.push(await startPgBouncer(server.url, mode, settings));
    });
    after(() => Promise.all(poolers.map((pooler) => pooler.stop())));

    it('is refused, however it gives out sessions, busy or idle', async () => {
      // Idle and busy sessions of another client.
      const others = await Promise.all(
        poolers.map(async ({ url }) => {
          const pool = new pg.Pool({ connectionString: url, max: 4 });
          await Promise.all([1, 2, 3, 4].map(() => pool.query('SELECT pg_sleep(0.1)')));
          return pool;
        }),
      );
      // Several processes start together, and check the same sessions.
      const outcomes = await Promise.all(poolers.map(({ url }) => Promise.all([refusal(url), refusal(url)])));
      await Promise.all(others.map((pool) => pool.end()));
      expect(outcomes).to.deep.equal(POOLS.map(() => ['pooled_by_transaction', 'pooled_by_transaction']));
    });

    it('is refused by every role with one message, and reported by doctor', async () => {
      const env = { NODE_URL: node.url, DATABASE_URL: poolers[0]!.url, LOG_LEVEL: 'silent', ...LOCAL };
      const roles = [['-p'], ['-s'], ['-H', '0'], ['-v', '0'], ['migrate'], ['drop', 'late']];
      const run = (args: string[]) => mdw(args, { ...env, DATABASE_SCHEMA: 'late' });
      const [{ status, stdout }, ...outcomes] = await Promise.all([run(['doctor']), ...roles.map(run)]);

      const sentence =
        'The pooler in front of the database does not keep one session for a connection: set its pool_mode to session, or give the address of PostgreSQL itself';
      expect(outcomes.map(({ stderr }) => stderr.trim().split('\n').at(-1))).to.deep.equal(
        roles.map(() => `mdw: ${sentence}`),
      );
      expect(outcomes.map((outcome) => outcome.status)).to.deep.equal(roles.map(() => 78));
      expect(status).to.equal(1);
      expect(stdout).to.match(/^ok +database /m);
      expect(stdout).to.contain(`fail  sessions        ${sentence}`);
      expect((await client.query(`SELECT to_regnamespace('late') AS made`)).rows).to.deep.equal([{ made: null }]);
    });
  });
});
