import { expect } from 'chai';
import pg from 'pg';
import { pino } from 'pino';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { movingDatabase } from '../support/moving-database.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { administer, asRole, migrateCopy } from '../support/roles.js';
import { append, madeBlocks, silent } from '../support/seed.js';

const POOL = 4;
const RATE = '/middleware/transactions/rate/20180101/20190101';

/** One SQLSTATE of each class of PostgreSQL, and those with their own rule. */
const SQLSTATES =
  '03000 08000 08003 08006 08P01 09000 0A000 0B000 0F000 0L000 0P000 0Z000 20000 21000 22000 22021 22P02 22P05 23000 23505 24000 25000 25001 25006 25P02 25P03 26000 27000 28000 28P01 2B000 2D000 2F000 34000 38000 39000 3B000 3D000 3F000 40000 40001 40P01 42000 42501 42601 42703 42P01 42P05 44000 53000 53100 53200 53300 54000 54001 55000 55006 55P03 57000 57014 57P01 57P02 57P03 57P04 57P05 58000 58030 58P01 72000 F0000 HV000 P0000 P0001 XX000 XX001 XX002'.split(
    ' ',
  );

describe('faults of the database', () => {
  let server: TestDatabase;
  let database: Database;
  let node: FakeNode;
  let api: TestApi;
  const logged: { level: number; err: { details: { sqlstate?: string } } }[] = [];

  before(async () => {
    server = await testDatabase();
    await migrateCopy(server.url);
    const url = asRole(server.url, 'populate');
    database = createDatabase({ url, schema: 'mdw', poolSize: POOL, statementTimeoutMs: 5_000, logger: silent });
    await append(database, null, madeBlocks([{}, { microBlocks: [[{}]] }]));
    node = await fakeNode((_req, res) => void res.writeHead(404, { 'content-type': 'application/json' }).end('{}'));
    const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line) as never) });
    api = await testApi(database, { nodeUrls: [node.url], databasePoolSize: POOL }, { logger });
  });
  after(async () => {
    await api.close();
    await node.close();
    await database.close();
    await server.drop();
  });

  /** Run by the owner of the tables, as by a migration. */
  const change = (...statements: string[]): Promise<void> =>
    administer(asRole(server.url, 'migrate'), statements.join(';'), 'mdw');

  it('are answered with 503 and Retry-After for every SQLSTATE, without details', async () => {
    await change(
      'CREATE TABLE failing (code text)',
      'INSERT INTO failing VALUES (NULL)',
      'ALTER TABLE days RENAME TO days_kept',
      `CREATE FUNCTION fail() RETURNS SETOF days_kept LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = (SELECT code FROM failing); END $$`,
      'CREATE VIEW days AS SELECT * FROM fail()',
    );
    for (const sqlstate of SQLSTATES) {
      await change(`UPDATE failing SET code = '${sqlstate}'`);
      logged.length = 0;
      const { status, headers, body } = await api.get(RATE);
      expect([status, headers['retry-after'], body], sqlstate).to.deep.equal([
        503,
        '2',
        '{"reason":"Temporarily unavailable"}',
      ]);
      expect(logged.map(({ err }) => err.details.sqlstate)).to.deep.equal([sqlstate]);
    }
    await change('DROP VIEW days', 'DROP FUNCTION fail', 'ALTER TABLE days_kept RENAME TO days');

    expect((await api.get(RATE)).status).to.equal(200);
  });

  it('are not shown to clients if they come from statements that were prepared before the schema changed', async () => {
    const paths = ['/v2/key-blocks/height/1?read', '/middleware/size/current'];
    const all = (): Promise<number[]> =>
      Promise.all(Array.from({ length: 8 * POOL }, (_, i) => api.get(paths[i % 2]!).then(({ status }) => status)));
    await all();
    // The views depend on the columns.
    await change(`
      DO $$
      DECLARE texts text := pg_get_viewdef('key_block_texts'::regclass);
      BEGIN
        DROP VIEW v_key_blocks;
        DROP VIEW key_block_texts;
        ALTER TABLE key_blocks ALTER COLUMN hash TYPE varchar, ALTER COLUMN body TYPE varchar;
        EXECUTE 'CREATE VIEW key_block_texts AS ' || texts;
        GRANT SELECT ON key_block_texts TO PUBLIC;
      END $$`);

    expect(new Set(await all())).to.deep.equal(new Set([200]));
  });

  it('are answered with 503 when sessions end, and end with the next connection', async () => {
    const seen = new Set<string>();
    let ending = true;
    const asking = Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        for (let round = i; ending; round++) {
          const path = ['/v2/generations/current?read', '/middleware/size/current', RATE][round % 3]!;
          const { status, headers } = await api.get(path);
          seen.add(status === 503 ? `503 after ${headers['retry-after']}` : String(status));
        }
      }),
    );
    const client = await database.connect();
    for (let round = 0; round < 50; round++) {
      await client.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'mdw mdw' AND datname = current_database() AND pid <> pg_backend_pid()`);
    }
    await client.end();
    ending = false;
    await asking;

    expect([...seen].filter((one) => one !== '503 after 2')).to.deep.equal(['200']);
    expect((await api.get('/middleware/size/current')).status).to.equal(200);
  });
});

describe('a database that does not answer', () => {
  it('is reported while the statements still wait', async () => {
    const server = await testDatabase();
    await migrateCopy(server.url);
    const url = asRole(server.url, 'populate');
    const database = createDatabase({ url, schema: 'mdw', poolSize: 1, statementTimeoutMs: 600_000, logger: silent });
    const api = await testApi(database, { databasePoolSize: 1 });
    const owner = new pg.Client({ connectionString: asRole(server.url, 'migrate') });
    await owner.connect();
    await owner.query('BEGIN; LOCK TABLE mdw.chain');

    const { status, body } = await api.get('/readyz');
    await owner.query('COMMIT');

    expect([status, JSON.parse(body)]).to.deep.equal([
      503,
      { ready: false, reason: 'the database does not answer', code: 'statement_timeout' },
    ]);
    expect((await api.get('/readyz')).status).to.equal(200);
    await owner.end();
    await api.close();
    await database.close();
    await server.drop();
  });
});

describe('a database server that is restarted', () => {
  it('causes answers or 503 but never 500 while it is away, and is used again as soon as it is back', async () => {
    const moving = await movingDatabase();
    await migrateCopy(moving.url('postgres'));
    const database = createDatabase({
      url: asRole(moving.url('postgres'), 'populate'),
      schema: 'mdw',
      poolSize: POOL,
      statementTimeoutMs: 5_000,
      logger: silent,
    });
    await append(database, null, madeBlocks([{}, { microBlocks: [[{}]] }]));
    const api = await testApi(database, { databasePoolSize: POOL });
    const paths = ['/v2/generations/current', '/v2/generations/current?read', '/middleware/names?limit=1', RATE];
    const seen = new Set<string>();
    let away = true;
    const asking = Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        for (let round = i; away; round++) {
          const { status, headers } = await api.get(paths[round % paths.length]!);
          seen.add(status === 503 ? `503 after ${headers['retry-after']}` : String(status));
        }
      }),
    );
    await moving.restart();
    away = false;
    await asking;

    expect([...seen].sort()).to.deep.equal(['200', '503 after 2']);
    for (const path of paths) expect((await api.get(path)).status).to.equal(200);
    await api.close();
    await database.close();
    await moving.close();
  });
});
