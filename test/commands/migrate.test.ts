import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { mdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { replayServer } from '../support/replay-server.js';

describe('mdw migrate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-migrate-'));
  const file = join(folder, 'log');
  let database: TestDatabase;

  before(async () => {
    database = await testDatabase();
  });
  after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const migrate = async (env: Record<string, string>, ...args: string[]) => {
    const all = { DATABASE_URL: database.url, TERMINATION_LOG: file, LOG_LEVEL: 'silent', ...env };
    const { status } = await mdw(['migrate', ...args], all);
    return { status, words: JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> };
  };

  it('writes the applied migrations and the identity of the database to TERMINATION_LOG', async () => {
    const first = await migrate({ DATABASE_SCHEMA: 'one' });
    const second = await migrate({ DATABASE_SCHEMA: 'two' });

    expect(first.status).to.equal(0);
    expect(first.words).to.include({ ok: true });
    expect(first.words['applied']).to.be.an('array').that.is.not.empty;
    expect(first.words['database']).to.match(/^\d+\/\d+$/);
    expect(second.words['database']).to.equal(first.words['database']);
  });

  it('writes the ids of this copy and of the other one of a reload, and of no others', async () => {
    const other = await testDatabase();
    const env = { DATABASE_URL: other.url };
    await migrate({ ...env, DATABASE_SCHEMA: 'third' });
    const blue = (await migrate({ ...env, DATABASE_SCHEMA: 'own' })).words;
    const green = (await migrate({ ...env, DATABASE_SCHEMA: 'own_green' })).words;
    const again = (await migrate({ ...env, DATABASE_SCHEMA: 'own' })).words;
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      'SELECT id::text FROM own.marker UNION ALL SELECT id::text FROM own_green.marker',
    );
    await client.end();
    await other.drop();

    const [own, ofGreen] = rows.map(({ id }) => id);
    expect(blue['copies']).to.deep.equal([own]);
    expect(green['copies']).to.deep.equal([ofGreen, own]);
    expect(again['copies']).to.deep.equal([own, ofGreen]);
  });

  it('does not change a database with another identity, and reports that identity', async () => {
    const other = await testDatabase();
    const { words } = await migrate({ DATABASE_SCHEMA: 'one' });
    const wanted = ['--database-id', String(words['database'])];
    const refused = await migrate({ DATABASE_URL: other.url, DATABASE_SCHEMA: 'one' }, ...wanted);
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    const { rows } = await client.query(`SELECT to_regnamespace('one')::text AS made`);
    await client.end();
    const { database } = (await migrate({ DATABASE_URL: other.url, DATABASE_SCHEMA: 'one' })).words;
    const either = await migrate({ DATABASE_SCHEMA: 'one' }, '--database-id', String(database), ...wanted);
    await other.drop();

    expect(refused.status).to.equal(78);
    expect(refused.words).to.include({ ok: false, code: 'other_database', database });
    expect(refused.words['message']).to.contain(`not ${String(words['database'])}`);
    expect(rows).to.deep.equal([{ made: null }]);
    expect([either.status, either.words['ok']]).to.deep.equal([0, true]);
  });

  it('writes the code of the fault to TERMINATION_LOG', async () => {
    const { status, words } = await migrate({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' }, '--no-wait');

    expect(status).to.equal(75);
    expect(words).to.include({ ok: false, code: 'database_unreachable', status: 75 });
    expect(JSON.stringify(words)).to.not.contain('secret');
  });

  it('ends with status 0 after a fault that it could write, if TERMINATION_LOG_ONLY asks for that', async () => {
    const env = { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d', TERMINATION_LOG_ONLY: 'true' };
    const { status, words } = await migrate(env, '--no-wait');
    const unwritten = await migrate({ ...env, TERMINATION_LOG: join(folder, 'none', 'log') }, '--no-wait');

    expect(status).to.equal(0);
    expect(words).to.include({ ok: false, code: 'database_unreachable', status: 75 });
    expect(unwritten.status).to.equal(75);
  });

  it('gives up after 10 s on a lock of a long reader, does not stop the reader, and works when it is run again', async () => {
    const reader = new pg.Client({ connectionString: database.url, options: '-c search_path=three' });
    await reader.connect();
    await reader.query('CREATE SCHEMA three');
    await reader.query('CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz DEFAULT now())');
    await reader.query('BEGIN; LOCK TABLE migrations IN SHARE MODE');
    const { status, words } = await migrate({ DATABASE_SCHEMA: 'three' });
    expect([status, words['code']]).to.deep.equal([75, 'lock_timeout']);
    expect((await reader.query('SELECT name FROM migrations')).rows).to.deep.equal([]);
    await reader.query('COMMIT');
    const { rows } = await reader.query(`SELECT to_regclass('three.transactions') AS made`);
    await reader.end();

    expect(rows).to.deep.equal([{ made: null }]);
    expect((await migrate({ DATABASE_SCHEMA: 'three' })).status).to.equal(0);
  });

  it('refuses an empty database with --node if no node answers', async () => {
    const { status, words } = await migrate({ NODE_URL: 'http://127.0.0.1:1' }, '--node', '--no-wait');

    expect(status).to.equal(75);
    expect(words).to.include({ ok: false, code: 'node_unreachable' });
  });

  it('checks the node with --node', async () => {
    const node = await replayServer();
    const { status, words } = await migrate({ NODE_URL: node.url }, '--node');
    await node.close();

    expect([status, words['ok']]).to.deep.equal([0, true]);
  });

  it('makes nothing with --node if the node is of another network than NETWORK_ID', async () => {
    const node = await replayServer();
    const env = { NODE_URL: node.url, NETWORK_ID: 'hc_other', DATABASE_SCHEMA: 'of_other' };
    const { status, words } = await migrate(env, '--node');
    await node.close();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(`SELECT to_regnamespace('of_other')::text AS made`);
    await client.end();

    expect([status, words['code']]).to.deep.equal([78, 'node_wrong_network']);
    expect(rows).to.deep.equal([{ made: null }]);
  });

  it('partitions an empty copy once, keeps it so, and refuses one that holds a chain', async () => {
    const asked = (...args: string[]): Promise<{ stdout: string; status: number | null }> =>
      mdw(['migrate', ...args], { DATABASE_URL: database.url, DATABASE_SCHEMA: 'four', LOG_LEVEL: 'silent' });
    const first = await asked('--partitioned');
    const second = await asked('--partitioned');
    const third = await asked('--json');
    expect([first, second, third].map(({ status }) => status)).to.deep.equal([0, 0, 0]);
    expect(first.stdout).to.match(/Applied 0001_chain\n.*Partitioned the large tables\n$/s);
    expect([second.stdout, third.stdout]).to.deep.equal(['Nothing to apply\n', '{"applied":[]}\n']);

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`INSERT INTO one.infos VALUES (1, '{}')`);
    await client.end();
    const { status, words } = await migrate({ DATABASE_SCHEMA: 'one' }, '--partitioned');
    expect([status, words['code']]).to.deep.equal([78, 'copy_not_empty']);
  });
});
