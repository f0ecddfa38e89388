import { expect } from 'chai';
import pg from 'pg';
import type { Devnode } from '../../devtools/devnode/start.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { nodeAt, silent, syncContext, syncFully } from '../support/copy.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { logicalDump } from '../support/dump.js';
import { rejection } from '../support/http-server.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { administer } from '../support/roles.js';

/** Settings that change how SQL or text is read, what a statement sees, or how long it may take; not all versions have all. */
const HOSTILE: Record<string, string> = {
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  quote_all_identifiers: 'on',
  transform_null_equals: 'on',
  array_nulls: 'off',
  DateStyle: 'German',
  IntervalStyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  TimeZone: 'Asia/Kathmandu',
  client_encoding: 'LATIN1',
  xmlbinary: 'hex',
  search_path: 'public',
  row_security: 'on',
  gin_fuzzy_search_limit: '1',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  // Long enough to connect on any machine.
  statement_timeout: '20000',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '1',
  idle_session_timeout: '10000',
  transaction_timeout: '20000',
  exit_on_error: 'on',
  client_min_messages: 'debug5',
  synchronous_commit: 'off',
  check_function_bodies: 'off',
  // Plans: slower, but not wrong.
  enable_indexscan: 'off',
  enable_hashjoin: 'off',
  enable_nestloop: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'on',
  jit_above_cost: '0',
  force_parallel_mode: 'regress',
  debug_parallel_query: 'regress',
};

describe('a database whose settings change what SQL and text mean', () => {
  let devnode: Devnode;
  const databases: TestDatabase[] = [];

  before(async () => {
    devnode = await generated({ generations: 12 });
  });
  after(async () => {
    await closeDevnodes();
    for (const database of databases) await database.drop();
  });

  const open = (url: string): Database =>
    createDatabase({ url, schema: 'mdw', poolSize: 4, statementTimeoutMs: 0, logger: silent });

  async function loaded(settings: Record<string, string>): Promise<{ copy: Database; server: TestDatabase }> {
    const server = await testDatabase();
    databases.push(server);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_settings');
    const name = new URL(server.url).pathname.slice(1);
    for (const { name: setting } of rows)
      if (settings[setting] !== undefined)
        await client.query(`ALTER DATABASE ${name} SET ${setting} = ${pg.escapeLiteral(settings[setting])}`);
    await client.end();
    const copy = open(server.url);
    await migrate(copy);
    const node = nodeAt(devnode.externalUrl);
    await syncFully(syncContext(copy, node));
    node.close();
    return { copy, server };
  }

  it('is migrated, loaded and read as any other', async () => {
    const usual = await loaded({});
    const hostile = await loaded(HOSTILE);

    expect(await logicalDump(hostile.copy)).to.deep.equal(await logicalDump(usual.copy));
    await Promise.all([usual.copy.close(), hostile.copy.close()]);
  });

  it('has the usual ones in each connection, of the pool and outside of it', async () => {
    const [, { url }] = databases as [TestDatabase, TestDatabase];
    const copy = open(url);
    const text = `
      SELECT name, setting FROM pg_catalog.pg_settings
      WHERE lower(name) = ANY ($1) AND name NOT LIKE 'enable_%'`;
    const checked = [Object.keys(HOSTILE).map((name) => name.toLowerCase())];
    const own = await copy.connect();
    const settings = async (rows: Promise<{ rows: object[] }>) =>
      Object.fromEntries(
        ((await rows).rows as { name: string; setting: string }[]).map(({ name, setting }) => [name, setting]),
      );
    const inPool = await settings(copy.query({ name: 'test.settings', text, values: checked }));
    expect(await settings(own.query(text, checked))).to.deep.equal(inPool);
    await own.end();
    await copy.close();

    expect(inPool).to.include({
      standard_conforming_strings: 'on',
      transform_null_equals: 'off',
      array_nulls: 'on',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      bytea_output: 'hex',
      TimeZone: 'UTC',
      client_encoding: 'UTF8',
      search_path: 'mdw',
      // A policy that hides rows is an error, not a wrong answer.
      row_security: 'off',
      default_transaction_isolation: 'read committed',
      lock_timeout: '0',
      statement_timeout: '0',
      synchronous_commit: 'on',
    });
    // Older versions do not have them.
    for (const name of ['idle_session_timeout', 'transaction_timeout']) expect(inPool[name] ?? '0', name).to.equal('0');
  });

  it('is not used while its triggers do not run', async () => {
    const server = await testDatabase();
    databases.push(server);
    const name = new URL(server.url).pathname.slice(1);
    await administer(server.url, [
      "CREATE ROLE mdw_without_triggers LOGIN PASSWORD 'any'",
      'ALTER ROLE mdw_without_triggers SET session_replication_role = replica',
      `GRANT ALL ON DATABASE ${name} TO mdw_without_triggers`,
    ]);
    const url = new URL(server.url);
    Object.assign(url, { username: 'mdw_without_triggers', password: 'any' });
    const copy = open(url.href);
    const fault = await rejection(copy.query({ name: 'test.one', text: 'SELECT 1' }));
    await copy.close();
    await administer(server.url, [
      `REVOKE ALL ON DATABASE ${name} FROM mdw_without_triggers`,
      'DROP ROLE mdw_without_triggers',
    ]);

    expect(fault.code).to.equal('session_not_set');
    expect(fault.message).to.contain('session_replication_role=replica instead of origin');
  });
});
