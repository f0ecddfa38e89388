import { expect } from 'chai';
import pg from 'pg';
import { testDatabase } from './postgres.js';

describe('the shared PostgreSQL of the suites', () => {
  it('gives each suite an empty database of its own and takes it back while it is in use', async () => {
    const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
    const client = new pg.Client({ connectionString: first.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE mark (one int)');

    const other = new pg.Client({ connectionString: second.url });
    await other.connect();
    const { rows } = await other.query<{ found: string | null }>(`SELECT to_regclass('mark') AS found`);
    await other.end();
    expect(rows[0]?.found).to.equal(null);

    await first.drop();
    await second.drop();
    expect(first.url).not.to.equal(second.url);
  });

  it('runs the version asked for', async () => {
    const database = await testDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    await client.end();
    await database.drop();

    expect(Number.parseInt(rows[0]?.server_version ?? '', 10)).to.equal(process.env.POSTGRES === '11' ? 11 : 18);
  });
});
