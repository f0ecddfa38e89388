import { expect } from 'chai';
import pg from 'pg';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('a password that is changed while the process runs', () => {
  let server: TestDatabase;
  let administrator: pg.Client;
  let database: Database;
  /** Content of the file with the URL. */
  let file: string | Error;

  const role = `login_${process.pid}`;
  const urlWith = (password: string): string => {
    const url = new URL(server.url);
    Object.assign(url, { username: role, password });
    return url.href;
  };
  const open = (): Database =>
    createDatabase({
      url: urlWith('old'),
      currentUrl: () => {
        if (file instanceof Error) throw file;
        return file;
      },
      schema: 'mdw',
      poolSize: 4,
      statementTimeoutMs: 5_000,
      logger: silent,
    });
  const ask = (): Promise<unknown> => database.query({ name: 'test.one', text: 'SELECT 1 AS one' });
  /** Changes the password, and ends the sessions, so that the next statement needs a new one. */
  const change = async (password: string): Promise<void> => {
    await administrator.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    await administrator.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}' AND datname = current_database()`,
    );
    while (database.pool().idle > 0) await new Promise((resolve) => setImmediate(resolve));
  };

  before(async () => {
    server = await testDatabase();
    administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
    await administrator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'old'`);
  });
  after(async () => {
    await administrator.query(`DROP ROLE ${role}`);
    await administrator.end();
    await server.drop();
  });
  beforeEach(async () => {
    await administrator.query(`ALTER ROLE ${role} PASSWORD 'old'`);
    file = urlWith('old');
    database = open();
    await ask();
  });
  afterEach(() => database.close());

  it('is read again when the server refuses the old one: no statement fails', async () => {
    file = urlWith('new');
    await change('new');

    await Promise.all(Array.from({ length: 8 }, ask));
    const listener = await database.connect();
    await listener.end();
  });

  it('is not read while the server accepts the old one, so that the file may be changed first', async () => {
    file = urlWith('new');
    await change('old');
    await ask();

    await change('new');
    await ask();
  });

  it('is refused until the file has another one', async () => {
    await change('new');
    expect(await rejection(ask())).to.include({ code: 'database_refused' });
    file = new Error('the file is being replaced');
    expect(await rejection(ask())).to.include({ code: 'database_refused' });

    file = urlWith('new');
    await ask();
  });

  it('is not taken from the URL of another database', async () => {
    await change('new');
    const elsewhere = new URL(urlWith('new'));
    elsewhere.pathname = '/postgres';
    file = elsewhere.href;

    expect(await rejection(ask())).to.include({ code: 'database_refused' });
  });
});
