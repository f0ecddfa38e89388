import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { mdw } from '../support/mdw.js';
import type { Outcome } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { replayServer } from '../support/replay-server.js';
import { asRole, migrateCopy } from '../support/roles.js';

const LOCAL = { HTTP_ADDRESS: '127.0.0.1:0', METRICS_ADDRESS: '127.0.0.1:0', WEBSOCKET_ADDRESS: '127.0.0.1:0' };

/**
 * What `test/commands` does not look at: that nothing but the one line comes, with the usual log level, whatever the role;
 * and that what is wrong several times over is said at once.
 */
describe('a wrong configuration', () => {
  let database: TestDatabase;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let env: Record<string, string>;
  let client: pg.Client;
  const role = `reader_${process.pid}`;

  before(async () => {
    database = await testDatabase();
    node = await replayServer();
    env = { NODE_URL: node.url, DATABASE_URL: asRole(database.url, 'populate'), ...LOCAL };
    client = new pg.Client({ connectionString: database.url, options: '-c search_path=mdw' });
    await client.connect();
    await migrateCopy(database.url);
  });

  after(async () => {
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await client.query('DROP DATABASE IF EXISTS latin');
    await client.end();
    await node.close();
    await database.drop();
  });

  /** One line on standard error, and at most JSON lines of the log on standard output. */
  const expectOneLine = ({ status, stdout, stderr }: Outcome, wanted: number, line: RegExp): void => {
    expect({ status, stderr }).to.have.property('status', wanted);
    expect(stderr.replace(/Try mdw ([\w-]+ )*--help\.\n$/, ''))
      .to.match(/^mdw: [^\n]+\n$/)
      .and.to.match(line);
    for (const logged of stdout.split('\n').filter((text) => text !== '')) {
      expect(JSON.parse(logged)).to.have.property('msg');
    }
  };

  const urlOf = (changes: Partial<Record<'username' | 'password' | 'pathname' | 'port', string>>): string =>
    Object.assign(new URL(database.url), changes).href;

  describe('is reported in one line on standard error, with its status:', () => {
    it('a database of a newer version', async () => {
      await client.query(`INSERT INTO migrations (name) VALUES ('9999_tomorrow')`);
      for (const flags of [['-ps'], ['-v'], ['-H1'], ['migrate']]) {
        const command = flags[0] === 'migrate' ? { ...env, LOG_LEVEL: 'error' } : env;
        const outcome = await mdw(flags, flags[0] === '-v' ? { ...env, LOG_LEVEL: 'silent' } : command);
        expectOneLine(outcome, 78, /newer version .*9999_tomorrow/);
      }
      await client.query(`DELETE FROM migrations WHERE name = '9999_tomorrow'`);
    });

    it('a database of another network', async () => {
      await client.query(`UPDATE chain SET network_id = 'ae_other', genesis_hash = 'kh_1'`);
      const outcome = await mdw(['-ps'], env);
      await client.query('UPDATE chain SET network_id = NULL, genesis_hash = NULL');

      expectOneLine(outcome, 78, /network ae_\w+, not ae_other/);
    });

    it('a role that may only read', async () => {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT USAGE ON SCHEMA mdw TO ${role};
        GRANT SELECT ON ALL TABLES IN SCHEMA mdw TO ${role}`);
      const url = urlOf({ username: role, password: 'reader' });

      expectOneLine(await mdw(['-p'], { ...env, DATABASE_URL: url }), 78, /permission denied/);
      expectOneLine(await mdw(['-H1'], { ...env, DATABASE_URL: url }), 78, /permission denied/);
      expectOneLine(await mdw(['-s'], { ...env, DATABASE_URL: url, DATABASE_SCHEMA: 'new' }), 78, /permission denied/);
    });

    it('a wrong password, or a database that does not exist', async () => {
      expectOneLine(await mdw(['-p'], { ...env, DATABASE_URL: urlOf({ password: 'wrong' }) }), 78, /password/);
      expectOneLine(await mdw(['-p'], { ...env, DATABASE_URL: urlOf({ pathname: '/no_such' }) }), 78, /no_such/);
    });

    it('a database in another encoding than UTF-8', async () => {
      await client.query(`CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);

      expectOneLine(await mdw(['-p'], { ...env, DATABASE_URL: urlOf({ pathname: '/latin' }) }), 78, /LATIN1.*UTF8/);
    });

    it('a port in use', async () => {
      const holder = createServer().listen(0, '127.0.0.1');
      await once(holder, 'listening');
      const address = `127.0.0.1:${(holder.address() as AddressInfo).port}`;
      const outcome = await mdw(['-ps'], { ...env, HTTP_ADDRESS: address });
      holder.close();

      expectOneLine(outcome, 75, new RegExp(`HTTP_ADDRESS ${address} is in use`));
    });

    it('a node, or a database, out of reach', async () => {
      expectOneLine(
        await mdw(['-p', '--no-wait'], { ...env, NODE_URL: 'http://127.0.0.1:1' }),
        75,
        /node http:\/\/127\.0\.0\.1:1/,
      );
      expectOneLine(
        await mdw(['-p', '--no-wait'], { ...env, DATABASE_URL: urlOf({ port: '1' }) }),
        75,
        /database: .*ECONNREFUSED/,
      );
    });

    it('malformed heights, or an unknown flag', async () => {
      expectOneLine(await mdw(['-ps', '-H1,,2'], env), 2, /"1,,2"|""/);
      expectOneLine(await mdw(['-H', '1-2-3'], env), 2, /"1-2-3"/);
      expectOneLine(await mdw(['-psX'], env), 2, /X/);
    });
  });

  it('is reported all at once if several settings are wrong, without the password, with status 78', async () => {
    const { status, stdout, stderr } = await mdw(['-ps'], {
      NODE_URL: 'ftp://node',
      DATABASE_URL: 'mysql://user:hush@host/data',
      POLL_INTERVAL_MS: 'often',
      HTTP_ADDRESS: 'here',
      LEASE_SECONDS: '1',
      DATABASE_SCHEMA: 'x"; DROP TABLE y',
      LOG_LEVEL: 'loud',
    });

    expect({ status, stdout }).to.deep.equal({ status: 78, stdout: '' });
    for (const name of [
      'NODE_URL',
      'DATABASE_URL',
      'POLL_INTERVAL_MS',
      'HTTP_ADDRESS',
      'LEASE_SECONDS',
      'DATABASE_SCHEMA',
      'LOG_LEVEL',
    ]) {
      expect(
        stderr.split('\n').filter((line) => line.includes(name)),
        name,
      ).to.have.length(1);
    }
    expect(stderr).to.not.match(/hush|^\s+at /m);
  });
});
